#include "model/session_view.hpp"

#include "base/strings.hpp"
#include "model/agent_run_record.hpp"

namespace emend {

namespace {

IssueView& issue_of(SessionView& view, const std::string& code) {
  for (IssueView& issue : view.issues)
    if (issue.code == code) return issue;
  view.issues.emplace_back().code = code;
  return view.issues.back();
}

std::string words(const std::string& name) { return replace_all(name, "_", " "); }

// The last line with something in it. What a program says to programs is nothing to read.
std::string last_words(const std::string& text) {
  std::string last;
  for (const std::string_view line : lines_of(text))
    if (const std::string said = first_line(trim(clean_text(line)), 200); !said.empty()) last = said;
  return !last.empty() && contains("{}[]\"", last.substr(0, 1)) ? "" : last;
}

struct Fold {
  SessionView& view;
  const std::string& code; // empty = the event is about the whole session
  std::int64_t now_ms;

  void run() const {
    if (!view.running) view.began_ms = now_ms;
    view.running = true;
  }
  void say(std::string doing) const {
    run();
    (code.empty() ? view.doing : issue_of(view, code).doing) = std::move(doing);
  }
  void enter(IssuePhase phase, std::string doing) const {
    say(std::move(doing));
    if (code.empty()) return;
    IssueView& issue = issue_of(view, code);
    if (issue.began_ms == 0) issue.began_ms = now_ms;
    issue.phase = phase;
  }

  void operator()(const FixSessionStarted& told) const {
    run();
    for (const std::string& one : told.issue_codes) issue_of(view, one);
  }
  void operator()(const FixIssueStarted& told) const { enter(IssuePhase::fixing, told.agent); }
  // A new round has no checks and no score yet.
  void operator()(const FixCycleStarted& told) const {
    enter(IssuePhase::fixing, code.empty() ? "" : issue_of(view, code).doing);
    if (code.empty()) return;
    IssueView& issue = issue_of(view, code);
    issue.round = told.cycle;
    issue.most_rounds = told.max_cycles;
    issue.checks.clear();
    issue.verdict.reset();
  }
  void operator()(const FixAgentInvoked& told) const {
    enter(IssuePhase::fixing, told.agent + " is working");
  }
  void operator()(const FixIssueStreaming& told) const {
    run();
    const std::string said = last_words(told.text);
    if (code.empty() || said.empty()) return;
    std::string& doing = issue_of(view, code).doing;
    doing = doing.substr(0, doing.find_first_of(": ")) + ": " + said;
  }
  void operator()(const FixVerificationStarted& told) const {
    const std::string names = join(told.commands, ", ");
    enter(IssuePhase::verifying, names.empty() ? words(told.kind) : words(told.kind) + ": " + names);
  }
  void operator()(const FixVerificationResult& told) const {
    say("");
    if (!code.empty() && told.kind != "baseline") issue_of(view, code).checks = told.commands;
  }
  void operator()(const FixRescanStarted&) const {
    enter(IssuePhase::verifying, "running the analyzers again");
  }
  void operator()(const FixReproducerStarted& told) const { say(told.agent + " writes a reproducer"); }
  void operator()(const FixChallengerEvaluating& told) const {
    enter(IssuePhase::judging, told.agent + " is judging");
  }
  void operator()(const FixChallengerResult& told) const {
    if (!code.empty()) issue_of(view, code).verdict = told;
  }
  void operator()(const FixCycleCompleted& told) const {
    const bool accepted = told.result == "accepted";
    enter(accepted ? IssuePhase::accepted : IssuePhase::fixing, accepted ? "" : words(told.result));
  }
  void operator()(const FixIssueCompleted& told) const {
    enter(IssuePhase::done, "");
    if (!code.empty()) issue_of(view, code).status = told.status;
  }
  void operator()(const AgentRunCompleted& told) const {
    if (!told.usage.is_object()) return;
    if (const auto cost = usage_from_json(told.usage).cost_usd)
      view.cost_usd = view.cost_usd.value_or(0.0) + *cost;
  }
  void operator()(const FixNotice& told) const { view.notices.push_back(told.text); }
  void operator()(const ContainmentViolation& told) const {
    view.notices.push_back((code.empty() ? "" : code + ": ") + told.path + " was " + told.change + " while " +
                           told.who + " ran" + (told.blamed ? ": outside its workspace" : ""));
  }
  void operator()(const FixIssueAccepted&) const { view.accepted.insert(code); }
  void operator()(const FixForecast& told) const { view.forecast = told; }
  void operator()(const FixBranchGrouped& told) const {
    forget(told.branch);
    view.grouped.push_back(told);
  }
  void operator()(const FixBranchRemoved& told) const { forget(told.branch); }
  void forget(const std::string& branch) const {
    std::erase_if(view.grouped, [&](const FixBranchGrouped& one) { return one.branch == branch; });
  }
  void operator()(const FixSessionCompleted&) const { view.running = false; }
  void operator()(const FixSessionCancelled&) const { view.running = false; }
  void operator()(const FixSessionInterrupted&) const { view.running = false; }
  void operator()(const FixSessionError&) const { view.running = false; }
};

} // namespace

std::string_view to_string(IssuePhase phase) {
  constexpr std::string_view names[] = {"waiting", "fixing", "verifying", "judging", "accepted", "done"};
  return names[static_cast<std::size_t>(phase)];
}

void take(SessionView& view, const Event& event, std::int64_t now_ms) {
  visit_event(event, Fold{view, event.issue_code, now_ms});
}

void take_known(SessionView& view, const std::string& code, const std::string& status) {
  IssueView& issue = issue_of(view, code);
  issue.phase = status.empty() ? IssuePhase::waiting : IssuePhase::done;
  issue.status = status;
}

} // namespace emend
