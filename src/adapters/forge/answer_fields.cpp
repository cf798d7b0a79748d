#include "adapters/forge/answer_fields.hpp"

#include <time.h>

#include <algorithm>
#include <optional>

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

const Json& list_in(const Json& answer, std::string_view key) {
  static const Json nothing = Json::array();
  const Json* value = find_member(answer, key);
  return value != nullptr && value->is_array() ? *value : nothing;
}

std::int64_t time_in(const Json& answer, std::string_view key) {
  const std::string text = string_or(answer, key);
  std::tm parts{};
  const char* rest = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
  if (rest == nullptr) return 0;
  std::int64_t ms = static_cast<std::int64_t>(::timegm(&parts)) * 1000;
  if (*rest == '.') {
    const auto fraction = parse_unsigned((std::string(rest + 1) + "000").substr(0, 3));
    if (fraction) ms += static_cast<std::int64_t>(*fraction);
    while (*rest == '.' || (*rest >= '0' && *rest <= '9')) ++rest;
  }
  std::tm shift{};
  if ((*rest == '+' || *rest == '-') && ::strptime(rest + 1, "%H:%M", &shift) != nullptr)
    ms -= (*rest == '+' ? 1 : -1) * (shift.tm_hour * 60 + shift.tm_min) * 60'000LL;
  return ms;
}

std::string short_text(std::string text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  text.resize(max_bytes - 3);
  for (int i = 0; i < 3 && !is_valid_utf8(text); ++i) text.pop_back();
  return text + "...";
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

namespace {

struct Start {
  int old_line, line;
};

// "-1,3" -> 1
std::optional<int> first_number(std::string_view word) {
  const auto number = parse_unsigned(
      word.substr(1, word.find(',') == std::string_view::npos ? std::string_view::npos : word.find(',') - 1));
  if (!number || *number > 100'000'000) return std::nullopt;
  return static_cast<int>(*number);
}

std::optional<Start> hunk_start(std::string_view line) {
  const auto words = split(line, ' ');
  if (words.size() < 4 || words[0] != "@@" || !words[1].starts_with('-') || !words[2].starts_with('+'))
    return std::nullopt;
  const auto old_line = first_number(words[1]), new_line = first_number(words[2]);
  if (!old_line || !new_line) return std::nullopt;
  return Start{*old_line, *new_line};
}

} // namespace

std::vector<std::vector<DiffLine>> parse_hunks(std::string_view diff) {
  std::vector<std::vector<DiffLine>> hunks;
  Start at{0, 0};
  for (const std::string_view line : lines_of(diff)) {
    if (const auto start = hunk_start(line)) {
      at = *start;
      hunks.emplace_back();
      continue;
    }
    if (hunks.empty()) continue;
    const char mark = line.empty() ? ' ' : line.front();
    if (mark == '\\') continue; // "\ No newline at end of file"
    if (mark == '-')
      ++at.old_line;
    else if (mark == '+')
      hunks.back().push_back({at.line++, 0});
    else
      hunks.back().push_back({at.line++, at.old_line++});
  }
  return hunks;
}

} // namespace emend
