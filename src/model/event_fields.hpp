// How an event's members are listed once, then written to JSON and read back from it. Reading
// never fails: what is missing or of another type keeps the value it had, so old journals stay readable.
#pragma once

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

// EMEND_EVENT(FixNotice, "fix_notice", (Text, text)) declares the struct FixNotice with a member `text`, its
// type as it is stored, and fields(), which visits the members by name and in this order. EMEND_RECORD
// declares a part of an event, without a type. A trailing underscore is not part of a member's name.
#define EMEND_AGAIN_LATER ()
#define EMEND_EXPAND(...) EMEND_EXPAND_4(EMEND_EXPAND_4(EMEND_EXPAND_4(__VA_ARGS__)))
#define EMEND_EXPAND_4(...) EMEND_EXPAND_1(EMEND_EXPAND_1(EMEND_EXPAND_1(EMEND_EXPAND_1(__VA_ARGS__))))
#define EMEND_EXPAND_1(...) __VA_ARGS__
#define EMEND_EACH(macro, ...) EMEND_EXPAND(EMEND_EACH_STEP(macro, __VA_ARGS__))
#define EMEND_EACH_STEP(macro, first, ...) \
  macro first __VA_OPT__(EMEND_EACH_NEXT EMEND_AGAIN_LATER(macro, __VA_ARGS__))
#define EMEND_EACH_NEXT() EMEND_EACH_STEP
#define EMEND_DECLARE(type, name) type name{};
#define EMEND_VISIT(type, name) visit(#name, name);
#define EMEND_MEMBERS(...)                                                 \
  EMEND_EACH(EMEND_DECLARE, __VA_ARGS__)                                   \
  void fields(auto&& visit) const { EMEND_EACH(EMEND_VISIT, __VA_ARGS__) } \
  void fields(auto&& visit) { EMEND_EACH(EMEND_VISIT, __VA_ARGS__) }
#define EMEND_RECORD(Name, ...) \
  struct Name {                 \
    EMEND_MEMBERS(__VA_ARGS__)  \
  }
#define EMEND_EVENT(Name, stored_as, ...)               \
  struct Name {                                         \
    static constexpr std::string_view type = stored_as; \
    EMEND_MEMBERS(__VA_ARGS__)                          \
  }

namespace emend {

// A string that takes the name of an enum value as it comes from to_string().
struct Text : std::string {
  using std::string::string;
  Text(std::string text) : std::string(std::move(text)) {}
  Text(std::string_view text) : std::string(text) {}
};

// Left out when there is no value; a std::optional is written as null instead.
template <typename T>
struct Sometimes : std::optional<T> {
  using std::optional<T>::optional;
};

template <typename T>
[[nodiscard]] std::optional<T> only_if(bool there, T value) {
  return there ? std::optional<T>(std::move(value)) : std::nullopt;
}

namespace event_fields {

template <typename T, template <typename...> typename Of>
struct IsOf : std::false_type {};
template <template <typename...> typename Of, typename... Args>
struct IsOf<Of<Args...>, Of> : std::true_type {};
template <typename T, template <typename...> typename Of>
inline constexpr bool is_of = IsOf<T, Of>::value;

template <typename T>
inline constexpr bool is_text = std::is_base_of_v<std::string, T>;
template <typename T>
concept Listed = requires(T value) {
  value.fields([](auto&&...) {});
};

[[nodiscard]] inline std::string stored_name(std::string_view member) {
  return std::string(member.substr(0, member.size() - (member.ends_with('_') ? 1 : 0)));
}

template <typename T>
[[nodiscard]] Json json_of(const T& value) {
  if constexpr (Listed<T>) {
    Json object = Json::object();
    value.fields([&]<typename Member>(std::string_view name, const Member& member) {
      if constexpr (is_of<Member, Sometimes>) {
        if (member) object[stored_name(name)] = json_of(*member);
      } else {
        object[stored_name(name)] = json_of(member);
      }
    });
    return object;
  } else if constexpr (is_of<T, std::optional>) {
    return value ? json_of(*value) : Json(nullptr);
  } else if constexpr (is_of<T, std::vector>) {
    Json list = Json::array();
    for (const auto& one : value) list.push_back(json_of(one));
    return list;
  } else if constexpr (is_of<T, std::map>) {
    Json object = Json::object();
    for (const auto& [key, one] : value) object[key] = json_of(one);
    return object;
  } else if constexpr (is_text<T>) {
    return Json(static_cast<const std::string&>(value));
  } else {
    return Json(value);
  }
}

// False = it is of another type, and `into` as it was.
template <typename T>
bool read_json(const Json& from, T& into) {
  if constexpr (Listed<T>) {
    if (!from.is_object()) return false;
    into.fields([&](std::string_view name, auto& member) {
      if (const Json* found = find_member(from, stored_name(name))) (void)read_json(*found, member);
    });
    return true;
  } else if constexpr (is_of<T, std::optional> || is_of<T, Sometimes>) {
    typename T::value_type value{};
    if (!read_json(from, value)) return false;
    into = std::move(value);
    return true;
  } else if constexpr (is_of<T, std::vector>) {
    if (!from.is_array()) return false;
    for (const Json& one : from)
      if (typename T::value_type value{}; read_json(one, value)) into.push_back(std::move(value));
    return true;
  } else if constexpr (is_of<T, std::map>) {
    if (!from.is_object()) return false;
    for (const auto& [key, one] : from.items())
      if (typename T::mapped_type value{}; read_json(one, value)) into[key] = std::move(value);
    return true;
  } else if constexpr (std::is_same_v<T, Json>) {
    into = from;
    return true;
  } else if constexpr (is_text<T>) {
    if (from.is_string()) into = from.get<std::string>();
    return from.is_string();
  } else if constexpr (std::is_same_v<T, bool>) {
    if (from.is_boolean()) into = from.get<bool>();
    return from.is_boolean();
  } else if constexpr (std::is_integral_v<T>) {
    constexpr auto low = std::is_signed_v<T> ? std::numeric_limits<T>::min() : 0;
    constexpr auto high =
        sizeof(T) < 8 ? std::numeric_limits<T>::max() : std::numeric_limits<std::int64_t>::max();
    const auto number = exact_int(from, low, high);
    if (number) into = static_cast<T>(*number);
    return number.has_value();
  } else {
    static_assert(std::is_floating_point_v<T>);
    if (from.is_number()) into = from.get<T>();
    return from.is_number();
  }
}

} // namespace event_fields
} // namespace emend
