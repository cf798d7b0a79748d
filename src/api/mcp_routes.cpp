// The tools of `emend mcp` over HTTP. One message a request; the answer to a call is a stream, so that
// whoever waits sees progress, and closing it is the cancel. Nothing is remembered between two requests.
#include <condition_variable>
#include <mutex>

#include "api/routes.hpp"
#include "base/log.hpp"
#include "base/strings.hpp"
#include "mcp/http_rules.hpp"

namespace emend {
namespace {

constexpr std::uint64_t kMaxMessage = 4'000'000;

// One message and what the server says to it.
class Exchange {
public:
  Exchange(mcp::Offer offer, const std::string& body)
      : server_(std::move(offer), [this](const std::string& line) { take(line); }) {
    server_.take({body});
  }

  // The answer that comes at once; nullopt = it takes longer.
  [[nodiscard]] std::optional<Json> answer_now() {
    const std::lock_guard lock(mutex_);
    return answer_;
  }
  [[nodiscard]] Json wait() {
    std::unique_lock lock(mutex_);
    told_.wait(lock, [&] { return answer_.has_value(); });
    return *answer_;
  }
  [[nodiscard]] StreamPart next() {
    std::unique_lock lock(mutex_);
    told_.wait_for(lock, std::chrono::milliseconds(200), [&] { return !frames_.empty() || answer_; });
    StreamPart part{std::move(frames_), answer_.has_value()};
    frames_.clear();
    return part;
  }

private:
  void take(const std::string& line) {
    const std::lock_guard lock(mutex_);
    frames_ += "event: message\ndata: " + line + "\n\n";
    if (auto json = parse_json(line); json && !json->contains("method")) answer_ = *std::move(json);
    told_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable told_;
  std::string frames_;
  std::optional<Json> answer_;
  mcp::Server server_; // last: its calls end first
};

mcp::HttpHead head_of(const HttpRequest& request) {
  const auto value = [&](const char* name) -> std::optional<std::string> {
    const auto found = request.header(name);
    return found ? std::optional<std::string>(std::string(*found)) : std::nullopt;
  };
  return {value("mcp-protocol-version"), value("mcp-method"), value("mcp-name")};
}

HttpReply plain(const Json& answer, bool stateless) {
  const int status = mcp::status_of(answer, stateless);
  return answer.is_null() ? HttpResponse{status, {}, ""} : json_response(status, answer);
}

// What it calls itself in this message. Between two messages nothing is remembered, so a client that says it
// in a handshake alone is known by its program.
std::string caller_of(const mcp::Request& message, const HttpRequest& request) {
  const std::string name = first_line(clean_text(mcp::client_in(message.params)), 60);
  if (!name.empty()) return name;
  const std::string program(trim(clean_text(request.header("user-agent").value_or(""))));
  return program.empty() ? "a coding agent" : first_line(program, 60);
}

Result<HttpReply> take(const ApiParts& parts, const Call& call) {
  if (!parts.mcp_offer) return problem_response(404, "not-found", "this server offers no tools");
  const HttpRequest& request = call.request;
  const std::string type = to_lower(request.header("content-type").value_or(""));
  if (!type.starts_with("application/json"))
    return problem_response(415, "unsupported-media-type", "send the message as application/json");
  if (auto problem = mcp::header_problem(head_of(request), request.body)) return plain(*problem, true);
  const mcp::Read read = mcp::read_message(request.body);
  if (read.reply) return plain(*read.reply, true);
  if (!read.request || read.request->is_notification()) return plain(nullptr, true);
  const bool stateless = read.request->era == mcp::Era::stateless;
  TRY_ASSIGN(const std::string id, call.repository);
  TRY_ASSIGN(const ServedRepository repository, parts.repositories.find(id));
  const std::string caller = caller_of(*read.request, request);
  if (read.request->method == "tools/call")
    log(LogLevel::info,
        "mcp call " + first_line(clean_text(string_or(read.request->params, "name")), 40) + " of " + caller);
  const auto exchange = std::make_shared<Exchange>(parts.mcp_offer(repository.root, caller), request.body);
  if (const auto answer = exchange->answer_now()) return plain(*answer, stateless);
  if (!contains(std::string(request.header("accept").value_or("")), "text/event-stream"))
    return plain(exchange->wait(), stateless);
  EventStream stream;
  stream.source = [exchange]() -> Result<StreamPart> { return exchange->next(); };
  return stream;
}

} // namespace

std::vector<Operation> mcp_operations(const ApiParts& parts) {
  return {{"POST", "/mcp", "callMcp", [&parts](const Call& call) { return take(parts, call); },
           Admission::owner, BodyKind::bytes, false, kMaxMessage}};
}

} // namespace emend
