#include "api/fields.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"

namespace emend {

void Fields::refuse(const std::string& name, std::string detail) {
  items_.push_back({pointer_ + "/" + name, std::move(detail)});
}

const Json* Fields::take(const std::string& name) {
  known_.insert(name);
  const Json* value = find_member(object_, name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

std::string Fields::text(const std::string& name, std::size_t max_bytes) {
  const Json* value = take(name);
  if (value == nullptr) {
    refuse(name, "is missing");
    return {};
  }
  std::string read = text_or(name, {}, max_bytes);
  if (value->is_string() && read.empty() && value->get_ref<const std::string&>().empty())
    refuse(name, "must not be empty");
  return read;
}

std::string Fields::text_or(const std::string& name, std::string fallback, std::size_t max_bytes) {
  const Json* value = take(name);
  if (value == nullptr) return fallback;
  if (!value->is_string()) {
    refuse(name, "must be a text");
    return fallback;
  }
  const auto& text = value->get_ref<const std::string&>();
  if (text.size() > max_bytes) refuse(name, "is longer than " + std::to_string(max_bytes) + " bytes");
  if (text.find('\0') != std::string::npos) refuse(name, "has a zero byte");
  return text;
}

std::vector<std::string> Fields::texts(const std::string& name, bool required, std::size_t max_items) {
  const Json* value = take(name);
  std::vector<std::string> read;
  if (value == nullptr) {
    if (required) refuse(name, "is missing");
    return read;
  }
  if (!value->is_array() || !std::all_of(value->begin(), value->end(), [](const Json& item) {
        return item.is_string() && !item.get_ref<const std::string&>().empty();
      })) {
    refuse(name, "must be a list of texts");
    return read;
  }
  if (value->size() > max_items) refuse(name, "has more than " + std::to_string(max_items) + " items");
  if (required && value->empty()) refuse(name, "must not be empty");
  for (const Json& item : *value) read.push_back(item.get<std::string>());
  return read;
}

std::optional<std::int64_t> Fields::number(const std::string& name, std::int64_t low, std::int64_t high) {
  const Json* value = take(name);
  if (value == nullptr) return std::nullopt;
  const auto number = exact_int(*value, low, high);
  if (!number)
    refuse(name, "must be a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  return number;
}

std::string Fields::amount(const std::string& name, double low, double high) {
  const Json* value = take(name);
  if (value == nullptr) return {};
  if (!value->is_number() || value->get<double>() < low || value->get<double>() > high) {
    refuse(name, fmt::format("must be a number from {} to {}", low, high));
    return {};
  }
  return fmt::format("{}", value->get<double>());
}

bool Fields::flag(const std::string& name, bool fallback) {
  const Json* value = take(name);
  if (value == nullptr) return fallback;
  if (!value->is_boolean()) {
    refuse(name, "must be true or false");
    return fallback;
  }
  return value->get<bool>();
}

std::string Fields::word(const std::string& name, const std::vector<std::string>& choices,
                         std::string fallback) {
  const std::string given = text_or(name, fallback, 100);
  if (take(name) != nullptr && std::find(choices.begin(), choices.end(), given) == choices.end())
    refuse(name, "must be one of " + join(choices, ", "));
  return given;
}

const Json* Fields::object(const std::string& name) {
  const Json* value = take(name);
  if (value != nullptr && !value->is_object()) refuse(name, "must be an object");
  return value != nullptr && value->is_object() ? value : nullptr;
}

const Json* Fields::list(const std::string& name) {
  const Json* value = take(name);
  if (value != nullptr && !value->is_array()) refuse(name, "must be a list");
  return value != nullptr && value->is_array() ? value : nullptr;
}

std::optional<HttpResponse> Fields::problems() {
  for (const auto& item : object_.items())
    if (!known_.contains(item.key())) refuse(item.key(), "is unknown");
  if (items_.empty()) return std::nullopt;
  const std::string detail =
      items_.front().pointer + " " + items_.front().detail + (items_.size() > 1 ? ", and more" : "");
  return problem_response(422, "validation-failed", detail, items_);
}

} // namespace emend
