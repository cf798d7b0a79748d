// The facade: start, resume, cancel, look at sessions. What the command line (and later server, TUI, workers)
// calls.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/context/ports.hpp"
#include "engine/session/report.hpp"
#include "model/event.hpp"
#include "model/plan_files.hpp"
#include "model/report.hpp"

namespace emend {

class EventLog;
class HeldClaim;
class RepositoryLock;
struct Review;
struct SyncReport;
struct ReviewRequest;

struct FixRequest {
  std::vector<std::string> issue_ids; // UUIDs, in order of work
  std::string session_id = {};        // for who must know it before the session begins; empty = a new one
  std::string base_ref = "HEAD";
  std::string branch;        // empty = policy.branch template
  std::string review_report; // further context for the prompt
  Policy policy;
  std::optional<PlanFiles> plan = {}; // order and notes; its steps must hold for exactly these issues
  bool wait_for_approval = false;     // plan, then wait: the session is `planned` until somebody approves it
  bool for_workers = false;           // it is only prepared: a worker that has this repository runs it
};

struct DryRunPrompt {
  std::string issue_code;
  std::string role;
  std::string agent;
  std::string prompt;
};

class SessionManager {
public:
  // home: EMEND_HOME, for the repository's lock and the session folders. on_event is called after each event
  // is durable, from the thread that caused it; keep it short.
  SessionManager(Ports ports, std::string home, std::function<void(const Event&)> on_event = {});

  // Adds findings as issues of this repository (triaged against base_ref). Same order as given.
  [[nodiscard]] Result<std::vector<Issue>> add_findings(const std::vector<Finding>& findings,
                                                        const std::string& base_ref);
  // The same for any number of findings, with the memory of a few: `findings` hands them over one by one;
  // `stored` gets their issues in the same order. Stored in batches: what was stored before an error stays,
  // and comes to the same when it is imported again.
  using TakeFinding = std::function<Status(Finding)>;
  [[nodiscard]] Status import_findings(const std::string& base_ref,
                                       const std::function<Status(const TakeFinding&)>& findings,
                                       const std::function<void(Issue&&)>& stored);

  // The issues these findings would be: known ones as they are stored, new ones with a made-up code. Stores
  // nothing.
  [[nodiscard]] Result<std::vector<Issue>> preview_findings(const std::vector<Finding>& findings,
                                                            const std::string& base_ref);

  // Analyzers look at a commit; what they find is stored as issues. See engine/review.hpp.
  [[nodiscard]] Result<Review> review(const std::vector<std::unique_ptr<Analyzer>>& analyzers,
                                      const ReviewRequest& request, std::stop_token stop);

  // Takes the repository's lock, tidies up after a dead engine, runs the session to its end. A session that
  // ends with unresolved issues is a value. A fired stop token gives the partial report with status
  // cancelled.
  [[nodiscard]] Result<FixReport> fix(const FixRequest& request, std::stop_token stop);
  // Begins a session that waits for it, with its plan as it is now. ErrorCode::conflict when it does not
  // wait.
  [[nodiscard]] Result<FixReport> approve(const std::string& session_id, std::stop_token stop);
  // Goes on with an interrupted, cancelled or failed-by-the-world session from its durable state; with a
  // stopped one if it has committed nothing yet. Of any other that is over: its report. claim: of a worker
  // that was given the session; null = it is claimed here, where others could be given it.
  [[nodiscard]] Result<FixReport> resume(const std::string& session_id, std::stop_token stop,
                                         HeldClaim* claim = nullptr);
  // Waits for the end of a session that workers run. ErrorCode::cancelled when the stop token fires: the
  // session goes on.
  [[nodiscard]] Result<FixReport> follow(const std::string& session_id, std::stop_token stop);
  // The exact prompts of the first round for these issues, stored or not (request.issue_ids is not read);
  // runs nothing, stores nothing.
  [[nodiscard]] Result<std::vector<DryRunPrompt>> dry_run(const FixRequest& request,
                                                          const std::vector<Issue>& issues);
  // The configured commands on ref's untouched tree, uncached. Empty names = all commands.
  [[nodiscard]] Result<Verification> verify(const Policy& policy, const std::string& ref,
                                            const std::vector<std::string>& names, std::stop_token stop);

  // From durable state alone.
  [[nodiscard]] Result<FixReport> report(const std::string& session_id);
  [[nodiscard]] Result<Explanation> explain(const std::string& code);

  // Asks the process that runs it to stop; a session nobody runs any more is tidied up and marked cancelled
  // here.
  [[nodiscard]] Status cancel(const std::string& session_id);
  // Only asks.
  [[nodiscard]] Status request_cancel(const Session& session);

  // An interrupted session is not resumed automatically: it is `error`, with the reason, and a person may
  // resume it.
  [[nodiscard]] Status give_up(const std::string& session_id, const std::string& why);

  // A person's decisions. reopen: FAILED/IGNORED/DUPLICATE/RESOLVED -> OPEN.
  [[nodiscard]] Result<Issue> reopen(const std::string& code, const std::string& note);
  [[nodiscard]] Result<Issue> ignore(const std::string& code, const std::string& reason,
                                     const std::string& note);
  [[nodiscard]] Result<Issue> mark_duplicate(const std::string& code, const std::string& of);

  // RESOLVED -> MERGED for what is in the branch (empty = the default one). See engine/sync.hpp.
  // The ledger of fixes is brought up to date as well.
  [[nodiscard]] Result<SyncReport> sync(const std::string& branch, std::stop_token stop);
  // What became of every fix, looked up now on the branch (empty = the default one; where there is none, as
  // it is known). See engine/branch/ledger.hpp.
  [[nodiscard]] Result<std::vector<FixOutcome>> outcomes(const std::string& branch, std::stop_token stop);

private:
  // deed: what a person did so that it runs, as the audit log calls it.
  [[nodiscard]] Result<FixReport> run_session(Session session, std::string_view deed, EventLog& log,
                                              const RepositoryLock& lock, std::stop_token stop,
                                              HeldClaim* given = nullptr);
  [[nodiscard]] Result<FixReport> end_session(const Session& session, Result<SessionStatus> outcome,
                                              EventLog& log, bool lost);
  [[nodiscard]] Result<FixReport> over_already(const Session& session, HeldClaim* claim);
  [[nodiscard]] Result<FixReport> leave_to_workers(Session session, EventLog& log);
  struct Work;
  [[nodiscard]] Result<std::unique_ptr<Work>> prepare_work(const Session& session, EventLog& log,
                                                           const RepositoryLock& lock, std::stop_token stop);
  [[nodiscard]] Result<bool> needs_no_approval(Session& session);
  [[nodiscard]] Result<FixReport> keep_waiting(Session session, EventLog& log);
  [[nodiscard]] Status name_branch(Session& session, EventLog& log, std::stop_token stop);
  [[nodiscard]] Status complete(Session session, EventLog& log);
  [[nodiscard]] Result<Issue> decide(const std::string& code, IssueStatus to, IssueMove move);

  Ports ports_;
  std::string home_;
  std::function<void(const Event&)> on_event_;
};

} // namespace emend
