#include "engine/patch/file_form.hpp"

#include <algorithm>
#include <initializer_list>

#include "base/strings.hpp"

namespace emend {

namespace {

bool speaks_of(const Finding& finding, std::initializer_list<const char*> words) {
  const std::string text = to_lower(finding.rule + "\n" + finding.title + "\n" + finding.description);
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return contains(text, word); });
}

bool regular(unsigned mode) { return mode == kModeFile || mode == kModeExecutable; }

bool one_kind_of_line_ends(std::string_view text) {
  std::size_t ends = 0, with_return = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\n') continue;
    ++ends;
    if (i > 0 && text[i - 1] == '\r') ++with_return;
  }
  return with_return == 0 || with_return == ends;
}

} // namespace

bool repairs_mode(const Finding& finding, const FileChange& change) {
  if (change.path != finding.file || !change.mode_changed() || !regular(change.old_mode) ||
      !regular(change.new_mode))
    return false;
  if (!speaks_of(finding, {"executable", "execute permission", "execute bit", "chmod", "exe001", "exe002"}))
    return false;
  return change.new_content.starts_with("#!") == (change.new_mode == kModeExecutable);
}

bool repairs_line_ends(const Finding& finding, const FileChange& change) {
  if (change.path != finding.file || change.added() || change.deleted() || change.binary()) return false;
  if (!speaks_of(finding, {"line end", "crlf", "carriage return", "sc1017"})) return false;
  const bool other_kind = contains(change.old_content, "\r\n") != contains(change.new_content, "\r\n");
  return one_kind_of_line_ends(change.new_content) &&
         (other_kind || !one_kind_of_line_ends(change.old_content));
}

} // namespace emend
