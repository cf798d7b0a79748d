#include "tui/model.hpp"

#include <algorithm>
#include <map>

#include "base/strings.hpp"
#include "tui/filter.hpp"
#include "tui/text_cells.hpp"

namespace emend {

std::string_view to_string(Tab tab) {
  switch (tab) {
    case Tab::issue: return "Issue";
    case Tab::diff: return "Diff";
    case Tab::log: return "Log";
    case Tab::timeline: return "Timeline";
    case Tab::prompt: return "Prompt";
  }
  return "";
}

std::string_view sign_of(Need need) {
  switch (need) {
    case Need::question: return "?";
    case Need::approval: return "A";
    case Need::interrupted: return "#";
    case Need::failed: return "!";
    case Need::ready: return "*";
    case Need::running: return "~";
  }
  return " ";
}

std::string place_of(const Issue& issue) {
  const Finding& finding = issue.finding;
  if (finding.file.empty()) return "no file";
  return finding.line > 0 ? finding.file + ":" + std::to_string(finding.line) : finding.file;
}

std::string words_of(std::string_view name) { return replace_all(std::string(name), "_", " "); }

const Issue* Model::chosen() const {
  return issue_cursor < shown.size() ? &issues[shown[issue_cursor]] : nullptr;
}

const Issue* Model::find(std::string_view code) const {
  const auto found =
      std::find_if(issues.begin(), issues.end(), [&](const Issue& issue) { return issue.code == code; });
  return found == issues.end() ? nullptr : &*found;
}

const InboxEntry* Model::chosen_need() const {
  return inbox_cursor < inbox.size() ? &inbox[inbox_cursor] : nullptr;
}

void say(Model& model, std::string text, bool bad) {
  model.message = flat(text);
  model.bad_news = bad;
}

namespace {

void add_questions(std::vector<InboxEntry>& out, const Issue& issue) {
  if (issue.status != IssueStatus::open && issue.status != IssueStatus::failed &&
      issue.status != IssueStatus::in_progress)
    return;
  for (const Clarification& asked : issue.clarifications)
    if (asked.state == ClarificationState::asked)
      out.push_back({Need::question, issue.code, "", asked.question_id, flat(asked.question)});
}

void add_session(std::vector<InboxEntry>& out, const SessionRow& session, std::size_t resolved) {
  const std::string name = session.branch.empty() ? session.id : session.branch;
  const auto add = [&](Need need, const std::string& text) {
    out.push_back({need, "", session.id, "", name + "  " + text});
  };
  if (session.status == SessionStatus::planned)
    add(Need::approval, "a plan waits for your approval");
  else if (session.status == SessionStatus::running)
    add(Need::running,
        "runs, " + std::to_string(session.issues) + (session.issues == 1 ? " issue" : " issues"));
  else if (session.status == SessionStatus::interrupted || session.status == SessionStatus::error)
    add(Need::interrupted, "was interrupted");
  else if (resolved > 0)
    add(Need::ready, std::to_string(resolved) + (resolved == 1 ? " fix" : " fixes") + " to review");
}

} // namespace

std::vector<InboxEntry> inbox_of(const std::vector<Issue>& issues, const std::vector<SessionRow>& sessions) {
  std::vector<InboxEntry> out;
  std::map<std::string, std::size_t> resolved;
  for (const Issue& issue : issues) {
    add_questions(out, issue);
    if (issue.status == IssueStatus::resolved) ++resolved[issue.session_id];
    if (issue.status == IssueStatus::failed)
      out.push_back({Need::failed, issue.code, issue.session_id, "",
                     words_of(issue.reason) + ": " + flat(issue.finding.title)});
  }
  for (const SessionRow& session : sessions)
    add_session(out, session, resolved.contains(session.id) ? resolved[session.id] : 0);
  std::stable_sort(out.begin(), out.end(),
                   [](const InboxEntry& a, const InboxEntry& b) { return a.need < b.need; });
  return out;
}

namespace {

void refresh_inbox(Model& model) {
  const InboxEntry before = model.chosen_need() != nullptr ? *model.chosen_need() : InboxEntry{};
  model.inbox = inbox_of(model.issues, model.sessions);
  if (model.inbox_cursor == 0) return; // whoever has not been there begins with what is most urgent
  const auto same = std::find_if(model.inbox.begin(), model.inbox.end(), [&](const InboxEntry& entry) {
    return entry.code == before.code && entry.session == before.session && entry.question == before.question;
  });
  if (same != model.inbox.end())
    model.inbox_cursor = static_cast<std::size_t>(same - model.inbox.begin());
  else
    model.inbox_cursor = model.inbox.empty() ? 0 : std::min(model.inbox_cursor, model.inbox.size() - 1);
}

void refresh_shown(Model& model, const std::string& keep) {
  const Filter filter(model.filter);
  const std::size_t before = model.issue_cursor;
  model.shown.clear();
  model.issue_cursor = model.issues.size();
  for (std::size_t i = 0; i < model.issues.size(); ++i) {
    if (!filter.passes(model.issues[i])) continue;
    if (model.issues[i].code == keep) model.issue_cursor = model.shown.size();
    model.shown.push_back(i);
  }
  if (model.issue_cursor >= model.shown.size())
    model.issue_cursor = model.shown.empty() ? 0 : std::min(before, model.shown.size() - 1);
  if (model.range && *model.range >= model.shown.size()) model.range.reset();
}

std::string chosen_code(const Model& model) {
  return model.chosen() != nullptr ? model.chosen()->code : std::string();
}

bool worse(const Issue& a, const Issue& b) { return a.finding.severity > b.finding.severity; }

} // namespace

void take_issues(Model& model, std::vector<Issue> issues) {
  const std::string keep = chosen_code(model);
  std::stable_sort(issues.begin(), issues.end(), worse);
  model.issues = std::move(issues);
  refresh_shown(model, keep);
  refresh_inbox(model);
}

void take_issue(Model& model, Issue issue) {
  const std::string keep = chosen_code(model);
  const auto known = std::find_if(model.issues.begin(), model.issues.end(),
                                  [&](const Issue& one) { return one.id == issue.id; });
  const bool moved = known == model.issues.end() || known->finding.severity != issue.finding.severity;
  if (known == model.issues.end())
    model.issues.push_back(std::move(issue));
  else
    *known = std::move(issue);
  if (moved) std::stable_sort(model.issues.begin(), model.issues.end(), worse);
  refresh_shown(model, keep);
  refresh_inbox(model);
}

void take_sessions(Model& model, std::vector<SessionRow> sessions) {
  model.sessions = std::move(sessions);
  refresh_inbox(model);
}

void take_detail(Model& model, Detail detail) {
  const bool another = detail.code != model.detail.code;
  model.detail = std::move(detail);
  if (!model.tab_chosen) model.tab = model.detail.patch.empty() ? Tab::issue : Tab::diff;
  if (!another) return;
  model.scroll = model.sideways = 0;
  model.follow = true;
}

void add_timeline(const std::vector<Event>& events,
                  const std::function<std::optional<std::string>(const Event&)>& tell, Detail& detail) {
  SessionView session;
  for (const Event& event : events) {
    take(session, event, event.time_ms);
    auto line = tell(event);
    if (!line) continue;
    const std::string prefix = event.issue_code + "  ";
    detail.timeline.push_back(
        {event.time_ms, line->starts_with(prefix) ? line->substr(prefix.size()) : std::move(*line)});
  }
  if (session.issues.empty()) return;
  IssueView& issue = session.issues.front();
  if (issue.phase != IssuePhase::waiting && issue.phase != IssuePhase::done)
    detail.phase = to_string(issue.phase);
  detail.checks = std::move(issue.checks);
  detail.verdict = std::move(issue.verdict);
}

void apply_filter(Model& model, std::string filter) {
  const std::string keep = chosen_code(model);
  model.filter = std::move(filter);
  model.range.reset();
  refresh_shown(model, keep);
}

bool choose_issue(Model& model, std::string_view code) {
  const Issue* issue = model.find(code);
  if (issue == nullptr) return false;
  if (!model.filter.empty() && !Filter(model.filter).passes(*issue)) model.filter.clear();
  refresh_shown(model, std::string(code));
  return true;
}

} // namespace emend
