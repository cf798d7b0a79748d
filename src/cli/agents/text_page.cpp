#include "cli/agents/text_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/strings.hpp"

namespace emend {
namespace {

constexpr std::size_t kHint = 100; // bytes kept free for the line about the rest

struct Parts {
  std::string first, last; // with their ends; last may be empty
  std::vector<std::string> lines;
};

Parts parts_of(std::string_view text, std::size_t longest) {
  Parts parts;
  for (const std::string_view line : lines_of(text))
    parts.lines.push_back((line.size() > longest ? trim_middle(line, longest) : std::string(line)) + "\n");
  if (parts.lines.empty()) return parts;
  parts.first = parts.lines.front();
  parts.lines.erase(parts.lines.begin());
  while (!parts.lines.empty() && parts.lines.back() == "\n") parts.lines.pop_back();
  if (parts.lines.empty() || !parts.lines.back().starts_with("next: ")) return parts;
  parts.last = parts.lines.back();
  parts.lines.pop_back();
  return parts;
}

// Where each page begins.
std::vector<std::size_t> begins_of(const std::vector<std::string>& lines, std::size_t room,
                                   std::size_t most_lines) {
  std::vector<std::size_t> begins = {0};
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool full = bytes + lines[i].size() > room || i - begins.back() >= most_lines;
    if (full && i > begins.back()) {
      begins.push_back(i);
      bytes = 0;
    }
    bytes += lines[i].size();
  }
  return begins;
}

} // namespace

std::string page_of(std::string_view text, const TextPage& wanted) {
  const Parts parts = parts_of(text, wanted.budget / 4);
  const std::size_t around = parts.first.size() + parts.last.size() + wanted.rest.size() + kHint;
  const std::size_t room = wanted.budget > around ? wanted.budget - around : 0;
  const auto begins = begins_of(parts.lines, room, wanted.most_lines);
  if (wanted.page > begins.size())
    return fmt::format("there is no page {}: the last one is {}\n", wanted.page, begins.size());
  const std::size_t begin = begins[wanted.page - 1],
                    end = wanted.page < begins.size() ? begins[wanted.page] : parts.lines.size();
  std::string made = parts.first;
  for (std::size_t i = begin; i < end; ++i) made += parts.lines[i];
  const std::size_t left = parts.lines.size() - end;
  if (left > 0) made += fmt::format("{} more {}: {}", left, left == 1 ? "line" : "lines", wanted.rest);
  if (left > 0) made += wanted.numbered ? fmt::format(" page={}\n", wanted.page + 1) : "\n";
  return made + parts.last;
}

} // namespace emend
