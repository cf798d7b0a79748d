#include "engine/patch/cheat_lint.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/strings.hpp"
#include "engine/patch/cheat_rules.hpp"
#include "engine/patch/file_form.hpp"
#include "engine/patch/scope.hpp"
#include "engine/patch/weaker_tests.hpp"

namespace emend {
namespace {

int count_matches(const std::vector<ChangedLine>& lines, const RE2& pattern) {
  int count = 0;
  for (const ChangedLine& line : lines) count += RE2::PartialMatch(line.text, pattern) ? 1 : 0;
  return count;
}

std::string place(const FileChange& change, int line) {
  return fmt::format("{}:{}", clean_text(change.path), line);
}

void lint_rules(const FileChange& change, const ChangedLines& lines, std::vector<std::string>& hits) {
  const bool test = is_test_path(change.path);
  for (const auto& rule : cheat_rules()) {
    if (rule->where == (test ? CheatRule::Where::product : CheatRule::Where::tests)) continue;
    if (count_matches(lines.added, rule->pattern) <= count_matches(lines.removed, rule->pattern)) continue;
    for (const ChangedLine& line : lines.added) {
      if (!RE2::PartialMatch(line.text, rule->pattern)) continue;
      hits.push_back(fmt::format("{} {}: {}", place(change, line.number), rule->what,
                                 first_line(clean_text(trim(line.text)), 120)));
      break;
    }
  }
}

std::size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

// "except Exception:" and what follows it. A block that always raises again swallows nothing.
bool swallows_python(const std::vector<std::string_view>& lines, std::size_t at) {
  static const RE2 head(R"(^\s*except(?:\s*:|\s[^:]*\b(?:Base)?Exception\b[^:]*:)(.*)$)");
  static const RE2 raises(R"(^\s*raise\b)");
  std::string rest;
  if (!RE2::FullMatch(re2::StringPiece(lines[at].data(), lines[at].size()), head, &rest)) return false;
  if (RE2::PartialMatch(rest, raises)) return false;
  std::size_t block = 0;
  for (std::size_t i = at + 1; i < lines.size(); ++i) {
    if (trim(lines[i]).empty()) continue;
    const std::size_t indent = indentation(lines[i]);
    if (indent <= indentation(lines[at])) break;
    if (block == 0) block = indent;
    if (indent == block && RE2::PartialMatch(re2::StringPiece(lines[i].data(), lines[i].size()), raises))
      return false;
  }
  return true;
}

// catch (...) that does not pass the error on, and any catch with nothing but comments inside.
bool swallows_braces(const std::vector<std::string_view>& lines, std::size_t at) {
  static const RE2 all(R"(\bcatch\s*\(\s*\.\.\.\s*\))");
  static const RE2 open(R"(\bcatch\s*(\([^)]*\))?\s*\{\s*(//.*)?$)");
  static const RE2 passes_on(R"(\bthrow\s*;|\bcurrent_exception\b)");
  const auto piece = [&](std::size_t i) { return re2::StringPiece(lines[i].data(), lines[i].size()); };
  if (RE2::PartialMatch(piece(at), all)) {
    int depth = 0;
    for (std::size_t i = at; i < lines.size() && i < at + 60; ++i) {
      if (RE2::PartialMatch(piece(i), passes_on)) return false;
      const std::string_view from = i == at ? lines[i].substr(lines[i].find("catch")) : lines[i];
      const auto opened = std::count(from.begin(), from.end(), '{'),
                 closed = std::count(from.begin(), from.end(), '}');
      depth += static_cast<int>(opened - closed);
      if (depth <= 0 && (i > at || opened > 0) && closed > 0) break;
    }
    return true;
  }
  if (!RE2::PartialMatch(piece(at), open)) return false;
  std::size_t i = at + 1;
  while (i < lines.size() && (trim(lines[i]).empty() || trim(lines[i]).starts_with("//"))) ++i;
  return i < lines.size() && trim(lines[i]).starts_with('}');
}

// Numbers of the changed lines that open a handler nothing comes out of.
std::vector<int> swallowing(std::string_view content, const std::vector<ChangedLine>& changed) {
  const auto lines = lines_of(content);
  std::vector<int> found;
  for (const ChangedLine& line : changed) {
    const auto at = static_cast<std::size_t>(line.number - 1);
    if (at < lines.size() && (swallows_python(lines, at) || swallows_braces(lines, at)))
      found.push_back(line.number);
  }
  return found;
}

void lint_swallowed(const FileChange& change, const ChangedLines& lines, std::vector<std::string>& hits) {
  const auto added = swallowing(change.new_content, lines.added);
  if (added.size() <= swallowing(change.old_content, lines.removed).size()) return;
  const auto shown = lines_of(change.new_content)[static_cast<std::size_t>(added.front() - 1)];
  hits.push_back(place(change, added.front()) +
                 " swallows every error: " + first_line(clean_text(trim(shown)), 120));
}

// An object that says it equals anything passes every comparison.
void lint_equal_to_all(const FileChange& change, const ChangedLines& lines, std::vector<std::string>& hits) {
  static const RE2 head(
      R"(\bdef\s+__eq__\s*\(|\boperator\s*==\s*\(|\bdef\s+==|\bfn\s+eq\s*\(|\bboolean\s+equals\s*\()");
  static const RE2 yes(R"((?:^|[:{])\s*(?:return\s+)?(?:True|true|1)\s*;?\s*(?:\}\s*)?$)");
  const auto text = lines_of(change.new_content);
  for (const ChangedLine& line : lines.added) {
    if (!RE2::PartialMatch(line.text, head)) continue;
    const auto next = static_cast<std::size_t>(line.number);
    const bool alone = next >= text.size() || line.text.ends_with('}') || contains(line.text, "return");
    const std::string_view body = alone ? std::string_view(line.text) : text[next];
    if (!RE2::PartialMatch(re2::StringPiece(body.data(), body.size()), yes)) continue;
    hits.push_back(place(change, line.number) +
                   " makes an object equal to everything: " + first_line(clean_text(trim(line.text)), 120));
    return;
  }
}

void lint_secrets(const FileChange& change, const ChangedLines& lines, const Redactor& redactor,
                  std::vector<std::string>& hits) {
  std::string added;
  for (const ChangedLine& line : lines.added) added += line.text + "\n";
  std::string removed;
  for (const ChangedLine& line : lines.removed) removed += line.text + "\n";
  const auto before = redactor.find(removed);
  auto kinds = redactor.find(added);
  std::erase_if(kinds, [&](const std::string& kind) {
    return std::find(before.begin(), before.end(), kind) != before.end();
  });
  if (kinds.empty()) return;
  hits.push_back(clean_text(change.path) + " adds what looks like a secret (" + join(kinds, ", ") + ")");
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

enum class LineEnds { none, lf, crlf, mixed };

LineEnds line_ends(std::string_view text) {
  const auto lf = count_of(text, "\n");
  const auto crlf = count_of(text, "\r\n");
  if (lf == 0) return LineEnds::none;
  if (crlf == 0) return LineEnds::lf;
  return crlf == lf ? LineEnds::crlf : LineEnds::mixed;
}

// Control characters can hide what a line says from whoever looks at it in a terminal. Tabs, line ends and
// page breaks are no such thing.
void lint_controls(const FileChange& change, std::vector<std::string>& hits) {
  const auto before = hidden_characters(change.old_content);
  std::vector<std::string> more;
  for (const auto& [name, character] : hidden_characters(change.new_content)) {
    if (character.kind != CharacterKind::control || name == "U+000B" || name == "U+000C") continue;
    const auto known = before.find(name);
    if (character.count > (known == before.end() ? 0 : known->second.count)) more.push_back(name);
  }
  if (!more.empty())
    hits.push_back(clean_text(change.path) + " adds control characters (" + join(more, ", ") + ")");
}

// The rules read UTF-8; a byte that belongs to no character must not keep one from seeing what is around it.
std::string readable(const std::string& content) {
  if (is_valid_utf8(content)) return content;
  std::string text;
  for (std::size_t at = 0; at < content.size(); ++at)
    text += static_cast<unsigned char>(content[at]) < 0x80 ? content[at] : '?';
  return text;
}

// An editor that rewrites bytes far from the edit: line ends converted, undecodable bytes replaced.
void lint_bytes(const FileChange& change, const Finding& finding, std::vector<std::string>& hits) {
  if (change.added() || change.deleted()) return;
  const LineEnds before = line_ends(change.old_content), after = line_ends(change.new_content);
  if (before != after && before != LineEnds::mixed && before != LineEnds::none && after != LineEnds::none &&
      !mends_line_ends(finding, change))
    hits.push_back(clean_text(change.path) + " changes the file's line endings");
  constexpr std::string_view replacement = "\xEF\xBF\xBD";
  if (count_of(change.new_content, replacement) > count_of(change.old_content, replacement))
    hits.push_back(clean_text(change.path) + " replaces bytes by U+FFFD: the file's encoding was damaged");
  if (is_valid_utf8(change.old_content) && !is_valid_utf8(change.new_content))
    hits.push_back(clean_text(change.path) +
                   " was valid UTF-8 and no longer is: the file's encoding was damaged");
}

} // namespace

std::vector<std::string> cheat_hits(const Patch& patch, const Redactor& redactor, const Finding& finding) {
  std::vector<std::string> hits;
  for (const FileChange& made : patch.changes) {
    if (made.deleted() || made.binary()) continue;
    const FileChange text =
        as_text(made); // a NUL byte within a word must not keep a rule from seeing the word
    FileChange change = text;
    change.old_content = readable(text.old_content);
    change.new_content = readable(text.new_content);
    const ChangedLines lines = changed_lines(change);
    lint_rules(change, lines, hits);
    lint_swallowed(change, lines, hits);
    lint_equal_to_all(change, lines, hits);
    for (std::string& weaker : weakened_tests(change, finding)) hits.push_back(std::move(weaker));
    lint_secrets(change, lines, redactor, hits);
    lint_bytes(text, finding, hits);
    lint_controls(text, hits);
  }
  return hits;
}

} // namespace emend
