// A file's bytes with its lines, to turn the places analyzers name (line and column in their own units) into
// byte offsets and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emend {

// What a tool counts in columns.
enum class ColumnUnit { bytes, characters, utf16 };

struct TextPlace {
  int line = 0;
  int column = 0; // in bytes
};

class SourceText {
public:
  explicit SourceText(std::string bytes);

  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  // Without its "\n"; empty for a line that does not exist.
  [[nodiscard]] std::string_view line(std::int64_t number) const;
  // Line and column from 1; the column may be one past the line's last. Nothing when there is no such place,
  // when the file has carriage returns alone, which some tools take for line ends and others do not, or when
  // it is no UTF-8 and bytes are not the unit.
  [[nodiscard]] std::optional<std::size_t> offset(std::int64_t line, std::int64_t column,
                                                  ColumnUnit unit) const;
  // The offset of a JavaScript string index, which does not count a byte order mark.
  [[nodiscard]] std::optional<std::size_t> offset_of_utf16(std::int64_t index) const;
  // offset is at most the number of bytes.
  [[nodiscard]] TextPlace place(std::size_t offset) const;

private:
  [[nodiscard]] std::optional<std::size_t> advance(std::size_t from, std::size_t end, std::int64_t units,
                                                   ColumnUnit unit) const;

  std::string bytes_;
  std::vector<std::size_t> starts_;
  bool utf8_ = true; // in anything else each tool counts characters its own way
  bool lone_return_ = false;
};

} // namespace emend
