// What a person can do about issues from the editor: code actions, and the edits of a fix. Pure.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lsp/document.hpp"

namespace emend::lsp {

// What the editor can do, and what its settings allow.
struct EditorAbilities {
  Encoding encoding = Encoding::utf16;
  bool pulls = false;            // asks for diagnostics itself
  bool asks_for_all = true;      // and for those of files that are not open
  bool refreshes = false;        // can be asked to ask again
  bool resolves_edits = false;   // of code actions
  bool document_changes = false; // edits that name a version
  bool makes_files = false;      // edits that create and delete files
  bool shows_documents = false;
  bool shows_progress = false;
  bool may_ignore = true;
};

// The code actions for a range of the document. only: kinds the editor asks for; empty = all.
[[nodiscard]] Json code_actions(const Document& document, const Range& range,
                                const std::vector<std::string>& only, const EditorAbilities& editor);

// The text of a file as the editor has it, or as it is on disk; nullopt = no such file.
struct OpenText {
  std::string text;
  std::optional<std::int64_t> version = {}; // of an open document
};
using ReadText = std::function<std::optional<OpenText>(const std::string& path)>;

// The WorkspaceEdit of a patch. ErrorCode::conflict when a file is not as the patch found it, or when the
// editor cannot make or delete files and the patch does.
[[nodiscard]] Result<Json> workspace_edit(const Patch& patch, const std::string& root, const ReadText& read,
                                          const EditorAbilities& editor);

} // namespace emend::lsp
