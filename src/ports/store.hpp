// The durable state: issues, sessions, units, attempts, verifications, verdicts, proofs, commits, events,
// trust. Writes go through one call, so a state and the events that tell of it are one transaction. `Store`
// is the whole; each user takes the part it needs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/account.hpp"
#include "model/agent_run_record.hpp"
#include "model/attempt.hpp"
#include "model/audit.hpp"
#include "model/event.hpp"
#include "model/evidence.hpp"
#include "model/fix_outcome.hpp"
#include "model/issue.hpp"
#include "model/opened_test.hpp"
#include "model/reproducer.hpp"
#include "model/session.hpp"
#include "model/verdict.hpp"
#include "model/verification.hpp"
#include "model/withdrawal.hpp"

namespace emend {

// Moves an issue along the state table. Refused (ErrorCode::conflict) when it is not in `from` any more,
// (internal) when the table has no such move for the actor; RESOLVED without a proof row, or by a fix that
// was taken back, is refused by the database itself.
struct IssueMove {
  std::string issue_id;
  IssueStatus from = IssueStatus::open;
  IssueStatus to = IssueStatus::open;
  Mover mover = Mover::engine;
  std::string reason;
  std::string detail;
  std::optional<std::string> evidence, commit, session_id, duplicate_of; // set when given
  std::optional<Marks> marks;                                            // likewise
  std::optional<int> last_score;
  int add_attempts = 0;
  std::optional<IssueTrend> trend; // set when given; RESOLVED ends "regressed" by itself
};

// One look at a tree. All that is added in one look shares its claims: a known issue is taken by one place
// only.
struct Sighting {
  std::string look;   // names the look over several calls; empty = this call is one
  std::string commit; // what was looked at; empty = unknown
  std::function<bool(const std::string& file)>
      has_file;     // in that tree; empty = unknown, so no file counts as renamed
  bool dry = false; // only answer: nothing is stored, and a new issue has no id and no code
};

// A known issue that a look at `commit` should have found and did not. The first such commit is kept until it
// is found again.
struct Absence {
  std::string issue_id;
  std::string commit;
};

// A journal row for an effect outside the database: intent before, done after, looked for in the world in
// between.
struct Intent {
  std::string id;
  std::string session_id;
  std::string kind; // "publish"
  Json data;
  bool done = false;
};

struct TrustRecord {
  std::string path;
  std::string sha256;
  std::int64_t time_ms = 0;
};

// Another role for somebody; nullopt = none any more.
struct GrantChange {
  std::string account_id, repository_id;
  std::optional<Role> role;
};

// Everything in one transaction, in the order of the members. Sessions and units are upserts of the whole
// record.
struct Change {
  std::optional<Fence> fence; // whose claim this is made under; ErrorCode::conflict, and nothing is written,
                              // when another one is newer
  std::vector<Session> sessions;
  std::vector<Unit> units;
  std::vector<Attempt> attempts;               // insert; an existing id is updated
  std::vector<Verification> verifications;     // insert
  std::vector<Verdict> verdicts;               // insert
  std::vector<CommitRecord> commits;           // insert; an existing sha+session is fine
  std::vector<Proof> proofs;                   // insert; an existing issue+session is replaced
  std::vector<AgentRunStart> agent_run_starts; // insert
  std::vector<AgentRunRecord> agent_runs;      // insert
  std::vector<Reproducer> reproducers;         // insert
  std::vector<Clarification> clarifications;   // insert; a known question gets its new state and answer
  std::vector<Comment> comments;               // insert
  std::vector<Withdrawal> withdrawals;         // insert; a known one only learns what became of the branch
  std::vector<OpenedTest> opened_tests;        // insert
  std::vector<FixOutcome> fix_outcomes;        // insert; a known fix gets its new fate
  std::vector<IssueMove> moves;
  std::vector<Absence> absences;
  std::vector<Intent> intents;        // insert; durable (synchronous FULL) when it returns
  std::vector<TrustRecord> trusted;   // one row per path
  std::vector<std::string> untrusted; // paths
  std::vector<std::string> cancels;   // sessions that are to end; ErrorCode::not_found = there is none such
  std::vector<Account> accounts;   // insert; a known id is updated; ErrorCode::conflict = the name is taken
  std::vector<AccessToken> tokens; // insert; a known id only becomes revoked
  std::vector<GrantChange> grants;
  std::vector<AuditEntry> audit; // who wants all this; n, time and digest are filled in
  std::vector<Event> events;     // seq and digest are filled in
};

struct IssueFilter {
  std::string repository_id;
  std::vector<IssueStatus> statuses; // empty = all
  std::string session_id;
  std::string file_glob;
  std::size_t limit = 0; // 0 = all
  std::optional<IssueTrend> trend;
};

// Ended runs of agents. What is empty says nothing.
struct RunSearch {
  std::string repository_id, session_id;
  std::vector<std::string> roles; // one of these
  std::string issue_id;           // the run was about this one, perhaps among others
  std::size_t latest = 0;         // only the latest so many of the repository are looked at; 0 = all
  std::int64_t from_ms = 0;       // begun then or later
};

// A child process that may outlive a dead engine.
struct ChildRecord {
  std::string session_id;
  int pid = 0;
  std::int64_t start_ticks = 0;
  std::string boot_id;
};

// A row a proof rests on, byte for byte as the database holds it: only columns that never change once the
// issue is RESOLVED.
struct JournalRow {
  std::string table;
  std::string id;
  std::string bytes; // of all those columns, unambiguous
};

// Every write, and what was written: a change of state and its events, intents and what became of them.
class Journal {
public:
  virtual ~Journal() = default;

  // Returns the events with their sequence numbers.
  [[nodiscard]] virtual Result<std::vector<Event>> apply(const Change& change, std::int64_t now_ms) = 0;

  [[nodiscard]] virtual Result<std::vector<Event>> events_after(std::int64_t seq,
                                                                const std::string& session_id,
                                                                std::size_t limit) = 0; // "" = all

  [[nodiscard]] virtual Result<std::vector<Intent>> open_intents(const std::string& session_id) = 0;
  [[nodiscard]] virtual Status finish_intent(const std::string& id) = 0;
};

// Issues, and what people and agents left with them.
class IssueStore {
public:
  virtual ~IssueStore() = default;

  // Adds new issues in one transaction: gives each an id and the next code of its side ("BE-001"); one that
  // comes with a code keeps it where it is free. One that
  // is known is not added again: the known one, moved to where it was seen now, is returned in its place.
  // Known is, in this order: the same fingerprint; the same content in a file that is gone (renamed); the
  // same rule on a line of the same text (edited near it). Its trend is `fresh` exactly when it was added in
  // this look. Same order as given.
  [[nodiscard]] Result<std::vector<Issue>> add_issues(std::vector<Issue> issues, std::int64_t now_ms) {
    return add_issues(std::move(issues), now_ms, Sighting{});
  }
  [[nodiscard]] virtual Result<std::vector<Issue>> add_issues(std::vector<Issue> issues, std::int64_t now_ms,
                                                              const Sighting& sighting) = 0;

  [[nodiscard]] virtual Result<std::vector<Issue>> issues(const IssueFilter& filter) = 0;
  // The same, page by page: the memory of one page however many there are. Stops at the first error take()
  // answers with.
  [[nodiscard]] virtual Status for_each_issue(const IssueFilter& filter,
                                              const std::function<Status(Issue&&)>& take) = 0;
  [[nodiscard]] virtual Result<Issue> issue(const std::string& repository_id,
                                            const std::string& code_or_id) = 0; // not_found

  [[nodiscard]] virtual Result<std::vector<Attempt>> attempts_of_issue(const std::string& issue_id) = 0;
  [[nodiscard]] virtual Result<std::vector<Reproducer>> reproducers(
      const std::string& issue_id) = 0; // in order
  // In order; "" = of any issue, of any session.
  [[nodiscard]] virtual Result<std::vector<Comment>> comments(const std::string& issue_id,
                                                              const std::string& session_id) = 0;
  // On any issue of the repository, made after that time; in order.
  [[nodiscard]] virtual Result<std::vector<Comment>> comments_since(const std::string& repository_id,
                                                                    std::int64_t after_ms) = 0;
  [[nodiscard]] virtual Result<std::vector<Withdrawal>> withdrawals(const std::string& issue_id,
                                                                    const std::string& session_id) = 0;
  // Every decision about tests of an issue, in order; see still_open().
  [[nodiscard]] virtual Result<std::vector<OpenedTest>> opened_tests(const std::string& issue_id) = 0;
  // What became of every fix of the repository, oldest first.
  [[nodiscard]] virtual Result<std::vector<FixOutcome>> fix_outcomes(const std::string& repository_id) = 0;
};

// Sessions with all that was done in them. Nothing here is written but the wish that one ends.
class SessionStore {
public:
  virtual ~SessionStore() = default;

  [[nodiscard]] virtual Result<Session> session(const std::string& id) = 0; // not_found; unique prefix ok
  [[nodiscard]] virtual Result<std::vector<Session>> sessions(
      const std::string& repository_id, std::size_t limit) = 0; // newest first; "" = all
  // Planned, running, interrupted, or stopped by an error; newest first.
  [[nodiscard]] virtual Result<std::vector<Session>> unfinished_sessions(
      const std::string& repository_id) = 0;
  [[nodiscard]] virtual Result<std::vector<Unit>> units(const std::string& session_id) = 0; // by position
  [[nodiscard]] virtual Result<std::vector<Attempt>> attempts_of_session(
      const std::string& session_id) = 0; // in insertion order
  [[nodiscard]] virtual Result<Attempt> attempt(const std::string& id) = 0;
  [[nodiscard]] virtual Result<std::vector<Verification>> verifications(const std::string& session_id) = 0;
  // Those of them that ran on this patch.
  [[nodiscard]] virtual Result<std::vector<Verification>> verifications(const std::string& session_id,
                                                                        const std::string& patch_sha256) = 0;
  [[nodiscard]] virtual Result<std::vector<Verdict>> verdicts(const std::string& session_id) = 0;

  [[nodiscard]] virtual Result<std::vector<CommitRecord>> commits(
      const std::string& session_id) = 0; // in order

  [[nodiscard]] virtual Result<bool> cancel_requested(const std::string& session_id) = 0;
};

// Runs of agents, those that have only started included.
class AgentRunStore {
public:
  virtual ~AgentRunStore() = default;

  [[nodiscard]] virtual Result<std::vector<AgentRunRecord>> agent_runs(
      const std::string& session_id) = 0; // in order
  [[nodiscard]] virtual Result<std::vector<AgentRunRecord>> latest_agent_runs(
      const std::string& repository_id, std::size_t limit) = 0; // newest first
  [[nodiscard]] virtual Result<std::vector<AgentRunRecord>> agent_runs(
      const RunSearch& search) = 0; // newest first
  [[nodiscard]] virtual Result<AgentRunRecord> agent_run(
      const std::string& id) = 0; // not_found: also while it runs
  [[nodiscard]] virtual Result<std::vector<AgentRunStart>> agent_run_starts(
      const std::string& session_id) = 0; // in order, ended ones too
  [[nodiscard]] virtual Result<AgentRunStart> agent_run_start(const std::string& id) = 0; // not_found
};

// What RESOLVED rests on.
class ProofStore {
public:
  virtual ~ProofStore() = default;

  [[nodiscard]] virtual Result<std::optional<Proof>> proof(const std::string& issue_id,
                                                           const std::string& session_id) = 0;
  // Of the issue, and of the session where they are not another issue's, in a fixed order.
  [[nodiscard]] virtual Result<std::vector<JournalRow>> journal_rows(const std::string& issue_id,
                                                                     const std::string& session_id) = 0;
};

// Processes that a later engine may have to end.
class ChildStore {
public:
  virtual ~ChildStore() = default;

  [[nodiscard]] virtual Status add_child(const ChildRecord& child) = 0;
  [[nodiscard]] virtual Status remove_child(const ChildRecord& child) = 0;
  [[nodiscard]] virtual Result<std::vector<ChildRecord>> children(
      const std::string& session_id) = 0; // "" = all
};

// Runs on a base that need not be repeated.
class RunCache {
public:
  virtual ~RunCache() = default;

  // A cached baseline run of one command on one base; key = base tree + command key.
  [[nodiscard]] virtual Result<std::optional<CommandRun>> cached_run(const std::string& key) = 0;
  [[nodiscard]] virtual Status cache_run(const std::string& key, const CommandRun& run) = 0;
};

// Files of a repository that a person allowed to count; written through Change::trusted.
class TrustStore {
public:
  virtual ~TrustStore() = default;

  [[nodiscard]] virtual Result<std::optional<TrustRecord>> trusted(const std::string& path) = 0;
};

// What people changed, in a chain.
class AuditStore {
public:
  virtual ~AuditStore() = default;

  [[nodiscard]] virtual Result<std::vector<AuditEntry>> audit(
      const AuditSearch& search) = 0;                       // newest first, unless it says otherwise
  [[nodiscard]] virtual Result<AuditHead> audit_head() = 0; // n = 0: nothing was written yet
};

// Accounts with their tokens and roles.
class PeopleStore {
public:
  virtual ~PeopleStore() = default;

  [[nodiscard]] virtual Result<std::int64_t> directory_version() = 0;
  [[nodiscard]] virtual Result<Directory> directory() = 0;
};

// All of it. Named by who opens a store or hands it on; who uses a part of it asks for that part.
class Store : public Journal,
              public IssueStore,
              public SessionStore,
              public AgentRunStore,
              public ProofStore,
              public ChildStore,
              public RunCache,
              public TrustStore,
              public AuditStore,
              public PeopleStore {};

} // namespace emend
