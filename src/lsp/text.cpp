#include "lsp/text.hpp"

#include <algorithm>
#include <limits>

#include "base/code_points.hpp"

namespace emend::lsp {
namespace {

int units(unsigned code, std::size_t bytes, Encoding encoding) {
  if (encoding == Encoding::utf8) return static_cast<int>(bytes);
  return code > 0xFFFF ? 2 : 1;
}

std::optional<Position> position_of(const Json* json) {
  if (json == nullptr) return std::nullopt;
  const Json *line = find_member(*json, "line"), *character = find_member(*json, "character");
  if (line == nullptr || character == nullptr) return std::nullopt;
  constexpr int kMost = std::numeric_limits<int>::max();
  const auto row = exact_int(*line, 0, kMost), column = exact_int(*character, 0, kMost);
  if (!row || !column) return std::nullopt;
  return Position{static_cast<int>(*row), static_cast<int>(*column)};
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

} // namespace

Json to_json(const Range& range) {
  return {{"start", {{"line", range.start.line}, {"character", range.start.character}}},
          {"end", {{"line", range.end.line}, {"character", range.end.character}}}};
}

std::optional<Range> range_of(const Json& json) {
  const auto start = position_of(find_member(json, "start")), end = position_of(find_member(json, "end"));
  if (!start || !end) return std::nullopt;
  return Range{*start, *end};
}

Text::Text(std::string bytes) : bytes_(std::move(bytes)) { find_lines(); }

void Text::find_lines() {
  starts_ = {0};
  for (std::size_t end = 0; (end = bytes_.find('\n', end)) != std::string::npos;) starts_.push_back(++end);
}

std::string_view Text::line(int index) const {
  if (index < 0 || index >= lines()) return {};
  const auto at = static_cast<std::size_t>(index);
  const std::size_t next = at + 1 < starts_.size() ? starts_[at + 1] - 1 : bytes_.size();
  std::string_view text = std::string_view(bytes_).substr(starts_[at], next - starts_[at]);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

std::size_t Text::offset_at(Position position, Encoding encoding) const {
  if (position.line >= lines()) return bytes_.size();
  const std::string_view text = line(position.line);
  std::size_t at = 0;
  for (int seen = 0; at < text.size() && seen < position.character;) {
    const std::size_t begin = at;
    const unsigned code = next_code_point(text, at);
    seen += units(code, at - begin, encoding);
  }
  return starts_[static_cast<std::size_t>(position.line)] + at;
}

Position Text::position_at(std::size_t offset, Encoding encoding) const {
  offset = std::min(offset, bytes_.size());
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  Position position{static_cast<int>(after - starts_.begin()) - 1, 0};
  const std::string_view text = line(position.line);
  const std::size_t end = std::min(offset - *std::prev(after), text.size());
  for (std::size_t at = 0; at < end;) {
    const std::size_t begin = at;
    const unsigned code = next_code_point(text, at);
    position.character += units(code, at - begin, encoding);
  }
  return position;
}

void Text::replace(const Range& range, std::string_view with, Encoding encoding) {
  const std::size_t begin = offset_at(range.start, encoding);
  const std::size_t end = std::max(begin, offset_at(range.end, encoding));
  bytes_.replace(begin, end - begin, with);
  find_lines();
}

Replacement difference(const Text& before, const Text& after, Encoding encoding) {
  const std::string &old = before.bytes(), &made = after.bytes();
  // Common whole lines at both ends.
  std::size_t head = static_cast<std::size_t>(
      std::mismatch(old.begin(), old.end(), made.begin(), made.end()).first - old.begin());
  if (head < old.size() || head < made.size()) head = head == 0 ? 0 : old.rfind('\n', head - 1) + 1;
  std::size_t tail = 0;
  while (tail < std::min(old.size(), made.size()) - head &&
         old[old.size() - 1 - tail] == made[made.size() - 1 - tail])
    ++tail;
  while (tail > 0 && old.size() > tail && old[old.size() - tail - 1] != '\n') --tail;
  return {{before.position_at(head, encoding), before.position_at(old.size() - tail, encoding)},
          made.substr(head, made.size() - tail - head)};
}

std::optional<std::string> path_of_uri(std::string_view uri) {
  constexpr std::string_view kScheme = "file://";
  if (!uri.starts_with(kScheme)) return std::nullopt;
  uri.remove_prefix(kScheme.size());
  if (uri.starts_with("localhost/")) uri.remove_prefix(9);
  if (!uri.starts_with('/')) return std::nullopt;
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    if (uri[i] != '%') {
      path += uri[i];
      continue;
    }
    const int high = i + 2 < uri.size() ? hex_digit(uri[i + 1]) : -1;
    const int low = high < 0 ? -1 : hex_digit(uri[i + 2]);
    if (low < 0 || high * 16 + low == 0) return std::nullopt;
    path += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return path;
}

std::string uri_of_path(std::string_view path) {
  constexpr std::string_view kPlain = "-._~/";
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char c : path) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (word || kPlain.find(c) != std::string_view::npos) {
      uri += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    uri += {'%', kHex[byte >> 4U], kHex[byte & 15U]};
  }
  return uri;
}

} // namespace emend::lsp
