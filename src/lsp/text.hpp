// Text as an editor holds it: lines, positions in the units the editor counts in, edits by range. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace emend::lsp {

enum class Encoding { utf8, utf16 }; // how an editor counts the characters of a line

struct Position {
  int line = 0, character = 0; // both from 0
  friend auto operator<=>(const Position&, const Position&) = default;
};
struct Range {
  Position start, end;
  friend bool operator==(const Range&, const Range&) = default;
};
[[nodiscard]] Json to_json(const Range& range);
// nullopt = not a range.
[[nodiscard]] std::optional<Range> range_of(const Json& json);

class Text {
public:
  explicit Text(std::string bytes = {});

  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  [[nodiscard]] int lines() const { return static_cast<int>(starts_.size()); }
  // Without its end; empty past the last one.
  [[nodiscard]] std::string_view line(int index) const;
  // A position past the end of its line is the end of the line; past the last line, the end of the text.
  [[nodiscard]] std::size_t offset_at(Position position, Encoding encoding) const;
  [[nodiscard]] Position position_at(std::size_t offset, Encoding encoding) const;
  void replace(const Range& range, std::string_view with, Encoding encoding);

private:
  void find_lines();

  std::string bytes_;
  std::vector<std::size_t> starts_; // of each line
};

// The one replacement that makes `after` of `before`, whole lines.
struct Replacement {
  Range range;
  std::string text;
};
[[nodiscard]] Replacement difference(const Text& before, const Text& after, Encoding encoding);

// "file:///a%20b" <-> "/a b". nullopt = not a file on this machine.
[[nodiscard]] std::optional<std::string> path_of_uri(std::string_view uri);
[[nodiscard]] std::string uri_of_path(std::string_view path);

} // namespace emend::lsp
