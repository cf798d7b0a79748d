// Serves tools to a coding agent: lines in, lines out, calls side by side.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "mcp/elicitation.hpp"
#include "mcp/protocol.hpp"
#include "rpc/framing.hpp"

namespace emend::mcp {

struct Call {
  Json arguments;                                   // they fit the tool's schema
  std::function<void(const std::string&)> progress; // one line for whoever waits; may be called at any time
  std::stop_token stop;                             // nobody waits any more
  std::string client = {};                          // who calls, as it calls itself; may be empty
  std::optional<Replies> replies = {};              // the person was asked; empty = and said nothing
};
struct Answer {
  std::string text;
  bool failed = false; // the call itself: a bad change is an answer
  // What only a person knows. Whose client shows forms is asked, and the call runs again with the replies.
  std::vector<Question> questions = {};
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
// Many resources of one kind: what stands between { and } of the pattern is the name of one.
struct ResourceTemplate {
  std::string pattern, name, description;
  std::function<Answer(const std::string& what)> read;
};
struct Offer {
  Identity own;
  std::vector<Served> tools;
  std::vector<Prompt> prompts;
  std::vector<Resource> resources;
  std::vector<ResourceTemplate> templates = {};
  std::string key; // seals calls that wait for a person; the same for all who may be asked to go on
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
  // nullopt: nobody can be asked this way, or the call ended meanwhile.
  [[nodiscard]] std::optional<Replies> ask(const std::vector<Question>& questions, std::stop_token stop);
  [[nodiscard]] bool goes_on(const Request& request, const Served& served) const;
  void hear(const rpc::Message& answer);
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
  bool shows_forms_ = false; // the client of a handshake said so
  std::mutex asking_;
  std::condition_variable_any heard_;
  std::map<std::string, std::optional<Json>> asked_; // results of forms that are open, by the request's id
};

} // namespace emend::mcp
