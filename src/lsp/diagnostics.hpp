// How an issue looks in an editor: a diagnostic, and what the pointer shows. Pure.
#pragma once

#include <string>

#include "lsp/document.hpp"

namespace emend::lsp {

// "BE-001", or the analyzer's rule where the issue has no code yet.
[[nodiscard]] std::string name_of(const Issue& issue);
// link: a page about the issue, where there is one; may be empty.
[[nodiscard]] Json diagnostic(const Issue& issue, const Range& range, const std::string& link);
// All that are visible.
[[nodiscard]] Json diagnostics(const Document& document);
// Markdown: what it is, why, and how far its fix is.
[[nodiscard]] std::string hover_text(const Issue& issue);

} // namespace emend::lsp
