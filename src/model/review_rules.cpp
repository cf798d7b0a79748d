#include "model/review_rules.hpp"

#include <fnmatch.h>

#include <algorithm>

#include "base/glob.hpp"
#include "base/strings.hpp"
#include "model/known_analyzers.hpp"
#include "model/tool_comments.hpp"

namespace emend {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool any_names(const std::vector<std::string>& patterns, const Finding& finding) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return names_rule(pattern, finding.rule, finding.agent);
  });
}

// A comment that has its line for itself speaks of the line below it.
bool is_comment_line(std::string_view line) {
  line = trim(line);
  for (const std::string_view mark : {"#", "//", "/*", "--", ";", "%", "<!--", "\""})
    if (line.starts_with(mark)) return true;
  return false;
}

bool is_quiet(const Finding& finding) {
  const KnownAnalyzer* tool = find_known_analyzer(finding.agent);
  return tool != nullptr && std::any_of(tool->quiet.begin(), tool->quiet.end(), [&](const QuietRule& quiet) {
           return names_rule(quiet.rule, finding.rule, finding.agent) &&
                  (quiet.files.empty() || glob_match(quiet.files, finding.file));
         });
}

bool is_doubtful(const Finding& finding) {
  const auto& notes = finding.annotations;
  return std::find(notes.begin(), notes.end(), kDoubtful) != notes.end();
}

} // namespace

bool is_noise(const Finding& finding) { return is_doubtful(finding) || is_quiet(finding); }

void mark_doubtful(Finding& finding) {
  if (!is_doubtful(finding)) finding.annotations.emplace_back(kDoubtful);
}

bool names_path(std::string_view pattern, std::string_view file) {
  while (pattern.size() > 1 && pattern.ends_with('/')) pattern.remove_suffix(1);
  const bool below = file.size() > pattern.size() && file.starts_with(pattern) && file[pattern.size()] == '/';
  return pattern == "." || file == pattern || below || glob_match(pattern, file);
}

bool ReviewRules::leaves_out(std::string_view file) const {
  const auto names = [&](const std::string& pattern) { return names_path(pattern, file); };
  bool out = !include.empty() && std::none_of(include.begin(), include.end(), names);
  for (const std::string& pattern : exclude) {
    const bool takes_back = pattern.starts_with('!');
    if (names_path(std::string_view(pattern).substr(takes_back ? 1 : 0), file)) out = !takes_back;
  }
  return out;
}

bool names_rule(std::string_view pattern, std::string_view rule, std::string_view analyzer) {
  if (const auto colon = pattern.find(':'); colon != std::string_view::npos) {
    if (pattern.substr(0, colon) != analyzer) return false;
    pattern.remove_prefix(colon + 1);
    if (pattern.empty()) return true;
  }
  if (pattern.find_first_of("*?") != std::string_view::npos)
    return ::fnmatch(std::string(pattern).c_str(), std::string(rule).c_str(), 0) == 0;
  if (pattern.empty() || !rule.starts_with(pattern)) return false;
  return rule.size() == pattern.size() || is_digit(rule[pattern.size()]);
}

std::optional<std::string> ignored_by(std::string_view line, const Finding& finding) {
  constexpr std::string_view kMark = "emend: ignore ";
  const auto at = line.find(kMark);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = trim(line.substr(at + kMark.size()));
  const auto end = std::min(rest.find_first_of(" \t"), rest.size());
  for (const std::string& rule : split(rest.substr(0, end), ','))
    if (names_rule(trim(rule), finding.rule, finding.agent)) return std::string(trim(rest.substr(end)));
  return std::nullopt;
}

std::string ReviewRules::why_hidden(const Finding& finding, const LineOf& line) const {
  if (!select.empty() && !any_names(select, finding)) return "not in review.select";
  if (any_names(ignore, finding)) return "in review.ignore";
  for (const auto& [glob, rules] : per_file_ignores)
    if (names_path(glob, finding.file) && any_names(rules, finding)) return "in review.per_file_ignores";
  if (finding.line > 0) {
    const std::string above = line(finding.line - 1);
    if (ignored_by(line(finding.line), finding) || (is_comment_line(above) && ignored_by(above, finding)))
      return "ignored by a comment";
    if (finding.rule.starts_with("emend/") && silenced_by_tool(finding.rule, line(finding.line), above))
      return "ignored by a comment";
  }
  const bool asked_for = strict || (!select.empty() && any_names(select, finding));
  if (asked_for) return "";
  if (is_doubtful(finding)) return "doubtful (--strict shows them)";
  return is_quiet(finding) ? "of rules that are mostly noise (--strict shows them)" : "";
}

} // namespace emend
