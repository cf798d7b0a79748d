#include "lsp/actions.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "lsp/diagnostics.hpp"

namespace emend::lsp {
namespace {

constexpr const char* kQuickFix = "quickfix";
constexpr const char* kFixAll = "source.fixAll.emend";

// A kind asks for itself and for the kinds below it.
bool wanted(const std::vector<std::string>& only, const std::string& kind) {
  if (only.empty()) return true;
  return std::any_of(only.begin(), only.end(), [&](const std::string& asked) {
    return kind == asked || kind.starts_with(asked + ".");
  });
}

bool touches(const Range& a, const Range& b) {
  return a.start.line <= b.end.line && b.start.line <= a.end.line;
}

// The fix-it's edits, if they were made for exactly these bytes and name no other file.
const FixIt* usable_fixit(const Issue& issue, const Document& document, const std::string& sha) {
  const auto& fixit = issue.finding.fixit;
  if (!fixit || fixit->edits.empty()) return nullptr;
  const std::size_t size = document.text.bytes().size();
  for (const Edit& edit : fixit->edits)
    if (edit.file != document.file || edit.offset > size || edit.length > size - edit.offset) return nullptr;
  const auto source = fixit->sources.find(document.file);
  return source != fixit->sources.end() && source->second == sha ? &*fixit : nullptr;
}

Json text_edit(const Document& document, const Edit& edit, Encoding encoding) {
  return {{"range", to_json({document.text.position_at(edit.offset, encoding),
                             document.text.position_at(edit.offset + edit.length, encoding)})},
          {"newText", edit.text}};
}

Json document_edit(const std::string& uri, std::optional<std::int64_t> version, Json edits) {
  return {{"textDocument", {{"uri", uri}, {"version", version ? Json(*version) : Json(nullptr)}}},
          {"edits", std::move(edits)}};
}

Json edit_of(const Document& document, Json edits, const EditorAbilities& editor) {
  if (!editor.document_changes) return {{"changes", {{document.uri, std::move(edits)}}}};
  return {
      {"documentChanges", Json::array({document_edit(document.uri, document.version, std::move(edits))})}};
}

Json command(const std::string& title, const char* name, const Document& document, const std::string& code) {
  return {{"title", title},
          {"kind", kQuickFix},
          {"command",
           {{"title", title},
            {"command", name},
            {"arguments", Json::array({{{"uri", document.uri}, {"code", code}}})}}}};
}

void add_fixes(Json& actions, const Shown& shown, const Document& document, const std::string& sha,
               const EditorAbilities& editor) {
  const Issue& issue = shown.issue;
  const Json of = Json::array({diagnostic(issue, shown.range, "")});
  if (const FixIt* fixit = usable_fixit(issue, document, sha)) {
    Json edits = Json::array();
    for (const Edit& edit : fixit->edits) edits.push_back(text_edit(document, edit, editor.encoding));
    const std::string tool = first_line(clean_text(issue.finding.agent), 40);
    actions.push_back({{"title", "emend: apply the fix of " + (tool.empty() ? "its tool" : tool) +
                                     (fixit->safe ? "" : " (it is not marked safe)")},
                       {"kind", kQuickFix},
                       {"diagnostics", of},
                       {"isPreferred", fixit->safe},
                       {"edit", edit_of(document, std::move(edits), editor)}});
  }
  if (issue.status != IssueStatus::resolved) return;
  const std::string title = "emend: apply the fix of " + issue.code +
                            (issue.evidence.empty() ? "" : " (evidence: " + issue.evidence + ")");
  Json action = command(title, "emend.apply", document, issue.code);
  action["diagnostics"] = of;
  action["isPreferred"] = true;
  if (editor.resolves_edits) {
    action.erase("command");
    action["data"] = {{"uri", document.uri}, {"code", issue.code}};
  }
  actions.push_back(std::move(action));
}

void add_commands(Json& actions, const Issue& issue, const Document& document,
                  const EditorAbilities& editor) {
  if (issue.code.empty()) return;
  const bool open = issue.status == IssueStatus::open || issue.status == IssueStatus::failed;
  if (open)
    actions.push_back(
        command("emend: fix " + issue.code + " with an agent", "emend.fix", document, issue.code));
  actions.push_back(command("emend: explain " + issue.code, "emend.explain", document, issue.code));
  if (open && editor.may_ignore)
    actions.push_back(command("emend: ignore " + issue.code + "...", "emend.ignore", document, issue.code));
}

// Every safe fix-it of the document that does not overlap an earlier one; nullopt = no such fix-it.
std::optional<Json> all_safe_edits(const Document& document, const std::string& sha,
                                   const EditorAbilities& editor) {
  std::vector<Edit> taken;
  for (const Shown& shown : document.shown) {
    const FixIt* fixit = usable_fixit(shown.issue, document, sha);
    if (fixit == nullptr || !fixit->safe || shown.hidden) continue;
    std::vector<Edit> with = taken;
    with.insert(with.end(), fixit->edits.begin(), fixit->edits.end());
    if (apply_edits(document.text.bytes(), document.file, with)) taken = std::move(with);
  }
  if (taken.empty()) return std::nullopt;
  Json edits = Json::array();
  for (const Edit& edit : taken) edits.push_back(text_edit(document, edit, editor.encoding));
  return edit_of(document, std::move(edits), editor);
}

} // namespace

Json code_actions(const Document& document, const Range& range, const std::vector<std::string>& only,
                  const EditorAbilities& editor) {
  Json actions = Json::array();
  const std::string sha = sha256_hex(document.text.bytes());
  if (wanted(only, kQuickFix)) {
    for (const Shown& shown : document.shown) {
      if (shown.hidden || !touches(shown.range, range)) continue;
      add_fixes(actions, shown, document, sha, editor);
      add_commands(actions, shown.issue, document, editor);
    }
    if (document.root != nullptr)
      actions.push_back(command("emend: check my change", "emend.check", document, ""));
  }
  if (wanted(only, kFixAll))
    if (auto edit = all_safe_edits(document, sha, editor))
      actions.push_back(
          {{"title", "emend: apply all safe fixes"}, {"kind", kFixAll}, {"edit", *std::move(edit)}});
  return actions;
}

Result<Json> workspace_edit(const Patch& patch, const std::string& root, const ReadText& read,
                            const EditorAbilities& editor) {
  Json changes = Json::array(), plain = Json::object();
  for (const FileChange& change : patch.changes) {
    const std::string path = root + "/" + change.path, uri = uri_of_path(path);
    const auto now = read(path);
    if (change.added() ? now.has_value() : !now || now->text != change.old_content)
      return fail(ErrorCode::conflict, clean_text(change.path) + " is not as the fix found it",
                  "undo your change there, or merge the branch of the fix");
    if ((change.added() || change.deleted()) && !editor.makes_files)
      return fail(ErrorCode::conflict, "this editor cannot create or delete files for emend",
                  "merge the branch of the fix");
    if (change.deleted()) {
      changes.push_back({{"kind", "delete"}, {"uri", uri}});
      continue;
    }
    if (change.added()) changes.push_back({{"kind", "create"}, {"uri", uri}});
    const Replacement made = difference(Text(change.old_content), Text(change.new_content), editor.encoding);
    Json edits = Json::array({{{"range", to_json(made.range)}, {"newText", made.text}}});
    plain[uri] = edits;
    changes.push_back(document_edit(uri, now ? now->version : std::nullopt, std::move(edits)));
  }
  if (!editor.document_changes) return Json{{"changes", std::move(plain)}};
  return Json{{"documentChanges", std::move(changes)}};
}

} // namespace emend::lsp
