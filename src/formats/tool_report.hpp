// The steps that readers of analyzers' own reports share: a finding by the tool's row, its place in bytes,
// its fix-it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/finding_sink.hpp"
#include "model/known_analyzers.hpp"

namespace emend {

// Severity and category are the row's, by the rule and the given words. message may be any bytes.
[[nodiscard]] Finding tool_finding(const KnownAnalyzer& tool, std::string rule, std::string_view word,
                                   std::string file, std::string_view message);

// Lines and columns as the tool counts them. 0 = unknown.
struct ReportedRange {
  std::int64_t line = 0, column = 0, line_end = 0, column_end = 0;
  ColumnUnit unit = ColumnUnit::characters;
};
// In bytes where the file is at hand; else the columns stay as they are given, which is noted.
void set_place(Finding& finding, const ReportedRange& range, FindingSink& sink);
// offset: in bytes. Nothing happens when the file is not at hand or shorter.
void set_place(Finding& finding, std::uint64_t offset, FindingSink& sink);

// One replacement of a fix, in the finding's file.
struct RangeEdit {
  ReportedRange range;
  std::string text;
};
// All of the edits as a fix-it, or none when one of them is not in the file. Words in the suggestion when the
// file is not at hand.
void set_fixit(Finding& finding, std::string_view description, bool safe, const std::vector<RangeEdit>& edits,
               FindingSink& sink);

// Puts edits in an order apply_edits takes; nothing when they overlap or there are none.
[[nodiscard]] std::optional<FixIt> make_fixit(std::string_view description, bool safe,
                                              std::vector<Edit> edits);

// Whether the row calls a fix-it of this rule safe.
[[nodiscard]] bool is_safe_rule(const KnownAnalyzer& tool, std::string_view rule);

} // namespace emend
