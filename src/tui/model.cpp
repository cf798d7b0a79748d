#include "tui/model.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "tui/text_cells.hpp"

namespace emend {

std::string_view to_string(Tab tab) {
  switch (tab) {
    case Tab::issue: return "Issue";
    case Tab::proof: return "Proof";
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
    case Need::taken: return "+";
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

const Issue* Model::chosen() const { return opened.empty() ? list.at(issue_cursor) : list.find(opened); }

const Issue* Model::find(std::string_view code) const { return list.find(code); }

const InboxEntry* Model::chosen_need() const {
  return inbox_cursor < inbox.size() ? &inbox[inbox_cursor] : nullptr;
}

void say(Model& model, std::string text, bool bad) {
  model.message = flat(text);
  model.bad_news = bad;
}

namespace {

std::string chosen_code(const Model& model) {
  return model.chosen() != nullptr ? model.chosen()->code : std::string();
}

// On the issue it was on if that is near, else on the row it was on.
void keep_cursor(Model& model, const std::string& code) {
  const std::size_t size = model.list.size(), before = model.issue_cursor;
  const auto row = model.opened == code ? std::nullopt : model.list.row_of(code, before);
  model.issue_cursor = row ? *row : size == 0 ? 0 : std::min(before, size - 1);
  if (model.range && *model.range >= size) model.range.reset();
}

} // namespace

void read_again(Model& model) {
  const std::string keep = chosen_code(model);
  model.list.forget();
  keep_cursor(model, keep);
}

void take_inbox(Model& model, std::vector<InboxEntry> inbox, std::int64_t waiting) {
  const InboxEntry before = model.chosen_need() != nullptr ? *model.chosen_need() : InboxEntry{};
  model.inbox = std::move(inbox);
  model.waiting = waiting;
  if (model.inbox_cursor == 0) return; // whoever has not been there begins with what is most urgent
  const auto same = std::find_if(model.inbox.begin(), model.inbox.end(), [&](const InboxEntry& entry) {
    return entry.code == before.code && entry.session == before.session && entry.question == before.question;
  });
  if (same != model.inbox.end())
    model.inbox_cursor = static_cast<std::size_t>(same - model.inbox.begin());
  else
    model.inbox_cursor = model.inbox.empty() ? 0 : std::min(model.inbox_cursor, model.inbox.size() - 1);
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
  model.opened.clear();
  model.list.show(model.filter);
  keep_cursor(model, keep);
}

// A far one is opened where it is: a list of any length is not read to find its row.
bool choose_issue(Model& model, std::string_view code) {
  const Issue* issue = model.list.find(code);
  if (issue == nullptr) return false;
  model.opened.clear();
  if (const auto row = model.list.row_of(code, model.issue_cursor))
    model.issue_cursor = *row;
  else
    model.opened = code;
  return true;
}

} // namespace emend
