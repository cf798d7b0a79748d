#include "engine/intake/findings.hpp"

#include <fmt/format.h>

#include <map>

#include "base/strings.hpp"

namespace emend {
namespace {

// One finding's JSON with its place in the file, so that every complaint can say where.
class FindingReader {
public:
  FindingReader(const Json& json, std::string place) : json_(json), place_(std::move(place)) {}

  Result<Finding> read() {
    if (!json_.is_object()) return wrong("", "an object");
    Finding f;
    TRY_ASSIGN(f.id, text({"id", "finding_id", "issue_id", "issue_code", "code"}));
    TRY_ASSIGN(f.file, text({"file", "path", "filename"}, false)); // bytes that must name a file
    TRY(read_lines(f));
    TRY(read_severity(f));
    TRY_ASSIGN(f.category, text({"category"}));
    TRY_ASSIGN(f.rule, text({"rule", "rule_id", "ruleId"}));
    TRY_ASSIGN(f.title, text({"title"}));
    TRY_ASSIGN(f.description, text({"description", "issue", "message"}));
    TRY_ASSIGN(f.suggestion, text({"suggestion", "fix_hint", "fix"}));
    TRY_ASSIGN(f.agent, text({"agent", "reviewer", "tool"}));
    TRY_ASSIGN(f.effort, integer("estimated_effort", 1, 5, 0));
    TRY_ASSIGN(f.files_count, integer("estimated_files_count", 1, 100'000, 0));
    TRY(read_related(f));
    if (f.title.empty() && f.description.empty())
      return fail(ErrorCode::usage, place_ + ": a finding needs a \"description\", \"issue\" or \"title\"");
    if (f.description.empty()) f.description = f.title;
    f.title =
        f.title.empty() ? first_line(trim(f.description), 100) : first_line(trim(f.title), std::string::npos);
    return f;
  }

private:
  tl::unexpected<Error> wrong(const std::string& key, const std::string& expected) const {
    return fail(ErrorCode::usage, place_ + (key.empty() ? "" : "." + key) + ": expected " + expected);
  }

  // Analyzers and databases number their ids and rules.
  static bool may_be_number(std::string_view name) {
    return name.ends_with("id") || name.ends_with("Id") || name.ends_with("code") || name == "rule";
  }

  // The first of the names that is present and says anything. Words for people are cleaned where they come
  // in.
  Result<std::string> text(std::initializer_list<const char*> names, bool words = true) const {
    for (const char* name : names) {
      const Json* value = find_member(json_, name);
      if (value == nullptr || value->is_null()) continue;
      if (value->is_number_integer() && may_be_number(name)) return dump_json(*value);
      if (!value->is_string()) return wrong(name, "text");
      if (value->get_ref<const std::string&>().find('\0') != std::string::npos)
        return wrong(name, "text without NUL bytes");
      std::string raw = words ? clean_text(value->get_ref<const std::string&>()) : value->get<std::string>();
      if (!trim(raw).empty()) return raw;
    }
    return std::string{};
  }

  Result<int> integer(const char* name, int low, int high, int fallback) const {
    const Json* value = find_member(json_, name);
    if (value == nullptr || value->is_null()) return fallback;
    const auto number = exact_int(*value, low, high);
    if (!number) return wrong(name, fmt::format("a whole number from {} to {}", low, high));
    return static_cast<int>(*number);
  }

  // 45, "45", "45-67", null
  Status read_lines(Finding& f) const {
    for (const char* name : {"line", "start_line", "lines"}) {
      const Json* value = find_member(json_, name);
      if (value == nullptr || value->is_null()) continue;
      if (const auto number = exact_int(*value, 0, 100'000'000)) {
        f.line = static_cast<int>(*number);
        break;
      }
      if (!value->is_string()) return wrong(name, "a line number, \"45\" or \"45-67\"");
      const std::string_view raw = trim(value->get_ref<const std::string&>());
      if (raw.empty()) break;
      const auto dash = raw.find('-');
      const auto first = parse_unsigned(trim(raw.substr(0, dash)));
      const auto last = dash == std::string_view::npos ? first : parse_unsigned(trim(raw.substr(dash + 1)));
      if (!first || !last || *last < *first || *last > 100'000'000)
        return wrong(name, "a line number, \"45\" or \"45-67\"");
      f.line = static_cast<int>(*first);
      f.line_end = static_cast<int>(*last);
      break;
    }
    if (const Json* end = find_member(json_, "line_end"); end != nullptr && !end->is_null()) {
      const auto number = exact_int(*end, 0, 100'000'000);
      if (!number) return wrong("line_end", "a line number");
      f.line_end = static_cast<int>(*number);
    }
    if (f.line_end < f.line) f.line_end = f.line;
    return {};
  }

  Status read_severity(Finding& f) const {
    for (const char* name : {"severity", "level"}) {
      TRY_ASSIGN(const std::string word, text({name}));
      if (word.empty()) continue;
      const auto severity = parse_severity(word);
      if (!severity)
        return wrong(name, "critical, high, medium, low or info (also major, minor), not \"" +
                               first_line(word, 40) + "\"");
      f.severity = *severity;
      break;
    }
    return {};
  }

  Status read_related(Finding& f) const {
    const Json* value = find_member(json_, "related_files");
    if (value == nullptr || value->is_null()) return {};
    if (!value->is_array()) return wrong("related_files", "a list of paths");
    for (std::size_t i = 0; i < value->size(); ++i) {
      const Json& item = (*value)[i];
      const Json* path = item.is_object() ? find_member(item, "path") : &item;
      const bool good = path != nullptr && path->is_string() &&
                        path->get_ref<const std::string&>().find('\0') == std::string::npos;
      if (!good) return wrong(fmt::format("related_files[{}]", i), "a path");
      f.related_files.push_back(path->get<std::string>());
    }
    return {};
  }

  const Json& json_;
  std::string place_;
};

Status read_list(const Json& list, const std::string& place, const std::string& group,
                 std::vector<Finding>& out) {
  if (!list.is_array()) return fail(ErrorCode::usage, place + ": expected a list of findings");
  for (std::size_t i = 0; i < list.size(); ++i) {
    TRY_ASSIGN(Finding finding, FindingReader(list[i], fmt::format("{}[{}]", place, i)).read());
    if (finding.group.empty()) finding.group = group;
    out.push_back(std::move(finding));
  }
  return {};
}

Status read_groups(const Json& groups, std::vector<Finding>& out) {
  if (!groups.is_array()) return fail(ErrorCode::usage, "groups: expected a list");
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::string place = fmt::format("groups[{}]", i);
    if (!groups[i].is_object())
      return fail(ErrorCode::usage, place + ": expected an object with \"findings\"");
    const Json* findings = find_member(groups[i], "findings");
    if (findings == nullptr) return fail(ErrorCode::usage, place + ": \"findings\" is missing");
    const Json* description = find_member(groups[i], "description");
    if (description != nullptr && !description->is_null() && !description->is_string())
      return fail(ErrorCode::usage, place + ".description: expected text");
    TRY(read_list(*findings, place + ".findings", clean_text(string_or(groups[i], "description")), out));
  }
  return {};
}

// Two findings under one id are both kept; the report must be able to say which is which.
void annotate_repeated_ids(std::vector<Finding>& findings) {
  std::map<std::string, int> seen;
  for (Finding& finding : findings) {
    if (finding.id.empty() || ++seen[finding.id] == 1) continue;
    finding.annotations.push_back("duplicate_id");
  }
}

} // namespace

Result<std::vector<Finding>> parse_findings(std::string_view text) {
  if (trim(text).empty())
    return fail(ErrorCode::usage, "the findings file is empty",
                "write {\"findings\": []} if there is really nothing to fix");
  auto json = parse_json(text);
  if (!json) return fail(ErrorCode::usage, "the findings are not valid JSON: " + json.error().message);
  std::vector<Finding> findings;
  if (json->is_array()) {
    TRY(read_list(*json, "findings", "", findings));
  } else if (json->is_object()) {
    const Json* groups = find_member(*json, "groups");
    const Json* flat = find_member(*json, "findings");
    if (flat == nullptr) flat = find_member(*json, "issues");
    if (groups == nullptr && flat == nullptr)
      return fail(ErrorCode::usage, "the findings file has neither \"groups\" nor \"findings\"",
                  "expected {\"groups\":[{\"description\":\"...\",\"findings\":[...]}]}, "
                  "{\"findings\":[...]} or a list");
    if (groups != nullptr) TRY(read_groups(*groups, findings));
    if (flat != nullptr) TRY(read_list(*flat, "findings", "", findings));
  } else {
    return fail(ErrorCode::usage, "the findings file must hold a JSON object or list");
  }
  annotate_repeated_ids(findings);
  return findings;
}

} // namespace emend
