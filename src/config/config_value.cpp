#include "config/config_value.hpp"

#include <cmath>
#include <set>

#include "base/strings.hpp"
#include "config/toml_reader.hpp"

namespace emend {

namespace {

tl::unexpected<Error> wrong(const std::string& what) { return fail(ErrorCode::config, what); }

tl::unexpected<Error> wrong_type(const ConfigKey& key, const Json& value) {
  std::string got = value.type_name();
  if (value.is_number_float()) got = "fraction";
  return wrong("expected " + std::string(describe(key.type)) + ", got a" +
               (got == "array" || got == "object" ? "n " : " ") + got);
}

Result<Json> plain_text(const Json& value) {
  const auto& text = value.get_ref<const std::string&>();
  if (text.find('\0') != std::string::npos) return wrong("a NUL byte is not allowed");
  return value;
}

Result<Json> check_text(const ConfigKey& key, const Json& value) {
  if (!value.is_string()) return wrong_type(key, value);
  TRY_ASSIGN(Json text, plain_text(value));
  const auto& word = text.get_ref<const std::string&>();
  const auto& choices = key.choices;
  if (!choices.empty() && std::find(choices.begin(), choices.end(), word) == choices.end()) {
    std::vector<std::string> shown;
    for (const auto& choice : choices) shown.push_back("\"" + choice + "\"");
    return wrong("\"" + word + "\" is not one of " + join(shown, ", "));
  }
  // Models end up in an agent's argument list, where a leading dash would be a flag.
  const bool is_model = key.name.size() > 6 && key.name.compare(key.name.size() - 6, 6, ".model") == 0;
  if (is_model && !word.empty() && word.front() == '-') return wrong("a model name may not start with '-'");
  return text;
}

Result<Json> check_integer(const ConfigKey& key, const Json& value) {
  std::optional<std::int64_t> number;
  if (value.is_number_integer()) {
    number = exact_int(value, key.low, key.high);
  } else if (value.is_number_float()) {
    const double fraction = value.get<double>();
    if (!std::isfinite(fraction) || fraction != std::floor(fraction)) return wrong("expected a whole number");
    if (fraction >= static_cast<double>(key.low) && fraction <= static_cast<double>(key.high))
      number = static_cast<std::int64_t>(fraction);
  } else {
    return wrong_type(key, value);
  }
  if (!number)
    return wrong(dump_json(value) + " is not in " + std::to_string(key.low) + ".." +
                 std::to_string(key.high));
  return Json(*number);
}

Result<Json> check_decimal(const ConfigKey& key, const Json& value) {
  if (!value.is_number()) return wrong_type(key, value);
  const double number = value.get<double>();
  if (!std::isfinite(number) || number < static_cast<double>(key.low) ||
      number > static_cast<double>(key.high))
    return wrong(dump_json(value) + " is not in " + std::to_string(key.low) + ".." +
                 std::to_string(key.high));
  return Json(number);
}

Result<Json> check_duration(const ConfigKey& key, const Json& value) {
  if (!value.is_string() && !value.is_number_integer()) return wrong_type(key, value);
  const std::string text = value.is_string() ? value.get<std::string>() : dump_json(value);
  const auto ms = parse_duration_ms(text);
  if (!ms) return wrong("\"" + text + "\" is not " + std::string(describe(KeyType::duration)));
  if (*ms < key.low || *ms > key.high)
    return wrong("\"" + text + "\" is not between " + (key.low == 0 ? "0" : "1ms") + " and 7 days");
  return Json(text);
}

Result<Json> check_text_list(const ConfigKey& key, const Json& value) {
  if (!value.is_array()) return wrong_type(key, value);
  for (const Json& item : value) {
    if (!item.is_string())
      return wrong("expected " + std::string(describe(key.type)) + ", but it contains " + dump_json(item));
    TRY(plain_text(item));
  }
  return value;
}

Result<Json> check_argv(const ConfigKey& key, const Json& value) {
  if (value.is_string()) {
    const auto& program = value.get_ref<const std::string&>();
    if (program.find_first_of(" \t\n") != std::string::npos)
      return wrong("write the program and its arguments as a list: [\"program\", \"argument\"]");
    return check_argv(key, Json::array({value}));
  }
  TRY_ASSIGN(Json list, check_text_list(key, value));
  if (list.empty() || list.front().get_ref<const std::string&>().empty())
    return wrong("the program is missing");
  return list;
}

Status check_command_members(const Json& command) {
  static const std::vector<std::string> known = {"name", "run", "paths", "timeout"};
  for (const auto& [member, value] : command.items()) {
    if (std::find(known.begin(), known.end(), member) != known.end()) continue;
    const auto near = did_you_mean(member, known);
    return wrong("unknown member \"" + member + "\" of a command" +
                 (near ? "; did you mean \"" + *near + "\"?" : ""));
  }
  return {};
}

Result<std::string> member_text(const Json& command, std::string_view member) {
  const Json* value = find_member(command, member);
  if (value == nullptr) return std::string();
  if (!value->is_string()) return wrong("\"" + std::string(member) + "\" of a command must be a string");
  TRY(plain_text(*value));
  return value->get<std::string>();
}

Result<Json> normal_command(const Json& given, std::size_t position) {
  const Json command = given.is_string() ? Json{{"run", given}} : given;
  if (!command.is_object()) return wrong("expected " + std::string(describe(KeyType::commands)));
  TRY(check_command_members(command));
  TRY_ASSIGN(std::string name, member_text(command, "name"));
  TRY_ASSIGN(std::string run, member_text(command, "run"));
  if (trim(run).empty()) return wrong("command " + std::to_string(position) + " has nothing to run");
  if (name.empty()) name = "check-" + std::to_string(position);
  if (clean_text(name) != name || name.find_first_of("\t\r\n") != std::string::npos)
    return wrong("a command's name may not have control characters");

  Json result = {{"name", name}, {"run", run}, {"paths", Json::array()}, {"timeout", ""}};
  if (const Json* paths = find_member(command, "paths")) {
    const ConfigKey list{"paths", KeyType::text_list, Json::array(), ""};
    TRY_ASSIGN(result["paths"], check_text_list(list, *paths));
  }
  if (const Json* timeout = find_member(command, "timeout")) {
    const ConfigKey limit{"timeout", KeyType::duration, Json(""), "", false, 1, 7LL * 24 * 3600 * 1000};
    TRY_ASSIGN(result["timeout"], check_duration(limit, *timeout));
  }
  return result;
}

Result<Json> check_commands(const ConfigKey& key, const Json& value) {
  if (value.is_string()) return check_commands(key, Json::array({value}));
  if (!value.is_array()) return wrong_type(key, value);
  Json result = Json::array();
  std::set<std::string> names;
  for (const Json& given : value) {
    TRY_ASSIGN(Json command, normal_command(given, result.size() + 1));
    const auto name = command["name"].get<std::string>();
    if (!names.insert(name).second) return wrong("two commands have the name \"" + name + "\"");
    result.push_back(std::move(command));
  }
  return result;
}

// Words of older programs are levels, too; the loader says what they are called now.
Status check_level(const ConfigKey& key, const Json& value) {
  if (!value.is_string()) return wrong_type(key, value);
  const auto& word = value.get_ref<const std::string&>();
  const auto level = parse_evidence(word);
  if (level ? *level != Evidence::none : word.empty()) return {};
  return wrong("\"" + word + "\" is not one of \"judged\", \"unbroken\", \"repaired\", \"proven\"");
}

Result<Json> check_levels(const ConfigKey& key, const Json& value) {
  if (!value.is_object()) {
    TRY(check_level(key, value));
    return value;
  }
  static const std::vector<std::string> known = {"default", "critical", "high", "medium",
                                                 "low",     "info",     "paths"};
  for (const auto& [member, level] : value.items()) {
    if (std::find(known.begin(), known.end(), member) == known.end()) {
      const auto near = did_you_mean(member, known);
      return wrong("unknown member \"" + member + "\": expected default, a severity, or paths" +
                   (near ? "; did you mean \"" + *near + "\"?" : ""));
    }
    if (member != "paths") {
      TRY(check_level(key, level));
      continue;
    }
    if (!level.is_object()) return wrong("\"paths\" must be a table of globs and levels");
    for (const auto& [glob, asked] : level.items()) TRY(check_level(key, asked));
  }
  return value;
}

Result<Json> check_lists(const ConfigKey& key, const Json& value) {
  if (!value.is_object()) return wrong_type(key, value);
  for (const auto& [name, list] : value.items()) {
    TRY(plain_text(Json(name)));
    auto checked = check_text_list({name, KeyType::text_list, Json::array(), ""}, list);
    if (!checked) return fail(std::move(checked.error()).with_context("\"" + name + "\""));
  }
  return value;
}

Json comma_list(const std::string& text) {
  Json list = Json::array();
  for (const std::string& part : split(text, ',')) {
    if (!trim(part).empty()) list.push_back(std::string(trim(part)));
  }
  return list;
}

Result<Json> raw_from_text(const ConfigKey& key, const std::string& text) {
  const bool is_toml =
      !text.empty() && std::string_view("\"'[{").find(text.front()) != std::string_view::npos;
  switch (key.type) {
    case KeyType::text:
    case KeyType::duration:
      return is_toml && text.front() != '[' && text.front() != '{' ? read_toml_value(text) : Json(text);
    case KeyType::lists:
    case KeyType::levels: return is_toml ? read_toml_value(text) : Json(text);
    case KeyType::integer:
    case KeyType::decimal:
    case KeyType::boolean: return read_toml_value(text);
    case KeyType::text_list: return is_toml ? read_toml_value(text) : comma_list(text);
    case KeyType::argv:
    case KeyType::commands: return is_toml && text.front() == '[' ? read_toml_value(text) : Json(text);
  }
  return wrong("unknown type");
}

} // namespace

Result<Json> check_value(const ConfigKey& key, const Json& value) {
  switch (key.type) {
    case KeyType::text: return check_text(key, value);
    case KeyType::integer: return check_integer(key, value);
    case KeyType::decimal: return check_decimal(key, value);
    case KeyType::boolean:
      if (!value.is_boolean()) return wrong_type(key, value);
      return value;
    case KeyType::duration: return check_duration(key, value);
    case KeyType::text_list: return check_text_list(key, value);
    case KeyType::argv: return check_argv(key, value);
    case KeyType::commands: return check_commands(key, value);
    case KeyType::levels: return check_levels(key, value);
    case KeyType::lists: return check_lists(key, value);
  }
  return wrong("unknown type");
}

Result<Json> value_from_text(const ConfigKey& key, const std::string& text) {
  auto raw = raw_from_text(key, text);
  if (!raw) return wrong("\"" + text + "\" is not " + std::string(describe(key.type)));
  return check_value(key, *raw);
}

} // namespace emend
