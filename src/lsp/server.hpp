// Serves an editor over the Language Server Protocol: messages in, messages out. Reading, typing and asking
// for diagnostics are answered at once, from memory; work is done on threads of its own and can be cancelled.
#pragma once

#include <atomic>
#include <list>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "lsp/actions.hpp"
#include "lsp/client.hpp"
#include "rpc/framing.hpp"

namespace emend::lsp {

struct Settings {
  std::string version;
  FindRoot find_root;
  std::string scratch; // a directory for texts that the editor shows
};

// take(), tick() and the destructor are called by one thread.
class Server {
public:
  Server(Settings settings, std::function<void(const std::string&)> write);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server(); // stops what runs

  void take(const rpc::Frame& frame);
  // Does what was put off: looks at saved files, tells of changes. now: any clock that only rises.
  void tick(std::int64_t now_ms);
  // How soon the next tick is wanted.
  [[nodiscard]] std::int64_t wait_ms() const;

  [[nodiscard]] bool over() const { return over_; }
  [[nodiscard]] bool ended_well() const { return shut_down_; }  // `exit` came after `shutdown`
  [[nodiscard]] std::int64_t parent() const { return parent_; } // the editor's process; 0 = unknown

private:
  using Message = rpc::Message;
  struct Work {
    std::string id; // as JSON; empty = nobody asked for it
    std::string uri = {};
    std::string token = {}; // of its progress, as JSON
    std::stop_source stop = {};
    std::atomic<bool> over = false;
    std::thread thread = {};
  };

  // server.cpp: the protocol
  void take_request(const Message& message);
  void take_notification(const Message& message);
  [[nodiscard]] Result<Json> answer(const Message& message);
  [[nodiscard]] Json initialize(const Json& params);
  void add_folders(const Json& params);
  void begin(std::string id, std::string uri, std::function<void(Work&)> run);
  void begin_request(const Message& message);
  void stop_work(const std::function<bool(const Work&)>& chosen);
  void forget_ended();

  // documents.cpp: what is open, and what is shown in it
  void open(const Json& params);
  void change(const Json& params);
  void save(const Json& params);
  void close(const Json& params);
  void analyze(const std::string& uri);
  [[nodiscard]] Result<Document*> document(const Json& params); // holding state_
  [[nodiscard]] Result<Json> pull(const Json& params);
  // Everything, or what has changed since the editor asked before. On a thread of its own.
  [[nodiscard]] Json pull_workspace(const Json& params, std::stop_token stop);
  // nullopt = it is not open any more.
  [[nodiscard]] std::optional<Json> report_of_open(const std::string& uri, const std::string& told);
  [[nodiscard]] std::string result_id(const Document& document) const;
  [[nodiscard]] Result<Json> hover(const Json& params);
  [[nodiscard]] Result<Json> actions(const Json& params);
  void publish(const Document& document);
  void show_again(); // all documents, after the issues have changed

  // commands.cpp: what takes a while
  [[nodiscard]] Result<Json> work(const Message& message, Work& work);
  [[nodiscard]] Result<Json> run_command(const Json& params, Work& work);
  [[nodiscard]] Result<Json> apply(const std::shared_ptr<Root>& root, const std::string& code,
                                   std::stop_token stop);
  [[nodiscard]] Result<Json> fix(const std::shared_ptr<Root>& root, const std::string& code,
                                 const Json& params, Work& work);
  [[nodiscard]] Result<Json> explain(const std::shared_ptr<Root>& root, const std::string& code,
                                     std::stop_token stop);
  [[nodiscard]] Result<Json> ignore(const std::shared_ptr<Root>& root, const std::string& code,
                                    std::string reason, std::stop_token stop);
  [[nodiscard]] Result<Json> check(const std::shared_ptr<Root>& root, const Json& params, Work& work);
  [[nodiscard]] Result<Json> edit_of_fix(const std::shared_ptr<Root>& root, const std::string& code);
  [[nodiscard]] std::shared_ptr<Root> root_of(const std::string& uri);

  const Settings settings_;
  const std::string run_; // told apart from the result ids of an earlier server
  Client client_;
  EditorAbilities editor_; // after initialize it does not change
  bool initialized_ = false, shut_down_ = false, over_ = false;
  std::int64_t parent_ = 0;

  mutable std::mutex state_; // guards what follows
  std::vector<std::shared_ptr<Root>> folders_;
  std::int64_t opened_ = 0;                                     // documents, ever
  std::map<std::string, Document> documents_;                   // by uri
  std::map<std::string, std::int64_t> to_analyze_, to_publish_; // uri -> when; 0 = not timed yet
  std::atomic<bool> look_again_ = false;                        // a thread has changed issues
  std::int64_t last_look_ms_ = 0;

  std::list<Work> work_;
  std::mutex tokens_; // guards Work::token
};

inline constexpr int kNotInitialized = -32002, kCancelled = -32800, kRequestFailed = -32803;

} // namespace emend::lsp
