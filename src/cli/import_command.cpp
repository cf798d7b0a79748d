#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/findings_input.hpp"
#include "cli/report_text.hpp"
#include "formats/reader.hpp"

namespace emend {

namespace {

struct ImportOptions {
  std::string file;
  std::string from = "auto";
  std::string tool;
  std::string revision = "HEAD";
};

Result<InputFormat> chosen_format(const ImportOptions& options, const std::string& text) {
  const auto format = options.from == "auto" ? detect_format(std::string_view(text).substr(0, 65'536), options.file) : parse_input_format(options.from);
  if (format) return *format;
  return fail(ErrorCode::usage, options.from == "auto" ? "the format of " + one_line(options.file) + " is not recognised" : "unknown format \"" + options.from + "\"",
              "name it with --from: " + join(input_format_names(), ", "));
}

// Some tools tell only the byte; the line needs the file.
Status place(Repository& repository, const std::string& revision, std::vector<Finding>& findings) {
  TRY_ASSIGN(const std::string commit, repository.resolve(revision));
  for (Finding& finding : findings) {
    if (finding.line != 0 || finding.file.empty()) continue;
    if (const auto content = repository.read(commit, finding.file)) place_by_offset(finding, *content);
  }
  return {};
}

Result<ExitStatus> run_import(CommandContext& context, const ImportOptions& options) {
  auto text = read_input(options.file, 2ULL << 30);
  if (!text) return fail(ErrorCode::usage, "cannot read " + one_line(options.file) + ": " + text.error().message);
  TRY_ASSIGN(const InputFormat format, chosen_format(options, *text));
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(ReadFindings read, read_findings(*text, format, options.tool, repository->root()));
  TRY(place(*repository, options.revision, read.findings));
  TRY_ASSIGN(SessionManager * manager, context.manager());
  TRY_ASSIGN(const std::vector<Issue> issues, manager->add_findings(read.findings, options.revision));
  for (const std::string& note : read.notes) context.hint(one_line(note, 400));
  if (context.global().json) {
    Json list = Json::array();
    for (const Issue& issue : issues) list.push_back(to_json(issue));
    context.print_json_list("issues", std::move(list));
  } else {
    context.print(issues_text(issues, context.palette()));
    context.hint(plural(read.findings.size(), "finding") + " read as " + std::string(to_string(format)));
  }
  return context.finish(ExitStatus::done);
}

} // namespace

Command import_command() {
  const auto options = std::make_shared<ImportOptions>();
  Command command;
  command.name = "import";
  command.summary = "bring findings from other tools: SARIF, ESLint, checkstyle, GitLab, rdjson, compiler output, ...";
  command.examples = "  emend import results.sarif\n  emend import warnings.txt --from text --tool gcc\n";
  std::vector<std::string> formats = input_format_names();
  formats.insert(formats.begin(), "auto");
  command.options = {
      {"FILE", &options->file, "report to read", "FILE", {}, true},
      {"--from", &options->from, "format of the report (default: found out)", "FORMAT", formats},
      {"--tool", &options->tool, "who found it (default: as the report says)", "NAME"},
      {"--rev", &options->revision, "commit the report is about (default HEAD)", "REF"},
  };
  command.run = [options](CommandContext& context) { return run_import(context, *options); };
  command.storage = options;
  return command;
}

} // namespace emend
