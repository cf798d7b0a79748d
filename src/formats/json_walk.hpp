// A forward walk over a large JSON text with simdjson: nothing is kept that is not asked for, and every error
// knows its path.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace emend {

// Members are visited in the order of the text. A visitor that returns an error stops the walk; `trail` then
// says where. null counts as missing everywhere.
class JsonWalk {
public:
  using Value = simdjson::ondemand::value;
  using Code = simdjson::error_code;

  // The parser of the text that is walked over; must outlive the walk.
  explicit JsonWalk(const simdjson::ondemand::parser& parser) : parser_(parser) {}

  // visit(std::string_view key, Value value) -> Code. Keys with escapes are seen as they are written.
  template <typename Visit>
  Code members(Value value, Visit visit) {
    if (is_null(value)) return simdjson::SUCCESS;
    simdjson::ondemand::object object;
    if (const Code error = value.get_object().get(object)) return error;
    return members_of(object, visit);
  }

  template <typename Visit>
  Code members_of(simdjson::ondemand::object object, Visit visit) {
    for (auto result : object) {
      simdjson::ondemand::field field;
      if (const Code error = std::move(result).get(field)) return error;
      const std::string_view key = as_written(field.key());
      if (const Code error = visit(key, field.value())) {
        trail.insert(0, key.substr(0, 60)).insert(0, 1, '.');
        return error;
      }
    }
    return simdjson::SUCCESS;
  }

  // visit(std::size_t index, Value value) -> Code
  template <typename Visit>
  Code items(Value value, Visit visit) {
    if (is_null(value)) return simdjson::SUCCESS;
    simdjson::ondemand::array array;
    if (const Code error = value.get_array().get(array)) return error;
    return items_of(array, 0, visit);
  }

  // index: of the first one.
  template <typename Visit>
  Code items_of(simdjson::ondemand::array array, std::size_t index, Visit visit) {
    for (auto result : array) {
      Value item;
      Code error = std::move(result).get(item);
      if (!error) error = visit(index, item);
      if (error) {
        trail.insert(0, 1, ']').insert(0, std::to_string(index)).insert(0, 1, '[');
        return error;
      }
      ++index;
    }
    return simdjson::SUCCESS;
  }

  Code text(Value value, std::string& out) {
    if (is_null(value)) return simdjson::SUCCESS;
    simdjson::ondemand::raw_json_string raw;
    if (const Code error = value.get_raw_json_string().get(raw)) return error;
    // Straight to where it is wanted: get_string() would keep every string until the end of the text.
    std::string_view view;
    out.resize(as_written(raw).size() + simdjson::SIMDJSON_PADDING);
    auto* end = reinterpret_cast<std::uint8_t*>(out.data());
    const Code error = parser_.unescape(raw, end).get(view);
    out.resize(error ? 0 : view.size());
    return error;
  }

  // Whole, within [0, highest].
  Code number(Value value, std::uint64_t& out, std::uint64_t highest) {
    if (is_null(value)) return simdjson::SUCCESS;
    std::uint64_t number = 0;
    if (const Code error = value.get_uint64().get(number)) return error;
    if (number > highest) return simdjson::NUMBER_OUT_OF_RANGE;
    out = number;
    return simdjson::SUCCESS;
  }

  Code number(Value value, int& out) {
    std::uint64_t wide = static_cast<std::uint64_t>(out);
    const Code error = number(value, wide, std::numeric_limits<int>::max());
    out = static_cast<int>(wide);
    return error;
  }

  // May be -1, which SARIF uses for "none".
  Code index(Value value, int& out) {
    if (is_null(value)) return simdjson::SUCCESS;
    std::int64_t wide = 0;
    if (const Code error = value.get_int64().get(wide)) return error;
    if (wide < -1 || wide > std::numeric_limits<int>::max()) return simdjson::NUMBER_OUT_OF_RANGE;
    out = static_cast<int>(wide);
    return simdjson::SUCCESS;
  }

  // One row of another shape than expected can be left out; anything else means that the text is no JSON from
  // here on.
  [[nodiscard]] static bool is_about_one_value(Code error) {
    return error == simdjson::INCORRECT_TYPE || error == simdjson::NUMBER_ERROR ||
           error == simdjson::NUMBER_OUT_OF_RANGE || error == simdjson::STRING_ERROR;
  }

  std::string trail; // where the last error was: "[3].locations[0].region.startLine"

private:
  static bool is_null(Value& value) {
    bool null = false;
    return !value.is_null().get(null) && null;
  }

  static std::string_view as_written(const simdjson::ondemand::raw_json_string& string) {
    const char* raw = string.raw(); // the text is padded and its strings are closed, so there is a quote
    const char* end = raw;
    while (*end != '"') end += *end == '\\' ? 2 : 1;
    return {raw, static_cast<std::size_t>(end - raw)};
  }

  const simdjson::ondemand::parser& parser_;
};

} // namespace emend
