// Does what a person asked for in the terminal: by the running server where there is one, else by a process
// that outlives us; small decisions right here.
#pragma once

#include <string>

#include "cli/background_work.hpp"
#include "cli/context.hpp"
#include "tui/model.hpp"

namespace emend {

class TuiActions {
public:
  explicit TuiActions(CommandContext& context) : context_(context), background_(context) {}

  // The sentence that says what was done. Deeds of the terminal itself (copy, edit, suspend, quit) are not
  // done here.
  [[nodiscard]] Result<std::string> perform(const Wanted& wanted);
  [[nodiscard]] std::vector<BackgroundWork::Failure> failures() { return background_.failures(); }

  [[nodiscard]] Result<std::string> dashboard_link();    // logs a browser in, once
  [[nodiscard]] std::string link_to(const Issue& issue); // without a server: where it is

private:
  [[nodiscard]] Result<std::string> answer(const Wanted& wanted);
  [[nodiscard]] Result<std::string> comment(const Wanted& wanted);
  [[nodiscard]] Result<std::string> group(const Wanted& wanted);
  [[nodiscard]] Result<std::string> open_test(const Wanted& wanted);
  [[nodiscard]] Result<std::string> decide(const Wanted& wanted);
  [[nodiscard]] Result<std::string> fix(const Wanted& wanted);
  [[nodiscard]] Result<std::string> refix(const Wanted& wanted);
  [[nodiscard]] Result<std::string> accept(const Wanted& wanted);
  [[nodiscard]] Result<std::string> reject(const Wanted& wanted);
  [[nodiscard]] Result<std::string> session_order(const Wanted& wanted);
  // False: no server is running, or it does not serve this repository. An error: it says no.
  [[nodiscard]] Result<bool> ask_server(const std::string& path, Json body);

  CommandContext& context_;
  BackgroundWork background_;
};

} // namespace emend
