#include "formats/reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "formats/readers.hpp"
#include "model/enum_names.hpp"

namespace emend {
namespace {

constexpr EnumName<InputFormat> kNames[] = {{InputFormat::sarif, "sarif"},
                                            {InputFormat::rdjson, "rdjson"},
                                            {InputFormat::rdjsonl, "rdjsonl"},
                                            {InputFormat::eslint, "eslint"},
                                            {InputFormat::checkstyle, "checkstyle"},
                                            {InputFormat::gitlab, "gitlab"},
                                            {InputFormat::junit, "junit"},
                                            {InputFormat::gcc, "gcc"},
                                            {InputFormat::shellcheck, "shellcheck"},
                                            {InputFormat::clang_tidy, "clang-tidy"},
                                            {InputFormat::text, "text"}};

constexpr std::string_view kOffset = "byte_offset:";

Status read_as(InputFormat format, std::string& text, FindingSink& sink) {
  switch (format) {
    case InputFormat::sarif: return read_sarif(text, sink);
    case InputFormat::rdjson: return read_rdjson(text, sink);
    case InputFormat::rdjsonl: return read_rdjsonl(text, sink);
    case InputFormat::eslint: return read_eslint(text, sink);
    case InputFormat::checkstyle: return read_checkstyle(text, sink);
    case InputFormat::gitlab: return read_gitlab(text, sink);
    case InputFormat::junit: return read_junit(text, sink);
    case InputFormat::gcc: return read_gcc(text, sink);
    case InputFormat::shellcheck: return read_shellcheck(text, sink);
    case InputFormat::clang_tidy: return read_clang_tidy(text, sink);
    case InputFormat::text: return read_text(text, sink);
  }
  return fail(ErrorCode::internal, "an input format without a reader");
}

void place_at(Finding& finding, std::string_view content, std::size_t offset) {
  const std::string_view before = content.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') + 1; // npos + 1 is 0
  finding.line = finding.line_end = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  finding.column = 1 + static_cast<int>(offset - line_start);
}

} // namespace

std::string_view to_string(InputFormat format) { return name_of(kNames, format); }

std::optional<InputFormat> parse_input_format(std::string_view name) {
  const std::string word = replace_all(to_lower(trim(name)), "_", "-");
  if (word == "codeclimate" || word == "code-climate") return InputFormat::gitlab;
  return value_of(kNames, std::string_view(word));
}

const std::vector<std::string>& input_format_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& row : kNames) all.emplace_back(row.name);
    return all;
  }();
  return names;
}

Result<std::vector<std::string>> stream_findings(std::string& text, InputFormat format,
                                                 const std::string& tool_name, const std::string& root,
                                                 const std::function<void(Finding&&)>& take) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    return fail(ErrorCode::usage, "the report is UTF-16",
                "convert it to UTF-8 first: iconv -f UTF-16 -t UTF-8");
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  if (trim(text).empty() && format != InputFormat::text && format != InputFormat::rdjsonl)
    return fail(ErrorCode::usage, "the report is empty",
                "a tool that found nothing still writes an empty list; did it run to its end?");
  FindingSink sink(tool_name, root, take);
  if (auto status = read_as(format, text, sink); !status) { // errors may quote the report's bytes
    Error error = std::move(status.error());
    error.message = clean_text(error.message);
    return fail(std::move(error));
  }
  return sink.notes();
}

Result<ReadFindings> read_findings(std::string_view text, InputFormat format, const std::string& tool_name,
                                   const std::string& root) {
  ReadFindings read;
  std::string copy(text);
  TRY_ASSIGN(read.notes, stream_findings(copy, format, tool_name, root, [&](Finding&& finding) {
               read.findings.push_back(std::move(finding));
             }));
  return read;
}

void place_by_offset(Finding& finding, std::string_view content) {
  const auto note = std::find_if(finding.annotations.begin(), finding.annotations.end(),
                                 [](const std::string& a) { return a.starts_with(kOffset); });
  if (note == finding.annotations.end()) return;
  const auto offset = parse_unsigned(std::string_view(*note).substr(kOffset.size()));
  if (!offset || *offset > content.size()) return;
  place_at(finding, content, static_cast<std::size_t>(*offset));
  finding.annotations.erase(note);
}

} // namespace emend
