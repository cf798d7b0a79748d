// One object of a JSON report, read member by member: missing and null are fine, the first member of another
// type is remembered.
#pragma once

#include <string>
#include <string_view>

#include "base/json.hpp"
#include "base/result.hpp"

namespace emend {

class JsonRow {
public:
  // problem outlives the row and its children; it stays empty while everything fits.
  JsonRow(const Json& value, std::string& problem, std::string path = {});

  [[nodiscard]] std::string text(std::string_view key) const;           // "" when missing
  [[nodiscard]] std::string text_or_number(std::string_view key) const; // rule numbers become text
  [[nodiscard]] int number(std::string_view key) const;     // 0 when missing; whole, from 0 to 2^31-1
  [[nodiscard]] JsonRow object(std::string_view key) const; // of nothing, when missing
  [[nodiscard]] const Json::array_t& list(std::string_view key) const; // empty when missing
  [[nodiscard]] bool has(std::string_view key) const { return member(key) != nullptr; }
  [[nodiscard]] bool is_object(std::string_view key) const;
  [[nodiscard]] std::string path_of(std::string_view key) const;

private:
  [[nodiscard]] const Json* member(std::string_view key) const; // nullptr for null, too
  void complain(std::string_view key, std::string_view expected) const;

  const Json& value_;
  std::string& problem_;
  std::string path_;
};

// A whole report that must be a list: its elements, or what is wrong.
[[nodiscard]] Result<Json> parse_report(std::string_view text, std::string_view format);

} // namespace emend
