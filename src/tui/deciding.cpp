#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "tui/detail_text.hpp"
#include "tui/text_cells.hpp"
#include "tui/update.hpp"

namespace emend {

namespace {

void refuse(Turn& turn, std::string why) { say(turn.model, std::move(why), true); }

Line about(const Issue& issue) {
  return {{fmt::format("{}  {}  {}  {}", issue.code, to_string(issue.finding.severity), place_of(issue),
                       flat(issue.finding.title)),
           Shade::plain}};
}

std::string count(std::size_t number) { return number == 1 ? "1 issue" : std::to_string(number) + " issues"; }

bool can_be_fixed(const Issue& issue) {
  return issue.status == IssueStatus::open || issue.status == IssueStatus::failed;
}

const Clarification* open_question(const Issue& issue, const std::string& id) {
  for (const Clarification& asked : issue.clarifications)
    if (asked.state == ClarificationState::asked && (id.empty() || asked.question_id == id)) return &asked;
  return nullptr;
}

const SessionRow* session_row(const Model& model, const std::string& id) {
  const auto found = std::find_if(model.sessions.begin(), model.sessions.end(),
                                  [&](const SessionRow& row) { return row.id == id; });
  return found == model.sessions.end() ? nullptr : &*found;
}

std::vector<Line> what_is_fixed(const Model& model, const std::vector<std::string>& codes) {
  constexpr std::size_t kMost = 8;
  std::vector<Line> lines;
  for (const std::string& code : codes) {
    if (lines.size() == kMost) {
      lines.push_back({{fmt::format("and {} more", codes.size() - kMost), Shade::dim}});
      break;
    }
    if (const Issue* issue = model.find(code)) lines.push_back(about(*issue));
  }
  lines.push_back({});
  lines.push_back(
      {{"Agents work in private copies, at their normal cost. Fixes that pass go to a new branch; "
        "nothing is pushed.",
        Shade::dim}});
  return lines;
}

} // namespace

std::vector<std::string> chosen_codes(const Model& model) {
  if (!model.marked.empty()) return {model.marked.begin(), model.marked.end()};
  const Issue* issue = issue_at_hand(model);
  return issue == nullptr ? std::vector<std::string>() : std::vector<std::string>{issue->code};
}

std::vector<std::string> open_codes(const Model& model) {
  constexpr std::size_t kMost = 100'000;
  IssueSearch open;
  open.statuses = {IssueStatus::open};
  return model.list.codes(open, kMost);
}

const Issue* issue_at_hand(const Model& model) {
  const InboxEntry* row = inbox_row(model);
  return row == nullptr ? model.chosen() : row->code.empty() ? nullptr : model.find(row->code);
}

void start_fix(Turn& turn, std::vector<std::string> codes, std::vector<std::string> options) {
  Model& model = turn.model;
  if (codes.empty()) return refuse(turn, why_no_issue(model));
  std::erase_if(codes, [&](const std::string& code) {
    const Issue* issue = model.find(code);
    return issue == nullptr || !can_be_fixed(*issue);
  });
  if (codes.empty()) return refuse(turn, "only OPEN and FAILED issues can be fixed; r reopens others");
  Confirm confirm{"Fix " + count(codes.size()) + "?", what_is_fixed(model, codes), {Deed::fix, codes}};
  if (!options.empty()) confirm.about.push_back({{"with " + join(options, ", "), Shade::dim}});
  confirm.wanted.options = std::move(options);
  model.overlay = std::move(confirm);
}

void start_answer(Turn& turn) {
  Model& model = turn.model;
  const InboxEntry* entry = inbox_row(model);
  if (entry != nullptr && entry->code.empty()) return answer_row(turn, *entry);
  const Issue* issue = issue_at_hand(model);
  const Clarification* asked =
      issue == nullptr ? nullptr : open_question(*issue, entry != nullptr ? entry->question : "");
  // One key says yes: to a question by an answer, to a fix by accepting it.
  if (asked == nullptr && issue != nullptr && issue->status == IssueStatus::resolved)
    return turn.wanted.push_back({Deed::accept, {issue->code}, issue->session_id});
  if (asked == nullptr)
    return refuse(turn, issue == nullptr ? why_no_issue(model)
                                         : issue->code + " has no open question and no fix to accept");
  AskText ask;
  ask.title = issue->code + " asks";
  ask.about = {{{asked->question, Shade::strong}}};
  if (!asked->context.empty()) ask.about.push_back({{asked->context, Shade::dim}});
  ask.suggestions = asked->suggestions;
  ask.wanted = {Deed::answer, {issue->code}, "", asked->question_id};
  ask.may_skip = true;
  model.overlay = std::move(ask);
}

void start_ignore(Turn& turn) {
  const std::vector<std::string> codes = chosen_codes(turn.model);
  if (codes.empty()) return refuse(turn, why_no_issue(turn.model));
  Choose choose;
  choose.title = "Ignore " + (codes.size() == 1 ? codes.front() : count(codes.size())) + ": why?";
  for (const char* reason : {"false_positive", "wont_fix", "by_design", "out_of_scope"})
    choose.options.push_back({words_of(reason), {Deed::ignore, codes, "", "", reason}});
  choose.then_note = true;
  turn.model.overlay = std::move(choose);
}

void start_retry(Turn& turn) {
  Model& model = turn.model;
  const InboxEntry* entry = inbox_row(model);
  if (model.focus == Panel::steps || (entry != nullptr && entry->need == Need::interrupted)) {
    const std::string id = entry != nullptr ? entry->session : model.session.id;
    const SessionRow* row = session_row(model, id);
    const bool stopped =
        row != nullptr && (row->status == SessionStatus::interrupted || row->status == SessionStatus::error ||
                           row->status == SessionStatus::cancelled);
    if (!stopped) return refuse(turn, "only an interrupted session can continue");
    model.overlay = Confirm{"Continue session " + id + "?",
                            {{{"It continues where it stopped; nothing is done twice.", Shade::plain}}},
                            {Deed::resume, {}, id}};
    return;
  }
  const Issue* issue = issue_at_hand(model);
  if (issue == nullptr) return refuse(turn, why_no_issue(turn.model));
  if (issue->status == IssueStatus::ignored || issue->status == IssueStatus::duplicate)
    model.overlay = Confirm{"Reopen " + issue->code + "?", {about(*issue)}, {Deed::reopen, {issue->code}}};
  else if (issue->status == IssueStatus::open && issue->code == model.detail.code && model.detail.taken_back)
    model.overlay = Confirm{"Fix " + issue->code + " again, with your comment?",
                            {about(*issue)},
                            {Deed::refix, {issue->code}, issue->session_id}};
  else if (can_be_fixed(*issue))
    start_fix(turn, {issue->code});
  else
    refuse(turn, issue->code + " is " + std::string(to_string(issue->status)) +
                     (issue->status == IssueStatus::resolved ? "; reject its fix first: x" : ""));
}

void start_reject(Turn& turn) {
  const Issue* issue = issue_at_hand(turn.model);
  if (issue == nullptr) return refuse(turn, why_no_issue(turn.model));
  if (issue->status != IssueStatus::resolved)
    return refuse(turn,
                  issue->code + " has no fix to reject: it is " + std::string(to_string(issue->status)));
  AskText ask;
  ask.title = "Reject the fix of " + issue->code + ": why?";
  ask.about = {
      about(*issue),
      {},
      {{"The other fixes are verified first, then it is reverted on the session's branch. The issue is open "
        "again, and the next fixer sees your reason.",
        Shade::dim}}};
  ask.wanted = {Deed::reject, {issue->code}, issue->session_id};
  turn.model.overlay = std::move(ask);
}

void start_comment(Turn& turn) {
  const Issue* issue = issue_at_hand(turn.model);
  if (issue == nullptr) return refuse(turn, why_no_issue(turn.model));
  AskText ask;
  ask.title = "Comment on " + issue->code + " for the next fixer";
  ask.about = {about(*issue)};
  ask.wanted = {Deed::comment, {issue->code}};
  turn.model.overlay = std::move(ask);
}

void start_duplicate(Turn& turn) {
  const Issue* issue = issue_at_hand(turn.model);
  if (issue == nullptr) return refuse(turn, why_no_issue(turn.model));
  AskText ask;
  ask.title = issue->code + " is a duplicate of which issue?";
  ask.about = {about(*issue),
               {},
               {{"Its code, for example BE-001. Up and down show issues of the same file.", Shade::dim}}};
  IssueSearch same_file;
  same_file.file_glob = issue->finding.file;
  same_file.statuses = {IssueStatus::open,   IssueStatus::in_progress, IssueStatus::resolved,
                        IssueStatus::failed, IssueStatus::merged,      IssueStatus::ignored};
  const std::string code = issue->code;
  for (const std::string& other : turn.model.list.codes(same_file, 6))
    if (other != code && ask.suggestions.size() < 5) ask.suggestions.push_back(other);
  ask.wanted = {Deed::duplicate, {code}};
  turn.model.overlay = std::move(ask);
}

void start_open_test(Turn& turn) {
  const Issue* issue = issue_at_hand(turn.model);
  if (issue == nullptr) return refuse(turn, why_no_issue(turn.model));
  const Detail& detail = turn.model.detail;
  if (detail.code != issue->code || detail.wanted_tests.empty())
    return refuse(turn, "no fixer of " + issue->code + " wants to change an existing test");
  Choose choose;
  choose.title = "Which existing test may the fix of " + issue->code + " change?";
  for (const WantedTest& one : detail.wanted_tests) {
    const std::string name = test_name(one.file, one.test);
    choose.options.push_back(
        {name + (one.change.empty() ? "" : ": " + one.change), {Deed::open_test, {issue->code}, "", name}});
  }
  choose.then_note = true;
  turn.model.overlay = std::move(choose);
}

void start_approval(Turn& turn, const std::string& session) {
  const SessionRow* row = session_row(turn.model, session);
  if (row == nullptr || row->status != SessionStatus::planned)
    return refuse(turn, "no plan waits for approval");
  Confirm confirm{"Begin session " + session + "?",
                  {{{fmt::format("{} on branch {}", count(row->issues), row->branch), Shade::plain}}},
                  {Deed::approve, {}, session}};
  if (turn.model.session.id == session)
    for (const ShownSession::Step& step : turn.model.session.steps)
      confirm.about.push_back(
          {{fmt::format("{}. {}  {}", step.number, join(step.codes, " "), flat(step.reason)), Shade::plain}});
  turn.model.overlay = std::move(confirm);
}

void start_cancel(Turn& turn, const std::string& session) {
  const SessionRow* row = session_row(turn.model, session);
  if (row == nullptr || is_final(row->status)) return refuse(turn, "no session is running");
  Confirm confirm{"Cancel session " + session + "?", {}, {Deed::cancel, {}, session}};
  const ShownSession& view = turn.model.session;
  if (row->status == SessionStatus::planned)
    confirm.about.push_back({{"No work has started; the plan is dropped.", Shade::plain}});
  else if (view.id == session)
    confirm.about.push_back(
        {{fmt::format("{} of {} issues are done.", view.settled, view.issues), Shade::plain}});
  if (row->status != SessionStatus::planned)
    confirm.about.push_back(
        {{"Commits, attempts, verdicts and logs are kept. The running attempt is lost, and its "
          "issue is open again. It can "
          "continue later: r in panel 4.",
          Shade::plain}});
  turn.model.overlay = std::move(confirm);
}

} // namespace emend
