#include "formats/reader.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "base/strings.hpp"
#include "formats/readers.hpp"
#include "formats/repo_path.hpp"

namespace emend {
namespace {

struct Format {
  InputFormat format;
  std::string_view name;
  Status (*read)(std::string_view text, FindingSink& sink); // nullptr: SARIF, which is read in parts
  bool may_be_empty = false;                                // lines: a tool that found nothing prints none
};

constexpr Format kFormats[] = {{InputFormat::sarif, "sarif", nullptr},
                               {InputFormat::rdjson, "rdjson", read_rdjson},
                               {InputFormat::rdjsonl, "rdjsonl", read_rdjsonl, true},
                               {InputFormat::eslint, "eslint", read_eslint},
                               {InputFormat::checkstyle, "checkstyle", read_checkstyle},
                               {InputFormat::gitlab, "gitlab", read_gitlab},
                               {InputFormat::junit, "junit", read_junit},
                               {InputFormat::gcc, "gcc", read_gcc},
                               {InputFormat::shellcheck, "shellcheck", read_shellcheck},
                               {InputFormat::clang_tidy, "clang-tidy", read_clang_tidy},
                               {InputFormat::cppcheck, "cppcheck", read_cppcheck},
                               {InputFormat::ruff, "ruff", read_ruff},
                               {InputFormat::flake8, "flake8", read_flake8, true},
                               {InputFormat::pyflakes, "pyflakes", read_pyflakes, true},
                               {InputFormat::biome, "biome", read_biome},
                               {InputFormat::codespell, "codespell", read_codespell, true},
                               {InputFormat::cargo, "cargo", read_cargo, true},
                               {InputFormat::text, "text", read_text, true}};

const Format& row_of(InputFormat format) {
  for (const Format& row : kFormats)
    if (row.format == format) return row;
  throw std::logic_error("an input format without a row");
}

Status read_as(const Format& format, ReportText& report, FindingSink& sink) {
  if (format.read == nullptr) return read_sarif(report, sink);
  TRY_ASSIGN(const std::string_view text, report.whole());
  return format.read(text, sink);
}

// The files of a repository, some of them kept.
class ImportedFiles : public ReportFiles {
public:
  ImportedFiles(const std::string& root, const ReadFile& read) : root_(root), read_(read) {}

  [[nodiscard]] const std::string& root() const override { return root_; }
  [[nodiscard]] std::optional<std::string> relative(std::string_view reported) const override {
    return repo_path(reported, root_).path;
  }
  [[nodiscard]] std::shared_ptr<const SourceText> text(const std::string& file) override {
    if (!read_ || file.empty() || is_absolute_path(file) || file.starts_with("../")) return nullptr;
    if (const auto known = texts_.find(file); known != texts_.end()) return known->second;
    constexpr std::size_t kKept = 16, kLargest = 4'000'000;
    auto bytes = read_(file);
    if (texts_.size() >= kKept) texts_.clear();
    return texts_[file] = bytes && bytes->size() <= kLargest
                              ? std::make_shared<const SourceText>(*std::move(bytes))
                              : nullptr;
  }

private:
  const std::string& root_;
  const ReadFile& read_;
  std::map<std::string, std::shared_ptr<const SourceText>> texts_;
};

constexpr std::string_view kOffset = "byte_offset:";

void place_at(Finding& finding, std::string_view content, std::size_t offset) {
  const std::string_view before = content.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') + 1; // npos + 1 is 0
  finding.line = finding.line_end = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  finding.column = 1 + static_cast<int>(offset - line_start);
}

} // namespace

std::string_view to_string(InputFormat format) { return row_of(format).name; }

std::optional<InputFormat> parse_input_format(std::string_view name) {
  const std::string word = replace_all(to_lower(trim(name)), "_", "-");
  if (word == "codeclimate" || word == "code-climate") return InputFormat::gitlab;
  for (const Format& row : kFormats)
    if (row.name == word) return row.format;
  return std::nullopt;
}

const std::vector<std::string>& input_format_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Format& row : kFormats) all.emplace_back(row.name);
    return all;
  }();
  return names;
}

Status read_tool_report(std::string text, InputFormat format, FindingSink& sink) {
  ReportText report(std::move(text));
  TRY(read_as(row_of(format), report, sink));
  if (std::string problem = sink.problem(); !problem.empty()) return fail(ErrorCode::io, std::move(problem));
  return {};
}

Result<std::vector<std::string>> stream_findings(ReportText& report, InputFormat format,
                                                 const std::string& tool_name, const std::string& root,
                                                 const std::function<void(Finding&&)>& take,
                                                 const ReadFile& read) {
  TRY_ASSIGN(const std::string head, report.head(2));
  if (head == "\xFF\xFE" || head == "\xFE\xFF")
    return fail(ErrorCode::usage, "the report is UTF-16",
                "convert it to UTF-8 first: iconv -f UTF-16 -t UTF-8");
  const Format& row = row_of(format);
  TRY_ASSIGN(const bool blank, report.is_blank());
  if (blank && !row.may_be_empty)
    return fail(ErrorCode::usage, "the report is empty",
                "a tool that found nothing still writes an empty list; check that it finished");
  ImportedFiles files(root, read);
  FindingSink sink(files, [&](Finding&& finding) {
    if (!shape_import(finding, tool_name, root)) return sink.skip("the path has a NUL byte", finding.title);
    take(std::move(finding));
  });
  if (auto status = read_as(row, report, sink); !status) { // errors may quote the report's bytes
    Error error = std::move(status.error());
    error.message = clean_text(error.message);
    return fail(std::move(error));
  }
  return sink.notes();
}

Result<ReadFindings> read_findings(std::string_view text, InputFormat format, const std::string& tool_name,
                                   const std::string& root, const ReadFile& read) {
  ReadFindings found;
  ReportText report{std::string(text)};
  const auto keep = [&](Finding&& finding) { found.findings.push_back(std::move(finding)); };
  TRY_ASSIGN(found.notes, stream_findings(report, format, tool_name, root, keep, read));
  return found;
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
