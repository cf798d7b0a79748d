#include "service/report_input.hpp"

#include "base/strings.hpp"
#include "engine/intake/findings.hpp"

namespace emend {

namespace {

constexpr std::string_view kOwn = "findings";
constexpr std::size_t kHead = 65'536;

// An object that says so, or a bare list of what can be read as findings.
Result<bool> is_list_of_findings(std::string_view head, ReportText& report) {
  const std::string_view begin = trim(head);
  if (begin.starts_with('{')) return contains(begin, "\"findings\"");
  if (!begin.starts_with('[')) return false;
  TRY_ASSIGN(const std::string_view text, report.whole());
  return parse_findings(text).has_value();
}

} // namespace

Result<ReportInput> ReportInput::recognise(ReportText& report, const std::string& from,
                                           const std::string& file_name) {
  if (from == kOwn) return ReportInput(std::nullopt);
  TRY_ASSIGN(const std::string head, report.head(kHead));
  const auto other = from == "auto" ? detect_format(head, file_name) : parse_input_format(from);
  if (other) return ReportInput(*other);
  if (from == "auto") {
    TRY_ASSIGN(const bool own, is_list_of_findings(head, report));
    if (own) return ReportInput(std::nullopt);
  }
  return fail(ErrorCode::usage,
              from == "auto" ? "the report's format is not recognised"
                             : "unknown format \"" + first_line(clean_text(from), 80) + "\"",
              "name it with --from (?from= over HTTP): " + join(format_names(), ", "));
}

std::vector<std::string> ReportInput::format_names() {
  std::vector<std::string> names = input_format_names();
  names.insert(names.begin(), {"auto", std::string(kOwn)});
  return names;
}

// Some tools tell only the byte; the line needs the file.
Result<std::vector<std::string>> ReportInput::read(ReportText& report, const std::string& tool,
                                                   Repository& repository, const std::string& commit,
                                                   const std::function<void(Finding&&)>& take) const {
  const auto place = [&](Finding&& finding) {
    if (finding.line == 0 && !finding.file.empty())
      if (const auto content = repository.read(commit, finding.file)) place_by_offset(finding, *content);
    take(std::move(finding));
  };
  const ReadFile content_of = [&](const std::string& file) -> std::optional<std::string> {
    auto content = repository.read(commit, file);
    return content ? std::optional(*std::move(content)) : std::nullopt;
  };
  if (other_) return stream_findings(report, *other_, tool, repository.root(), place, content_of);
  TRY_ASSIGN(const std::string_view text, report.whole());
  TRY_ASSIGN(std::vector<Finding> findings, parse_findings(text));
  for (Finding& finding : findings) {
    if (!tool.empty()) finding.agent = tool;
    place(std::move(finding));
  }
  return std::vector<std::string>();
}

} // namespace emend
