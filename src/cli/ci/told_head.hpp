// A commit that is shown as pending at the forge until it is said how it stands.
#pragma once

#include <optional>
#include <string>

#include "cli/context.hpp"
#include "engine/forge/head_report.hpp"
#include "model/head_status.hpp"
#include "ports/forge.hpp"

namespace emend {

class ToldHead {
public:
  // name: "emend/review". forge outlives it.
  ToldHead(CommandContext& context, Forge& forge, StatusWay way, std::string name)
      : context_(context), forge_(forge), way_(way), name_(std::move(name)) {}

  // Closes what a dead emend left open, then shows this commit as pending. Nothing where forge.status is off.
  [[nodiscard]] Status begin(const std::string& sha);
  [[nodiscard]] Status show(const std::string& sha); // without closing anything
  [[nodiscard]] bool is_pending() const { return pending_.has_value(); }
  [[nodiscard]] bool is_check_run() const { return pending_ && pending_->by_check; }
  // Of one that is pending; status without sha and context.
  [[nodiscard]] Status end(HeadStatus status, const ReviewGround& ground);
  // Our own failure: "emend could not DOING it: why". What goes wrong on the way is only said.
  void fail(const Error& why, const char* doing);
  [[nodiscard]] Json to_json() const; // null = nothing was said

private:
  CommandContext& context_;
  Forge& forge_;
  StatusWay way_;
  std::string name_;
  std::optional<PendingHead> pending_;
  HeadStatus said_;
};

} // namespace emend
