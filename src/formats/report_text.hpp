// A report's bytes, without a byte order mark: in memory, or in a file of which only what is being read is in
// memory. Either can be read as often as it is wanted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/regular_file.hpp"
#include "base/result.hpp"

namespace emend {

class ReportText {
public:
  explicit ReportText(std::string text);
  explicit ReportText(RegularFile file);

  // At most `size` bytes from `offset` on, in place of what `into` held; fewer only where the text ends.
  [[nodiscard]] Status read(std::uint64_t offset, std::size_t size, std::string& into) const;
  // The first bytes, at most `size`.
  [[nodiscard]] Result<std::string> head(std::size_t size) const;
  // There is nothing but white space in it.
  [[nodiscard]] Result<bool> is_blank() const;
  // All of it, which is in memory from then on.
  [[nodiscard]] Result<std::string_view> whole();

private:
  void skip_mark();

  std::optional<RegularFile> file_; // until it is wanted whole
  std::string text_;
  std::size_t begin_ = 0; // behind the mark
};

} // namespace emend
