#include "lsp/client.hpp"

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "rpc/framing.hpp"

namespace emend::lsp {
namespace {

constexpr int kError = 1, kInfo = 3, kLog = 4;

} // namespace

void Client::send(const Json& message) {
  const std::string text = rpc::with_header(dump_json(message));
  const std::lock_guard lock(writing_);
  write_(text);
}

void Client::notify(const std::string& method, Json params) {
  send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

void Client::reply(const Json& id, Json result) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void Client::refuse(const Json& id, int code, const std::string& message) {
  send(rpc::error_reply(id, code, message));
}

void Client::show(const std::string& text, bool problem) {
  notify("window/showMessage", {{"type", problem ? kError : kInfo}, {"message", clean_text(text)}});
}

void Client::log(const std::string& text) {
  notify("window/logMessage", {{"type", kLog}, {"message", clean_text(text)}});
}

std::int64_t Client::next_id() {
  const std::lock_guard lock(mutex_);
  return ++last_id_;
}

void Client::request(const std::string& method, Json params) {
  Json message = {{"jsonrpc", "2.0"}, {"id", next_id()}, {"method", method}};
  if (!params.is_null()) message["params"] = std::move(params);
  send(message);
}

std::optional<Json> Client::ask(const std::string& method, Json params, std::stop_token stop) {
  const std::int64_t id = next_id();
  {
    const std::lock_guard lock(mutex_);
    open_[id];
  }
  send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
  std::unique_lock lock(mutex_);
  answered_.wait(lock, stop, [&] { return open_[id].has_value(); });
  const std::optional<rpc::Message> answer = std::move(open_[id]);
  open_.erase(id);
  if (!answer || !answer->error.is_null()) return std::nullopt;
  return answer->result;
}

std::string Client::choose(const std::string& question, const std::vector<std::string>& words,
                           std::stop_token stop) {
  Json actions = Json::array();
  for (const std::string& word : words) actions.push_back({{"title", word}});
  const auto answer = ask("window/showMessageRequest",
                          {{"type", kInfo}, {"message", clean_text(question)}, {"actions", actions}}, stop);
  const std::string chosen = answer ? string_or(*answer, "title") : "";
  for (const std::string& word : words)
    if (word == chosen) return word;
  return "";
}

void Client::take_answer(const rpc::Message& message) {
  const std::lock_guard lock(mutex_);
  if (!message.id.is_number_integer()) return;
  const auto question = open_.find(message.id.get<std::int64_t>());
  if (question == open_.end()) return;
  question->second = message;
  answered_.notify_all();
}

Progress::Progress(Client& client, Json token, bool make, const std::string& title, std::stop_token stop)
    : client_(client), token_(std::move(token)) {
  if (token_.is_null() && make) {
    Json own = "emend-" + random_hex(6);
    if (client_.ask("window/workDoneProgress/create", {{"token", own}}, stop)) token_ = std::move(own);
  }
  send({{"kind", "begin"}, {"title", title}, {"cancellable", true}});
}

Progress::~Progress() { send({{"kind", "end"}}); }

void Progress::tell(const std::string& line) {
  send({{"kind", "report"}, {"message", first_line(clean_text(line), 200)}});
}

void Progress::send(Json value) {
  if (!token_.is_null()) client_.notify("$/progress", {{"token", token_}, {"value", std::move(value)}});
}

} // namespace emend::lsp
