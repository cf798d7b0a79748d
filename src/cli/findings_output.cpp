#include "cli/findings_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <utility>

#include "base/environment.hpp"
#include "base/owned_fd.hpp"
#include "cli/terminal.hpp"
#include "model/known_analyzers.hpp"

namespace emend {

namespace {

// Where a person learns more about a tool that emend does not run; SARIF viewers link it.
constexpr std::pair<const char*, const char*> kHomePages[] = {
    {"flawfinder", "https://dwheeler.com/flawfinder/"}, {"gcc", "https://gcc.gnu.org"}};
constexpr const char* kOwnPage = "about:emend"; // the program has no home page of its own

OutputFinding output_finding(const Issue& issue) {
  OutputFinding output;
  output.finding = issue.finding;
  output.code = issue.code;
  output.status = std::string(to_string(issue.status));
  output.fingerprint = issue.fingerprint;
  output.reason = issue.reason;
  if (!issue.detail.empty()) output.reason += (output.reason.empty() ? "" : ": ") + issue.detail;
  output.evidence = issue.evidence;
  output.marks = issue.marks;
  output.score = issue.last_score;
  return output;
}

// Appended: steps before this one may have written to it.
void write_step_summary(CommandContext& context, const std::string& markdown) {
  const std::string path = variable(context.environment(), "GITHUB_STEP_SUMMARY");
  if (path.empty()) return;
  const OwnedFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  const bool written =
      file && ::write(file.get(), markdown.data(), markdown.size()) == static_cast<ssize_t>(markdown.size());
  if (!written) context.hint("the step summary could not be written to " + path);
}

} // namespace

std::vector<OutputFinding> output_findings(const std::vector<Issue>& issues, const SourceReader& source) {
  std::vector<OutputFinding> findings;
  findings.reserve(issues.size());
  for (const Issue& issue : issues) findings.push_back(output_finding(issue));
  attach_source(findings, source);
  return findings;
}

RunInfo run_info(const CommandContext& context, const std::string& revision) {
  RunInfo run;
  run.tool_version = context.dependencies().version;
  run.information_uri = kOwnPage;
  for (const KnownAnalyzer& tool : known_analyzers()) run.tools[tool.name].information_uri = tool.home_page;
  for (const auto& [tool, page] : kHomePages) run.tools[tool].information_uri = page;
  run.revision = revision;
  return run;
}

std::string render_findings(CommandContext& context, OutputFormat format,
                            const std::vector<OutputFinding>& findings, const RunInfo& run) {
  std::vector<std::string> notes;
  std::string text = write_findings(format, findings, run, &notes);
  for (const std::string& note : notes) context.hint(note);
  if (format == OutputFormat::github)
    write_step_summary(context, write_findings(OutputFormat::markdown, findings, run));
  return text;
}

std::string render_issues(CommandContext& context, const std::string& format,
                          const std::vector<Issue>& issues, CommittedFiles& repository,
                          const std::string& commit) {
  const auto source = [&](const std::string& file) -> std::optional<std::string> {
    auto content = repository.read(commit, file);
    return content ? std::optional<std::string>(*std::move(content)) : std::nullopt;
  };
  const OutputFormat wanted = parse_output_format(format).value_or(OutputFormat::concise);
  return render_findings(context, wanted, output_findings(issues, source), run_info(context, commit));
}

} // namespace emend
