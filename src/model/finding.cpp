#include "model/finding.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "model/enum_names.hpp"
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

template <typename Visitor, Of<Finding> Record>
void fields(Visitor& visit, Record& finding) {
  visit("id", finding.id);
  visit("file", finding.file);
  visit("line", finding.line);
  visit("line_end", finding.line_end);
  visit("severity", finding.severity, parse_severity);
  visit("category", finding.category);
  visit("rule", finding.rule);
  visit("title", finding.title);
  visit("description", finding.description);
  visit("suggestion", finding.suggestion);
  visit("agent", finding.agent);
  visit("group", finding.group);
  visit("related_files", finding.related_files);
  visit("effort", finding.effort);
  visit("files_count", finding.files_count);
  visit("annotations", finding.annotations);
  // Most findings have none of these; a million rows should not carry them.
  visit.some("column", finding.column);
  visit.some("column_end", finding.column_end);
  visit.some("fixit", finding.fixit, fixit_from_json);
  visit.some("found_by", finding.found_by);
}

Json to_json(const Finding& finding) { return write_fields(finding); }
Finding finding_from_json(const Json& json) { return read_fields<Finding>(json); }

namespace {

constexpr EnumName<Severity> kNames[] = {{Severity::info, "info"},
                                         {Severity::low, "low"},
                                         {Severity::medium, "medium"},
                                         {Severity::high, "high"},
                                         {Severity::critical, "critical"}};

// Words other tools use for the same five.
constexpr EnumName<Severity> kOtherWords[] = {
    {Severity::high, "major"},        {Severity::low, "minor"},        {Severity::high, "error"},
    {Severity::medium, "warning"},    {Severity::info, "note"},        {Severity::info, "none"},
    {Severity::medium, "moderate"},   {Severity::critical, "blocker"}, {Severity::medium, "warn"},
    {Severity::info, "informational"}};

} // namespace

std::string_view to_string(Severity severity) { return name_of(kNames, severity); }

std::optional<Severity> parse_severity(std::string_view text) {
  const std::string word = to_lower(trim(text));
  const auto known = value_of(kNames, std::string_view(word));
  return known ? known : value_of(kOtherWords, std::string_view(word));
}

template <typename Visitor, Of<Edit> Record>
void fields(Visitor& visit, Record& edit) {
  visit("file", edit.file);
  visit("offset", edit.offset);
  visit("length", edit.length);
  visit.base64("text", edit.text);
}

template <typename Visitor, Of<FixIt> Record>
void fields(Visitor& visit, Record& fixit) {
  visit("description", fixit.description);
  visit("safe", fixit.safe);
  visit("edits", fixit.edits);
  visit("sources", fixit.sources);
}

Json to_json(const FixIt& fixit) { return write_fields(fixit); }
FixIt fixit_from_json(const Json& json) { return read_fields<FixIt>(json); }

std::optional<std::string> apply_edits(const std::string& content, const std::string& file,
                                       const std::vector<Edit>& edits) {
  std::vector<const Edit*> ours;
  for (const Edit& edit : edits)
    if (edit.file == file) ours.push_back(&edit);
  std::stable_sort(ours.begin(), ours.end(),
                   [](const Edit* a, const Edit* b) { return a->offset < b->offset; });
  std::string out;
  std::size_t at = 0;
  for (const Edit* edit : ours) {
    if (edit->offset < at || edit->offset > content.size() || edit->length > content.size() - edit->offset)
      return std::nullopt;
    out.append(content, at, edit->offset - at);
    out += edit->text;
    at = edit->offset + edit->length;
  }
  out.append(content, at, std::string::npos);
  return out;
}

} // namespace emend
