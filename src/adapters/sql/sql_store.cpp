#include "adapters/sql/sql_store.hpp"

#include <limits>
#include <mutex>

#include "adapters/sql/clarification_rows.hpp"
#include "adapters/sql/database_address.hpp"
#include "adapters/sql/decision_rows.hpp"
#include "adapters/sql/evidence_rows.hpp"
#include "adapters/sql/issue_matching.hpp"
#include "adapters/sql/issue_rows.hpp"
#include "adapters/sql/issue_search.hpp"
#include "adapters/sql/journal_rows.hpp"
#include "adapters/sql/migrations.hpp"
#include "adapters/sql/session_rows.hpp"
#include "adapters/sql/shared_work_rows.hpp"
#include "ports/machine.hpp"

namespace emend {

namespace {

template <typename Record>
Status write_each(Database& database, const std::vector<Record>& records,
                  Status (*write)(Database&, const Record&)) {
  for (const Record& record : records) TRY(write(database, record));
  return {};
}

// One connection, one caller at a time: a write takes the database's only write lock anyway, and reads are
// short. Progress alone (events, a turn that has begun, what an agent's run consumed) may be lost with the
// power: the work it speaks of is then lost as well. What was decided may not.
bool must_survive_power_cut(const Change& change) {
  const bool decided =
      std::any_of(change.attempts.begin(), change.attempts.end(),
                  [](const Attempt& attempt) { return attempt.result != AttemptResult::interrupted; });
  return decided || !change.sessions.empty() || !change.verifications.empty() || !change.verdicts.empty() ||
         !change.commits.empty() || !change.proofs.empty() || !change.reproducers.empty() ||
         !change.clarifications.empty() || !change.comments.empty() || !change.withdrawals.empty() ||
         !change.moves.empty() || !change.intents.empty();
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
      return std::move(issues);
    });
  }

  Result<std::vector<Event>> apply(const Change& change, std::int64_t now_ms) override {
    return in_transaction(
        [&](Database& database) -> Result<std::vector<Event>> {
          if (change.fence) TRY(hold_fence(database, *change.fence));
          TRY(write_each(database, change.sessions, put_session));
          TRY(write_each(database, change.units, put_unit));
          TRY(write_each(database, change.attempts, put_attempt));
          TRY(write_each(database, change.agent_run_starts, insert_agent_run_start));
          TRY(write_each(database, change.agent_runs, insert_agent_run));
          TRY(write_each(database, change.verifications, insert_verification));
          TRY(write_each(database, change.verdicts, insert_verdict));
          TRY(write_each(database, change.commits, insert_commit));
          TRY(write_each(database, change.proofs, put_proof));
          TRY(write_each(database, change.reproducers, insert_reproducer));
          TRY(write_each(database, change.clarifications, put_clarification));
          TRY(write_each(database, change.comments, insert_comment));
          TRY(write_each(database, change.withdrawals, put_withdrawal));
          for (const IssueMove& move : change.moves) TRY(move_issue(database, move, now_ms));
          TRY(write_each(database, change.absences, mark_absent));
          TRY(write_each(database, change.intents, put_intent_row));
          std::vector<Event> events;
          for (const Event& event : change.events) {
            TRY_ASSIGN(Event stored, insert_event(database, event, now_ms));
            events.push_back(std::move(stored));
          }
          if (!events.empty()) TRY(database.ring("emend_events"));
          return events;
        },
        must_survive_power_cut(change));
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
  Result<std::vector<Unit>> units(const std::string& session_id) override {
    return locked(select_units, session_id);
  }
  Result<std::vector<Attempt>> attempts_of_session(const std::string& session_id) override {
    return locked(select_attempts_of_session, session_id);
  }
  Result<std::vector<Attempt>> attempts_of_issue(const std::string& issue_id) override {
    return locked(select_attempts_of_issue, issue_id);
  }
  Result<Attempt> attempt(const std::string& id) override { return locked(select_attempt, id); }
  Result<std::vector<Verification>> verifications(const std::string& session_id) override {
    return locked(select_verifications, session_id);
  }
  Result<std::vector<Verdict>> verdicts(const std::string& session_id) override {
    return locked(select_verdicts, session_id);
  }
  Result<std::vector<AgentRunRecord>> agent_runs(const std::string& session_id) override {
    return locked(select_agent_runs, session_id);
  }
  Result<std::vector<AgentRunRecord>> latest_agent_runs(const std::string& repository_id,
                                                        std::size_t limit) override {
    return locked(select_latest_agent_runs, repository_id, limit);
  }
  Result<AgentRunRecord> agent_run(const std::string& id) override { return locked(select_agent_run, id); }
  Result<std::vector<AgentRunStart>> agent_run_starts(const std::string& session_id) override {
    return locked(select_agent_run_starts, session_id);
  }
  Result<AgentRunStart> agent_run_start(const std::string& id) override {
    return locked(select_agent_run_start, id);
  }
  Result<std::vector<CommitRecord>> commits(const std::string& session_id) override {
    return locked(select_commits, session_id);
  }
  Result<std::optional<Proof>> proof(const std::string& issue_id, const std::string& session_id) override {
    return locked(select_proof, issue_id, session_id);
  }
  Result<std::vector<JournalRow>> journal_rows(const std::string& issue_id,
                                               const std::string& session_id) override {
    return locked(select_journal_rows, issue_id, session_id);
  }
  Result<std::vector<Reproducer>> reproducers(const std::string& issue_id) override {
    return locked(select_reproducers, issue_id);
  }
  Result<std::vector<Comment>> comments(const std::string& issue_id, const std::string& session_id) override {
    return locked(select_comments, issue_id, session_id);
  }
  Result<std::vector<Withdrawal>> withdrawals(const std::string& issue_id,
                                              const std::string& session_id) override {
    return locked(select_withdrawals, issue_id, session_id);
  }
  Result<std::vector<Event>> events_after(std::int64_t seq, const std::string& session_id,
                                          std::size_t limit) override {
    return locked(select_events, seq, session_id, limit);
  }

  Result<std::vector<Intent>> open_intents(const std::string& session_id) override {
    return locked(select_open_intents, session_id);
  }
  Status finish_intent(const std::string& id) override {
    return in_transaction([&](Database& database) { return finish_intent_row(database, id); });
  }

  // After a power cut there is no child left to look for.
  Status add_child(const ChildRecord& child) override {
    return in_transaction([&](Database& database) { return insert_child(database, child); }, false);
  }
  Status remove_child(const ChildRecord& child) override {
    return in_transaction([&](Database& database) { return delete_child(database, child); }, false);
  }
  Result<std::vector<ChildRecord>> children(const std::string& session_id) override {
    return locked(select_children, session_id);
  }

  Result<std::optional<CommandRun>> cached_run(const std::string& key) override {
    return locked(select_baseline_run, key);
  }
  Status cache_run(const std::string& key, const CommandRun& run) override {
    return locked(put_baseline_run, key, run);
  }

  Status request_cancel(const std::string& session_id) override {
    return locked(set_cancel_requested, session_id);
  }
  Result<bool> cancel_requested(const std::string& session_id) override {
    return locked(select_cancel_requested, session_id);
  }

  Status trust(const TrustRecord& record) override { return locked(put_trust, record); }
  Result<std::optional<TrustRecord>> trusted(const std::string& path) override {
    return locked(select_trust, path);
  }
  Status revoke_trust(const std::string& path) override { return locked(delete_trust, path); }

private:
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

  template <typename Work>
  auto in_transaction(Work work, bool durable = true) -> decltype(work(std::declval<Database&>())) {
    const std::lock_guard guard(mutex_);
    TRY(database_->set_durable(durable));
    TRY_ASSIGN(Transaction transaction, Transaction::begin(*database_));
    auto answer = work(*database_);
    if (answer) TRY(transaction.commit());
    return answer;
  }

  std::mutex mutex_;
  std::unique_ptr<Database> database_;
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
