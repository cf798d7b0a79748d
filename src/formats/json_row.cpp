#include "formats/json_row.hpp"

#include <limits>

namespace emend {
namespace {

const Json& nothing() {
  static const Json value = Json::object();
  return value;
}

} // namespace

JsonRow::JsonRow(const Json& value, std::string& problem, std::string path)
    : value_(value), problem_(problem), path_(std::move(path)) {
  if (!value.is_object() && problem_.empty())
    problem_ = path_.empty() ? "not an object" : path_ + " is not an object";
}

const Json* JsonRow::member(std::string_view key) const {
  const Json* found = find_member(value_, key);
  return found != nullptr && found->is_null() ? nullptr : found;
}

bool JsonRow::is_object(std::string_view key) const {
  const Json* found = member(key);
  return found != nullptr && found->is_object();
}

std::string JsonRow::path_of(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

void JsonRow::complain(std::string_view key, std::string_view expected) const {
  if (problem_.empty()) problem_ = path_of(key) + " is not " + std::string(expected);
}

std::string JsonRow::text(std::string_view key) const {
  const Json* found = member(key);
  if (found == nullptr) return {};
  if (found->is_string()) return found->get<std::string>();
  complain(key, "text");
  return {};
}

std::string JsonRow::text_or_number(std::string_view key) const {
  const Json* found = member(key);
  return found != nullptr && found->is_number_integer() ? dump_json(*found) : text(key);
}

int JsonRow::number(std::string_view key) const {
  const Json* found = member(key);
  if (found == nullptr) return 0;
  const auto number = exact_int(*found, 0, std::numeric_limits<int>::max());
  if (!number) complain(key, "a whole number from 0 to 2147483647");
  return static_cast<int>(number.value_or(0));
}

JsonRow JsonRow::object(std::string_view key) const {
  const Json* found = member(key);
  return JsonRow(found == nullptr ? nothing() : *found, problem_, path_of(key));
}

const Json::array_t& JsonRow::list(std::string_view key) const {
  static const Json::array_t kNone;
  const Json* found = member(key);
  if (found == nullptr) return kNone;
  if (found->is_array()) return found->get_ref<const Json::array_t&>();
  complain(key, "a list");
  return kNone;
}

Result<Json> parse_report(std::string_view text, std::string_view format) {
  auto json = parse_json(text);
  if (!json) return fail(std::move(json.error()).with_context("not a " + std::string(format) + " report"));
  return json;
}

} // namespace emend
