#include "cli/daily/review_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/strings.hpp"
#include "cli/report_text.hpp"
#include "engine/review/review.hpp"

namespace emend {

namespace {

constexpr std::size_t kMaxLineBytes = 160;
constexpr std::size_t kMaxCarets = 60;

Tone tone_of(Severity severity) {
  if (severity >= Severity::high) return Tone::bad;
  return severity == Severity::medium ? Tone::warn : Tone::dim;
}

// As shown: a tab is one space, so that the caret below stands where it should.
std::string shown_code(std::string_view line) {
  std::string text = harmless_text(line);
  std::replace(text.begin(), text.end(), '\t', ' ');
  return text;
}

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string caret_line(const Finding& finding, std::string_view line, std::string_view margin,
                       const Palette& palette) {
  if (finding.column < 1 ||
      static_cast<std::size_t>(finding.column) > std::min(line.size() + 1, kMaxLineBytes))
    return {};
  const auto start = static_cast<std::size_t>(finding.column) - 1;
  const bool ends_here = finding.line_end <= finding.line && finding.column_end > finding.column;
  const std::size_t end = std::clamp(ends_here ? static_cast<std::size_t>(finding.column_end) - 1 : start + 1,
                                     start + 1, line.size() + 1);
  const std::size_t width = std::clamp<std::size_t>(
      characters(line.substr(std::min(start, line.size()), end - start)), 1, kMaxCarets);
  return std::string(margin) + " | " + std::string(characters(shown_code(line.substr(0, start))), ' ') +
         palette.paint(std::string(width, '^'), Tone::bad) + "\n";
}

// Some tools have one text only; readers cut a title out of it.
bool title_says_it_all(const Finding& finding) {
  const std::string_view title = finding.title;
  return finding.description.empty() || finding.description.starts_with(title.substr(
                                            0, title.ends_with("...") ? title.size() - 3 : title.size()));
}

std::string why_line(const Finding& finding) {
  std::string text = title_says_it_all(finding) ? "" : one_line(finding.description, 300);
  const std::vector<std::string>& who = finding.found_by;
  const std::string found = who.empty() ? finding.agent : join(who, " + ");
  if (!found.empty()) text += (text.empty() ? "found by " : "; found by ") + one_line(found, 80);
  return text;
}

std::string fix_line(const Issue& issue) {
  const auto& fixit = issue.finding.fixit;
  if (fixit && !fixit->edits.empty()) {
    const std::string what = fixit->description.empty() ? issue.finding.suggestion : fixit->description;
    return (what.empty() ? "edit by the analyzer" : one_line(what, 200)) +
           (fixit->safe ? "   (safe)" : "   (not marked safe)");
  }
  return issue.finding.suggestion.empty() ? "" : one_line(issue.finding.suggestion, 200);
}

std::string severities_text(const std::vector<Issue>& issues) {
  std::vector<std::string> parts;
  for (const Severity severity :
       {Severity::critical, Severity::high, Severity::medium, Severity::low, Severity::info}) {
    const auto count = std::count_if(issues.begin(), issues.end(),
                                     [&](const Issue& issue) { return issue.finding.severity == severity; });
    if (count > 0) parts.push_back(fmt::format("{} {}", count, to_string(severity)));
  }
  return join(parts, ", ");
}

} // namespace

std::string source_frame(const Finding& finding, std::string_view file, const Palette& palette) {
  const std::vector<std::string_view> lines = lines_of(file);
  if (finding.line < 1 || static_cast<std::size_t>(finding.line) > lines.size()) return {};
  const auto index = static_cast<std::size_t>(finding.line) - 1;
  const auto numbered = [&](std::size_t i) {
    return fmt::format("{:>5} | {}\n", i + 1, shown_code(lines[i].substr(0, kMaxLineBytes)));
  };
  std::string text =
      index > 0 && !trim(lines[index - 1]).empty() ? palette.paint(numbered(index - 1), Tone::dim) : "";
  return text + numbered(index) + caret_line(finding, lines[index], "     ", palette);
}

std::string issue_frame(const Issue& issue, const std::optional<std::string>& file, const Palette& palette) {
  const Finding& f = issue.finding;
  std::string place = one_line(place_of(f), 200);
  if (f.line > 0 && f.column > 0) place += ":" + std::to_string(f.column);
  std::string text =
      palette.paint(place, Tone::strong) + "  " + palette.paint(to_string(f.severity), tone_of(f.severity));
  if (!f.rule.empty()) text += "  " + one_line(f.rule, 80);
  if (!issue.code.empty()) text += "  [" + one_line(issue.code) + "]";
  if (issue.status != IssueStatus::open) text += "  " + std::string(to_string(issue.status));
  text +=
      "\n  " + one_line(title_says_it_all(f) && !f.description.empty() ? f.description : f.title, 300) + "\n";
  if (file) text += source_frame(f, *file, palette);
  if (const std::string why = why_line(f); !why.empty()) text += "   why   " + why + "\n";
  if (const std::string fix = fix_line(issue); !fix.empty()) text += "   fix   " + fix + "\n";
  return text + "\n";
}

bool fixable_without_ai(const Issue& issue) {
  return issue.finding.fixit && issue.finding.fixit->safe && !issue.finding.fixit->edits.empty();
}

std::string review_summary(const std::vector<Issue>& issues, std::int64_t duration_ms) {
  const std::string time = "   " + format_duration_ms(duration_ms);
  if (issues.empty()) return "no issues" + time;
  std::set<std::string> files;
  for (const Issue& issue : issues) files.insert(issue.finding.file);
  const auto fixable =
      static_cast<std::size_t>(std::count_if(issues.begin(), issues.end(), fixable_without_ai));
  return plural(issues.size(), "issue") + " (" + severities_text(issues) + ") in " +
         plural(files.size(), "file") + " - " + std::to_string(fixable) + " can be fixed without AI" + time;
}

std::string next_step(const std::vector<Issue>& issues, const std::set<std::string>& uncommitted) {
  std::vector<const Issue*> now, later;
  for (const Issue& issue : issues) {
    if (issue.status != IssueStatus::open && issue.status != IssueStatus::failed) continue;
    if (!issue.code.empty()) (uncommitted.contains(issue.id) ? later : now).push_back(&issue);
  }
  if (now.empty() && later.empty()) return {};
  const auto& those = now.empty() ? later : now;
  const bool safe =
      std::any_of(those.begin(), those.end(), [](const Issue* issue) { return fixable_without_ai(*issue); });
  return std::string("next: ") + (now.empty() ? "commit your changes, then " : "") +
         (safe ? "emend fix --safe" : "emend fix " + one_line(those.front()->code));
}

std::string first_code_line(const std::vector<Issue>& issues, const std::vector<std::string>& fresh) {
  for (const Issue& issue : issues) {
    if (!issue.code.ends_with("-001") ||
        std::find(fresh.begin(), fresh.end(), issue.fingerprint) == fresh.end())
      continue;
    const bool frontend = issue.code.starts_with(code_prefix(Side::frontend));
    return "[" + issue.code + "] is the issue's code (" +
           (frontend ? "FE: frontend" : "BE: backend and everything else") +
           "). It stays the same. To see it: emend issues show " + issue.code;
  }
  return {};
}

std::string rest_hint(const Review& review) {
  return review.tree.diff ? "the whole repository: emend review --all" : "";
}

std::string statistics_text(const std::vector<Issue>& issues, const Palette& palette) {
  struct Count {
    std::size_t all = 0, fixable = 0;
  };
  std::map<std::string, Count> by_rule;
  for (const Issue& issue : issues) {
    const Finding& f = issue.finding;
    Count& count = by_rule[!f.rule.empty() ? f.rule : !f.category.empty() ? f.category : "(no rule)"];
    ++count.all;
    if (fixable_without_ai(issue)) ++count.fixable;
  }
  std::vector<std::pair<std::string, Count>> rows(by_rule.begin(), by_rule.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.second.all > b.second.all; });
  TextTable table({"count", "rule", "fixable"});
  for (const auto& [rule, count] : rows)
    table.add({{std::to_string(count.all)}, {one_line(rule), Tone::strong}, {std::to_string(count.fixable)}});
  return rows.empty() ? "" : table.render(palette);
}

std::string reviewer_line(const Analysis& analysis) {
  if (!analysis.by_agent) return {};
  const std::string name = one_line(analysis.analyzer, 100);
  if (analysis.state == AnalysisState::skipped)
    return name + " did not review: " + one_line(analysis.detail, 200);
  if (analysis.state != AnalysisState::done) return {};
  return name + (analysis.version.empty() ? "" : " (" + one_line(analysis.version, 60) + ")") + ": " +
         plural(analysis.findings.size(), "finding") + ", " + format_duration_ms(analysis.duration_ms) +
         (analysis.detail.empty() ? "" : ", " + one_line(analysis.detail, 100));
}

AnalyzerLines analyzer_lines(const std::vector<Analysis>& analyses) {
  std::vector<std::string> ran, missing, refused;
  AnalyzerLines lines;
  for (const Analysis& analysis : analyses) {
    const std::string name = one_line(analysis.analyzer, 60);
    if (analysis.state == AnalysisState::done && !analysis.by_agent)
      ran.push_back(name); // agents have a line each
    if (analysis.state == AnalysisState::missing) missing.push_back(name);
    if (analysis.needs_permission) refused.push_back(name);
    if (!analysis.advice.empty()) lines.advice.push_back(one_line(analysis.advice, 400));
    const std::string detail = one_line(analysis.detail, 200);
    if (analysis.partial)
      lines.partial.push_back(name + ": " + detail);
    else if (analysis.state == AnalysisState::failed || analysis.state == AnalysisState::timed_out ||
             analysis.state == AnalysisState::cancelled)
      lines.alarming.push_back(name + " did not finish (" + std::string(to_string(analysis.state)) +
                               (detail.empty() ? "" : ": " + detail) +
                               "). Files it did not check may still have issues.");
  }
  const bool agents = std::any_of(analyses.begin(), analyses.end(),
                                  [](const Analysis& analysis) { return analysis.by_agent; });
  lines.ran = !ran.empty() ? join(ran, ", ")
              : agents     ? "none"
                           : "none (no files for the installed analyzers)";
  lines.missing = join(missing, ", ");
  if (!refused.empty())
    lines.advice.push_back("not run, because they run code of the project: " + join(refused, ", ") +
                           ". To allow them: emend trust --project-tools");
  return lines;
}

} // namespace emend
