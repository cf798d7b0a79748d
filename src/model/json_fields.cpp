#include "model/json_fields.hpp"

#include <limits>

namespace emend {

std::int64_t int64_field(const Json& object, std::string_view key, std::int64_t fallback) {
  const Json* member = find_member(object, key);
  if (member == nullptr) return fallback;
  return exact_int(*member, std::numeric_limits<std::int64_t>::min(),
                   std::numeric_limits<std::int64_t>::max())
      .value_or(fallback);
}

int int_field(const Json& object, std::string_view key, int fallback) {
  const Json* member = find_member(object, key);
  if (member == nullptr) return fallback;
  return static_cast<int>(exact_int(*member, std::numeric_limits<int>::min(), std::numeric_limits<int>::max())
                              .value_or(fallback));
}

std::vector<std::string> strings_field(const Json& object, std::string_view key) {
  std::vector<std::string> strings;
  for (const Json& element : array_field(object, key)) {
    if (element.is_string()) strings.push_back(element.get<std::string>());
  }
  return strings;
}

const Json::array_t& array_field(const Json& object, std::string_view key) {
  static const Json::array_t kNone;
  const Json* member = find_member(object, key);
  return member != nullptr && member->is_array() ? member->get_ref<const Json::array_t&>() : kNone;
}

Json null_if_empty(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

} // namespace emend
