#include "api/deliveries.hpp"

#include <algorithm>
#include <array>

#include "api/webhooks.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kLongestName = 500, kLongestId = 200;
constexpr std::int64_t kMostPulls = 2'000'000'000, kMostIds = 1LL << 53;

Result<std::string> header_word(const HttpRequest& request, std::string_view name, std::size_t longest) {
  const auto value = only_header(request, name);
  if (!value || value->empty() || value->size() > longest)
    return fail(ErrorCode::usage, "the header " + std::string(name) + " is missing or invalid");
  return std::string(*value);
}

Result<std::string> delivery_id(const HttpRequest& request, std::string_view name) {
  TRY_ASSIGN(std::string id, header_word(request, name, kLongestId));
  if (!is_visible(id, kLongestId))
    return fail(ErrorCode::usage, "the header " + std::string(name) + " is invalid");
  return id;
}

tl::unexpected<Error> not_valid(const char* object, const char* member) {
  return fail(ErrorCode::usage, std::string("/") + object + "/" + member + " is missing or invalid");
}

const Json* member_of(const Json& body, const char* object, const char* member) {
  const Json* outer = find_member(body, object);
  return outer != nullptr && outer->is_object() ? find_member(*outer, member) : nullptr;
}

// Empty when it is not there or no text.
std::string text_of(const Json& body, const char* object, const char* member) {
  const Json* inner = member_of(body, object, member);
  return inner != nullptr && inner->is_string() ? inner->get<std::string>() : std::string();
}

Result<std::string> member_text(const Json& body, const char* object, const char* member) {
  std::string text = text_of(body, object, member);
  if (!is_visible(text, kLongestName)) return not_valid(object, member);
  return text;
}

// {"number": 42} or {"id": 1234}
Result<std::int64_t> member_number(const Json& body, const char* object, const char* member,
                                   std::int64_t most) {
  const Json* inner = member_of(body, object, member);
  const auto number = inner != nullptr ? exact_int(*inner, 1, most) : std::nullopt;
  if (!number) return not_valid(object, member);
  return *number;
}

Status name_pull(const Json& body, const char* object, const char* member, ForgeErrand& errand) {
  TRY_ASSIGN(const std::int64_t number, member_number(body, object, member, kMostPulls));
  errand.pull = static_cast<int>(number);
  return {};
}

Status name_comment(const Json& body, const char* object, ForgeErrand& errand) {
  TRY_ASSIGN(const std::int64_t id, member_number(body, object, "id", kMostIds));
  errand.comment = std::to_string(id);
  return {};
}

Status name_run(const Json& body, const char* object, ForgeErrand& errand) {
  TRY_ASSIGN(const std::int64_t id, member_number(body, object, "id", kMostIds));
  errand.run = std::to_string(id);
  return {};
}

Status name_ref(const Json& body, ForgeErrand& errand) {
  TRY_ASSIGN(errand.ref, member_text(body, "merge_group", "head_ref"));
  return errand.ref.starts_with("refs/heads/") ? Status() : Status(not_valid("merge_group", "head_ref"));
}

template <std::size_t N>
bool is_one_of(const std::string& word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_branch(const Json& body) { return string_or(body, "ref").starts_with("refs/heads/"); }

// What is surely none of ours is not worth a question; what may be one is read from the forge.
bool may_be_a_command(const Json& body, const char* object, const char* member) {
  return text_of(body, object, member).starts_with("/emend");
}

// Only new comments: one that was edited or removed is no command.
bool is_new_comment(const Json& body, const std::string& event) {
  if (string_or(body, "action") != "created") return false;
  const bool on_pull = member_of(body, "issue", "pull_request") != nullptr;
  return ((event == "issue_comment" && on_pull) || event == "pull_request_review_comment") &&
         may_be_a_command(body, "comment", "body");
}

ErrandKind github_errand(const Json& body, const std::string& event) {
  constexpr std::array<std::string_view, 5> kNewHead = {"opened", "reopened", "synchronize", "synchronized",
                                                        "ready_for_review"};
  const std::string action = string_or(body, "action"), ended = text_of(body, "workflow_run", "conclusion");
  if (is_new_comment(body, event)) return ErrandKind::command;
  if (event == "pull_request" && is_one_of(action, kNewHead)) return ErrandKind::head;
  const bool labelled = action == "labeled" || action == "unlabeled" || action == "label_updated"; // Gitea's
  if (event == "pull_request" && labelled) return ErrandKind::label;
  if (event == "merge_group" && action == "checks_requested") return ErrandKind::queue;
  // Buttons are for people: a program that wants something writes it down.
  const bool pressed = action == "requested_action" && text_of(body, "sender", "type") == "User" &&
                       text_of(body, "requested_action", "identifier") == "emend.fix";
  if (event == "check_run" && pressed) return ErrandKind::press;
  const bool failed = ended == "failure" || ended == "timed_out";
  if (event == "workflow_run" && action == "completed" && failed) return ErrandKind::pipeline;
  return ErrandKind::none;
}

Status read_github_errand(const Json& body, const std::string& event, ForgeErrand& errand) {
  errand.kind = github_errand(body, event);
  errand.inline_comment = errand.kind == ErrandKind::command && event == "pull_request_review_comment";
  switch (errand.kind) {
    case ErrandKind::command:
      TRY(name_pull(body, errand.inline_comment ? "pull_request" : "issue", "number", errand));
      return name_comment(body, "comment", errand);
    case ErrandKind::head:
    case ErrandKind::label: return name_pull(body, "pull_request", "number", errand);
    case ErrandKind::queue: return name_ref(body, errand);
    case ErrandKind::pipeline: return name_run(body, "workflow_run", errand);
    case ErrandKind::press: {
      TRY_ASSIGN(errand.by, member_text(body, "sender", "login"));
      return name_run(body, "check_run", errand);
    }
    case ErrandKind::tidy:
    case ErrandKind::none: break;
  }
  return {};
}

ErrandKind gitlab_errand(const Json& body) {
  const std::string about = string_or(body, "object_kind"),
                    action = text_of(body, "object_attributes", "action");
  if (about == "note" && text_of(body, "object_attributes", "noteable_type") == "MergeRequest" &&
      (action.empty() || action == "create") && may_be_a_command(body, "object_attributes", "note"))
    return ErrandKind::command;
  const bool pushed = action == "update" && !text_of(body, "object_attributes", "oldrev").empty();
  if (about == "merge_request" && (action == "open" || action == "reopen" || pushed)) return ErrandKind::head;
  if (about == "merge_request" && member_of(body, "changes", "labels") != nullptr) return ErrandKind::label;
  if (about == "pipeline" && text_of(body, "object_attributes", "status") == "failed")
    return ErrandKind::pipeline;
  return ErrandKind::none;
}

Status read_gitlab_errand(const Json& body, ForgeErrand& errand) {
  errand.kind = gitlab_errand(body);
  switch (errand.kind) {
    case ErrandKind::command:
      TRY(name_pull(body, "merge_request", "iid", errand));
      return name_comment(body, "object_attributes", errand);
    case ErrandKind::head:
    case ErrandKind::label: return name_pull(body, "object_attributes", "iid", errand);
    case ErrandKind::pipeline: return name_run(body, "object_attributes", errand);
    case ErrandKind::queue:
    case ErrandKind::press:
    case ErrandKind::tidy:
    case ErrandKind::none: break;
  }
  return {};
}

} // namespace

Result<ForgeDelivery> read_github(const HttpRequest& request, const Json& body) {
  ForgeDelivery delivery;
  TRY_ASSIGN(delivery.event, header_word(request, "x-github-event", 100));
  TRY_ASSIGN(std::string id, delivery_id(request, "x-github-delivery"));
  delivery.ids = {
      std::move(id),
      sha256_hex(request.body)}; // the first is not signed: whoever sends bytes again could change it
  const bool push = delivery.event == "push" && is_branch(body);
  const bool closed = delivery.event == "pull_request" && string_or(body, "action") == "closed";
  delivery.reason_to_look = push || closed;
  TRY(read_github_errand(body, delivery.event, delivery.errand));
  if (delivery.reason_to_look || delivery.errand.kind != ErrandKind::none) {
    TRY_ASSIGN(delivery.full_name, member_text(body, "repository", "full_name"));
  }
  return delivery;
}

Result<ForgeDelivery> read_gitlab(const HttpRequest& request, const Json& body) {
  ForgeDelivery delivery;
  TRY_ASSIGN(delivery.event, header_word(request, "x-gitlab-event", 100));
  // webhook-id is the one a signature covers; older versions have only the event's.
  std::string_view id_header = "x-gitlab-event-uuid";
  for (const std::string_view better : {"idempotency-key", "webhook-id"})
    if (request.header(better)) id_header = better;
  TRY_ASSIGN(std::string id, delivery_id(request, id_header));
  delivery.ids = {std::move(id)};
  const std::string about = string_or(body, "object_kind");
  const bool push = about == "push" && is_branch(body);
  const bool merged = about == "merge_request" && text_of(body, "object_attributes", "action") == "merge";
  delivery.reason_to_look = push || merged;
  TRY(read_gitlab_errand(body, delivery.errand));
  if (delivery.reason_to_look || delivery.errand.kind != ErrandKind::none) {
    TRY_ASSIGN(delivery.full_name, member_text(body, "project", "path_with_namespace"));
  }
  return delivery;
}

} // namespace emend
