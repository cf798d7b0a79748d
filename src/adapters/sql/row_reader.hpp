// Reads the columns of one row from left to right and remembers the first thing that made no sense.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace emend {

class Statement;

class RowReader {
public:
  explicit RowReader(const Statement& statement) : statement_(statement) {}

  [[nodiscard]] std::string text();
  [[nodiscard]] std::int64_t integer();
  [[nodiscard]] int small(); // an int; anything larger is a problem
  [[nodiscard]] bool flag() { return integer() != 0; }
  [[nodiscard]] Json json();
  [[nodiscard]] std::vector<std::string> strings(); // a JSON array of strings
  // An enumeration by its words.
  template <typename Enum>
  [[nodiscard]] Enum word(std::optional<Enum> (*parse)(std::string_view)) {
    const std::string found = text();
    const std::optional<Enum> value = parse(found);
    if (!value) note("unknown word '" + found + "'");
    return value.value_or(Enum{});
  }
  [[nodiscard]] const std::string& problem() const { return problem_; }

private:
  void note(const std::string& what);

  const Statement& statement_;
  int next_ = 0;
  std::string problem_;
};

[[nodiscard]] std::string strings_to_text(const std::vector<std::string>& strings);

} // namespace emend
