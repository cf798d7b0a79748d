#include "tui/feed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "engine/agents/run_log.hpp"
#include "engine/branch/recovery.hpp"
#include "engine/plan/plan_files.hpp"
#include "model/panel.hpp"
#include "service/needs.hpp"
#include "tui/detail_text.hpp"
#include "tui/inbox.hpp"

namespace emend {

namespace {

constexpr std::size_t kSessions = 50;
constexpr std::size_t kPage = 1'000; // events at a time, so that a flood of them never stops the keyboard
constexpr std::uint64_t kLongestLog = 200'000; // bytes of one run that are shown
constexpr int kSourceAround = 6;               // lines before and after the place

using CodeOf = std::function<std::string(const std::string& id)>;

bool over(UnitStatus status) {
  return status == UnitStatus::accepted || status == UnitStatus::committed || status == UnitStatus::finished;
}

std::vector<ShownSession::Step> planned_steps(const std::string& home, const std::string& session) {
  std::vector<ShownSession::Step> steps;
  const auto text = read_file(fs::path(home) / "sessions" / session / "master_todo.json", 10'000'000);
  if (!text) return steps;
  const auto json = parse_json(*text);
  if (!json) return steps;
  const auto todo = master_todo_from_json(*json);
  if (!todo) return steps;
  for (const MasterTodo::Step& step : todo->steps) {
    ShownSession::Step shown;
    shown.number = step.step;
    shown.reason = step.reason;
    for (const MasterTodo::Item& item : step.issues) shown.codes.push_back(item.code);
    steps.push_back(std::move(shown));
  }
  return steps;
}

// Without a plan that somebody asked for, every unit is a step.
std::vector<ShownSession::Step> unit_steps(const std::vector<Unit>& units, const CodeOf& code_of) {
  std::vector<ShownSession::Step> steps;
  for (const Unit& unit : units) {
    ShownSession::Step step;
    step.number = unit.position + 1;
    for (const std::string& id : unit.issue_ids) step.codes.push_back(code_of(id));
    steps.push_back(std::move(step));
  }
  return steps;
}

// How far a step is, by the units its issues are in.
void add_progress(const std::vector<Unit>& units, const CodeOf& code_of, ShownSession& view) {
  std::map<std::string, UnitStatus> by_code;
  for (const Unit& unit : units)
    for (const std::string& id : unit.issue_ids) {
      by_code[code_of(id)] = unit.status;
      if (over(unit.status)) ++view.settled;
    }
  for (ShownSession::Step& step : view.steps) {
    step.done = !step.codes.empty();
    for (const std::string& code : step.codes) {
      const auto found = by_code.find(code);
      const UnitStatus status = found == by_code.end() ? UnitStatus::pending : found->second;
      step.begun = step.begun || status != UnitStatus::pending;
      step.done = step.done && over(status);
      step.failed = step.failed || status == UnitStatus::finished;
    }
  }
}

} // namespace

Status Feed::load(Model& model) {
  TRY_ASSIGN(seq_,
             from_.ledger.newest_event()); // first: what comes meanwhile is then seen twice, never missed
  look_again_ = std::chrono::steady_clock::now();
  (void)written_since();
  if (const auto head = from_.repository.resolve("HEAD")) head_ = *head;
  model.list = IssueList(stored_issues(from_.store, from_.ledger, from_.repository.id()));
  read_issues(model);
  TRY(load_sessions(model));
  TRY(load_inbox(model));
  TRY_ASSIGN(const bool closer, look_closer(model));
  (void)closer;
  return {};
}

void Feed::read_issues(Model& model) {
  read_again(model);
  stale_issues_ = false;
  stale_inbox_ = stale_detail_ = stale_view_ = true;
}

// What waits is the same on every screen; what runs is shown with it.
Status Feed::load_inbox(Model& model) {
  TRY_ASSIGN(const Needs needs, needs_of(from_.store, from_.ledger, from_.repository.id()));
  take_inbox(model, inbox_of(needs, model.sessions), needs.total());
  stale_inbox_ = false;
  inbox_read_ = std::chrono::steady_clock::now();
  return {};
}

std::string Feed::code_of(const std::string& id) {
  std::string& code = codes_[id];
  if (!code.empty()) return code;
  if (const auto issue = from_.store.issue(from_.repository.id(), id)) code = issue->code;
  return code;
}

Status Feed::load_sessions(Model& model) {
  TRY_ASSIGN(const auto sessions, from_.store.sessions(from_.repository.id(), kSessions));
  std::vector<SessionRow> rows;
  for (const Session& session : sessions)
    rows.push_back(
        {session.id, present_status(session), session.branch, session.tip, session.issue_ids.size()});
  model.sessions = std::move(rows);
  stale_sessions_ = false;
  stale_view_ = stale_inbox_ = true;
  return {};
}

// The log is the database's, with the sessions of other repositories in it. What belongs to no session could
// be anybody's and costs a look.
bool Feed::is_ours(const Event& event) {
  if (event.session_id.empty()) return true;
  if (const auto known = ours_.find(event.session_id); known != ours_.end()) return known->second;
  const auto session = from_.store.session(event.session_id);
  if (!session || session->id != event.session_id) return true; // a review, a vote
  return ours_[event.session_id] = session->repository_id == from_.repository.id();
}

// What is not worth reading again for is what agents print: there is a lot of it.
void Feed::note(const Event& event) {
  if (is<FixIssueStreaming>(event)) return;
  if (!event.issue_code.empty()) stale_issues_ = true;
  stale_inbox_ = true;
  if (event.issue_code == tale_of_ && !tale_of_.empty()) {
    tale_.push_back(event);
    stale_detail_ = true;
  }
  if (event.type.starts_with("fix_session_") || event.type.starts_with("fix_plan_")) stale_sessions_ = true;
  if (is<FixSessionCompleted>(event) || is<FixSessionCancelled>(event) || is<FixSessionError>(event) ||
      is<FixSessionInterrupted>(event) || event.type.starts_with("review_"))
    stale_issues_ = true;
  stale_view_ = true;
}

// Findings can be stored without anybody telling: then the database's files are newer than what was read.
// Their times are coarse, so what was noticed in the middle of a write is looked at once more a moment later.
// Where there are no files (a database on a server), it is asked every few seconds.
bool Feed::written_since() {
  constexpr std::chrono::seconds kEvery(5), kMoment(1);
  const auto now = std::chrono::steady_clock::now();
  std::error_code none, ignored;
  const auto file = fs::last_write_time(from_.home + "/emend.db", none);
  const auto newest =
      none ? written_ : std::max(file, fs::last_write_time(from_.home + "/emend.db-wal", ignored));
  const bool newer = newest != written_;
  written_ = newest;
  if (!newer && (!look_again_ || now < *look_again_)) return false;
  if (newer)
    look_again_ = now + kMoment;
  else if (none)
    look_again_ = now + kEvery;
  else
    look_again_.reset();
  return true;
}

Result<bool> Feed::poll(Model& model, const std::function<void(const Event&)>& seen) {
  TRY_ASSIGN(const auto events, from_.ledger.events_after(seq_, "", kPage));
  for (const Event& event : events) {
    seq_ = event.seq;
    if (!is_ours(event)) continue;
    note(event);
    if (seen) seen(event);
  }
  if (events.empty() && written_since()) {
    TRY_ASSIGN(const auto counted, from_.ledger.issue_counts());
    std::string counts;
    for (const IssueCount& one : counted)
      counts +=
          fmt::format("{} {} {},", static_cast<int>(one.status), static_cast<int>(one.severity), one.count);
    if (counts != counts_) stale_issues_ = true;
    counts_ = std::move(counts);
    stale_sessions_ = stale_view_ = true;
  }
  constexpr std::chrono::milliseconds kInboxEvery(500);
  bool changed = stale_issues_ || stale_sessions_;
  if (stale_sessions_) TRY(load_sessions(model));
  if (stale_issues_) read_issues(model);
  if (stale_inbox_ && std::chrono::steady_clock::now() - inbox_read_ >= kInboxEvery) {
    TRY(load_inbox(model));
    changed = true;
  }
  TRY_ASSIGN(const bool closer, look_closer(model));
  return changed || closer;
}

namespace {

// What runs, unless the person chose another one.
std::string session_to_show(const Model& model) {
  if (!model.wanted_session.empty()) return model.wanted_session;
  for (const SessionRow& row : model.sessions)
    if (row.status == SessionStatus::running) return row.id;
  return model.sessions.empty() ? std::string() : model.sessions.front().id;
}

} // namespace

Result<bool> Feed::look_closer(Model& model) {
  bool changed = false;
  if (!model.list.trouble().empty()) return fail(ErrorCode::io, model.list.trouble());
  const std::string session = session_to_show(model);
  if (stale_view_ || session != model.session.id) {
    TRY_ASSIGN(model.session, shown_session(session));
    if (model.step_cursor >= model.session.steps.size()) model.step_cursor = 0;
    stale_view_ = false;
    changed = true;
  }
  const Issue* issue = model.chosen();
  const std::string code = issue == nullptr ? std::string() : issue->code;
  const bool live_log = model.tab == Tab::log && model.detail.log_live;
  if (code == model.detail.code && !stale_detail_ && tab_ == model.tab && !live_log) return changed;
  const std::string log = model.detail.log;
  Detail detail;
  if (issue != nullptr) {
    TRY_ASSIGN(detail, detail_of(model, *issue));
  }
  const bool only_log = code == model.detail.code && !stale_detail_ && tab_ == model.tab;
  take_detail(model, std::move(detail));
  stale_detail_ = false;
  tab_ = model.tab;
  return changed || !only_log || model.detail.log != log;
}

Result<ShownSession> Feed::shown_session(const std::string& id) {
  ShownSession view;
  if (id.empty()) return view;
  TRY_ASSIGN(const Session session, from_.store.session(id));
  TRY_ASSIGN(const auto units, from_.store.units(session.id));
  TRY_ASSIGN(const auto runs, from_.store.agent_runs(session.id));
  const Consumed consumed = consumed_by(runs);
  view.id = session.id;
  view.status = present_status(session);
  view.branch = session.branch;
  view.tip = session.tip;
  view.detail = session.detail;
  view.issues = session.issue_ids.size();
  view.started_ms = session.started_ms;
  view.duration_ms = session.duration_ms;
  view.cost_usd = consumed.cost_usd;
  view.priced = consumed.priced;
  view.budget_usd = session.policy.session_budget.cost_usd;
  view.steps = planned_steps(from_.home, session.id);
  const CodeOf code = [this](const std::string& one) { return code_of(one); };
  if (view.steps.empty()) view.steps = unit_steps(units, code);
  add_progress(units, code, view);
  if (view.status == SessionStatus::running) TRY(add_lanes(session, view));
  return view;
}

namespace {

// Did others make a change for the issue in the same round?
bool is_candidate(const std::vector<Attempt>& attempts, const Attempt& one) {
  return std::any_of(attempts.begin(), attempts.end(), [&](const Attempt& other) {
    return other.id != one.id && other.session_id == one.session_id && other.cycle == one.cycle &&
           other.base == one.base && other.result != AttemptResult::interrupted;
  });
}

std::vector<Verdict> verdicts_on(const std::vector<Verdict>& all, const Attempt& attempt) {
  std::vector<Verdict> theirs;
  std::copy_if(all.begin(), all.end(), std::back_inserter(theirs),
               [&](const Verdict& one) { return one.attempt_id == attempt.id; });
  return theirs;
}

} // namespace

Status Feed::add_tries(const Issue& issue, Detail& detail) {
  TRY_ASSIGN(auto attempts, from_.store.attempts_of_issue(issue.id));
  Attempt* shown = nullptr;
  int panel = 1;
  std::vector<Verdict> verdicts;
  if (!attempts.empty() && !issue.session_id.empty()) {
    TRY_ASSIGN(const Session session, from_.store.session(issue.session_id));
    panel = session.policy.panel;
    TRY_ASSIGN(verdicts, from_.store.verdicts(session.id));
  }
  for (Attempt& attempt : attempts) {
    Detail::Try tried{attempt.cycle, attempt.agent, std::string(to_string(attempt.result)), attempt.detail};
    tried.candidate = is_candidate(attempts, attempt);
    tried.contested = attempt.claim == Claim::contested;
    if (panel > 1) tried.votes = votes_text(verdicts_on(verdicts, attempt), panel);
    detail.tries.push_back(std::move(tried));
    const bool better = shown == nullptr || issue.status != IssueStatus::resolved ||
                        attempt.result == AttemptResult::accepted;
    if (!attempt.patch.empty() && better) shown = &attempt;
  }
  if (shown == nullptr) return {};
  const DiffStat stat = diff_stat(shown->patch);
  detail.patch_of = fmt::format("attempt {} of {}: {}, +{} -{}", shown->cycle, shown->agent,
                                words_of(to_string(shown->result)), stat.insertions, stat.deletions);
  detail.patch = std::move(shown->patch);
  return {};
}

Status Feed::add_runs(const Model& model, const Issue& issue, Detail& detail) {
  if ((model.tab != Tab::log && model.tab != Tab::prompt) || issue.session_id.empty()) return {};
  TRY_ASSIGN(const auto runs, seen_runs(from_.store, issue.session_id));
  for (const SeenRun& run : runs) {
    if (std::find(run.start.issue_ids.begin(), run.start.issue_ids.end(), issue.id) ==
        run.start.issue_ids.end())
      continue;
    if (model.tab == Tab::prompt) {
      if (auto prompt = read_run_prompt(from_.home, run.start); prompt && run.start.role.starts_with("fixer"))
        detail.prompt = std::move(*prompt);
      continue;
    }
    const bool running = is_running(from_.home, run);
    const std::string state = run.record ? std::string(to_string(run.record->state.status))
                              : running  ? "running"
                                         : "interrupted";
    detail.log_live = detail.log_live || running;
    detail.log += fmt::format("{}==> {} {} ({})\n", detail.log.empty() ? "" : "\n", words_of(run.start.role),
                              run.start.agent, state);
    const auto part = read_run_log(from_.home, run.start, 0, kLongestLog);
    if (part) detail.log += part->bytes + (part->bytes.ends_with('\n') || part->bytes.empty() ? "" : "\n");
    if (part && part->size > kLongestLog)
      detail.log += "... all of it: emend sessions log " + issue.session_id + "\n";
  }
  detail.log_live = detail.log_live || (detail.log.empty() && issue.status == IssueStatus::in_progress);
  return {};
}

// The experiments of the gate are read only while somebody looks at them.
Status Feed::add_proof(const Model& model, const Issue& issue, Detail& detail) {
  if (model.tab != Tab::proof || !from_.explain || issue.session_id.empty()) return {};
  TRY_ASSIGN(Explanation why, from_.explain(issue.code));
  detail.proof = std::move(why.experiments);
  for (StoryLine& line : why.story) detail.story.push_back(std::move(line.text));
  detail.gate = std::move(why.decision);
  return {};
}

namespace {

// The last line an agent wrote that is a sentence and not data.
std::string last_sentence(std::string_view log) {
  std::string found;
  for (const std::string_view line : lines_of(log)) {
    const std::string_view text = trim(line);
    if (text.size() > 3 && text.front() != '{' && text.front() != '[') found = std::string(text);
  }
  return found;
}

} // namespace

// One lane for each agent that is at work now.
Status Feed::add_lanes(const Session& session, ShownSession& view) {
  constexpr std::uint64_t kLastBytes = 4'000;
  TRY_ASSIGN(const auto runs, seen_runs(from_.store, session.id));
  for (const SeenRun& run : runs) {
    if (run.record || !is_running(from_.home, run)) continue;
    ShownSession::Lane lane{run.start.agent, words_of(run.start.role), {}, run.start.started_ms, {}};
    for (const std::string& id : run.start.issue_ids) lane.codes.push_back(code_of(id));
    if (const auto end = read_run_log(from_.home, run.start, 0, 0)) {
      const std::uint64_t from = end->size > kLastBytes ? end->size - kLastBytes : 0;
      if (const auto part = read_run_log(from_.home, run.start, from, kLastBytes))
        lane.says = last_sentence(part->bytes);
    }
    view.lanes.push_back(std::move(lane));
  }
  return {};
}

void Feed::add_source(const Issue& issue, Detail& detail) {
  if (issue.finding.file.empty() || issue.finding.line <= 0 || head_.empty()) return;
  const auto text = from_.repository.read(head_, issue.finding.file);
  if (!text) return;
  const std::vector<std::string_view> lines = lines_of(*text);
  const int count = static_cast<int>(lines.size()), line = issue.finding.line;
  detail.source_from = std::max(1, line - kSourceAround);
  for (int i = detail.source_from; i <= std::min(count, line + kSourceAround); ++i)
    detail.source.emplace_back(lines[static_cast<std::size_t>(i - 1)]);
}

Result<Detail> Feed::detail_of(const Model& model, const Issue& issue) {
  if (tale_of_ != issue.code) {
    TRY_ASSIGN(tale_, from_.ledger.events_of_issue(from_.repository.id(), issue.code, 0));
    std::erase_if(tale_, [this](const Event& event) {
      return is<FixIssueStreaming>(event) || event.seq > seq_;
    }); // newer ones come with the next poll
    tale_of_ = issue.code;
  }
  Detail detail;
  detail.code = issue.code;
  add_timeline(tale_, from_.tell, detail);
  if (issue.status != IssueStatus::in_progress) detail.phase.clear();
  TRY(add_tries(issue, detail));
  TRY(add_runs(model, issue, detail));
  TRY(add_proof(model, issue, detail));
  TRY_ASSIGN(detail.comments, from_.store.comments(issue.id, ""));
  TRY_ASSIGN(TestDecisions tests, test_decisions(from_.store, issue));
  detail.wanted_tests = std::move(tests.wanted);
  TRY_ASSIGN(const auto taken_back, from_.store.withdrawals(issue.id, issue.session_id));
  if (!taken_back.empty() && issue.status == IssueStatus::open) detail.taken_back = taken_back.back().reason;
  add_source(issue, detail);
  return detail;
}

Result<std::vector<FixOutcome>> Feed::outcomes() { return from_.store.fix_outcomes(from_.repository.id()); }

Result<std::vector<Line>> Feed::commands(const Model& model) {
  struct Ran {
    std::int64_t time_ms;
    Line line;
  };
  std::vector<Ran> all;
  TRY_ASSIGN(const auto runs, from_.store.agent_runs(model.session.id));
  for (const AgentRunRecord& run : runs)
    all.push_back({run.started_ms,
                   {{clock_time(run.started_ms) + "  ", Shade::dim},
                    {fmt::format("{} {}  ", run.agent, words_of(run.role)), Shade::plain},
                    {fmt::format("{}  {}", to_string(run.state.status), format_duration_ms(run.duration_ms)),
                     Shade::dim}}});
  TRY_ASSIGN(const auto verifications, from_.store.verifications(model.session.id));
  for (const Verification& verification : verifications)
    for (const CommandRun& run : verification.commands)
      all.push_back({verification.started_ms,
                     {{clock_time(verification.started_ms) + "  ", Shade::dim},
                      {run.run + "  ", Shade::plain},
                      {std::string(to_string(run.result)), run.passed() ? Shade::good : Shade::bad},
                      {fmt::format("  {}, {}{}", format_duration_ms(run.duration_ms),
                                   words_of(to_string(verification.kind)),
                                   verification.issue_id.empty() ? "" : " " + code_of(verification.issue_id)),
                       Shade::dim}}});
  std::stable_sort(all.begin(), all.end(), [](const Ran& a, const Ran& b) { return a.time_ms < b.time_ms; });
  std::vector<Line> lines;
  for (Ran& ran : all) lines.push_back(std::move(ran.line));
  return lines;
}

} // namespace emend
