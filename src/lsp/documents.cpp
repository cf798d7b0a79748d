// Of the server: what is open in the editor, and what is shown in it.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/strings.hpp"
#include "lsp/diagnostics.hpp"
#include "lsp/server.hpp"

namespace emend::lsp {
namespace {

std::string uri_in(const Json& params) {
  const Json* named = find_member(params, "textDocument");
  return named == nullptr ? "" : string_or(*named, "uri");
}

std::int64_t version_in(const Json& params, std::int64_t fallback) {
  const Json* named = find_member(params, "textDocument");
  const Json* version = named == nullptr ? nullptr : find_member(*named, "version");
  return version == nullptr ? fallback : exact_int(*version, 0, 1LL << 53).value_or(fallback);
}

// What an editor says it has, by path: its own spelling of the uri, and the result it got.
struct Told {
  std::string uri, result;
};
std::map<std::string, Told> told_in(const Json& params) {
  std::map<std::string, Told> told;
  const Json* list = find_member(params, "previousResultIds");
  if (list == nullptr || !list->is_array()) return told;
  for (const Json& one : *list)
    if (one.is_object())
      if (const auto path = path_of_uri(string_or(one, "uri")))
        told[*path] = {string_or(one, "uri"), string_or(one, "value")};
  return told;
}

Json unchanged(const std::string& uri, Json version, const std::string& result) {
  return {{"kind", "unchanged"}, {"uri", uri}, {"version", std::move(version)}, {"resultId", result}};
}

Json full(const std::string& uri, Json version, const std::string& result, Json items) {
  Json report = {
      {"kind", "full"}, {"uri", uri}, {"version", std::move(version)}, {"items", std::move(items)}};
  if (!result.empty()) report["resultId"] = result;
  return report;
}

// By the lines they were found at.
Json diagnostics_of_closed(Root& root, const std::string& file) {
  Json list = Json::array();
  for (const Issue& issue : root.issues(file)) {
    const int line = std::max(0, issue.finding.line - 1);
    list.push_back(diagnostic(issue, {{line, 0}, {line, 0}}, root.link(issue.code)));
  }
  return list;
}

} // namespace

void Server::open(const Json& params) {
  const Json* named = find_member(params, "textDocument");
  if (named == nullptr) return;
  Document made;
  made.uri = uri_in(params);
  made.version = version_in(params, 0);
  made.text = Text(string_or(*named, "text"));
  if (const auto path = path_of_uri(made.uri)) {
    made.root = settings_.find_root(*path);
    if (made.root != nullptr && path->starts_with(made.root->path() + "/"))
      made.file = path->substr(made.root->path().size() + 1);
    else
      made.root = nullptr;
  }
  show_issues(made, editor_.encoding);
  const std::lock_guard lock(state_);
  made.state = ++opened_ << 32; // no state that a document of this name had before
  Document& kept = documents_[made.uri] = std::move(made);
  publish(kept);
}

void Server::change(const Json& params) {
  const std::lock_guard lock(state_);
  const auto found = documents_.find(uri_in(params));
  const Json* changes = find_member(params, "contentChanges");
  if (found == documents_.end() || changes == nullptr || !changes->is_array()) return;
  Document& changed = found->second;
  const std::int64_t before = changed.state;
  for (const Json& one : *changes) {
    TextChange change{std::nullopt, string_or(one, "text")};
    if (const Json* range = find_member(one, "range")) {
      change.range = range_of(*range);
      if (!change.range) continue;
    }
    change_text(changed, change, editor_.encoding);
  }
  changed.version = version_in(params, changed.version + 1);
  if (changed.state != before && !editor_.pulls) to_publish_[changed.uri] = 0;
}

void Server::save(const Json& params) {
  const std::string uri = uri_in(params);
  stop_work([&](const Work& one) { return one.uri == uri; }); // it looks at older text
  const std::lock_guard lock(state_);
  const auto found = documents_.find(uri);
  if (found == documents_.end() || found->second.root == nullptr) return;
  to_analyze_[uri] = 0;
}

void Server::close(const Json& params) {
  const std::string uri = uri_in(params);
  stop_work([&](const Work& one) { return one.uri == uri; });
  const std::lock_guard lock(state_);
  if (documents_.erase(uri) == 0) return;
  to_analyze_.erase(uri);
  to_publish_.erase(uri);
  if (!editor_.pulls)
    client_.notify("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", Json::array()}});
}

void Server::publish(const Document& shown) {
  if (editor_.pulls || shown.root == nullptr) return;
  client_.notify("textDocument/publishDiagnostics",
                 {{"uri", shown.uri}, {"version", shown.version}, {"diagnostics", diagnostics(shown)}});
}

void Server::analyze(const std::string& uri) {
  std::shared_ptr<Root> root;
  std::string file;
  {
    const std::lock_guard lock(state_);
    const auto found = documents_.find(uri);
    if (found == documents_.end()) return;
    root = found->second.root;
    file = found->second.file;
  }
  begin("", uri, [this, uri, root, file](Work& one) {
    const Result<Scan> scan = root->analyze(file, one.stop.get_token());
    if (one.stop.stop_requested()) return;
    if (!scan) return client_.log("emend: " + file + " was not looked at: " + scan.error().message);
    {
      const std::lock_guard lock(state_);
      const auto found = documents_.find(uri);
      if (found == documents_.end()) return;
      Document& saved = found->second;
      const std::int64_t before = saved.state;
      saved.fresh = scan->fresh;
      saved.absent = {scan->absent.begin(), scan->absent.end()};
      show_issues(saved, editor_.encoding);
      if (saved.state == before) return;
      publish(saved);
    }
    if (editor_.pulls && editor_.refreshes) client_.request("workspace/diagnostic/refresh", nullptr);
  });
}

void Server::show_again() {
  if (std::any_of(work_.begin(), work_.end(), [](const Work& one) { return one.uri == "emend:reload"; }))
    return;
  std::set<std::shared_ptr<Root>> roots;
  {
    const std::lock_guard lock(state_);
    roots.insert(folders_.begin(), folders_.end());
    for (const auto& [uri, shown] : documents_)
      if (shown.root != nullptr) roots.insert(shown.root);
  }
  if (roots.empty()) return;
  look_again_ = false;
  begin("", "emend:reload", [this, roots](Work&) {
    bool changed = false;
    for (const std::shared_ptr<Root>& root : roots) changed = root->reload() || changed;
    if (!changed) return;
    {
      const std::lock_guard lock(state_);
      for (auto& [uri, shown] : documents_) {
        const std::int64_t before = shown.state;
        show_issues(shown, editor_.encoding);
        if (shown.state != before) publish(shown);
      }
    }
    if (editor_.pulls && editor_.refreshes) client_.request("workspace/diagnostic/refresh", nullptr);
  });
}

Result<Document*> Server::document(const Json& params) {
  const auto found = documents_.find(uri_in(params));
  if (found != documents_.end()) return &found->second;
  return fail(ErrorCode::usage, "this document is not open");
}

Result<Json> Server::pull(const Json& params) {
  const std::lock_guard lock(state_);
  const auto asked = document(params);
  if (!asked) return Json{{"kind", "full"}, {"items", Json::array()}};
  const std::string state = result_id(**asked);
  if (string_or(params, "previousResultId") == state) return Json{{"kind", "unchanged"}, {"resultId", state}};
  return Json{{"kind", "full"}, {"resultId", state}, {"items", diagnostics(**asked)}};
}

std::string Server::result_id(const Document& document) const {
  return run_ + "." + std::to_string(document.state);
}

std::optional<Json> Server::report_of_open(const std::string& uri, const std::string& told) {
  const std::lock_guard lock(state_);
  const auto open = documents_.find(uri);
  if (open == documents_.end()) return std::nullopt;
  const std::string result = result_id(open->second);
  if (told == result) return unchanged(uri, open->second.version, result);
  return full(uri, open->second.version, result, diagnostics(open->second));
}

// Open documents as they are, others by the lines their issues were found at. Of what the editor has already,
// only that; a file that has no issue any more is sent with an empty list.
Json Server::pull_workspace(const Json& params, std::stop_token stop) {
  std::map<std::string, Told> told = told_in(params);
  std::vector<std::shared_ptr<Root>> folders;
  std::map<std::string, std::string> open; // by path: the editor's uri
  {
    const std::lock_guard lock(state_);
    folders = folders_;
    for (const auto& [uri, document] : documents_)
      if (std::find(folders.begin(), folders.end(), document.root) != folders.end())
        open[document.root->path() + "/" + document.file] = uri;
  }
  Json items = Json::array();
  const auto take_told = [&](const std::string& path) {
    auto before = told.extract(path);
    return before ? before.mapped() : Told{uri_of_path(path), ""};
  };
  const auto tell_open = [&](const std::string& path, const std::string& uri) {
    auto report = report_of_open(uri, take_told(path).result);
    if (report) items.push_back(*std::move(report));
  };
  for (const auto& [path, uri] : open) tell_open(path, uri);
  for (const std::shared_ptr<Root>& root : folders)
    for (const FileState& state : root->files()) {
      const std::string path = root->path() + "/" + state.file;
      if (open.contains(path) || stop.stop_requested()) continue;
      const Told before = take_told(path);
      const std::string result = fmt::format("{}.file.{}", run_, state.version);
      items.push_back(before.result == result
                          ? unchanged(before.uri, nullptr, result)
                          : full(before.uri, nullptr, result, diagnostics_of_closed(*root, state.file)));
    }
  for (const auto& [path, gone] : told) items.push_back(full(gone.uri, nullptr, "", Json::array()));
  return {{"items", std::move(items)}};
}

Result<Json> Server::hover(const Json& params) {
  const std::lock_guard lock(state_);
  TRY_ASSIGN(Document * shown, document(params));
  const Json* place = find_member(params, "position");
  const auto here =
      range_of({{"start", place == nullptr ? Json() : *place}, {"end", place == nullptr ? Json() : *place}});
  if (!here) return fail(ErrorCode::usage, "a position has a line and a character");
  std::string text;
  for (const Shown& one : shown->shown) {
    if (one.hidden || here->start.line < one.range.start.line || here->start.line > one.range.end.line)
      continue;
    text += (text.empty() ? "" : "\n---\n\n") + hover_text(one.issue);
  }
  if (text.empty()) return Json(nullptr);
  return Json{{"contents", {{"kind", "markdown"}, {"value", trim_middle(text, 8'000)}}}};
}

Result<Json> Server::actions(const Json& params) {
  const std::lock_guard lock(state_);
  TRY_ASSIGN(Document * shown, document(params));
  const Json* place = find_member(params, "range");
  const auto range = place == nullptr ? std::nullopt : range_of(*place);
  if (!range) return fail(ErrorCode::usage, "a range has a start and an end");
  std::vector<std::string> only;
  const Json* context = find_member(params, "context");
  const Json* kinds = context == nullptr ? nullptr : find_member(*context, "only");
  if (kinds != nullptr && kinds->is_array())
    for (const Json& kind : *kinds)
      if (kind.is_string()) only.push_back(kind.get<std::string>());
  return code_actions(*shown, *range, only, editor_);
}

} // namespace emend::lsp
