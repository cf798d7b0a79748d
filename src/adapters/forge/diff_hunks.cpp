#include "adapters/forge/diff_hunks.hpp"

#include <optional>

#include "base/strings.hpp"

namespace emend {

namespace {

struct Start {
  int old_line, line;
};

// "-1,3" -> 1
std::optional<int> first_number(std::string_view word) {
  const auto number = parse_unsigned(
      word.substr(1, word.find(',') == std::string_view::npos ? std::string_view::npos : word.find(',') - 1));
  if (!number || *number > 100'000'000) return std::nullopt;
  return static_cast<int>(*number);
}

std::optional<Start> hunk_start(std::string_view line) {
  const auto words = split(line, ' ');
  if (words.size() < 4 || words[0] != "@@" || !words[1].starts_with('-') || !words[2].starts_with('+'))
    return std::nullopt;
  const auto old_line = first_number(words[1]), new_line = first_number(words[2]);
  if (!old_line || !new_line) return std::nullopt;
  return Start{*old_line, *new_line};
}

} // namespace

std::vector<std::vector<DiffLine>> parse_hunks(std::string_view diff) {
  std::vector<std::vector<DiffLine>> hunks;
  Start at{0, 0};
  for (const std::string_view line : lines_of(diff)) {
    if (const auto start = hunk_start(line)) {
      at = *start;
      hunks.emplace_back();
      continue;
    }
    if (hunks.empty()) continue;
    const char mark = line.empty() ? ' ' : line.front();
    if (mark == '\\') continue; // "\ No newline at end of file"
    if (mark == '-')
      ++at.old_line;
    else if (mark == '+')
      hunks.back().push_back({at.line++, 0});
    else
      hunks.back().push_back({at.line++, at.old_line++});
  }
  return hunks;
}

} // namespace emend
