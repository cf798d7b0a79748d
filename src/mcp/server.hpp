// Serves tools to a coding agent: lines in, lines out, calls side by side.
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "mcp/protocol.hpp"
#include "rpc/framing.hpp"

namespace emend::mcp {

struct Call {
  Json arguments;                                   // they fit the tool's schema
  std::function<void(const std::string&)> progress; // one line for whoever waits; may be called at any time
  std::stop_token stop;                             // nobody waits any more
  std::string client = {};                          // who calls, as it calls itself; may be empty
};
struct Answer {
  std::string text;
  bool failed = false; // the call itself: a bad change is an answer
};
struct Served {
  Tool tool;
  std::function<Answer(const Call&)> run; // on a thread of its own
};
struct Prompt {
  std::string name, title, description, text;
};
struct Resource {
  std::string uri, name, description;
  std::function<Answer()> read;
};
struct Offer {
  Identity own;
  std::vector<Served> tools;
  std::vector<Prompt> prompts;
  std::vector<Resource> resources;
};

// take() and the destructor are called by one thread.
class Server {
public:
  // write: one line without its end; called by one thread at a time.
  Server(Offer offer, std::function<void(const std::string&)> write);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server(); // stops what runs

  void take(const rpc::Frame& line);

private:
  struct Running {
    std::string id; // as JSON
    std::stop_source stop;
    std::atomic<bool> over = false;
    std::thread thread;
  };
  void answer(const Request& request);
  void begin(const Request& request);
  void cancel(const Request& request);
  void work(Running& running, const Request& request, const Served& served);
  [[nodiscard]] Json get_prompt(const Request& request) const;
  [[nodiscard]] Json read_resource(const Request& request) const;
  [[nodiscard]] std::string client_of(const Request& request);
  void forget_ended();
  void send(const Json& message);

  const Offer offer_;
  const std::function<void(const std::string&)> write_;
  std::mutex writing_;
  std::string client_; // as the handshake said
  std::list<Running> running_;
};

} // namespace emend::mcp
