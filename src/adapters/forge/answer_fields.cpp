#include "adapters/forge/answer_fields.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace emend {

const Json& object_in(const Json& answer, std::string_view key) {
  static const Json nothing = Json::object();
  const Json* value = find_member(answer, key);
  return value != nullptr && value->is_object() ? *value : nothing;
}

int int_in(const Json& answer, std::string_view key) {
  const Json* value = find_member(answer, key);
  return value == nullptr ? 0 : static_cast<int>(exact_int(*value, 0, 2'000'000'000).value_or(0));
}

std::string id_in(const Json& answer, std::string_view key) {
  const Json* value = find_member(answer, key);
  if (value == nullptr) return {};
  if (value->is_number_integer()) return dump_json(*value);
  return value->is_string() ? value->get<std::string>() : std::string();
}

bool flag_in(const Json& answer, std::string_view key) {
  const Json* value = find_member(answer, key);
  return value != nullptr && value->is_boolean() && value->get<bool>();
}

std::vector<std::string> names_in(const Json& answer, std::string_view key) {
  std::vector<std::string> names;
  const Json* list = find_member(answer, key);
  if (list == nullptr || !list->is_array()) return names;
  for (const Json& element : *list)
    names.push_back(element.is_string() ? element.get<std::string>() : string_or(element, "name"));
  return names;
}

bool says(const std::vector<Json>& comments, std::string_view body) {
  return std::any_of(comments.begin(), comments.end(),
                     [&](const Json& comment) { return trim(string_or(comment, "body")) == trim(body); });
}

} // namespace emend
