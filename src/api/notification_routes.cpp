// Who is told of what: everybody's own wishes, and for administrators what waits to be sent.
#include "api/fields.hpp"
#include "api/lookups.hpp"
#include "api/routes.hpp"
#include "base/strings.hpp"
#include "service/notifier.hpp"

namespace emend {

namespace {

Json wish_json(const ApiParts& parts, const NotifyWish& wish) {
  Json body = to_json(wish);
  body["mail_possible"] = !parts.notify.mail_server.url.empty();
  body["known_topics"] = notice_topics();
  return body;
}

Result<NotifyWish> wish_of(const ApiParts& parts, const std::string& account_id) {
  TRY_ASSIGN(const NotifyWishes wishes, notify_wishes(parts.ledger, parts.now_ms()));
  const auto known = wishes.find(account_id);
  return known == wishes.end() ? NotifyWish{} : known->second;
}

Result<HttpReply> own_wish(const ApiParts& parts, const Call& call) {
  TRY_ASSIGN(const NotifyWish wish, wish_of(parts, call.caller.account_id));
  return json_response(200, wish_json(parts, wish));
}

Result<HttpReply> change_wish(const ApiParts& parts, const Call& call) {
  Fields fields(call.body);
  NotifyWish wish;
  wish.mail = fields.text_or("mail", "", 254);
  wish.when = parse_notify_when(fields.word("when", {"off", "at-once", "hourly", "daily"}, "off"))
                  .value_or(NotifyWhen::off);
  wish.topics = fields.texts("topics", false, 20);
  if (auto problem = fields.problems()) return *problem;
  if (call.caller.actor.kind == ActorKind::service)
    return problem_response(422, "validation-failed", "programs are not sent mail; use the event stream");
  const Status kept = keep_notify_wish(parts.ledger, call.caller.account_id, wish);
  if (!kept && kept.error().code == ErrorCode::usage)
    return problem_response(
        422, "validation-failed",
        kept.error().message + (kept.error().remedy.empty() ? "" : "; ") + kept.error().remedy);
  TRY(kept);
  TRY(note_deed(parts, call, "notifications.changed", "", call.caller.actor.name));
  return json_response(200, wish_json(parts, wish));
}

// Addresses are left out: some are secrets.
Json letter_json(const Letter& letter) {
  Json texts = Json::array();
  for (const Notice& notice : letter.notices) texts.push_back(notice.text);
  return {{"id", letter.id},
          {"channel", letter.channel},
          {"account_id", letter.account_id.empty() ? Json(nullptr) : Json(letter.account_id)},
          {"state", letter.given_up ? "given-up" : "waiting"},
          {"due_at", rfc3339_utc(letter.due_ms)},
          {"tries", letter.tries},
          {"problem", letter.problem.empty() ? Json(nullptr) : Json(letter.problem)},
          {"texts", std::move(texts)}};
}

Result<HttpReply> waiting(const ApiParts& parts, const Call& call) {
  Outbox outbox(parts.ledger);
  TRY_ASSIGN(const auto letters, outbox.all(parts.now_ms()));
  Json data = Json::array();
  for (const Letter& letter : letters) data.push_back(letter_json(letter));
  return page_response(call.request, std::move(data), "");
}

Result<HttpReply> trial(const ApiParts& parts, const Call& call) {
  if (!parts.notify.wanted())
    return problem_response(409, "conflict", "no notifications are configured; see [notify]");
  TRY_ASSIGN(NotifyWishes wishes, notify_wishes(parts.ledger, parts.now_ms()));
  std::erase_if(wishes, [&](const auto& one) { return one.first != call.caller.account_id; });
  TRY(add_trial(parts.ledger, parts.notify, call.caller.actor.name, wishes, parts.now_ms()));
  parts.on_notice();
  return HttpResponse{202, {}, ""};
}

} // namespace

std::vector<Operation> notification_operations(const ApiParts& parts) {
  const auto by = [&parts](Result<HttpReply> (*run)(const ApiParts&, const Call&)) {
    return [&parts, run](const Call& call) { return run(parts, call); };
  };
  return {
      {"GET", "/api/me/notifications", "getNotifications", by(own_wish)},
      {"PUT", "/api/me/notifications", "changeNotifications", by(change_wish), Admission::member,
       BodyKind::json},
      {"GET", "/api/notifications", "listNotifications", by(waiting)},
      {"POST", "/api/notifications/trial", "tryNotifications", by(trial)},
  };
}

} // namespace emend
