// How far a finding reaches: the files it names, and how other files of a change are related to these.
// Lexical, for any language; nothing here refuses a change.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/finding.hpp"
#include "model/patch.hpp"
#include "ports/repository.hpp"

namespace emend {

// Is the file named in what the finding says or suggests, by its path or by its name?
[[nodiscard]] bool named_in_text(const Finding& finding, std::string_view path);

// Files of the base the finding is about, its own first: its related files, those its text names by their
// path, or by a name that only one file has. At most twenty.
[[nodiscard]] std::vector<std::string> files_of_finding(const Finding& finding, const Tree& base);

// Files of the base, at most twenty, that `content`, the text of `path`, loads. Code, not documents.
[[nodiscard]] std::vector<std::string> loaded_files(std::string_view path, std::string_view content,
                                                    const Tree& base);

// Documentation and change logs, by name or place.
[[nodiscard]] bool is_document(std::string_view path);

// Existing files of the patch that nothing leads to: not the finding's, not named in it, not loading or
// loaded by such a file, not changing a name that another of them changes too (callers of what is renamed),
// and neither tests nor documentation. finding_content: its own file on the base.
[[nodiscard]] std::vector<std::string> unrelated_files(const Finding& finding, const Patch& patch,
                                                       const std::string& finding_content);

} // namespace emend
