// A session's branch as a pull request: what would be proposed, and proposing it when a person says so.
#include <atomic>
#include <memory>

#include "api/fields.hpp"
#include "api/lookups.hpp"
#include "api/routes.hpp"

namespace emend {

namespace {

constexpr int kAtOnce = 2; // each holds one of the few threads that answer requests while the forge answers

class Turn {
public:
  explicit Turn(std::atomic<int>& taken) : taken_(taken), free_(++taken <= kAtOnce) {}
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() { --taken_; }
  [[nodiscard]] bool is_free() const { return free_; }

private:
  std::atomic<int>& taken_;
  bool free_;
};

// The same member for member, whatever the command line adds one day.
Json answer_of(const Json& data) {
  const Json pull = data.value("pull_request", Json());
  return {{"session_id", data.value("session_id", "")},
          {"branch", data.value("branch", "")},
          {"base", data.value("base", "")},
          {"title", data.value("title", "")},
          {"body", data.value("body", "")},
          {"forge", data.value("forge", Json())},
          {"may_push", data.value("may_push", false)},
          {"pull_request", pull.is_object() ? Json{{"number", pull.value("number", 0)},
                                                   {"url", pull.value("url", "")},
                                                   {"draft", pull.value("draft", false)},
                                                   {"created", pull.value("created", false)}}
                                            : Json()}};
}

Result<HttpReply> propose_session(const ApiParts& parts, const Call& call, std::atomic<int>& taken) {
  Fields fields(call.body);
  PullRequestOrder order;
  order.push = fields.flag("push", false);
  order.ready = fields.flag("ready", false);
  order.allow_push = fields.flag("allow_push", false);
  order.base = fields.text_or("base", "", 250);
  order.title = fields.text_or("title", "", 250);
  if (auto problem = fields.problems()) return *problem;
  TRY_ASSIGN(const KnownSession found, known_session(parts, call.parameter("id")));
  const std::string& repository = found.session.repository_id;
  if (order.allow_push && !call.caller.rights.may(Role::administer, repository))
    return problem_response(403, "forbidden", "only who administers this repository may allow a push");
  if (!parts.propose_session)
    return fail(ErrorCode::conflict, "this server creates no pull requests",
                "emend pr create --session " + found.session.id + " --push");
  const Turn turn(taken);
  if (!turn.is_free())
    return fail(ErrorCode::conflict, "other pull requests are being created now; try again in a moment");
  order.session_id = found.session.id;
  TRY_ASSIGN(const Json done, parts.propose_session(found.bench->repository().root(), order));
  if (order.push) TRY(note_deed(parts, call, "session.proposed", repository, order.session_id));
  return json_response(200, answer_of(done));
}

} // namespace

std::vector<Operation> pull_request_operations(const ApiParts& parts) {
  const auto taken = std::make_shared<std::atomic<int>>(0);
  return {
      {"POST", "/api/fix/sessions/{id}/pull-request", "proposeSession",
       [&parts, taken](const Call& call) { return propose_session(parts, call, *taken); }, Admission::member,
       BodyKind::json, true},
  };
}

} // namespace emend
