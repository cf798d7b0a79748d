#include "formats/writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "base/code_points.hpp"
#include "base/strings.hpp"
#include "formats/line_hash.hpp"
#include "model/enum_names.hpp"

namespace emend {
namespace {

constexpr EnumName<OutputFormat> kNames[] = {
    {OutputFormat::sarif, "sarif"},           {OutputFormat::rdjson, "rdjson"},
    {OutputFormat::rdjsonl, "rdjsonl"},       {OutputFormat::gitlab, "gitlab"},
    {OutputFormat::checkstyle, "checkstyle"}, {OutputFormat::junit, "junit"},
    {OutputFormat::github, "github"},         {OutputFormat::jsonl, "jsonl"},
    {OutputFormat::concise, "concise"},       {OutputFormat::agent, "agent"},
    {OutputFormat::markdown, "markdown"},     {OutputFormat::html, "html"}};

void attach_lines(const std::vector<OutputFinding*>& findings, const std::string& content) {
  const std::vector<std::string> hashes = line_hashes(content);
  const std::vector<std::string_view> lines = lines_of(content);
  for (OutputFinding* output : findings) {
    if (output->finding.line < 1) continue;
    const auto index = static_cast<std::size_t>(output->finding.line) - 1;
    if (index < hashes.size()) output->line_hash = hashes[index];
    if (index >= lines.size()) continue;
    output->line_text = std::string(
        lines[index].ends_with('\r') ? lines[index].substr(0, lines[index].size() - 1) : lines[index]);
  }
}

// Where the lines of a file begin, to tell offsets as lines and columns.
class LineStarts {
public:
  explicit LineStarts(const std::string& content) : content_(content) {
    for (std::size_t i = 0; i < content.size(); ++i)
      if (content[i] == '\n') starts_.push_back(i + 1);
  }

  // False when the edit lies outside of the file.
  bool region_of(const Edit& edit, TextRegion& region) const {
    if (edit.offset > content_.size() || edit.length > content_.size() - edit.offset) return false;
    place(edit.offset, region.line, region.column);
    place(edit.offset + edit.length, region.line_end, region.column_end);
    return true;
  }

private:
  void place(std::size_t offset, int& line, int& column) const {
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
    line = static_cast<int>(after - starts_.begin());
    const std::size_t start = *(after - 1);
    column = utf16_column(std::string_view(content_).substr(start, offset - start),
                          static_cast<int>(offset - start) + 1);
  }

  const std::string& content_;
  std::vector<std::size_t> starts_ = {0};
};

// Files are read and indexed once, however many fix-its change them.
class EditPlaces {
public:
  explicit EditPlaces(const std::function<std::optional<std::string>(const std::string&)>& content_of)
      : content_of_(content_of) {}

  void attach(OutputFinding& output) {
    std::vector<TextRegion> regions;
    for (const Edit& edit : output.finding.fixit->edits) {
      const auto& file = file_of(edit.file);
      TextRegion region;
      if (!file || !file->second->region_of(edit, region)) return;
      regions.push_back(region);
    }
    output.edit_regions = std::move(regions);
  }

private:
  using File = std::pair<std::unique_ptr<const std::string>, std::unique_ptr<const LineStarts>>;

  const std::optional<File>& file_of(const std::string& name) {
    const auto known = files_.find(name);
    if (known != files_.end()) return known->second;
    std::optional<File> file;
    if (auto content = content_of_(name)) {
      auto kept = std::make_unique<const std::string>(*std::move(content));
      auto lines = std::make_unique<const LineStarts>(*kept);
      file.emplace(std::move(kept), std::move(lines));
    }
    return files_.emplace(name, std::move(file)).first->second;
  }

  const std::function<std::optional<std::string>(const std::string&)>& content_of_;
  std::map<std::string, std::optional<File>> files_;
};

} // namespace

std::string_view to_string(OutputFormat format) { return name_of(kNames, format); }

std::optional<OutputFormat> parse_output_format(std::string_view name) {
  const std::string word = to_lower(trim(name));
  return value_of(kNames, std::string_view(word));
}

const std::vector<std::string>& output_format_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& row : kNames) all.emplace_back(row.name);
    return all;
  }();
  return names;
}

void attach_source(std::vector<OutputFinding>& findings,
                   const std::function<std::optional<std::string>(const std::string& file)>& content_of) {
  std::map<std::string, std::vector<OutputFinding*>> by_file;
  for (OutputFinding& output : findings) {
    if (!output.finding.file.empty()) by_file[output.finding.file].push_back(&output);
  }
  for (const auto& [file, in_file] : by_file) {
    if (const auto content = content_of(file)) attach_lines(in_file, *content);
  }
  EditPlaces places(content_of);
  for (OutputFinding& output : findings)
    if (output.finding.fixit) places.attach(output);
}

std::string write_findings(OutputFormat format, const std::vector<OutputFinding>& findings,
                           const RunInfo& run, std::vector<std::string>* notes) {
  std::vector<std::string> unheard;
  std::vector<std::string>& said = notes != nullptr ? *notes : unheard;
  switch (format) {
    case OutputFormat::sarif: return write_sarif(findings, run, said);
    case OutputFormat::rdjson: return write_rdjson(findings);
    case OutputFormat::rdjsonl: return write_rdjsonl(findings);
    case OutputFormat::gitlab: return write_gitlab(findings);
    case OutputFormat::checkstyle: return write_checkstyle(findings, run);
    case OutputFormat::junit: return write_junit(findings);
    case OutputFormat::github: return write_github(findings, said);
    case OutputFormat::jsonl: return write_jsonl(findings, run);
    case OutputFormat::concise: return write_concise(findings);
    case OutputFormat::agent: return write_agent(findings);
    case OutputFormat::markdown: return write_markdown(findings, run);
    case OutputFormat::html: return write_html(findings, run);
  }
  return {};
}

bool is_settled(const OutputFinding& finding) {
  return finding.status == "RESOLVED" || finding.status == "MERGED" || finding.status == "IGNORED" ||
         finding.status == "DUPLICATE";
}

std::string full_message(const Finding& finding) {
  const std::string_view title = trim(finding.title), description = trim(finding.description);
  if (title.empty() || description.starts_with(title))
    return std::string(description.empty() ? "(no message)" : description);
  if (description.empty()) return std::string(title);
  const bool sentence = std::string_view(".!?:").find(title.back()) != std::string_view::npos;
  return fmt::format("{}{}\n\n{}", title, sentence ? "" : ".", description);
}

std::string severity_counts(const Findings& findings) {
  std::string text;
  for (const Severity severity :
       {Severity::critical, Severity::high, Severity::medium, Severity::low, Severity::info}) {
    const auto count = std::count_if(findings.begin(), findings.end(),
                                     [&](const OutputFinding& f) { return f.finding.severity == severity; });
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, to_string(severity));
  }
  return text.empty() ? "none" : text;
}

std::vector<std::pair<std::string, std::vector<const OutputFinding*>>> grouped(
    const Findings& findings, const std::function<std::string(const OutputFinding&)>& key) {
  std::vector<std::pair<std::string, std::vector<const OutputFinding*>>> groups;
  std::map<std::string, std::size_t> known;
  for (const OutputFinding& finding : findings) {
    const std::string name = key(finding);
    const auto [place, is_new] = known.emplace(name, groups.size());
    if (is_new) groups.push_back({name, {}});
    groups[place->second].second.push_back(&finding);
  }
  return groups;
}

} // namespace emend
