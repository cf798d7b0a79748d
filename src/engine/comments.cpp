#include "engine/comments.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/event_log.hpp"

namespace emend {
namespace {

constexpr std::size_t kLongestPath = 4'096;

Status check(const CommentOrder& order) {
  if (trim(order.text).empty()) return fail(ErrorCode::usage, "the comment has no text");
  if (order.text.size() > kLongestComment)
    return fail(ErrorCode::usage, "the comment is longer than " + std::to_string(kLongestComment) + " bytes");
  if (order.file.size() > kLongestPath)
    return fail(ErrorCode::usage, "the comment's file has no sensible name");
  if (order.file.empty() && (order.line != 0 || !order.side.empty()))
    return fail(ErrorCode::usage, "a line needs its file");
  if (!order.side.empty() && order.side != "old" && order.side != "new")
    return fail(ErrorCode::usage, "side is old or new");
  return {};
}

} // namespace

Result<Comment> add_comment(const Ports& ports, const Policy& policy,
                            const std::function<void(const Event&)>& on_event, const CommentOrder& order) {
  TRY(check(order));
  TRY_ASSIGN(const Issue issue, ports.store.issue(ports.repository.id(), order.code));
  TRY_ASSIGN(const Redactor redactor, Redactor::with_patterns(policy.redact_patterns));
  Comment comment{new_uuid(),
                  issue.id,
                  {},
                  redactor.redact(clean_text(order.text)),
                  redactor.redact(clean_text(order.file)),
                  order.line,
                  order.side,
                  ports.clock.wall_ms()};
  if (!order.session_id.empty()) {
    TRY_ASSIGN(const Session session, ports.store.session(order.session_id));
    if (std::find(session.issue_ids.begin(), session.issue_ids.end(), issue.id) == session.issue_ids.end())
      return fail(ErrorCode::usage, "session " + session.id + " is not about " + issue.code,
                  "emend issues comment " + issue.code + " says it about the issue itself");
    comment.session_id = session.id;
  }
  Event event;
  event.type = "issue_commented";
  event.session_id = comment.session_id.empty() ? issue.session_id : comment.session_id;
  event.issue_code = issue.code;
  event.data = to_json(comment);
  event.data.erase("session_id"); // the event has its own
  Change change;
  change.comments.push_back(comment);
  change.events.push_back(std::move(event));
  EventLog log(ports.store, ports.clock, on_event);
  TRY(log.apply(std::move(change)));
  return comment;
}

} // namespace emend
