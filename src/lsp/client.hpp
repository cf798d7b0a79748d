// The editor, as the server speaks to it: answers, notifications, and questions it waits for.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "rpc/message.hpp"

namespace emend::lsp {

// Safe to use from many threads.
class Client {
public:
  // write: one message with its header; called by one thread at a time.
  explicit Client(std::function<void(const std::string&)> write) : write_(std::move(write)) {}

  void send(const Json& message);
  void notify(const std::string& method, Json params);
  void reply(const Json& id, Json result);
  void refuse(const Json& id, int code, const std::string& message);
  void show(const std::string& text, bool problem = false); // in a window of the editor
  void log(const std::string& text);

  // Asks and waits. nullopt = the editor refused, or nobody waits any more.
  [[nodiscard]] std::optional<Json> ask(const std::string& method, Json params, std::stop_token stop);
  // Asks and does not care.
  void request(const std::string& method, Json params);
  // One of these words; empty = none was chosen.
  [[nodiscard]] std::string choose(const std::string& question, const std::vector<std::string>& words,
                                   std::stop_token stop);
  void take_answer(const rpc::Message& message);

private:
  [[nodiscard]] std::int64_t next_id();

  const std::function<void(const std::string&)> write_;
  std::mutex writing_;
  std::mutex mutex_;
  std::condition_variable_any answered_;
  std::int64_t last_id_ = 0;
  std::map<std::int64_t, std::optional<rpc::Message>> open_; // questions; with its answer once there is one
};

// What the editor shows of work that takes a while; nothing where the editor has no place for it.
class Progress {
public:
  // token: the editor's own, or null: then one is made if `make` says so.
  Progress(Client& client, Json token, bool make, const std::string& title, std::stop_token stop);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();
  [[nodiscard]] const Json& token() const { return token_; }
  void tell(const std::string& line);

private:
  void send(Json value);

  Client& client_;
  Json token_;
};

} // namespace emend::lsp
