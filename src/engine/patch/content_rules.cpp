#include "engine/patch/content_rules.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace emend {
namespace {

using Problems = std::vector<std::string>;

std::string text_of(const std::vector<ChangedLine>& lines) {
  std::string text;
  for (const ChangedLine& line : lines) text += line.text + "\n";
  return text;
}

void find_secrets(const FileChange& change, const Redactor& redactor, Problems& found) {
  const ChangedLines lines = changed_lines(change);
  const auto before = redactor.find(text_of(lines.removed));
  auto kinds = redactor.find(text_of(lines.added));
  std::erase_if(kinds, [&](const std::string& kind) {
    return std::find(before.begin(), before.end(), kind) != before.end();
  });
  if (!kinds.empty())
    found.push_back(clean_text(change.path) + " adds what looks like a secret (" + join(kinds, ", ") + ")");
}

// Joiners belong to scripts and emoji. Tabs, line ends and page breaks hide nothing.
bool hides(const std::string& name, const HiddenCharacter& character) {
  if (character.kind == CharacterKind::control) return name != "U+000B" && name != "U+000C";
  return character.kind == CharacterKind::direction || character.kind == CharacterKind::invisible;
}

// A character that nobody sees can hide what a line says, or does.
void find_hidden(const FileChange& change, Problems& found) {
  const auto before = hidden_characters(change.old_content);
  std::vector<std::string> more;
  for (const auto& [name, character] : hidden_characters(change.new_content)) {
    const auto known = before.find(name);
    if (hides(name, character) && character.count > (known == before.end() ? 0 : known->second.count))
      more.push_back(name);
  }
  if (!more.empty())
    found.push_back(clean_text(change.path) + " adds characters that nobody sees (" + join(more, ", ") + ")");
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

// An editor that does not know the encoding replaces bytes far from the edit.
void find_damage(const FileChange& change, Problems& found) {
  if (change.added()) return;
  constexpr std::string_view replacement = "\xEF\xBF\xBD";
  if (count_of(change.new_content, replacement) > count_of(change.old_content, replacement))
    found.push_back(clean_text(change.path) + " replaces bytes by U+FFFD: the file's encoding was damaged");
  if (is_valid_utf8(change.old_content) && !is_valid_utf8(change.new_content))
    found.push_back(clean_text(change.path) +
                    " was valid UTF-8 and no longer is: the file's encoding was damaged");
}

} // namespace

std::vector<std::string> content_problems(const Patch& patch, const Redactor& redactor) {
  Problems found;
  for (const FileChange& made : patch.changes) {
    if (made.deleted() || made.binary()) continue;
    const FileChange change = as_text(made); // a NUL byte within a word must not hide the word
    find_secrets(change, redactor, found);
    find_damage(change, found);
    find_hidden(change, found);
  }
  return found;
}

} // namespace emend
