#include <unordered_set>

#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/daily/issue_stream.hpp"
#include "cli/findings_input.hpp"
#include "service/report_input.hpp"

namespace emend {

namespace {

struct ImportOptions {
  std::string file;
  std::string from = "auto";
  std::string tool;
  std::string revision = "HEAD";
};

// What became of the findings, in one line however many there are.
struct ImportCount {
  std::size_t fresh = 0, known = 0, again = 0;

  // Findings of one issue come one after the other or far apart: its code says whether it was counted.
  void add(const Issue& issue) {
    if (!seen.insert(issue.code).second)
      ++again;
    else
      ++(issue.trend == IssueTrend::fresh ? fresh : known);
  }
  [[nodiscard]] std::string text() const {
    if (fresh + known == 0) return "no issues\n";
    std::string line = plural(fresh, "new issue") + ", " + std::to_string(known) + " known";
    if (again > 0) line += "; " + plural(again, "finding") + " said the same as another";
    return line + ". To see them: `emend issues list`\n";
  }

private:
  std::unordered_set<std::string> seen;
};

Result<ExitStatus> run_import(CommandContext& context, const ImportOptions& options) {
  auto report = open_report(options.file, 2ULL << 30);
  if (!report)
    return fail(ErrorCode::usage, "cannot read " + one_line(options.file) + ": " + report.error().message);
  auto recognised = ReportInput::recognise(*report, options.from, options.file);
  if (!recognised) return fail(std::move(recognised).error().with_context(one_line(options.file)));
  const ReportInput& input = *recognised;
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const std::string commit, repository->resolve(options.revision));
  const auto read = [&](const std::function<void(Finding &&)>& take) {
    return input.read(*report, options.tool, *repository, commit, take);
  };
  std::size_t findings = 0;
  TRY_ASSIGN(const std::vector<std::string> notes,
             read([&](Finding&&) { ++findings; })); // the whole report, before anything is stored
  TRY_ASSIGN(SessionManager * manager, context.manager());
  const bool json = context.global().json;
  IssueStream stream(context, json);
  ImportCount count;
  const auto give_each = [&](const SessionManager::TakeFinding& take) -> Status {
    Status taken;
    TRY(read([&](Finding&& finding) {
      if (taken) taken = take(std::move(finding));
    }));
    return taken;
  };
  TRY(manager->import_findings(commit, give_each, [&](Issue&& issue) {
    count.add(issue);
    if (json) stream.add(std::move(issue));
  }));
  if (json)
    stream.finish();
  else
    context.print(count.text());
  for (const std::string& note : notes) context.hint(one_line(note, 400));
  if (!json) context.hint(plural(findings, "finding") + " read as " + std::string(input.format()));
  return context.finish(ExitStatus::done);
}

} // namespace

Command import_command() {
  const auto options = std::make_shared<ImportOptions>();
  Command command;
  command.name = "import";
  command.summary =
      "import findings of other tools: SARIF, ESLint, checkstyle, GitLab, rdjson, compiler output, ...";
  command.examples = "  emend import results.sarif\n  emend import warnings.txt --from text --tool gcc\n";
  command.options = {
      {"FILE", &options->file, "report to read", "FILE", {}, true},
      {"--from", &options->from, "format of the report (default: detected)", "FORMAT",
       ReportInput::format_names()},
      {"--tool", &options->tool, "name of the tool (default: from the report)", "NAME"},
      {"--rev", &options->revision, "commit the report is about (default HEAD)", "REF"},
  };
  command.run = [options](CommandContext& context) { return run_import(context, *options); };
  command.storage = options;
  return command;
}

} // namespace emend
