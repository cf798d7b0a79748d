// SARIF 2.1.0 as GitHub wants it: one run per tool that found something, results one per line, so that files
// can be compared.
#include <fmt/format.h>

#include <map>
#include <set>

#include "base/code_points.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/strings.hpp"
#include "formats/escaping.hpp"
#include "formats/finding_sink.hpp"
#include "formats/repo_path.hpp"
#include "formats/severity_map.hpp"
#include "formats/writer.hpp"

namespace emend {
namespace {

constexpr std::size_t kMaxRuns = 20, kMaxResults = 25'000, kMaxDescription = 1'024, kMaxName = 255,
                      kMaxTags = 10;
constexpr std::string_view kOwnName = "emend", kOwnRules = "builtin"; // the analyzer that is emend itself
constexpr std::string_view kBase = "SRCROOT";

using Group = std::vector<const OutputFinding*>;

std::string rule_id(const Finding& finding) {
  if (!finding.rule.empty()) return finding.rule;
  return finding.category.empty() ? "finding" : "finding/" + finding.category;
}

bool is_security(const Finding& finding) {
  return contains(to_lower(finding.category), "securit") || to_lower(finding.category) == "vulnerability";
}

Json text_object(std::string_view text) { return {{"text", text}}; }

// A GUID made of what it names: the same run always has the same one.
std::string guid_of(std::string_view name) {
  std::string hex = sha1_hex(name).substr(0, 32);
  hex[12] = '5';
  hex[16] = "89ab"[static_cast<unsigned char>(hex[16]) % 4];
  return fmt::format("{}-{}-{}-{}-{}", hex.substr(0, 8), hex.substr(8, 4), hex.substr(12, 4),
                     hex.substr(16, 4), hex.substr(20, 12));
}

Json artifact_location(const std::string& file) {
  // An absolute path has no place below the root.
  if (is_absolute_path(file))
    return {{"uri", "file://" + std::string(file.starts_with('/') ? "" : "/") + uri_of_path(file)}};
  return {{"uri", file.empty() ? "." : uri_of_path(file)}, {"uriBaseId", kBase}};
}

struct Region {
  int line, column, line_end, column_end;
};

// All four numbers, in UTF-16 units where the line is known.
Region region_of(const OutputFinding& output) {
  const Finding& f = output.finding;
  const auto units = [&](int column) {
    return output.line_text.empty() ? column : utf16_column(output.line_text, column);
  };
  Region region{std::max(f.line, 1), 1, 0, 0};
  region.line_end = std::max(region.line, f.line_end);
  if (f.column > 0) region.column = units(f.column);
  const bool one_line_only = region.line_end == region.line;
  if (f.column_end > 0 && f.column > 0)
    region.column_end = one_line_only ? units(f.column_end) : f.column_end;
  else if (one_line_only && !output.line_text.empty())
    region.column_end = units(static_cast<int>(output.line_text.size()) + 1);
  if (one_line_only)
    region.column_end = std::max(region.column_end, region.column + 1);
  else
    region.column_end = std::max(region.column_end, 2);
  return region;
}

Json location_of(const OutputFinding& output, const Region& region) {
  return {{"physicalLocation",
           {{"artifactLocation", artifact_location(output.finding.file)},
            {"region",
             {{"startLine", region.line},
              {"startColumn", region.column},
              {"endLine", region.line_end},
              {"endColumn", region.column_end}}}}}};
}

Json replacement(const Edit& edit, const TextRegion* place) {
  const Json inserted =
      is_valid_utf8(edit.text) ? text_object(edit.text) : Json{{"binary", to_base64(edit.text)}};
  Json deleted = Json::object();
  if (place != nullptr)
    deleted = {{"startLine", place->line},
               {"startColumn", place->column},
               {"endLine", place->line_end},
               {"endColumn", place->column_end}};
  deleted["byteOffset"] = edit.offset;
  deleted["byteLength"] = edit.length;
  return {{"deletedRegion", std::move(deleted)}, {"insertedContent", inserted}};
}

Json fix_of(const FixIt& fixit, const std::vector<TextRegion>& places) {
  std::map<std::string, Json> by_file;
  for (std::size_t i = 0; i < fixit.edits.size(); ++i) {
    const Edit& edit = fixit.edits[i];
    Json& change = by_file[edit.file];
    if (change.is_null())
      change = {{"artifactLocation", artifact_location(edit.file)}, {"replacements", Json::array()}};
    change["replacements"].push_back(replacement(edit, i < places.size() ? &places[i] : nullptr));
  }
  Json changes = Json::array();
  for (auto& [file, change] : by_file) changes.push_back(std::move(change));
  Json fix = {{"artifactChanges", std::move(changes)}};
  if (!fixit.description.empty()) fix["description"] = text_object(fixit.description);
  if (fixit.safe) fix["properties"] = {{"emend/safe", true}};
  return fix;
}

// Annotations that SARIF has a member for: "baseline:new", "suppressed", "fingerprint:key=value".
std::string annotated(const Finding& finding, std::string_view prefix) {
  for (const std::string& annotation : finding.annotations) {
    if (annotation.starts_with(prefix)) return annotation.substr(prefix.size());
  }
  return {};
}

Json fingerprints_of(const OutputFinding& output) {
  Json fingerprints = Json::object();
  for (const std::string& annotation : output.finding.annotations) {
    const std::size_t equals = annotation.find('=');
    if (!annotation.starts_with("fingerprint:") || equals == std::string::npos) continue;
    const std::string key = annotation.substr(12, equals - 12);
    if (!key.empty()) fingerprints[key] = annotation.substr(equals + 1);
  }
  if (!output.line_hash.empty()) fingerprints["primaryLocationLineHash"] = output.line_hash;
  if (!output.fingerprint.empty()) fingerprints["emendIssue/v1"] = output.fingerprint;
  return fingerprints;
}

Json suppressions_of(const OutputFinding& output) {
  Json suppressions = Json::array();
  const auto& annotations = output.finding.annotations;
  if (std::find(annotations.begin(), annotations.end(), "suppressed") != annotations.end())
    suppressions.push_back({{"kind", "inSource"}, {"status", "accepted"}});
  if (output.status == "IGNORED" || output.status == "DUPLICATE") {
    Json external = {{"kind", "external"}, {"status", "accepted"}};
    external["justification"] = output.reason.empty() ? to_lower(output.status) : output.reason;
    suppressions.push_back(std::move(external));
  }
  return suppressions;
}

std::string baseline_of(const OutputFinding& output) {
  static const std::set<std::string> kStates = {"new", "unchanged", "updated", "absent"};
  const std::string annotation = annotated(output.finding, "baseline:");
  if (kStates.contains(annotation)) return annotation;
  return output.status == "RESOLVED" || output.status == "MERGED" ? "absent" : "";
}

bool has_own_member(const std::string& annotation) {
  return annotation == "suppressed" || annotation.starts_with("baseline:") ||
         annotation.starts_with("fingerprint:");
}

// What the standard members cannot carry, so that our own reader gets the finding back as it was.
Json own_properties(const OutputFinding& output, const std::string& message, const Region& region) {
  const Finding& f = output.finding;
  Json own = Json::object();
  const auto put = [&](const char* key, const std::string& value) {
    if (!value.empty()) own[key] = value;
  };
  put("code", output.code);
  put("status", output.status);
  put("reason", output.reason);
  put("evidence", output.evidence);
  if (output.marks != Marks{}) own["marks"] = to_json(output.marks);
  if (output.score >= 0) own["score"] = output.score;
  own["severity"] = to_string(f.severity);
  Finding read;
  set_message(read, message);
  if (read.title != f.title) own["title"] = f.title;
  if (read.description != f.description) own["description"] = f.description;
  put("id", f.id);
  put("suggestion", f.suggestion);
  put("category", f.category);
  put("group", f.group);
  if (f.rule.empty()) own["rule"] = "";
  if (f.file.empty()) own["no_file"] = true;
  if (f.effort != read.effort) own["effort"] = f.effort;
  if (f.files_count != read.files_count) own["files_count"] = f.files_count;
  if (!f.found_by.empty()) own["found_by"] = f.found_by;
  Json annotations = Json::array();
  for (const std::string& annotation : f.annotations) {
    if (!has_own_member(annotation)) annotations.push_back(annotation);
  }
  if (!annotations.empty()) own["annotations"] = std::move(annotations);
  const int line_end = std::max(f.line, f.line_end);
  if (f.line != region.line || f.column != region.column || line_end != region.line_end ||
      f.column_end != region.column_end)
    own["region"] = {f.line, f.column, line_end, f.column_end};
  return own;
}

Json related_locations(const Finding& finding) {
  Json related = Json::array();
  int id = 0;
  for (const std::string& file : finding.related_files) {
    related.push_back({{"id", ++id},
                       {"physicalLocation", {{"artifactLocation", artifact_location(file)}}},
                       {"message", text_object("A fix may have to change this file too.")}});
  }
  return related;
}

Json result_of(const OutputFinding& output, const std::string& tool, std::size_t rule_index) {
  const Finding& f = output.finding;
  const std::string message = full_message(f);
  const Region region = region_of(output);
  Json result = {{"ruleId", rule_id(f)},
                 {"ruleIndex", rule_index},
                 {"level", sarif_level(f.severity)},
                 {"message", text_object(message)},
                 {"locations", Json::array({location_of(output, region)})}};
  const auto put = [&](const char* key, Json value) {
    if (!value.empty()) result[key] = std::move(value);
  };
  put("relatedLocations", related_locations(f));
  put("partialFingerprints", fingerprints_of(output));
  put("suppressions", suppressions_of(output));
  if (const std::string baseline = baseline_of(output); !baseline.empty()) result["baselineState"] = baseline;
  if (f.fixit && !f.fixit->edits.empty())
    result["fixes"] = Json::array({fix_of(*f.fixit, output.edit_regions)});
  Json own = own_properties(output, message, region);
  if (f.agent != tool) own["agent"] = f.agent;
  result["properties"] = {{"emend", std::move(own)}};
  return result;
}

Json rule_properties(const Finding& finding) {
  Json tags = Json::array();
  if (is_security(finding)) tags.push_back("security");
  if (!finding.category.empty() && finding.category != "security" && tags.size() < kMaxTags)
    tags.push_back(finding.category);
  Json properties = {{"precision", "medium"}, {"problem.severity", problem_severity(finding.severity)}};
  if (!tags.empty()) properties["tags"] = std::move(tags);
  if (is_security(finding) && !security_severity(finding.severity).empty())
    properties["security-severity"] = security_severity(finding.severity);
  return properties;
}

// "unbounded-copy" -> "UnboundedCopy".
std::string rule_name(const std::string& id) {
  std::string name;
  bool upper = true;
  for (const char c : id) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter && name.size() < kMaxName)
      name += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    upper = !letter;
  }
  return name;
}

// worst: the gravest finding of the rule; the rule's default level follows it.
Json rule_of(const std::string& id, const std::string& tool, const Finding& worst) {
  const std::string about =
      worst.category.empty() ? "" : fmt::format(" ({})", first_line(worst.category, 60));
  const std::string full = single_line(fmt::format("What {} reports as {}{}.", tool, id, about));
  const std::string help =
      full + " Each result says what was found and where; `emend explain CODE` shows what was done about it.";
  Json rule = {{"id", id},
               {"shortDescription",
                text_object(first_line(single_line(fmt::format("{} of {}.", id, tool)), kMaxDescription))},
               {"fullDescription", text_object(first_line(full, kMaxDescription))},
               {"help", {{"text", help}, {"markdown", help}}},
               {"defaultConfiguration", {{"level", sarif_level(worst.severity)}}},
               {"properties", rule_properties(worst)}};
  if (const std::string name = rule_name(id); !name.empty() && to_lower(name) != to_lower(id))
    rule["name"] = name;
  return rule;
}

// The rules of one run, in the order of their first result.
class Rules {
public:
  explicit Rules(const Group& group) {
    for (const OutputFinding* output : group) {
      const auto [place, is_new] = index_.emplace(rule_id(output->finding), worst_.size());
      if (is_new)
        worst_.push_back({place->first, &output->finding});
      else if (output->finding.severity > worst_[place->second].second->severity)
        worst_[place->second].second = &output->finding;
    }
  }

  [[nodiscard]] std::size_t index_of(const Finding& finding) const { return index_.at(rule_id(finding)); }
  [[nodiscard]] Json json(const std::string& tool) const {
    Json rules = Json::array();
    for (const auto& [id, worst] : worst_) rules.push_back(rule_of(id, tool, *worst));
    return rules;
  }

private:
  std::map<std::string, std::size_t> index_;
  std::vector<std::pair<std::string, const Finding*>> worst_;
};

Json driver_of(const std::string& tool, const Rules& rules, const RunInfo& run) {
  Json driver = {{"name", tool}};
  const auto known = run.tools.find(tool);
  const ToolInfo own{run.tool_version, run.information_uri};
  const ToolInfo about = known != run.tools.end() ? known->second : tool == kOwnName ? own : ToolInfo{};
  if (!about.version.empty()) driver[tool == kOwnName ? "semanticVersion" : "version"] = about.version;
  if (!about.information_uri.empty()) driver["informationUri"] = about.information_uri;
  driver["rules"] = rules.json(tool);
  return driver;
}

Json invocation_of(const RunInfo& run) {
  Json invocation = {{"executionSuccessful", run.success}, {"exitCode", run.exit_code}};
  if (run.start_ms > 0) invocation["startTimeUtc"] = rfc3339_utc(run.start_ms);
  if (run.end_ms > 0) invocation["endTimeUtc"] = rfc3339_utc(run.end_ms);
  invocation["workingDirectory"] = {{"uriBaseId", kBase}, {"uri", "."}};
  return invocation;
}

Json run_head(const std::string& tool, const Rules& rules, const RunInfo& run) {
  const std::string id = fmt::format("emend/{}/{}", run.profile, run.session_id);
  Json head = {
      {"tool", {{"driver", driver_of(tool, rules, run)}}},
      {"automationDetails", {{"id", id}, {"guid", guid_of(id + "\n" + tool)}}},
      {"invocations", Json::array({invocation_of(run)})},
      {"originalUriBaseIds", {{kBase, {{"description", text_object("The root of the repository.")}}}}},
      {"columnKind", "utf16CodeUnits"}};
  if (run.repository_uri.empty()) return head;
  Json origin = {{"repositoryUri", run.repository_uri}};
  if (!run.revision.empty()) origin["revisionId"] = run.revision;
  if (!run.branch.empty()) origin["branch"] = run.branch;
  origin["mappedTo"] = {{"uriBaseId", kBase}};
  head["versionControlProvenance"] = Json::array({std::move(origin)});
  return head;
}

// The gravest come first when not all may stay.
std::size_t cut(Group& group, const RunInfo& run) {
  if (!run.github_limits || group.size() <= kMaxResults) return 0;
  const std::size_t left_out = group.size() - kMaxResults;
  std::stable_sort(group.begin(), group.end(),
                   [](const auto* a, const auto* b) { return a->finding.severity > b->finding.severity; });
  group.resize(kMaxResults);
  return left_out;
}

std::string run_text(const std::string& tool, Group group, const RunInfo& run,
                     std::vector<std::string>& notes) {
  const std::size_t left_out = cut(group, run);
  const Rules rules(group);
  Json head = run_head(tool, rules, run);
  if (run.properties.is_object()) head["properties"] = run.properties;
  if (left_out > 0) {
    head["properties"]["emend/truncated"] = left_out;
    notes.push_back(fmt::format(
        "SARIF: {} findings of {} with the lowest severities were left out: GitHub takes {} per run",
        left_out, tool, kMaxResults));
  }
  std::string text = dump_json(head);
  text.back() = ','; // instead of the closing brace
  text += "\"results\":[";
  const char* separator = "\n";
  for (const OutputFinding* output : group) {
    text += separator + dump_json(result_of(*output, tool, rules.index_of(output->finding)));
    separator = ",\n";
  }
  return text + "\n]}";
}

std::vector<std::pair<std::string, Group>> runs_of(const Findings& findings, const RunInfo& run) {
  auto groups = grouped(findings, [](const OutputFinding& f) {
    const std::string name = single_line(f.finding.agent);
    return name.empty() || name == kOwnRules ? std::string(kOwnName) : name;
  });
  if (groups.empty()) groups.push_back({std::string(kOwnName), {}});
  if (!run.github_limits || groups.size() <= kMaxRuns) return groups;
  // Too many tools for one upload: the last ones are told under our own name, and each result says who found
  // it.
  Group rest;
  for (std::size_t i = kMaxRuns - 1; i < groups.size(); ++i)
    rest.insert(rest.end(), groups[i].second.begin(), groups[i].second.end());
  groups.resize(kMaxRuns - 1);
  const auto own =
      std::find_if(groups.begin(), groups.end(), [](const auto& group) { return group.first == kOwnName; });
  if (own == groups.end())
    groups.push_back({std::string(kOwnName), std::move(rest)});
  else
    own->second.insert(own->second.end(), rest.begin(), rest.end());
  return groups;
}

} // namespace

std::string write_sarif(const Findings& findings, const RunInfo& run, std::vector<std::string>& notes) {
  std::string text =
      "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[";
  const char* separator = "\n";
  for (auto& [tool, group] : runs_of(findings, run)) {
    text += separator + run_text(tool, std::move(group), run, notes);
    separator = ",\n";
  }
  return text + "\n]}\n";
}

} // namespace emend
