#include "model/finding.hpp"

#include <algorithm>

#include "model/json_fields.hpp"

namespace emend {

namespace {

std::vector<std::string> finders(const Finding& finding) {
  if (!finding.found_by.empty() || finding.agent.empty()) return finding.found_by;
  return {finding.agent};
}

void add_finders(Finding& finding, const std::vector<std::string>& names) {
  finding.found_by = finders(finding);
  for (const std::string& name : names)
    if (std::find(finding.found_by.begin(), finding.found_by.end(), name) == finding.found_by.end())
      finding.found_by.push_back(name);
}

} // namespace

void join_finding(Finding& kept, const Finding& other) {
  kept.severity = std::max(kept.severity, other.severity);
  if (!kept.fixit) kept.fixit = other.fixit;
  if (kept.column == 0 && kept.line == other.line) {
    kept.column = other.column;
    kept.column_end = other.column_end;
  }
  if (kept.suggestion.empty()) kept.suggestion = other.suggestion;
  add_finders(kept, finders(other));
}

void refresh_finding(Finding& known, const Finding& seen) {
  const std::vector<std::string> before = finders(known);
  if (known.agent == seen.agent) {
    known = seen;
    add_finders(known, before);
    if (known.found_by.size() == 1) known.found_by = seen.found_by; // said by `agent` alone, as it was seen
    return;
  }
  known.file = seen.file;
  known.line = seen.line;
  known.line_end = seen.line_end;
  known.column = seen.column;
  known.column_end = seen.column_end;
  known.fixit = seen.fixit; // one made for the old bytes would not fit
  known.annotations = seen.annotations;
  known.severity = std::max(known.severity, seen.severity);
  add_finders(known, finders(seen));
}

Json to_json(const Finding& finding) {
  Json json = {{"id", finding.id},
               {"file", finding.file},
               {"line", finding.line},
               {"line_end", finding.line_end},
               {"severity", to_string(finding.severity)},
               {"category", finding.category},
               {"rule", finding.rule},
               {"title", finding.title},
               {"description", finding.description},
               {"suggestion", finding.suggestion},
               {"agent", finding.agent},
               {"group", finding.group},
               {"related_files", finding.related_files},
               {"effort", finding.effort},
               {"files_count", finding.files_count},
               {"annotations", finding.annotations}};
  // Most findings have none of these; a million rows should not carry them.
  if (finding.column > 0) json["column"] = finding.column;
  if (finding.column_end > 0) json["column_end"] = finding.column_end;
  if (finding.fixit) json["fixit"] = to_json(*finding.fixit);
  if (!finding.found_by.empty()) json["found_by"] = finding.found_by;
  return json;
}

Finding finding_from_json(const Json& json) {
  Finding finding;
  finding.id = string_or(json, "id");
  finding.file = string_or(json, "file");
  finding.line = int_field(json, "line");
  finding.line_end = int_field(json, "line_end");
  finding.severity = parse_severity(string_or(json, "severity")).value_or(finding.severity);
  finding.category = string_or(json, "category");
  finding.rule = string_or(json, "rule");
  finding.title = string_or(json, "title");
  finding.description = string_or(json, "description");
  finding.suggestion = string_or(json, "suggestion");
  finding.agent = string_or(json, "agent");
  finding.group = string_or(json, "group");
  finding.related_files = strings_field(json, "related_files");
  finding.effort = int_field(json, "effort", finding.effort);
  finding.files_count = int_field(json, "files_count", finding.files_count);
  finding.annotations = strings_field(json, "annotations");
  finding.column = int_field(json, "column");
  finding.column_end = int_field(json, "column_end");
  if (const Json* fixit = find_member(json, "fixit")) finding.fixit = fixit_from_json(*fixit);
  finding.found_by = strings_field(json, "found_by");
  return finding;
}

} // namespace emend
