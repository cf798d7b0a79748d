// A document that is open in the editor, and the issues shown in it. They follow the person's edits: an issue
// moves with its line, and disappears while the line's text is another one.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "lsp/root.hpp"
#include "lsp/text.hpp"

namespace emend::lsp {

struct Shown {
  Issue issue;
  Range range;
  std::string anchor; // the line's text; an issue about no line has none
  bool hidden = false;
};

// One element of contentChanges.
struct TextChange {
  std::optional<Range> range; // nullopt = the whole text
  std::string text;
};

struct Document {
  std::string uri;
  std::shared_ptr<Root> root; // null: in no repository
  std::string file;           // from the root
  std::int64_t version = 0;
  Text text;
  std::vector<Issue> fresh;     // found when it was saved
  std::set<std::string> absent; // codes; likewise
  std::vector<Shown> shown;
  std::int64_t state = 1; // another one when what is shown has changed
};

// Looks up the issues anew and finds their places.
void show_issues(Document& document, Encoding encoding);
void change_text(Document& document, const TextChange& change, Encoding encoding);

// Where the finding stands in this text.
[[nodiscard]] Range range_of(const Finding& finding, const Text& text, Encoding encoding);

} // namespace emend::lsp
