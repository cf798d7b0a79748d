#include "engine/verify/scan_comparison.hpp"

#include <fmt/format.h>

#include <map>
#include <tuple>

#include "base/strings.hpp"
#include "model/line_diff.hpp"

namespace emend {
namespace {

using Slot = std::tuple<std::string, int, std::string, std::string>; // file, slot, analyzer, rule

// Line maps of a patch's files, made when first asked for.
class Maps {
public:
  explicit Maps(const Patch& patch) : patch_(patch) {}

  Slot before(const Finding& finding) { return slot(finding, true); }
  Slot after(const Finding& finding) { return slot(finding, false); }

private:
  Slot slot(const Finding& finding, bool old_side) {
    const FileChange* change = patch_.find(finding.file);
    int place = finding.line;
    if (change != nullptr) {
      const auto known = maps_.try_emplace(finding.file, change->old_content, change->new_content).first;
      place = old_side ? known->second.old_slot(finding.line) : known->second.new_slot(finding.line);
    }
    return {finding.file, place, finding.agent, finding.rule};
  }

  const Patch& patch_;
  std::map<std::string, LineMap> maps_;
};

bool contains(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Should it have said something about the patch, and did it not? A tool that did not work on the base either
// had nothing to say.
bool silent_about(const Rescan::Tool& tool, const Issue& issue, const Patch& patch) {
  if (tool.state == "done" || (tool.before != "done" && tool.name != issue.finding.agent)) return false;
  return std::any_of(tool.files.begin(), tool.files.end(),
                     [&](const std::string& file) { return patch.find(file) != nullptr; });
}

} // namespace

LineMap::LineMap(std::string_view old_text, std::string_view new_text) {
  const LineDiff diff = diff_lines(old_text, new_text);
  const std::size_t olds = diff.old_lines.size(), news = diff.new_lines.size();
  old_.resize(olds);
  new_.resize(news);
  int hunk = 0;
  bool inside = false;
  for (std::size_t i = 0, j = 0; i < olds || j < news;) {
    const bool gone = i < olds && diff.removed[i], came = j < news && diff.added[j];
    if ((gone || came) && !inside) --hunk;
    inside = gone || came;
    if (gone) old_[i++] = hunk;
    if (came) new_[j++] = hunk;
    if (inside) continue;
    if (i < olds) old_[i] = static_cast<int>(j) + 1;
    if (j < news) new_[j] = static_cast<int>(j) + 1;
    ++i;
    ++j;
  }
}

int LineMap::old_slot(int line) const {
  return line >= 1 && line <= std::ssize(old_) ? old_[static_cast<std::size_t>(line - 1)] : 0;
}

int LineMap::new_slot(int line) const {
  return line >= 1 && line <= std::ssize(new_) ? new_[static_cast<std::size_t>(line - 1)] : 0;
}

Rescan compare_scans(const std::vector<Finding>& before, const std::vector<Finding>& after,
                     const Patch& patch, const std::vector<IssueTrace>& traces) {
  Rescan rescan;
  Maps maps(patch);
  std::map<Slot, int> known, seen, wanted;
  for (const Finding& finding : before) ++known[maps.before(finding)];
  for (const Finding& finding : after) {
    const Slot slot = maps.after(finding);
    if (++seen[slot] > known[slot])
      rescan.fresh.push_back(
          {finding.agent, finding.rule, finding.file, finding.line, finding.severity, finding.title});
  }
  for (const IssueTrace& trace : traces) ++wanted[maps.before(trace.finding)];
  for (const IssueTrace& trace : traces) {
    const Slot slot = maps.before(trace.finding);
    (seen[slot] <= known[slot] - wanted[slot] ? rescan.gone : rescan.remaining).push_back(trace.issue_id);
  }
  return rescan;
}

std::vector<SeenFinding> fresh_against(const Rescan& rescan, Severity severity, const Patch& patch) {
  std::vector<SeenFinding> against;
  for (const SeenFinding& seen : rescan.fresh)
    if (seen.severity >= severity && patch.find(seen.file) != nullptr) against.push_back(seen);
  return against;
}

std::string rescan_problem(const Rescan& rescan, const Issue& issue, const Patch& patch) {
  const std::string rule = issue.finding.rule.empty() ? "the finding" : issue.finding.rule;
  if (contains(rescan.remaining, issue.id))
    return fmt::format("{} still reports {}", issue.finding.agent, rule);
  if (!contains(rescan.gone, issue.id))
    return fmt::format("{} was not seen on the base when {} was run again", rule, issue.finding.agent);
  for (const Rescan::Tool& tool : rescan.tools)
    if (silent_about(tool, issue, patch))
      return fmt::format("{} failed when it was run again: {}", tool.name,
                         tool.detail.empty() ? tool.state : tool.detail);
  const auto fresh = fresh_against(rescan, issue.finding.severity, patch);
  if (fresh.empty()) return {};
  const SeenFinding& first = fresh.front();
  return fmt::format("new: {}:{} {} {} ({}){}", first.file, first.line, first.analyzer, first.rule,
                     to_string(first.severity),
                     fresh.size() > 1 ? fmt::format(" and {} more", fresh.size() - 1) : "");
}

} // namespace emend
