// What a parser makes of a tool's output, and the small steps all parsers share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/analyzers/source_tree.hpp"
#include "model/finding.hpp"

namespace emend {

struct ToolOutput {
  std::vector<Finding> findings;
  std::vector<std::string> notes; // worth telling, no findings
  std::vector<std::string>
      unanalyzed; // "a.c: why": the tool gave up on these files, so they must not count as clean
};

// A finding with what every tool gives. message may be any bytes.
[[nodiscard]] Finding make_finding(std::string_view analyzer, std::string rule, Severity severity,
                                   std::string category, std::string file, std::string_view message);

// Lines and columns as the tool counts them, made byte columns where the file's bytes allow it. 0 = unknown.
struct ReportedRange {
  std::int64_t line = 0, column = 0, line_end = 0, column_end = 0;
  ColumnUnit unit = ColumnUnit::characters;
};
void set_place(Finding& finding, const ReportedRange& range, SourceTree& tree);
// The edit that replaces a reported range by text; nothing when the range is not in the file.
[[nodiscard]] std::optional<Edit> make_edit(const std::string& file, const ReportedRange& range,
                                            std::string text, SourceTree& tree);

// Puts edits in an order apply_edits takes; nothing when they overlap or there are none.
[[nodiscard]] std::optional<FixIt> make_fixit(std::string_view description, bool safe,
                                              std::vector<Edit> edits);

// Member of a JSON object as a number in [0, 2^31); 0 when it is absent or something else.
[[nodiscard]] std::int64_t number_in(const Json& object, std::string_view key);

// By file, line, column, rule; equal ones once.
void sort_and_merge(std::vector<Finding>& findings);

} // namespace emend
