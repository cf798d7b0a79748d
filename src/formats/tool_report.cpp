#include "formats/tool_report.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "base/strings.hpp"

namespace emend {
namespace {

constexpr std::size_t kLongestTitle = 160;

int as_int(std::int64_t number) {
  return number < 0 || number > std::numeric_limits<int>::max() ? 0 : static_cast<int>(number);
}

std::optional<Edit> edit_of(const std::string& file, const RangeEdit& edit, const SourceText& text) {
  const ReportedRange& range = edit.range;
  const auto begin = text.offset(range.line, range.column, range.unit);
  const auto end = text.offset(range.line_end, range.column_end, range.unit);
  if (!begin || !end || *end < *begin) return std::nullopt;
  return Edit{file, *begin, *end - *begin, edit.text};
}

} // namespace

Finding tool_finding(const KnownAnalyzer& tool, std::string rule, std::string_view word, std::string file,
                     std::string_view message) {
  Finding finding;
  finding.file = std::move(file);
  finding.severity = severity_by(tool, {rule, word}).value_or(Severity::medium);
  finding.category = category_by(tool, {rule, word});
  finding.description = std::string(trim(clean_text(message)));
  if (finding.description.empty()) finding.description = rule.empty() ? "(no message)" : rule;
  finding.title = first_line(finding.description, kLongestTitle);
  finding.rule = std::move(rule);
  finding.agent = tool.name;
  return finding;
}

void set_place(Finding& finding, const ReportedRange& range, FindingSink& sink) {
  finding.line = as_int(range.line);
  finding.line_end = range.line_end >= range.line ? as_int(range.line_end) : 0;
  const auto text = sink.files().text(finding.file);
  if (text == nullptr) {
    finding.column = as_int(range.column);
    finding.column_end = finding.line_end == 0 ? 0 : as_int(range.column_end);
    if (range.column > 1 && range.unit != ColumnUnit::bytes)
      sink.note(range.unit == ColumnUnit::utf16 ? "columns count UTF-16 units and are kept as given"
                                                : "columns count characters and are kept as given");
    return;
  }
  if (const auto begin = text->offset(range.line, range.column, range.unit))
    finding.column = text->place(*begin).column;
  if (finding.line_end == 0) return;
  if (const auto end = text->offset(range.line_end, range.column_end, range.unit))
    finding.column_end = text->place(*end).column;
}

void set_place(Finding& finding, std::uint64_t offset, FindingSink& sink) {
  const auto text = sink.files().text(finding.file);
  if (text == nullptr || offset > text->bytes().size()) return;
  const TextPlace place = text->place(offset);
  finding.line = place.line;
  finding.column = place.column;
}

void set_fixit(Finding& finding, std::string_view description, bool safe, const std::vector<RangeEdit>& edits,
               FindingSink& sink) {
  const auto text = sink.files().text(finding.file);
  std::vector<Edit> placed;
  for (const RangeEdit& edit : edits) {
    if (text == nullptr) {
      add_paragraph(finding.suggestion,
                    describe_edit({as_int(edit.range.line), as_int(edit.range.column),
                                   as_int(edit.range.line_end), as_int(edit.range.column_end), edit.text}));
      continue;
    }
    auto one = edit_of(finding.file, edit, *text);
    if (!one) return;
    placed.push_back(*std::move(one));
  }
  finding.fixit = make_fixit(description, safe, std::move(placed));
}

std::optional<FixIt> make_fixit(std::string_view description, bool safe, std::vector<Edit> edits) {
  if (edits.empty()) return std::nullopt;
  // What is inserted at a place comes before what replaces the bytes there.
  const auto key = [](const Edit& e) { return std::tie(e.file, e.offset, e.length); };
  std::stable_sort(edits.begin(), edits.end(), [&](const Edit& a, const Edit& b) { return key(a) < key(b); });
  for (std::size_t i = 1; i < edits.size(); ++i)
    if (edits[i].file == edits[i - 1].file && edits[i].offset < edits[i - 1].offset + edits[i - 1].length)
      return std::nullopt;
  return FixIt{clean_text(description), safe, std::move(edits)};
}

bool is_safe_rule(const KnownAnalyzer& tool, std::string_view rule) {
  return std::find(tool.safe_rules.begin(), tool.safe_rules.end(), rule) != tool.safe_rules.end();
}

} // namespace emend
