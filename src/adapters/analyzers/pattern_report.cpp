#include "adapters/analyzers/pattern_report.hpp"

#include <re2/re2.h>

#include "base/strings.hpp"
#include "formats/severity_map.hpp"
#include "formats/tool_report.hpp"

namespace emend {

namespace {

constexpr std::size_t kLongestLine = 20'000;

// What the groups of the expression hold, by name.
using Groups = std::map<std::string, std::string>;

Finding finding_of(const KnownAnalyzer& tool, const Groups& groups, const std::string& file,
                   FindingSink& sink) {
  const auto at = [&](const char* name) {
    const auto found = groups.find(name);
    return found == groups.end() ? std::string() : found->second;
  };
  const auto number = [&](const char* name) {
    return static_cast<std::int64_t>(parse_unsigned(at(name)).value_or(0));
  };
  const std::string rule = at("rule"), word = to_lower(at("severity"));
  Finding finding = tool_finding(tool, rule, word, file, at("message"));
  if (!severity_by(tool, {rule, word})) finding.severity = severity_of_word(word).value_or(Severity::medium);
  set_place(finding, {number("line"), number("column"), 0, 0, ColumnUnit::characters}, sink);
  return finding;
}

} // namespace

Result<std::vector<Finding>> read_by_pattern(const KnownAnalyzer& tool, std::string_view text,
                                             SourceTree& tree) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  const re2::RE2 pattern(tool.pattern, options);
  const auto& names = pattern.CapturingGroupNames();
  if (!pattern.ok() || !pattern.NamedCapturingGroups().contains("file"))
    return fail(ErrorCode::config, "analyzers." + tool.name + ".regex is not usable: " +
                                       (pattern.ok() ? "it has no group (?P<file>...)" : pattern.error()));
  std::vector<Finding> findings;
  FindingSink sink(tree, [](Finding&&) {});
  const auto count = static_cast<std::size_t>(pattern.NumberOfCapturingGroups()) + 1;
  for (const std::string_view line : lines_of(text)) {
    if (line.size() > kLongestLine) continue;
    std::vector<re2::StringPiece> parts(count);
    if (!pattern.Match({line.data(), line.size()}, 0, line.size(), re2::RE2::UNANCHORED, parts.data(),
                       static_cast<int>(count)))
      continue;
    Groups groups;
    for (const auto& [index, name] : names)
      groups[name] = std::string(parts[static_cast<std::size_t>(index)].data() == nullptr
                                     ? ""
                                     : parts[static_cast<std::size_t>(index)].as_string());
    if (const auto file = tree.relative(groups["file"]))
      findings.push_back(finding_of(tool, groups, *file, sink));
  }
  return findings;
}

} // namespace emend
