#include "adapters/analyzers/tool_output.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "base/redacted_cut.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kLongestTitle = 160;
constexpr std::size_t kLongestDescription = 4'000;

int as_int(std::int64_t number) {
  return number < 0 || number > std::numeric_limits<int>::max() ? 0 : static_cast<int>(number);
}

auto order(const Finding& f) { return std::tie(f.file, f.line, f.column, f.rule, f.title); }

} // namespace

Finding make_finding(std::string_view analyzer, std::string rule, Severity severity, std::string category,
                     std::string file, std::string_view message) {
  Finding finding;
  finding.file = std::move(file);
  finding.severity = severity;
  finding.category = std::move(category);
  finding.rule = std::move(rule);
  finding.description = redacted_trim_middle(clean_text(message), kLongestDescription);
  finding.title = redacted_first_line(trim(finding.description), kLongestTitle);
  finding.agent = analyzer;
  finding.found_by = {std::string(analyzer)};
  return finding;
}

void set_place(Finding& finding, const ReportedRange& range, SourceTree& tree) {
  finding.line = as_int(range.line);
  finding.line_end = range.line_end >= range.line ? as_int(range.line_end) : 0;
  const auto text = tree.text(finding.file);
  if (text == nullptr) return;
  if (const auto begin = text->offset(range.line, range.column, range.unit))
    finding.column = text->place(*begin).column;
  if (finding.line_end == 0) return;
  if (const auto end = text->offset(range.line_end, range.column_end, range.unit))
    finding.column_end = text->place(*end).column;
}

std::optional<Edit> make_edit(const std::string& file, const ReportedRange& range, std::string replacement,
                              SourceTree& tree) {
  const auto text = tree.text(file);
  if (text == nullptr) return std::nullopt;
  const auto begin = text->offset(range.line, range.column, range.unit);
  const auto end = text->offset(range.line_end, range.column_end, range.unit);
  if (!begin || !end || *end < *begin) return std::nullopt;
  return Edit{file, *begin, *end - *begin, std::move(replacement)};
}

std::optional<FixIt> make_fixit(std::string_view description, bool safe, std::vector<Edit> edits) {
  if (edits.empty()) return std::nullopt;
  // What is inserted at a place comes before what replaces the bytes there.
  const auto key = [](const Edit& e) { return std::tie(e.file, e.offset, e.length); };
  std::stable_sort(edits.begin(), edits.end(), [&](const Edit& a, const Edit& b) { return key(a) < key(b); });
  for (std::size_t i = 1; i < edits.size(); ++i)
    if (edits[i].file == edits[i - 1].file && edits[i].offset < edits[i - 1].offset + edits[i - 1].length)
      return std::nullopt;
  return FixIt{first_line(clean_text(description), kLongestTitle), safe, std::move(edits)};
}

std::int64_t number_in(const Json& object, std::string_view key) {
  const Json* member = find_member(object, key);
  return member == nullptr ? 0 : exact_int(*member, 0, std::numeric_limits<int>::max()).value_or(0);
}

void sort_and_merge(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return order(a) < order(b); });
  const auto same = [](const Finding& a, const Finding& b) { return order(a) == order(b); };
  findings.erase(std::unique(findings.begin(), findings.end(), same), findings.end());
}

} // namespace emend
