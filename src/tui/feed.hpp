// What the store knows, brought into the model: what is looked at, then what is new, whoever writes it.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/session/report.hpp"
#include "model/fix_outcome.hpp"
#include "ports/ledger.hpp"
#include "ports/repository.hpp"
#include "ports/store.hpp"
#include "tui/model.hpp"

namespace emend {

struct FeedSources {
  Store& store;
  Ledger& ledger; // of the same database
  Repository& repository;
  std::string home;
  std::function<std::optional<std::string>(const Event&)>
      tell; // an event as a line; nullopt = not worth telling
  std::function<Result<Explanation>(const std::string& code)>
      explain; // why a fix is believed; empty = nobody knows
};

// The issues of a repository as a list of any length reads them.
[[nodiscard]] IssueSource stored_issues(IssueStore& store, Ledger& ledger, const std::string& repository_id);

// For one thread. Reads only.
class Feed {
public:
  explicit Feed(FeedSources sources) : from_(std::move(sources)) {}

  [[nodiscard]] Status load(Model& model);
  // What has been stored since; the events are handed to `seen`, too. True when the model is another one now.
  // Cheap when nothing happened.
  [[nodiscard]] Result<bool> poll(Model& model, const std::function<void(const Event&)>& seen = {});
  // What panel 3 and panel 4 need of the issue and the session that are chosen now. True when the model is
  // another one now.
  [[nodiscard]] Result<bool> look_closer(Model& model);
  // Every command of the session shown and how it ended.
  [[nodiscard]] Result<std::vector<Line>> commands(const Model& model);

  // What became of the fixes, as it is known; the branch is not looked at again.
  [[nodiscard]] Result<std::vector<FixOutcome>> outcomes();

private:
  void read_issues(Model& model);
  [[nodiscard]] Status load_inbox(Model& model);
  [[nodiscard]] Status load_sessions(Model& model);
  [[nodiscard]] Result<ShownSession> shown_session(const std::string& id);
  [[nodiscard]] Result<Detail> detail_of(const Model& model, const Issue& issue);
  [[nodiscard]] Status add_tries(const Issue& issue, Detail& detail);
  [[nodiscard]] Status add_proof(const Model& model, const Issue& issue, Detail& detail);
  [[nodiscard]] Status add_lanes(const Session& session, ShownSession& view);
  [[nodiscard]] std::string code_of(const std::string& id);
  [[nodiscard]] Status add_runs(const Model& model, const Issue& issue, Detail& detail);
  void add_source(const Issue& issue, Detail& detail);
  [[nodiscard]] bool is_ours(const Event& event);
  void note(const Event& event);
  [[nodiscard]] bool written_since();

  FeedSources from_;
  std::int64_t seq_ = 0;
  std::string head_;                         // commit
  std::map<std::string, bool> ours_;         // by session
  std::map<std::string, std::string> codes_; // by id
  bool stale_issues_ = false, stale_sessions_ = false, stale_view_ = false, stale_detail_ = false,
       stale_inbox_ = false;
  std::chrono::steady_clock::time_point inbox_read_{};
  std::string tale_of_;     // code
  std::vector<Event> tale_; // what happened to that issue, without what agents print
  Tab tab_ = Tab::issue;
  std::string counts_;
  std::filesystem::file_time_type written_{};
  std::optional<std::chrono::steady_clock::time_point> look_again_;
};

} // namespace emend
