#include "service/issue_history.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "model/events.hpp"

namespace emend {

namespace {

constexpr std::size_t kMostEvents = 1'000;

// What a person did in a session is told by an event; who it was is in the audit log, written with it.
struct Told {
  std::string_view action, event;
};
constexpr Told kTold[] = {{"fix.accepted", FixIssueAccepted::type},
                          {"fix.rejected", FixIssueRejected::type},
                          {"test.opened", IssueTestOpened::type},
                          {"issue.commented", IssueCommented::type}};

void name_event(std::vector<Event>& events, const AuditEntry& entry) {
  const auto told = std::find_if(std::begin(kTold), std::end(kTold),
                                 [&](const Told& one) { return one.action == entry.action; });
  if (told == std::end(kTold)) return;
  const auto distance = [&](const Event& event) { return std::abs(event.time_ms - entry.time_ms); };
  Event* nearest = nullptr;
  for (Event& event : events)
    if (event.type == told->event && event.session_id == entry.session_id &&
        (nearest == nullptr || distance(event) < distance(*nearest)))
      nearest = &event;
  if (nearest != nullptr) nearest->data["by"] = entry.actor.shown();
}

Event as_event(const AuditEntry& entry, const std::string& code) {
  Event event;
  event.time_ms = entry.time_ms;
  event.session_id = entry.session_id;
  event.type = entry.action;
  event.issue_code = code;
  event.data = entry.detail;
  event.data["by"] = entry.actor.shown();
  return event;
}

} // namespace

Result<std::vector<Event>> issue_history(AuditStore& audit, Ledger& ledger, const Issue& issue) {
  TRY_ASSIGN(std::vector<Event> events, ledger.events_of_issue(issue.repository_id, issue.code, kMostEvents));
  std::erase_if(events, [](const Event& event) { return is<FixIssueStreaming>(event); });
  AuditSearch search;
  search.repository_id = issue.repository_id;
  search.subject = issue.code;
  search.limit = kMostEvents;
  TRY_ASSIGN(const auto entries, audit.audit(search));
  for (const AuditEntry& entry : entries)
    if (entry.session_id.empty())
      events.push_back(as_event(entry, issue.code));
    else
      name_event(events, entry);
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.time_ms < b.time_ms; });
  return events;
}

} // namespace emend
