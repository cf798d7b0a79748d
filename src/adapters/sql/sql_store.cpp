#include "adapters/sql/sql_store.hpp"

#include <chrono>
#include <limits>
#include <mutex>

#include "adapters/sql/audit_rows.hpp"
#include "adapters/sql/change_scope.hpp"
#include "adapters/sql/clarification_rows.hpp"
#include "adapters/sql/database_address.hpp"
#include "adapters/sql/issue_matching.hpp"
#include "adapters/sql/issue_rows.hpp"
#include "adapters/sql/issue_search.hpp"
#include "adapters/sql/issue_texts.hpp"
#include "adapters/sql/journal_rows.hpp"
#include "adapters/sql/migrations.hpp"
#include "adapters/sql/people_rows.hpp"
#include "adapters/sql/record_tables.hpp"
#include "adapters/sql/session_rows.hpp"
#include "adapters/sql/shared_work_rows.hpp"
#include "ports/machine.hpp"

namespace emend {

namespace {

template <typename Record>
Status write_each(Database& database, const std::vector<Record>& records,
                  Status (*write)(Database&, const Record&) = put_row<Record>) {
  for (const Record& record : records) TRY(write(database, record));
  return {};
}

// One connection, one caller at a time: a session's writes wait for each other anyway, and reads are short.
// Progress alone (events, a turn that has begun, what an agent's run consumed) may be lost with the
// power: the work it speaks of is then lost as well. What was decided may not.
bool must_survive_power_cut(const Change& change) {
  const bool decided =
      std::any_of(change.attempts.begin(), change.attempts.end(),
                  [](const Attempt& attempt) { return attempt.result != AttemptResult::interrupted; });
  return decided || !change.sessions.empty() || !change.verifications.empty() || !change.verdicts.empty() ||
         !change.commits.empty() || !change.proofs.empty() || !change.reproducers.empty() ||
         !change.clarifications.empty() || !change.comments.empty() || !change.withdrawals.empty() ||
         !change.opened_tests.empty() || !change.fix_outcomes.empty() || !change.moves.empty() ||
         !change.intents.empty() || !change.cancels.empty() || !change.trusted.empty() ||
         !change.untrusted.empty() || !change.audit.empty();
}

class SqlStore : public Store {
public:
  explicit SqlStore(std::unique_ptr<Database> database) : database_(std::move(database)) {}
  Result<std::vector<Issue>> add_issues(std::vector<Issue> issues, std::int64_t now_ms,
                                        const Sighting& sighting) override {
    if (sighting.dry) return answer_only(std::move(issues), now_ms, sighting);
    return in_transaction([&](Database& database) -> Result<std::vector<Issue>> {
      if (!matcher_ || sighting.look.empty() || matcher_->look() != sighting.look)
        matcher_ = std::make_unique<IssueMatcher>(sighting);
      auto added = matcher_->add(database, issues, now_ms);
      if (!added || sighting.look.empty()) matcher_.reset();
      TRY(std::move(added));
      TRY(index_new_texts(database));
      return std::move(issues);
    });
  }

  Result<std::vector<Event>> apply(const Change& change, std::int64_t now_ms) override {
    auto events_stored = in_transaction(
        [&](Database& database) -> Result<std::vector<Event>> {
          if (change.fence) TRY(hold_fence(database, *change.fence));
          TRY(write_each(database, change.sessions, put_session));
          TRY(write_each(database, change.units));
          TRY(write_each(database, change.attempts));
          TRY(write_each(database, change.agent_run_starts));
          TRY(write_each(database, change.agent_runs));
          TRY(write_each(database, change.verifications));
          TRY(write_each(database, change.verdicts));
          TRY(write_each(database, change.commits));
          TRY(write_each(database, change.proofs));
          TRY(write_each(database, change.reproducers));
          TRY(write_each(database, change.clarifications));
          TRY(write_each(database, change.comments));
          TRY(write_each(database, change.withdrawals));
          TRY(write_each(database, change.opened_tests));
          TRY(write_each(database, change.fix_outcomes));
          for (const IssueMove& move : change.moves) TRY(move_issue(database, move, now_ms));
          TRY(write_each(database, change.absences, mark_absent));
          TRY(write_each(database, change.intents));
          TRY(write_each(database, change.trusted));
          TRY(write_each(database, change.untrusted, delete_trust));
          TRY(write_each(database, change.cancels, set_cancel_requested));
          TRY(write_people(database, change));
          for (const AuditEntry& entry : change.audit) TRY(append_audit(database, entry, now_ms));
          std::vector<Event> events;
          for (const Event& event : change.events) {
            TRY_ASSIGN(Event stored, insert_event(database, event, now_ms));
            events.push_back(std::move(stored));
          }
          return events;
        },
        must_survive_power_cut(change), session_scope(change));
    if (events_stored && !events_stored->empty()) tell_of_events();
    return events_stored;
  }

  Result<std::vector<Issue>> issues(const IssueFilter& filter) override {
    return locked(select_issues, filter);
  }
  Status for_each_issue(const IssueFilter& filter, const std::function<Status(Issue&&)>& take) override {
    constexpr std::size_t kPage = 2'000;
    std::int64_t after = 0;
    std::size_t left = filter.limit == 0 ? std::numeric_limits<std::size_t>::max() : filter.limit;
    for (bool more = true; more && left > 0;) {
      std::vector<Issue> page;
      {
        const std::lock_guard guard(mutex_);
        TRY_ASSIGN(more, select_issue_page(*database_, filter, after, kPage, page));
        TRY(attach_clarifications(*database_, page));
      }
      for (Issue& issue : page) {
        TRY(take(std::move(issue)));
        if (--left == 0) return {};
      }
    }
    return {};
  }
  Result<Issue> issue(const std::string& repository_id, const std::string& code_or_id) override {
    return locked(select_issue, repository_id, code_or_id);
  }
  Result<Session> session(const std::string& id) override { return locked(select_session, id); }
  Result<std::vector<Session>> sessions(const std::string& repository_id, std::size_t limit) override {
    return locked(select_sessions, repository_id, limit);
  }
  Result<std::vector<Session>> unfinished_sessions(const std::string& repository_id) override {
    return locked(select_unfinished_sessions, repository_id);
  }
  Result<std::vector<Unit>> units(const std::string& session_id) override {
    return rows<Unit>("session_id = $1 order by position, id", {session_id});
  }
  Result<std::vector<Attempt>> attempts_of_session(const std::string& session_id) override {
    return rows<Attempt>("session_id = $1 order by n", {session_id});
  }
  Result<std::vector<Attempt>> attempts_of_issue(const std::string& issue_id) override {
    return rows<Attempt>("issue_id = $1 order by n", {issue_id});
  }
  Result<Attempt> attempt(const std::string& id) override {
    return row<Attempt>(id, "there is no attempt " + id);
  }
  Result<std::vector<Verification>> verifications(const std::string& session_id) override {
    return rows<Verification>("session_id = $1 order by n", {session_id});
  }
  Result<std::vector<Verification>> verifications(const std::string& session_id,
                                                  const std::string& patch_sha256) override {
    return rows<Verification>("session_id = $1 and patch_sha256 = $2 order by n", {session_id, patch_sha256});
  }
  Result<std::vector<Verdict>> verdicts(const std::string& session_id) override {
    return rows<Verdict>("session_id = $1 order by n", {session_id});
  }
  Result<std::vector<AgentRunRecord>> agent_runs(const std::string& session_id) override {
    return rows<AgentRunRecord>("session_id = $1 order by n", {session_id});
  }
  Result<std::vector<AgentRunRecord>> latest_agent_runs(const std::string& repository_id,
                                                        std::size_t limit) override {
    return rows<AgentRunRecord>("repository_id = $1 order by n desc limit $2",
                                {repository_id, static_cast<std::int64_t>(limit)});
  }
  Result<std::vector<AgentRunRecord>> agent_runs(const RunSearch& search) override {
    std::string where;
    Values values;
    const auto with = [&](const Value& value) {
      values.push_back(value);
      return "$" + std::to_string(values.size());
    };
    if (!search.roles.empty()) {
      std::vector<std::string> roles;
      for (const std::string& role : search.roles) roles.push_back(with(role));
      where += " and role in (" + join(roles, ", ") + ")";
    }
    if (!search.issue_id.empty()) where += " and data like '%' || " + with(search.issue_id) + " || '%'";
    if (search.from_ms > 0) where += " and started_ms >= " + with(search.from_ms);
    if (search.latest > 0)
      where += " and n >= (select min(n) from (select n from agent_runs where repository_id = " +
               with(search.repository_id) + " order by n desc limit " +
               with(static_cast<std::int64_t>(search.latest)) + ") as latest)";
    return rows_with<AgentRunRecord>(
        {{"repository_id", search.repository_id}, {"session_id", search.session_id}},
        // Those of a time are found by its index and then sorted; in the order of n all would be looked at.
        where + (search.from_ms > 0 ? " order by n + 0 desc" : " order by n desc"), std::move(values));
  }
  Result<AgentRunRecord> agent_run(const std::string& id) override {
    return row<AgentRunRecord>(id, "there is no run " + id + " that has ended");
  }
  Result<std::vector<AgentRunStart>> agent_run_starts(const std::string& session_id) override {
    return rows<AgentRunStart>("session_id = $1 order by n", {session_id});
  }
  Result<AgentRunStart> agent_run_start(const std::string& id) override {
    return row<AgentRunStart>(id, "there is no run " + id);
  }
  Result<std::vector<CommitRecord>> commits(const std::string& session_id) override {
    return rows<CommitRecord>("session_id = $1 order by n", {session_id});
  }
  Result<std::optional<Proof>> proof(const std::string& issue_id, const std::string& session_id) override {
    return first(rows<Proof>("issue_id = $1 and session_id = $2", {issue_id, session_id}));
  }
  Result<std::vector<JournalRow>> journal_rows(const std::string& issue_id,
                                               const std::string& session_id) override {
    return locked(select_journal_rows, issue_id, session_id);
  }
  Result<std::vector<Reproducer>> reproducers(const std::string& issue_id) override {
    return rows<Reproducer>("issue_id = $1 order by n", {issue_id});
  }
  Result<std::vector<Comment>> comments(const std::string& issue_id, const std::string& session_id) override {
    return rows_with<Comment>({{"issue_id", issue_id}, {"session_id", session_id}}, " order by n");
  }
  Result<std::vector<Comment>> comments_since(const std::string& repository_id,
                                              std::int64_t after_ms) override {
    return rows<Comment>(
        "created_ms > $2 and issue_id in (select id from issues where repository_id = $1) order by n",
        {repository_id, after_ms});
  }
  Result<std::vector<Withdrawal>> withdrawals(const std::string& issue_id,
                                              const std::string& session_id) override {
    return rows_with<Withdrawal>({{"issue_id", issue_id}, {"session_id", session_id}}, " order by n");
  }
  Result<std::vector<OpenedTest>> opened_tests(const std::string& issue_id) override {
    return rows<OpenedTest>("issue_id = $1 order by n", {issue_id});
  }
  Result<std::vector<FixOutcome>> fix_outcomes(const std::string& repository_id) override {
    return rows<FixOutcome>("repository_id = $1 order by n", {repository_id});
  }
  Result<std::vector<Event>> events_after(std::int64_t seq, const std::string& session_id,
                                          std::size_t limit) override {
    return locked(select_events, seq, session_id, limit);
  }

  Result<std::vector<Intent>> open_intents(const std::string& session_id) override {
    return rows_with<Intent>({{"session_id", session_id}}, " and done = 0 order by n");
  }
  Status finish_intent(const std::string& id) override {
    return in_transaction([&](Database& database) { return finish_intent_row(database, id); }, true, id);
  }

  // After a power cut there is no child left to look for.
  Status add_child(const ChildRecord& child) override {
    return in_transaction([&](Database& database) { return put_row(database, child); }, false,
                          child.session_id);
  }
  Status remove_child(const ChildRecord& child) override {
    return in_transaction([&](Database& database) { return delete_child(database, child); }, false,
                          child.session_id);
  }
  Result<std::vector<ChildRecord>> children(const std::string& session_id) override {
    return rows_with<ChildRecord>({{"session_id", session_id}}, " order by session_id, start_ticks, pid");
  }

  Result<std::optional<CommandRun>> cached_run(const std::string& key) override {
    return locked(select_baseline_run, key);
  }
  Status cache_run(const std::string& key, const CommandRun& run) override {
    return in_transaction([&](Database& database) { return put_baseline_run(database, key, run); }, true,
                          key);
  }

  Result<bool> cancel_requested(const std::string& session_id) override {
    return locked(select_cancel_requested, session_id);
  }

  Result<std::optional<TrustRecord>> trusted(const std::string& path) override {
    return first(rows<TrustRecord>("path = $1", {path}));
  }

  Result<std::vector<AuditEntry>> audit(const AuditSearch& search) override {
    return locked(select_audit, search);
  }
  Result<AuditHead> audit_head() override { return locked(select_audit_head); }

  Result<std::int64_t> directory_version() override { return locked(select_directory_version); }
  Result<Directory> directory() override { return locked(select_directory); }

private:
  template <typename Record>
  Result<std::vector<Record>> rows(const std::string& where, const Values& values) {
    return locked(select_rows<Record>, where, values);
  }
  // Those with these values, an empty one stands for any; and what follows the conditions, with its values.
  template <typename Record>
  Result<std::vector<Record>> rows_with(const std::vector<std::pair<std::string, std::string>>& wanted,
                                        const std::string& rest, Values values = {}) {
    std::string where = "1 = 1";
    for (const auto& [column, value] : wanted) {
      if (value.empty()) continue;
      values.emplace_back(value);
      where += " and " + column + " = $" + std::to_string(values.size());
    }
    return rows<Record>(where + rest, values);
  }
  template <typename Record>
  static Result<std::optional<Record>> first(Result<std::vector<Record>> found) {
    TRY_ASSIGN(std::vector<Record> records, std::move(found));
    return records.empty() ? std::optional<Record>() : std::optional<Record>(std::move(records.front()));
  }
  template <typename Record>
  Result<Record> row(const std::string& id, const std::string& missing) {
    TRY_ASSIGN(std::optional<Record> found, first(rows<Record>("id = $1", {id})));
    if (!found) return fail(ErrorCode::not_found, missing);
    return *std::move(found);
  }

  // A single statement is its own transaction, and durable.
  template <typename Answer, typename... Parameters, typename... Arguments>
  Answer locked(Answer (*call)(Database&, Parameters...), const Arguments&... arguments) {
    const std::lock_guard guard(mutex_);
    TRY(database_->set_durable(true));
    return call(*database_, arguments...);
  }

  Result<std::vector<Issue>> answer_only(std::vector<Issue> issues, std::int64_t now_ms,
                                         const Sighting& sighting) {
    const std::lock_guard guard(mutex_);
    TRY_ASSIGN(const Transaction undone, Transaction::begin(*database_));
    IssueMatcher matcher(sighting);
    TRY(matcher.add(*database_, issues, now_ms));
    for (Issue& issue : issues) {
      if (issue.trend != IssueTrend::fresh || issue.created_ms != now_ms) continue;
      issue.id.clear();
      issue.code.clear();
    }
    return issues;
  }

  // scope: all that is written belongs to it, so only writers of the same scope are waited for.
  template <typename Work>
  auto in_transaction(Work work, bool durable = true, const std::optional<std::string>& scope = std::nullopt)
      -> decltype(work(std::declval<Database&>())) {
    const std::lock_guard guard(mutex_);
    TRY(database_->set_durable(durable));
    const bool beside = scope && others_know();
    TRY_ASSIGN(Transaction transaction,
               beside ? Transaction::begin_beside(*database_, *scope) : Transaction::begin(*database_));
    auto answer = work(*database_);
    if (answer) TRY(transaction.commit());
    return answer;
  }

  // Servers of a release before begin_beside() believe that numbers become visible in their order. While
  // one may be at work, all writers take turns, as it does.
  bool others_know() {
    if (database_->dialect() == SqlDialect::sqlite) return true;
    const auto now = std::chrono::steady_clock::now();
    if (now < ask_again_) return others_know_;
    const auto several = several_releases(*database_);
    others_know_ = several && !*several;
    ask_again_ = now + std::chrono::seconds(30);
    return others_know_;
  }

  // Beside the change, which is stored already: the server lets one bell ring at a time, until the end of the
  // transaction that rings it. Whoever does not hear it looks before long.
  void tell_of_events() {
    const std::lock_guard guard(mutex_);
    (void)database_->ring("emend_events");
  }

  std::mutex mutex_;
  std::unique_ptr<Database> database_;
  bool others_know_ = false;
  std::chrono::steady_clock::time_point ask_again_;
  std::unique_ptr<IssueMatcher> matcher_; // of the look that is under way
};

// A file belongs to one machine, a server serves any number of them.
class ServerStore final : public SqlStore, public SharedStore {
public:
  using SqlStore::SqlStore;
};

} // namespace

Result<std::unique_ptr<Store>> open_sql_store(const std::string& address, int busy_timeout_ms) {
  TRY_ASSIGN(auto database, open_database(address, busy_timeout_ms));
  TRY(migrate(*database, schema_migrations()));
  if (database->dialect() == SqlDialect::postgresql)
    return std::make_unique<ServerStore>(std::move(database));
  return std::make_unique<SqlStore>(std::move(database));
}

} // namespace emend
