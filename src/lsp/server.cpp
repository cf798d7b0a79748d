#include "lsp/server.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend::lsp {
namespace {

constexpr std::size_t kMostWork = 8;
constexpr std::int64_t kLookEvery = 1'000; // at the database
constexpr const char* kCommands[] = {"emend.apply", "emend.check", "emend.explain", "emend.fix",
                                     "emend.ignore"};

const Json* at(const Json& json, std::initializer_list<const char*> path) {
  const Json* found = &json;
  for (const char* name : path) {
    found = found == nullptr ? nullptr : find_member(*found, name);
  }
  return found;
}

bool says_yes(const Json& json, std::initializer_list<const char*> path) {
  const Json* found = at(json, path);
  return found != nullptr && found->is_boolean() && found->get<bool>();
}

bool lists(const Json& json, std::initializer_list<const char*> path, const char* word) {
  const Json* found = at(json, path);
  return found != nullptr && found->is_array() &&
         std::find(found->begin(), found->end(), word) != found->end();
}

EditorAbilities abilities_of(const Json& params) {
  const Json* given = find_member(params, "capabilities");
  const Json can = given == nullptr ? Json::object() : *given;
  EditorAbilities editor;
  if (lists(can, {"general", "positionEncodings"}, "utf-8")) editor.encoding = Encoding::utf8;
  editor.pulls = at(can, {"textDocument", "diagnostic"}) != nullptr;
  // Told to refresh, Neovim 0.12 asks for the whole workspace if it can, and leaves open files as they were.
  const Json* name = at(params, {"clientInfo", "name"});
  editor.asks_for_all = name == nullptr || *name != "Neovim";
  editor.refreshes = says_yes(can, {"workspace", "diagnostics", "refreshSupport"}) ||
                     says_yes(can, {"workspace", "diagnostic", "refreshSupport"});
  editor.resolves_edits =
      lists(can, {"textDocument", "codeAction", "resolveSupport", "properties"}, "edit") &&
      says_yes(can, {"textDocument", "codeAction", "dataSupport"});
  editor.document_changes = says_yes(can, {"workspace", "workspaceEdit", "documentChanges"});
  editor.makes_files = editor.document_changes &&
                       lists(can, {"workspace", "workspaceEdit", "resourceOperations"}, "create") &&
                       lists(can, {"workspace", "workspaceEdit", "resourceOperations"}, "delete");
  editor.shows_documents = says_yes(can, {"window", "showDocument", "support"});
  editor.shows_progress = says_yes(can, {"window", "workDoneProgress"});
  const Json* may = at(params, {"initializationOptions", "allowIgnore"});
  editor.may_ignore = may == nullptr || !may->is_boolean() || may->get<bool>();
  return editor;
}

Json capabilities(const EditorAbilities& editor) {
  Json can = {{"positionEncoding", editor.encoding == Encoding::utf8 ? "utf-8" : "utf-16"},
              {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", true}}},
              {"hoverProvider", true},
              {"codeActionProvider",
               {{"codeActionKinds", {"quickfix", "source.fixAll.emend"}}, {"resolveProvider", true}}},
              {"executeCommandProvider", {{"commands", kCommands}, {"workDoneProgress", true}}},
              {"workspace", {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}}}};
  if (editor.pulls)
    can["diagnosticProvider"] = {{"identifier", "emend"},
                                 {"interFileDependencies", true},
                                 {"workspaceDiagnostics", editor.asks_for_all}};
  return can;
}

} // namespace

Server::Server(Settings settings, std::function<void(const std::string&)> write)
    : settings_(std::move(settings)), run_(random_hex(4)), client_(std::move(write)) {}

Server::~Server() {
  stop_work([](const Work&) { return true; });
  for (Work& one : work_) one.thread.join();
}

void Server::take(const rpc::Frame& frame) {
  forget_ended();
  if (!frame.problem.empty()) return client_.refuse(nullptr, rpc::kParseError, frame.problem);
  const rpc::Read read = rpc::read_message(frame.text);
  if (read.reply) return client_.send(*read.reply);
  const Message& message = *read.message;
  if (message.is_answer()) return client_.take_answer(message);
  if (!message.is_notification()) return take_request(message);
  try {
    take_notification(message);
  } catch (const std::exception& fault) {
    client_.log(std::string("emend: internal error: ") + fault.what());
  }
}

void Server::take_request(const Message& message) {
  const std::string& method = message.method;
  if (shut_down_) return client_.refuse(message.id, rpc::kInvalidRequest, "the server is shutting down");
  if (!initialized_ && method != "initialize")
    return client_.refuse(message.id, kNotInitialized, "initialize comes first");
  if (method == "workspace/executeCommand" || method == "codeAction/resolve" ||
      method == "workspace/diagnostic")
    return begin_request(message);
  try {
    Result<Json> result = answer(message);
    if (result) return client_.reply(message.id, *std::move(result));
    client_.refuse(message.id,
                   result.error().code == ErrorCode::not_found ? rpc::kUnknownMethod : rpc::kInvalidParams,
                   result.error().message);
  } catch (const std::exception& fault) {
    client_.refuse(message.id, rpc::kInternalError, std::string("internal error: ") + fault.what());
  }
}

Result<Json> Server::answer(const Message& message) {
  const std::string& method = message.method;
  if (method == "initialize") {
    if (initialized_) return fail(ErrorCode::usage, "initialize came twice");
    return initialize(message.params);
  }
  if (method == "shutdown") {
    shut_down_ = true;
    stop_work([](const Work&) { return true; });
    return Json(nullptr);
  }
  if (method == "textDocument/diagnostic") return pull(message.params);
  if (method == "textDocument/hover") return hover(message.params);
  if (method == "textDocument/codeAction") return actions(message.params);
  return fail(ErrorCode::not_found, "there is no method " + first_line(clean_text(method), 80));
}

void Server::take_notification(const Message& message) {
  const std::string& method = message.method;
  if (method == "exit") {
    over_ = true;
    return;
  }
  if (!initialized_) return;
  if (method == "textDocument/didOpen") return open(message.params);
  if (method == "textDocument/didChange") return change(message.params);
  if (method == "textDocument/didSave") return save(message.params);
  if (method == "textDocument/didClose") return close(message.params);
  if (method == "workspace/didChangeWatchedFiles") look_again_ = true;
  if (method == "workspace/didChangeWorkspaceFolders") {
    if (const Json* event = find_member(message.params, "event")) add_folders(*event);
  }
  const Json* id = find_member(message.params, "id");
  if (method == "$/cancelRequest" && id != nullptr)
    return stop_work([&](const Work& one) { return one.id == dump_json(*id); });
  const Json* token = find_member(message.params, "token");
  if (method == "window/workDoneProgress/cancel" && token != nullptr) {
    const std::lock_guard lock(tokens_);
    stop_work([&](const Work& one) { return one.token == dump_json(*token); });
  }
}

Json Server::initialize(const Json& params) {
  initialized_ = true;
  editor_ = abilities_of(params);
  if (const Json* process = find_member(params, "processId"); process != nullptr)
    parent_ = exact_int(*process, 1, 1LL << 31).value_or(0);
  add_folders(params);
  return {{"capabilities", capabilities(editor_)},
          {"serverInfo", {{"name", "emend"}, {"version", settings_.version}}}};
}

// workspaceFolders of initialize, added and removed of a change.
void Server::add_folders(const Json& params) {
  const auto each = [&](const char* name, const auto& take) {
    const Json* list = find_member(params, name);
    if (list == nullptr || !list->is_array()) return;
    for (const Json& folder : *list)
      if (const auto path = path_of_uri(string_or(folder, "uri")))
        if (auto root = settings_.find_root(*path)) take(std::move(root));
  };
  const std::lock_guard lock(state_);
  const auto add = [&](const std::shared_ptr<Root>& root) {
    if (std::find(folders_.begin(), folders_.end(), root) == folders_.end()) folders_.push_back(root);
  };
  each("removed", [&](const std::shared_ptr<Root>& root) { std::erase(folders_, root); });
  each("workspaceFolders", add);
  each("added", add);
  if (const auto path = path_of_uri(string_or(params, "rootUri")); path && folders_.empty())
    if (auto root = settings_.find_root(*path)) folders_.push_back(std::move(root));
}

void Server::begin(std::string id, std::string uri, std::function<void(Work&)> run) {
  Work& one = work_.emplace_back();
  one.id = std::move(id);
  one.uri = std::move(uri);
  one.thread = std::thread([&one, run = std::move(run)] {
    run(one);
    one.over = true;
  });
}

void Server::begin_request(const Message& message) {
  if (work_.size() >= kMostWork)
    return client_.refuse(message.id, kRequestFailed, "too much is running; wait for some of it to end");
  begin(dump_json(message.id), "", [this, message](Work& one) {
    Result<Json> result = Json(nullptr);
    try {
      result = work(message, one);
    } catch (const std::exception& fault) {
      result = fail(ErrorCode::internal, std::string("internal error: ") + fault.what());
    }
    if (one.stop.stop_requested()) return client_.refuse(message.id, kCancelled, "cancelled");
    if (result) return client_.reply(message.id, *std::move(result));
    const Error& error = result.error();
    const bool usage = error.code == ErrorCode::usage;
    client_.refuse(message.id, usage ? rpc::kInvalidParams : kRequestFailed,
                   error.message + (error.remedy.empty() ? "" : ". Next: " + error.remedy));
  });
}

void Server::stop_work(const std::function<bool(const Work&)>& chosen) {
  for (Work& one : work_)
    if (chosen(one)) one.stop.request_stop();
}

void Server::forget_ended() {
  for (auto one = work_.begin(); one != work_.end();) {
    if (!one->over) {
      ++one;
      continue;
    }
    one->thread.join();
    one = work_.erase(one);
  }
}

std::int64_t Server::wait_ms() const {
  const std::lock_guard lock(state_);
  return to_analyze_.empty() && to_publish_.empty() ? kLookEvery : 50;
}

void Server::tick(std::int64_t now_ms) {
  constexpr std::int64_t kPause = 300; // a person who saves or types again is not done yet
  forget_ended();
  std::vector<std::string> saved;
  bool look = false;
  {
    const std::lock_guard lock(state_);
    const auto due = [&](std::map<std::string, std::int64_t>& waiting, const auto& take) {
      for (auto one = waiting.begin(); one != waiting.end();) {
        if (one->second == 0) one->second = now_ms + kPause;
        if (one->second > now_ms) {
          ++one;
          continue;
        }
        take(one->first);
        one = waiting.erase(one);
      }
    };
    due(to_analyze_, [&](const std::string& uri) { saved.push_back(uri); });
    due(to_publish_, [&](const std::string& uri) {
      if (const auto found = documents_.find(uri); found != documents_.end()) publish(found->second);
    });
    look = now_ms - last_look_ms_ >= kLookEvery || look_again_;
    if (look) last_look_ms_ = now_ms;
  }
  for (const std::string& uri : saved) analyze(uri);
  if (look && initialized_ && !shut_down_) show_again();
}

} // namespace emend::lsp
