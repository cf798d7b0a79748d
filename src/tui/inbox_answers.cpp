// What keys do on a row of the inbox that stands for a session.
#include "tui/update.hpp"

namespace emend {

namespace {

void refuse(Turn& turn, std::string why) { say(turn.model, std::move(why), true); }

} // namespace

const InboxEntry* inbox_row(const Model& model) {
  return model.focus == Panel::inbox ? model.chosen_need() : nullptr;
}

std::string why_no_issue(const Model& model) {
  const InboxEntry* row = inbox_row(model);
  if (row == nullptr || !row->code.empty()) return "no issue is selected";
  return row->session.empty() ? "this row is no single issue"
                              : "this row is a session; Enter shows its issues";
}

void accept_proven(Turn& turn, const std::string& session) {
  constexpr std::size_t kMost = 1'000;
  IssueSearch fixed;
  fixed.session_id = session;
  fixed.statuses = {IssueStatus::resolved};
  const std::size_t before = turn.wanted.size();
  for (const std::string& code :
       session.empty() ? std::vector<std::string>() : turn.model.list.codes(fixed, kMost))
    if (const Issue* issue = turn.model.find(code); issue != nullptr && issue->evidence == "proven")
      turn.wanted.push_back({Deed::accept, {code}, session});
  if (turn.wanted.size() == before)
    refuse(turn, session.empty() ? "no session is shown"
                                 : "no fix of session " + session + " is proven; look at each: Enter, v");
}

void answer_row(Turn& turn, const InboxEntry& row) {
  if (row.session.empty()) return refuse(turn, row.text);
  switch (row.need) {
    case Need::approval: return start_approval(turn, row.session);
    case Need::interrupted: return start_retry(turn);
    case Need::ready: return accept_proven(turn, row.session);
    case Need::taken: return refuse(turn, "its fixes are accepted already; merge its branch: " + row.text);
    case Need::running: return refuse(turn, "session " + row.session + " is running; X cancels it");
    default: return refuse(turn, why_no_issue(turn.model));
  }
}

} // namespace emend
