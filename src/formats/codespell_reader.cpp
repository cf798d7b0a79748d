// codespell's lines: "./file:12: teh ==> the". No fix-it is safe by itself: how the whole tree uses a word
// decides that.
#include <fmt/format.h>

#include <cctype>
#include <map>

#include "base/strings.hpp"
#include "formats/readers.hpp"
#include "formats/tool_report.hpp"

namespace emend {
namespace {

bool is_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || byte >= 0x80 || c == '_' || c == '-' || c == '\'';
}

// The offset in line of the n-th (from 0) occurrence of word as a whole word.
std::optional<std::size_t> find_word(std::string_view line, std::string_view word, int n) {
  for (auto at = line.find(word); at != std::string_view::npos; at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool whole = (at == 0 || !is_word(line[at - 1])) && (end == line.size() || !is_word(line[end]));
    if (whole && n-- == 0) return at;
  }
  return std::nullopt;
}

struct Misspelling {
  std::string file, word, candidates;
  std::int64_t line = 0;
};

std::optional<Misspelling> read_misspelling(std::string_view line) {
  const auto arrow = line.find(" ==> ");
  const std::string_view head = line.substr(0, arrow);
  const auto space = head.rfind(": ");
  if (arrow == std::string_view::npos || space == std::string_view::npos) return std::nullopt;
  const auto colon = head.rfind(':', space == 0 ? 0 : space - 1);
  if (colon == std::string_view::npos || colon >= space) return std::nullopt;
  const auto number = parse_unsigned(head.substr(colon + 1, space - colon - 1));
  Misspelling found{std::string(head.substr(0, colon)), std::string(head.substr(space + 2)),
                    std::string(trim(line.substr(arrow + 5)))};
  if (!number || *number == 0 || *number > 100'000'000 || found.word.empty() || found.candidates.empty())
    return std::nullopt;
  found.line = static_cast<std::int64_t>(*number);
  return found;
}

// Several candidates, or one with a warning behind it, are for a person to choose from.
bool is_certain(std::string_view candidates) {
  return candidates.find_first_of(",|") == std::string_view::npos;
}

Finding finding_of(const Misspelling& found, const std::string& file, int occurrence, FindingSink& sink) {
  Finding finding = tool_finding(known_analyzer("codespell"), "codespell/" + to_lower(clean_text(found.word)),
                                 "", file, "Misspelled: " + found.word + " (" + found.candidates + ")");
  finding.line = static_cast<int>(found.line);
  finding.suggestion = "Write " + clean_text(found.candidates);
  const auto text = sink.files().text(file);
  const auto at = text == nullptr ? std::nullopt : find_word(text->line(found.line), found.word, occurrence);
  const auto begin = text == nullptr ? std::nullopt : text->offset(found.line, 1, ColumnUnit::bytes);
  if (!at || !begin) return finding;
  finding.line_end = finding.line;
  finding.column = static_cast<int>(*at) + 1;
  finding.column_end = finding.column + static_cast<int>(found.word.size());
  if (is_certain(found.candidates))
    finding.fixit =
        make_fixit(finding.suggestion, false, {{file, *begin + *at, found.word.size(), found.candidates}});
  return finding;
}

} // namespace

Status read_codespell(std::string_view text, FindingSink& sink) {
  std::map<std::string, int> seen; // the same word again on the same line is its next occurrence
  std::size_t number = 0, lines = 0, understood = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (trim(line).empty() || line.starts_with("> ") || line.starts_with(": "))
      continue; // context lines some configurations ask for
    ++lines;
    const auto found = read_misspelling(line);
    if (!found) {
      sink.skip("an unexpected line", fmt::format("line {}: {}", number, first_line(clean_text(line), 100)));
      continue;
    }
    ++understood;
    const auto file = sink.files().relative(found->file);
    if (!file) continue;
    const int occurrence = seen[*file + ":" + std::to_string(found->line) + ":" + found->word]++;
    sink.add(finding_of(*found, *file, occurrence, sink));
  }
  if (lines > 0 && understood == 0)
    return fail(ErrorCode::usage, "not a codespell report: no line is one of its findings");
  return {};
}

} // namespace emend
