// A tool's report as findings of this tree.
#include <algorithm>

#include "adapters/analyzers/pattern_report.hpp"
#include "adapters/analyzers/tool_analyzer.hpp"
#include "formats/reader.hpp"

namespace emend {

namespace {

// Brings the finding's paths into the tree's form and drops edits outside of its files. False: it is not
// about a file of this project.
bool is_wanted(Finding& finding, SourceTree& tree) {
  const auto file = tree.relative(finding.file);
  const auto& notes = finding.annotations;
  if (!file || !reason_by_name(*file).empty() ||
      std::find(notes.begin(), notes.end(), "suppressed") != notes.end())
    return false;
  finding.file = *file;
  if (!finding.fixit) return true;
  for (Edit& edit : finding.fixit->edits) {
    auto edited = tree.relative(edit.file);
    const auto text = edited ? tree.text(*edited) : nullptr;
    if (text == nullptr || edit.offset > text->bytes().size() ||
        edit.length > text->bytes().size() - edit.offset) {
      finding.fixit.reset();
      return true;
    }
    edit.file = *std::move(edited);
  }
  return true;
}

} // namespace

Result<ToolOutput> read_report(const KnownAnalyzer& tool, std::string text, SourceTree& tree) {
  if (tool.report == "regex") {
    ToolOutput output;
    TRY_ASSIGN(output.findings, read_by_pattern(tool, text, tree));
    std::erase_if(output.findings, [&](Finding& finding) { return !is_wanted(finding, tree); });
    for (Finding& finding : output.findings) finding.found_by = {tool.name};
    return output;
  }
  const auto format = parse_input_format(tool.report);
  if (!format) return fail(ErrorCode::internal, "no reader for reports of the format " + tool.report);
  ToolOutput output;
  FindingSink sink(tree, [&](Finding&& finding) {
    if (!is_wanted(finding, tree)) return;
    finding.agent = tool.name;
    finding.found_by = {tool.name};
    output.findings.push_back(std::move(finding));
  });
  TRY(read_tool_report(std::move(text), *format, sink));
  output.notes.assign(sink.sentences().begin(), sink.sentences().end());
  output.unanalyzed = sink.gave_up();
  return output;
}

} // namespace emend
