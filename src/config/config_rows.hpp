// How rows of the table of configuration keys are written. Inside this folder only.
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/strings.hpp"
#include "config/config_key.hpp"

namespace emend::config_rows {

inline constexpr std::int64_t kWeekMs = 7LL * 24 * 3600 * 1000;

using Texts = std::vector<std::string>;

// Where a key's value goes. Its built-in value is what Policy{} has there, so no default is written twice.
template <typename T>
using Place = std::function<T&(Policy&)>;

template <typename T>
Place<T> at(T Policy::*member) {
  return [member](Policy& policy) -> T& { return policy.*member; };
}
template <typename Part, typename T>
Place<T> at(Part Policy::*part, T Part::*member) {
  return [part, member](Policy& policy) -> T& { return policy.*part.*member; };
}

// The built-in value of a key: of its place in Policy, or as it is written here.
template <typename T>
T standard(const Place<T>& place) {
  Policy policy;
  return place(policy);
}
template <typename T>
const T& standard(const T& written) {
  return written;
}

inline std::string duration_text(std::string written) { return written; }
inline std::string duration_text(std::int64_t ms) {
  return ms > 0 && ms % 60'000 == 0 ? std::to_string(ms / 60'000) + "m" : std::to_string(ms / 1'000) + "s";
}

template <typename T>
ConfigKey bound(ConfigKey key, const Place<T>& place) {
  key.apply = [place, timed = key.type == KeyType::duration](const Json& value, Policy& policy) {
    if constexpr (std::is_same_v<T, std::int64_t>)
      place(policy) = timed ? parse_duration_ms(value.get<std::string>()).value_or(0) : value.get<T>();
    else
      place(policy) = value.get<T>();
  };
  return key;
}
template <typename T>
ConfigKey bound(ConfigKey key, const T& /*written*/) {
  return key;
}

template <typename From>
ConfigKey text(std::string name, const From& from, std::string doc, Texts choices = {}) {
  return bound(
      {std::move(name), KeyType::text, Json(standard(from)), std::move(doc), false, 0, 0, std::move(choices)},
      from);
}

template <typename Enum>
ConfigKey word(std::string name, const Place<Enum>& place, std::optional<Enum> (*parse)(std::string_view),
               std::string doc, Texts choices) {
  ConfigKey key =
      text(std::move(name), std::string(to_string(standard(place))), std::move(doc), std::move(choices));
  key.apply = [place, parse](const Json& value, Policy& policy) {
    place(policy) = parse(value.get<std::string>()).value_or(place(policy));
  };
  return key;
}

template <typename From>
ConfigKey integer(std::string name, const From& from, std::int64_t low, std::int64_t high, std::string doc) {
  return bound({std::move(name), KeyType::integer, Json(standard(from)), std::move(doc), false, low, high},
               from);
}

template <typename From>
ConfigKey decimal(std::string name, const From& from, std::int64_t high, std::string doc) {
  return bound({std::move(name), KeyType::decimal, Json(standard(from)), std::move(doc), false, 0, high},
               from);
}

template <typename From>
ConfigKey boolean(std::string name, const From& from, std::string doc) {
  return bound({std::move(name), KeyType::boolean, Json(standard(from)), std::move(doc)}, from);
}

// low: 1, or 0 for one that may be nothing at all.
template <typename From>
ConfigKey duration(std::string name, const From& from, std::string doc, std::int64_t low = 1) {
  return bound({std::move(name), KeyType::duration, Json(duration_text(standard(from))), std::move(doc),
                false, low, kWeekMs},
               from);
}

template <typename From>
ConfigKey pause(std::string name, const From& from, std::string doc) {
  return duration(std::move(name), from, std::move(doc), 0);
}

template <typename From = Texts>
ConfigKey text_list(std::string name, const From& from, std::string doc) {
  return bound({std::move(name), KeyType::text_list, Json(standard(from)), std::move(doc)}, from);
}

template <typename T>
ConfigKey text_list(std::string name, const Place<T>& place, const Texts& fallback, std::string doc) {
  ConfigKey key = text_list(std::move(name), place, std::move(doc));
  key.fallback = fallback;
  return key;
}

inline ConfigKey pattern(std::string name, KeyType type, std::string doc) {
  ConfigKey key{std::move(name), type, Json(nullptr), std::move(doc)};
  if (type == KeyType::duration) key.low = 1, key.high = kWeekMs;
  return key;
}

inline ConfigKey trusted(ConfigKey key) {
  key.needs_trust = true;
  return key;
}

} // namespace emend::config_rows

namespace emend {

[[nodiscard]] std::vector<ConfigKey> review_keys(); // [review] and [analyzers.NAME], review_keys.cpp
[[nodiscard]] std::vector<ConfigKey> server_keys(); // [sign_in], server_keys.cpp

} // namespace emend
