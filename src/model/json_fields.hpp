// The members of a record as JSON, from one list: `fields` names each member once, and the same list writes
// and reads it.
//
//   template <typename Visitor, Of<Usage> Record>
//   void fields(Visitor& visit, Record& usage) {
//     visit("turns", usage.turns);
//   }
//   Json to_json(const Usage& usage) { return write_fields(usage); }
//   Usage usage_from_json(const Json& json) { return read_fields<Usage>(json); }
//
// Members are written in the order of the list; digests are made of the text, so the order is part of the
// format. Reading never throws: a member that is missing or of another type keeps the record's default.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "base/strings.hpp"

namespace emend {

// A record of that type, to be written (const) or read.
template <typename Record, typename Type>
concept Of = std::same_as<std::remove_const_t<Record>, Type>;

template <typename Record, typename Visitor>
concept HasFields = requires(Visitor& visit, Record& record) {
  fields(visit, record);
};

template <typename Record>
[[nodiscard]] Json write_fields(const Record& record);
template <typename Record>
[[nodiscard]] Record read_fields(const Json& json);

class FieldWriter {
public:
  template <typename T>
  void operator()(const char* key, const T& value) {
    add(key, json_of(value));
  }
  // A word of a closed set, or a record of another module; what follows is for the reader.
  template <typename T, typename... Reading>
  void operator()(const char* key, const T& value, const Reading&... /*reading*/) {
    if constexpr (std::is_enum_v<T>)
      add(key, Json(to_string(value)));
    else
      add(key, to_json(value));
  }
  // Left out when it is empty or 0.
  template <typename T, typename... Reading>
  void some(const char* key, const T& value, const Reading&... reading) {
    if constexpr (requires { value.has_value(); }) {
      if (value) (*this)(key, *value, reading...);
    } else if (value != T{}) {
      (*this)(key, value, reading...);
    }
  }
  void or_null(const char* key, const std::string& text) { add(key, text.empty() ? Json() : Json(text)); }
  void base64(const char* key, const std::string& bytes) { add(key, to_base64(bytes)); }

  // May be missing where others are strict about what is.
  void maybe(const char* key, const std::string& text) { add(key, text); }
  // Members of the record that stand in an object of their own.
  template <typename Members>
  void group(const char* key, const Members& members) {
    FieldWriter inner;
    members(inner);
    add(key, inner.take());
  }

  [[nodiscard]] Json take() { return std::move(object_); }

private:
  template <typename T>
  static Json json_of(const T& value) {
    if constexpr (HasFields<const T, FieldWriter>) {
      return write_fields(value);
    } else if constexpr (requires { value.has_value(); }) {
      return value ? Json(*value) : Json();
    } else {
      return Json(value);
    }
  }
  template <typename T>
  requires HasFields<const T, FieldWriter>
  static Json json_of(const std::vector<T>& records) {
    Json list = Json::array();
    for (const T& record : records) list.push_back(write_fields(record));
    return list;
  }
  // Without the search for the key that ordered_json's own access makes.
  void add(const char* key, Json value) {
    object_.get_ref<Json::object_t&>().emplace_back(key, std::move(value));
  }

  Json object_ = Json::object();
};

class FieldReader {
public:
  explicit FieldReader(const Json& object) : object_(object) {}

  template <typename T>
  void operator()(const char* key, T& value) {
    if (const Json* found = find_member(object_, key)) take(*found, value);
  }
  template <typename T, typename Read>
  void operator()(const char* key, T& value, const Read& read) {
    if constexpr (std::is_enum_v<T>)
      (*this)(key, value, read, value);
    else if (const Json* found = find_member(object_, key))
      value = read(*found);
  }
  // What a word that is missing or unknown means.
  template <typename T, typename Parse>
  void operator()(const char* key, T& value, const Parse& parse, T otherwise) {
    value = parse(string_or(object_, key)).value_or(otherwise);
  }
  template <typename T, typename... Reading>
  void some(const char* key, T& value, const Reading&... reading) {
    (*this)(key, value, reading...);
  }
  template <typename T, typename... Reading>
  void some(const char* key, std::optional<T>& value, const Reading&... reading) {
    const Json* found = find_member(object_, key);
    if (found == nullptr || !found->is_object()) return;
    (*this)(key, value.emplace(), reading...);
  }
  void or_null(const char* key, std::string& text) { (*this)(key, text); }
  void base64(const char* key, std::string& bytes) {
    bytes = from_base64(string_or(object_, key)).value_or(std::move(bytes));
  }

private:
  static void take(const Json& json, std::string& text) {
    if (json.is_string()) text = json.get<std::string>();
  }
  static void take(const Json& json, bool& flag) {
    if (json.is_boolean()) flag = json.get<bool>();
  }
  static void take(const Json& json, double& number) {
    if (json.is_number()) number = json.get<double>();
  }
  // 95.0, "95" and what does not fit are no numbers.
  template <std::integral T>
  static std::optional<T> whole(const Json& json) {
    constexpr std::int64_t low = std::is_signed_v<T> ? std::int64_t{std::numeric_limits<T>::min()} : 0;
    constexpr std::uint64_t high = std::numeric_limits<T>::max();
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    const auto number = exact_int(json, low, static_cast<std::int64_t>(high < most ? high : most));
    return number ? std::optional<T>(static_cast<T>(*number)) : std::nullopt;
  }
  template <std::integral T>
  static void take(const Json& json, T& number) {
    number = whole<T>(json).value_or(number);
  }
  template <std::integral T>
  static void take(const Json& json, std::optional<T>& number) {
    number = whole<T>(json);
  }
  static void take(const Json& json, std::optional<double>& number) {
    if (json.is_number()) number = json.get<double>();
  }
  static void take(const Json& json, std::vector<std::string>& texts) {
    if (!json.is_array()) return;
    texts.clear();
    for (const Json& item : json)
      if (item.is_string()) texts.push_back(item.get<std::string>());
  }
  template <typename T>
  static void take(const Json& json, std::map<std::string, T>& values) {
    if (!json.is_object()) return;
    values.clear();
    for (const auto& [key, item] : json.items()) take(item, values[key]);
  }
  template <typename T>
  requires HasFields<T, FieldReader>
  static void take(const Json& json, std::vector<T>& records) {
    if (!json.is_array()) return;
    records.clear();
    for (const Json& item : json) records.push_back(read_fields<T>(item));
  }
  template <typename T>
  requires HasFields<T, FieldReader>
  static void take(const Json& json, T& record) { record = read_fields<T>(json); }

  const Json& object_;
};

template <typename Record>
Json write_fields(const Record& record) {
  FieldWriter writer;
  fields(writer, record);
  return writer.take();
}

template <typename Record>
Record read_fields(const Json& json) {
  Record record;
  FieldReader reader(json);
  fields(reader, record);
  return record;
}

// Single members of JSON that this program wrote: missing or of another type means the fallback.
[[nodiscard]] std::int64_t int64_field(const Json& object, std::string_view key, std::int64_t fallback = 0);
[[nodiscard]] int int_field(const Json& object, std::string_view key, int fallback = 0);
[[nodiscard]] std::vector<std::string> strings_field(const Json& object, std::string_view key);
// Elements of an array member; none when it is missing.
[[nodiscard]] const Json::array_t& array_field(const Json& object, std::string_view key);

[[nodiscard]] Json null_if_empty(const std::string& text);

} // namespace emend
