#include "mcp/server.hpp"

#include <algorithm>
#include <chrono>

#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend::mcp {
namespace {

constexpr std::size_t kMostCalls = 8;
constexpr auto kPatience = std::chrono::minutes(10); // with a person who was asked

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

AskedCall asked_call(const Request& request, const Served& served) {
  return {served.tool.name, request.params.at("arguments")};
}

Json describe(const Prompt& prompt) {
  return {{"name", prompt.name}, {"title", prompt.title}, {"description", prompt.description}};
}

Json describe(const Resource& resource) {
  return {{"uri", resource.uri},
          {"name", resource.name},
          {"description", resource.description},
          {"mimeType", "text/markdown"}};
}

Json describe(const ResourceTemplate& one) {
  return {{"uriTemplate", one.pattern},
          {"name", one.name},
          {"description", one.description},
          {"mimeType", "text/markdown"}};
}

template <typename T>
Json list_of(const char* name, const std::vector<T>& things) {
  Json list = Json::array();
  for (const T& thing : things) list.push_back(describe(thing));
  return {{name, std::move(list)}};
}

// Rising numbers under the token the client gave; nothing without one.
class Progress {
public:
  Progress(const Request& request, std::function<void(const Json&)> send) : send_(std::move(send)) {
    const Json* meta = find_member(request.params, "_meta");
    const Json* token = meta == nullptr ? nullptr : find_member(*meta, "progressToken");
    if (token != nullptr && (token->is_string() || token->is_number_integer())) token_ = *token;
  }
  void operator()(const std::string& line) {
    if (token_.is_null()) return;
    const std::lock_guard lock(mutex_);
    send_({{"jsonrpc", "2.0"},
           {"method", "notifications/progress"},
           {"params",
            {{"progressToken", token_}, {"progress", ++count_}, {"message", first_line(line, 200)}}}});
  }

private:
  std::function<void(const Json&)> send_;
  Json token_;
  std::mutex mutex_;
  int count_ = 0;
};

} // namespace

Server::Server(Offer offer, std::function<void(const std::string&)> write)
    : offer_(std::move(offer)), write_(std::move(write)) {}

Server::~Server() {
  for (Running& one : running_) one.stop.request_stop();
  for (Running& one : running_) one.thread.join();
}

void Server::send(const Json& message) {
  const std::lock_guard lock(writing_);
  write_(dump_json(message));
}

void Server::take(const rpc::Frame& line) {
  forget_ended();
  if (!line.problem.empty()) return send(rpc::error_reply(nullptr, rpc::kParseError, line.problem));
  const Read read = read_message(line.text);
  if (read.reply) send(*read.reply);
  if (read.answer) hear(*read.answer);
  if (read.request) answer(*read.request);
}

// Said in the handshake, or with each request.
std::string Server::client_of(const Request& request) {
  const std::string said = client_in(request.params);
  const std::lock_guard lock(writing_);
  if (!said.empty()) client_ = said;
  return client_;
}

void Server::answer(const Request& request) {
  const std::string& method = request.method;
  (void)client_of(request);
  if (method == "notifications/cancelled") return cancel(request);
  if (request.is_notification()) return;
  const bool handshake = request.era == Era::handshake;
  const auto reply = [&](Json result, Kept kept) {
    send(result_reply(request, offer_.own, std::move(result), kept));
  };
  if (method == "tools/call") return begin(request);
  if (method == "initialize" && handshake) {
    const Json* able = find_member(request.params, "capabilities");
    shows_forms_ = able != nullptr && shows_forms(*able);
  }
  if (method == "server/discover" || (method == "initialize" && handshake))
    return send(opening(request, offer_.own));
  if ((method == "ping" || method == "logging/setLevel") && handshake) return reply(Json::object(), Kept::no);
  if (method == "prompts/get") return send(get_prompt(request));
  if (method == "resources/read") return send(read_resource(request));
  if (method == "prompts/list") return reply(list_of("prompts", offer_.prompts), Kept::lists);
  if (method == "resources/list") return reply(list_of("resources", offer_.resources), Kept::lists);
  if (method == "resources/templates/list")
    return reply(list_of("resourceTemplates", offer_.templates), Kept::lists);
  if (method == "tools/list") {
    Json tools = Json::array();
    for (const Served& served : offer_.tools) tools.push_back(to_json(served.tool));
    return reply({{"tools", std::move(tools)}}, Kept::lists);
  }
  send(rpc::error_reply(request.id, rpc::kUnknownMethod,
                        "there is no method " + first_line(clean_text(method), 80)));
}

Json Server::get_prompt(const Request& request) const {
  const std::string name = string_or(request.params, "name");
  for (const Prompt& prompt : offer_.prompts)
    if (prompt.name == name)
      return result_reply(
          request, offer_.own,
          {{"description", prompt.description},
           {"messages",
            Json::array({{{"role", "user"}, {"content", {{"type", "text"}, {"text", prompt.text}}}}})}});
  return rpc::error_reply(request.id, rpc::kInvalidParams,
                          "there is no prompt " + first_line(clean_text(name), 80));
}

Json Server::read_resource(const Request& request) const {
  const std::string uri = string_or(request.params, "uri");
  const auto text = [&](const Answer& read) {
    if (read.failed)
      return rpc::error_reply(request.id, rpc::kInvalidParams, first_line(clean_text(read.text), 300));
    return result_reply(
        request, offer_.own,
        {{"contents",
          Json::array({{{"uri", uri}, {"mimeType", "text/markdown"}, {"text", clean_text(read.text)}}})}},
        Kept::lists);
  };
  for (const Resource& resource : offer_.resources)
    if (resource.uri == uri) return text(resource.read());
  for (const ResourceTemplate& one : offer_.templates)
    if (const auto name = named_in(one.pattern, uri)) return text(one.read(*name));
  return rpc::error_reply(request.id, rpc::kInvalidParams,
                          "there is no resource " + first_line(clean_text(uri), 200));
}

void Server::begin(const Request& request) {
  const std::string name = string_or(request.params, "name");
  const auto served = std::find_if(offer_.tools.begin(), offer_.tools.end(),
                                   [&](const Served& one) { return one.tool.name == name; });
  if (served == offer_.tools.end())
    return send(rpc::error_reply(request.id, rpc::kInvalidParams,
                                 "there is no tool " + first_line(clean_text(name), 80)));
  const Json* given = find_member(request.params, "arguments");
  const Json arguments = given == nullptr ? Json::object() : *given;
  std::string problem = argument_problem(served->tool, arguments);
  if (running_.size() >= kMostCalls) problem = "too many calls at once; wait for one of them to end";
  if (!problem.empty()) return send(result_reply(request, offer_.own, text_result(problem, true)));
  Running& running = running_.emplace_back();
  running.id = dump_json(request.id);
  Request kept = request;
  kept.params["arguments"] = arguments;
  running.thread = std::thread([this, &running, kept = std::move(kept), served = &*served] {
    work(running, kept, *served);
    running.over = true;
  });
}

void Server::work(Running& running, const Request& request, const Served& served) {
  Progress progress(request, [this](const Json& message) { send(message); });
  Call call{request.params.at("arguments"), {}, running.stop.get_token(), client_of(request)};
  call.progress = [&](const std::string& line) {
    if (!call.stop.stop_requested()) progress(line);
  };
  Answer answer;
  try {
    answer = served.run(call);
    if (!answer.questions.empty() && goes_on(request, served)) {
      const Json* forms = find_member(request.params, "inputResponses");
      const Json* form = forms == nullptr ? nullptr : find_member(*forms, kFormKey);
      call.replies = replies_in(answer.questions, form == nullptr ? Json::object() : *form);
    } else if (!answer.questions.empty() && request.era == Era::handshake && shows_forms_) {
      call.replies = ask(answer.questions, call.stop);
    } else if (!answer.questions.empty() && shows_forms(capabilities_of(request))) {
      return send(input_required(request, offer_.own, form_of(answer.questions),
                                 seal(asked_call(request, served), offer_.key, now_ms())));
    }
    if (call.replies) answer = served.run(call);
  } catch (const std::exception& fault) {
    answer = {std::string("internal error: ") + fault.what(), true};
  }
  if (call.stop.stop_requested()) return; // nobody may hear of it any more
  send(result_reply(request, offer_.own, text_result(std::move(answer.text), answer.failed)));
}

// A client that repeats a call with what the person filled in. A state that is not ours, or is too old,
// is no reason to believe it: the person is asked once more.
bool Server::goes_on(const Request& request, const Served& served) const {
  if (request.era != Era::stateless || !request.params.contains("inputResponses")) return false;
  return is_sealed(string_or(request.params, "requestState"), asked_call(request, served), offer_.key,
                   now_ms());
}

std::optional<Replies> Server::ask(const std::vector<Question>& questions, std::stop_token stop) {
  const std::string id = "emend-" + random_hex(6);
  std::unique_lock lock(asking_);
  asked_.emplace(id, std::nullopt);
  send({{"jsonrpc", "2.0"}, {"id", id}, {"method", "elicitation/create"}, {"params", form_of(questions)}});
  const bool heard = heard_.wait_for(lock, stop, kPatience, [&] { return asked_.at(id).has_value(); });
  const Json result = heard ? *asked_.at(id) : Json::object();
  asked_.erase(id);
  if (stop.stop_requested()) return std::nullopt;
  return replies_in(questions, result);
}

void Server::hear(const rpc::Message& answer) {
  const std::lock_guard lock(asking_);
  const auto open = answer.id.is_string() ? asked_.find(answer.id.get<std::string>()) : asked_.end();
  if (open == asked_.end()) return;
  open->second = answer.result.is_object() ? answer.result : Json::object();
  heard_.notify_all();
}

void Server::cancel(const Request& request) {
  const Json* id = find_member(request.params, "requestId");
  if (id == nullptr) return;
  for (Running& one : running_)
    if (one.id == dump_json(*id)) one.stop.request_stop();
}

void Server::forget_ended() {
  for (auto one = running_.begin(); one != running_.end();) {
    if (!one->over) {
      ++one;
      continue;
    }
    one->thread.join();
    one = running_.erase(one);
  }
}

} // namespace emend::mcp
