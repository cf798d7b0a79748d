// Of the server: what a person starts from the editor. Runs on threads of its own.
#include "base/files.hpp"
#include "base/strings.hpp"
#include "lsp/server.hpp"

namespace emend::lsp {
namespace {

constexpr const char* kReasons[] = {"false_positive", "wont_fix", "by_design", "out_of_scope"};

Json token_in(const Json& params) {
  const Json* token = find_member(params, "workDoneToken");
  return token != nullptr && (token->is_string() || token->is_number_integer()) ? *token : Json();
}

} // namespace

std::shared_ptr<Root> Server::root_of(const std::string& uri) {
  const std::lock_guard lock(state_);
  if (const auto found = documents_.find(uri); found != documents_.end()) return found->second.root;
  if (const auto path = path_of_uri(uri)) return settings_.find_root(*path);
  return uri.empty() && folders_.size() == 1 ? folders_.front() : nullptr;
}

Result<Json> Server::work(const Message& message, Work& work) {
  if (message.method == "workspace/diagnostic") return pull_workspace(message.params, work.stop.get_token());
  if (message.method != "codeAction/resolve") return run_command(message.params, work);
  Json action = message.params;
  const Json* data = find_member(action, "data");
  const std::string code = data == nullptr ? "" : string_or(*data, "code");
  if (code.empty()) return action; // editors ask for every action, also for those that are complete
  const auto root = root_of(string_or(*data, "uri"));
  if (root == nullptr) return fail(ErrorCode::usage, "this file is in no repository");
  TRY_ASSIGN(action["edit"], edit_of_fix(root, code));
  return action;
}

Result<Json> Server::run_command(const Json& params, Work& work) {
  const std::string name = string_or(params, "command");
  const Json* given = find_member(params, "arguments");
  const Json argument = given != nullptr && given->is_array() && !given->empty() && given->front().is_object()
                            ? given->front()
                            : Json::object();
  const std::string code = string_or(argument, "code");
  const auto root = root_of(string_or(argument, "uri"));
  if (root == nullptr) return fail(ErrorCode::usage, "this file is in no repository");
  if (name == "emend.check") return check(root, params, work);
  if (code.empty()) return fail(ErrorCode::usage, "the argument has no code of an issue");
  if (name == "emend.apply") return apply(root, code, work.stop.get_token());
  if (name == "emend.fix") return fix(root, code, params, work);
  if (name == "emend.explain") return explain(root, code, work.stop.get_token());
  if (name == "emend.ignore") return ignore(root, code, string_or(argument, "reason"), work.stop.get_token());
  return fail(ErrorCode::usage, "there is no command " + first_line(clean_text(name), 80));
}

Result<Json> Server::edit_of_fix(const std::shared_ptr<Root>& root, const std::string& code) {
  TRY_ASSIGN(const Patch patch, root->fix_of(code));
  const std::lock_guard lock(state_);
  const auto read = [&](const std::string& path) -> std::optional<OpenText> {
    const auto open = documents_.find(uri_of_path(path));
    if (open != documents_.end()) return OpenText{open->second.text.bytes(), open->second.version};
    if (auto text = read_file_nofollow(path)) return OpenText{*std::move(text)};
    return std::nullopt;
  };
  return workspace_edit(patch, root->path(), read, editor_);
}

// The editor writes, never the server: a buffer may hold what is not on disk.
Result<Json> Server::apply(const std::shared_ptr<Root>& root, const std::string& code, std::stop_token stop) {
  TRY_ASSIGN(Json edit, edit_of_fix(root, code));
  const auto done = client_.ask("workspace/applyEdit",
                                {{"label", "emend: fix of " + code}, {"edit", std::move(edit)}}, stop);
  const Json* applied = done ? find_member(*done, "applied") : nullptr;
  if (applied == nullptr || *applied != true) return fail(ErrorCode::conflict, "the editor did not apply it");
  return Json("applied the fix of " + code);
}

Result<Json> Server::fix(const std::shared_ptr<Root>& root, const std::string& code, const Json& params,
                         Work& work) {
  const std::stop_token stop = work.stop.get_token();
  const std::string start = client_.choose(
      "Fix " + code +
          " with an agent? It works in a copy: your files do not change. This may cost money. Closing the "
          "editor stops it.",
      {"Start", "Not now"}, stop);
  if (start != "Start") return Json("not started");
  FixEnd end;
  {
    Progress progress(client_, token_in(params), editor_.shows_progress, "emend: fixing " + code, stop);
    {
      const std::lock_guard lock(tokens_);
      work.token = dump_json(progress.token());
    }
    TRY_ASSIGN(end, root->fix(code, stop, [&](const std::string& line) { progress.tell(line); }));
  }
  look_again_ = true;
  if (!end.resolved) {
    client_.show(code + " is not fixed.\n" + trim_middle(end.text, 1'500), true);
    return Json(end.text);
  }
  if (client_.choose(code + " is fixed, on a branch of its own.", {"Apply", "Later"}, stop) == "Apply")
    return apply(root, code, stop);
  return Json(end.text);
}

Result<Json> Server::explain(const std::shared_ptr<Root>& root, const std::string& code,
                             std::stop_token stop) {
  TRY_ASSIGN(const std::string text, root->explain(code));
  if (!editor_.shows_documents) {
    client_.show(trim_middle(text, 4'000));
    return Json(text);
  }
  const std::string file = settings_.scratch + "/" + code + ".txt";
  TRY(write_scratch_file(file, text));
  if (!client_.ask("window/showDocument", {{"uri", uri_of_path(file)}, {"takeFocus", true}}, stop))
    client_.show(trim_middle(text, 4'000));
  return Json(text);
}

Result<Json> Server::ignore(const std::shared_ptr<Root>& root, const std::string& code, std::string reason,
                            std::stop_token stop) {
  if (!editor_.may_ignore)
    return fail(ErrorCode::usage, "this editor's settings do not allow to ignore issues");
  if (reason.empty())
    reason = client_.choose("Why ignore " + code + "?", {std::begin(kReasons), std::end(kReasons)}, stop);
  if (reason.empty()) return Json("not ignored");
  TRY(root->ignore(code, reason));
  look_again_ = true;
  return Json(code + " is ignored: " + reason);
}

Result<Json> Server::check(const std::shared_ptr<Root>& root, const Json& params, Work& work) {
  const std::stop_token stop = work.stop.get_token();
  Progress progress(client_, token_in(params), editor_.shows_progress, "emend: checking your change", stop);
  {
    const std::lock_guard lock(tokens_);
    work.token = dump_json(progress.token());
  }
  TRY_ASSIGN(const std::string text,
             root->check(stop, [&](const std::string& line) { progress.tell(line); }));
  if (!stop.stop_requested()) client_.show(trim_middle(text, 1'500));
  return Json(text);
}

} // namespace emend::lsp
