#include "engine/forge/comments.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/context/audit.hpp"
#include "engine/context/event_log.hpp"
#include "model/events.hpp"

namespace emend {
namespace {

constexpr std::size_t kLongestPath = 4'096;

Status check(const CommentOrder& order) {
  if (trim(order.text).empty()) return fail(ErrorCode::usage, "the comment has no text");
  if (order.text.size() > kLongestComment)
    return fail(ErrorCode::usage, "the comment is longer than " + std::to_string(kLongestComment) + " bytes");
  if (order.file.size() > kLongestPath) return fail(ErrorCode::usage, "the comment's file name is not valid");
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
                  ports.clock.wall_ms(),
                  ports.actor.shown()};
  if (!order.session_id.empty()) {
    TRY_ASSIGN(const Session session, ports.store.session(order.session_id));
    if (std::find(session.issue_ids.begin(), session.issue_ids.end(), issue.id) == session.issue_ids.end())
      return fail(ErrorCode::usage, "session " + session.id + " is not about " + issue.code,
                  "to comment on the issue itself: emend issues comment " + issue.code);
    comment.session_id = session.id;
  }
  Change change;
  change.comments.push_back(comment);
  note_audit(change, ports, "issue.commented", issue.code,
             comment.session_id.empty() ? issue.session_id : comment.session_id,
             {{"comment_id", comment.id}});
  change.events.push_back(make_event(
      comment.session_id.empty() ? issue.session_id : comment.session_id, issue.code,
      IssueCommented{comment.id, comment.text, only_if<Text>(!comment.file.empty(), comment.file),
                     only_if(comment.line != 0, comment.line),
                     only_if<Text>(!comment.side.empty(), comment.side), rfc3339_utc(comment.created_ms)}));
  EventLog log(ports.store, ports.clock, on_event);
  TRY(log.apply(std::move(change)));
  return comment;
}

} // namespace emend
