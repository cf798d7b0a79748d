#include "engine/patch/notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "base/strings.hpp"
#include "engine/patch/apart.hpp"
#include "engine/patch/file_form.hpp"
#include "engine/patch/note_rules.hpp"
#include "model/line_diff.hpp"

namespace emend {
namespace {

constexpr std::size_t kLongestLine = 120; // of what is quoted

int count_matches(const std::vector<ChangedLine>& lines, const RE2& pattern) {
  return static_cast<int>(std::count_if(lines.begin(), lines.end(), [&](const ChangedLine& line) {
    return RE2::PartialMatch(line.text, pattern);
  }));
}

// Patterns read UTF-8; a byte that belongs to no character must not keep one from seeing what is around it.
std::string readable(const std::string& content) {
  if (is_valid_utf8(content)) return content;
  std::string text;
  for (const char c : content) text += static_cast<unsigned char>(c) < 0x80 ? c : '?';
  return text;
}

// Begins a block of the file: what stands at the left margin and is no end of one.
bool begins_block(std::string_view line) {
  return !line.empty() &&
         (std::isalpha(static_cast<unsigned char>(line.front())) != 0 || line.front() == '_');
}

// The block a line belongs to, by number from 0; nullopt = it is above the first.
std::optional<std::size_t> block_of(const std::vector<std::string_view>& lines, std::size_t line) {
  for (std::size_t i = std::min(line + 1, lines.size()); i-- > 0;)
    if (begins_block(lines[i])) return i;
  return std::nullopt;
}

bool lies_inside(std::string_view line) {
  return !trim(line).empty() && (line.front() == ' ' || line.front() == '\t');
}

// In a block that is not itself new.
bool is_added_inside(const LineDiff& diff, std::size_t line) {
  if (line >= diff.new_lines.size() || !diff.added[line] || !lies_inside(diff.new_lines[line])) return false;
  const auto block = block_of(diff.new_lines, line);
  return block && !diff.added[*block];
}

// One changed file, as the patterns see it.
class FileNotes {
public:
  FileNotes(const FileChange& made, std::vector<Note>& notes)
      : change_(as_text(made)),
        test_(is_test_path(made.path)),
        language_(probe::language_of(made.path, made.new_content)),
        notes_(notes) {
    change_.old_content = readable(change_.old_content);
    change_.new_content = readable(change_.new_content);
    lines_ = changed_lines(change_);
  }

  void add_rules() {
    for (const auto& rule : note_rules()) {
      if (rule->where == (test_ ? NoteRule::Where::product : NoteRule::Where::tests)) continue;
      if (rule->tongue && (language_ == nullptr || language_->tongue != *rule->tongue)) continue;
      if (count_matches(lines_.added, rule->pattern) <= count_matches(lines_.removed, rule->pattern))
        continue;
      for (const ChangedLine& line : lines_.added)
        if (RE2::PartialMatch(line.text, rule->pattern)) {
          add(line, rule->what);
          break;
        }
    }
  }

  // A name of the file's own that the change defines and counts up elsewhere.
  void add_counter() {
    static const RE2 defined(
        R"(^(?:(?:static|let|var|const|my|our|export)\s+)*(?:\w+\s+)?(\w+)\s*=\s*(?:0|\[\]|\{\}|\(\)|new \w+\(\))\s*;?\s*$)");
    static const RE2 in_function(R"(^\s*static\s+\w+\s+(\w+)\s*(?:=\s*0)?;)");
    if (test_) return;
    for (const ChangedLine& line : lines_.added) {
      std::string name;
      if (!RE2::PartialMatch(line.text, defined, &name) && !RE2::PartialMatch(line.text, in_function, &name))
        continue;
      const RE2 counted(fmt::format(
          R"(\+\+\s*{0}\b|\b{0}\s*(?:\+\+|\+=)|\b{0}\.(?:append|push|add)\b|\b{0}=\$\(\()", name));
      for (const ChangedLine& other : lines_.added)
        if (other.number != line.number && RE2::PartialMatch(other.text, counted))
          return add(other, "counts, so what it answers may depend on how often it was called");
    }
  }

  // The environment of a shell script: variables that nobody sets in it.
  void add_unset_variable() {
    static const RE2 read(R"(\$\{?([A-Za-z_]\w*))");
    if (test_ || language_ == nullptr || language_->tongue != probe::Tongue::shell) return;
    for (const ChangedLine& line : lines_.added) {
      re2::StringPiece rest(line.text);
      for (std::string name; RE2::FindAndConsume(&rest, read, &name);) {
        const RE2 set(fmt::format(
            R"((?m)(^|[\s;&|({{"]){0}=|\b(for|local|export|readonly|declare)\s+[\w ]*\b{0}\b|\bread\s[^\n]*\b{0}\b)",
            name));
        if (contains(change_.old_content, "$" + name) || contains(change_.old_content, "${" + name)) continue;
        if (!RE2::PartialMatch(change_.new_content, set))
          return add(line, "reads the variable " + name + ", which this file does not set");
      }
    }
  }

  // Of one kind before, of another now.
  void add_line_ends(const Finding& finding) {
    const auto all_crlf = [](std::string_view text) {
      return contains(text, "\n") && !contains(replace_all(std::string(text), "\r\n", ""), "\n");
    };
    if (change_.added() || repairs_line_ends(finding, change_)) return;
    const bool before = contains(change_.old_content, "\r\n"), after = contains(change_.new_content, "\r\n");
    if (before != after && (all_crlf(change_.old_content) || all_crlf(change_.new_content)))
      notes_.push_back({change_.path, 0, "changes the file's line endings"});
  }

  // An issue about a test may change that test.
  void add_changed_tests() {
    if (!test_) return;
    for (const ChangedTest& test : changed_tests(change_))
      if (!test.name.empty())
        notes_.push_back({change_.path, test.line,
                          fmt::format("{} the existing test {}{}", test.what, test.name,
                                      from_to(test).empty() ? "" : " (" + from_to(test) + ")")});
  }

  // A change where the issue is, and others in functions that were there before and do not hold that line.
  void add_other_places(int issue_line) {
    const LineDiff diff = diff_lines(change_.old_content, change_.new_content);
    if (test_ || issue_line < 1) return;
    const auto own = block_of(diff.old_lines, static_cast<std::size_t>(issue_line) - 1);
    std::map<std::size_t, int> changed; // block of the old file -> first changed line of the new one
    std::size_t before = 0;
    for (std::size_t now = 0; now <= diff.new_lines.size(); ++now) {
      if (before > 0 && is_added_inside(diff, now))
        if (const auto block = block_of(diff.old_lines, before - 1)) changed.emplace(*block, now + 1);
      for (; before < diff.old_lines.size() && diff.removed[before]; ++before)
        if (const auto block = block_of(diff.old_lines, before);
            block && (block == own || lies_inside(diff.old_lines[before])))
          changed.emplace(*block, now + 1);
      if (now < diff.new_lines.size() && !diff.added[now]) ++before;
    }
    if (!own || !changed.contains(*own)) return;
    changed.erase(*own);
    for (const auto& [block, line] : changed)
      notes_.push_back({change_.path, line,
                        "changes another place than the issue's line, and nothing says that it is needed: " +
                            first_line(trim(diff.old_lines[block]), kLongestLine)});
  }

private:
  void add(const ChangedLine& line, const std::string& what) {
    notes_.push_back({change_.path, line.number, what + ": " + first_line(trim(line.text), kLongestLine)});
  }

  FileChange change_;
  const bool test_;
  const probe::Language* language_;
  ChangedLines lines_;
  std::vector<Note>& notes_;
};

} // namespace

std::string Note::sentence() const {
  return clean_text(line > 0 ? fmt::format("{}:{} {}", path, line, text) : path + " " + text);
}

std::vector<Note> form_notes(const Finding& finding, const Patch& patch) {
  std::vector<Note> notes;
  for (const FileChange& change : patch.changes) {
    if (change.deleted() || change.binary()) continue;
    FileNotes file(change, notes);
    file.add_rules();
    file.add_counter();
    file.add_unset_variable();
    file.add_line_ends(finding);
    if (change.path != finding.file) continue;
    file.add_changed_tests();
    file.add_other_places(finding.line);
  }
  return notes;
}

bool silences_analyzer(const Patch& patch) {
  const auto notes = form_notes({}, patch);
  return std::any_of(notes.begin(), notes.end(),
                     [](const Note& note) { return note.text.starts_with(kSilencesAnalyzer); });
}

} // namespace emend
