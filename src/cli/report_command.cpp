#include "base/files.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/markdown_report.hpp"
#include "cli/report_text.hpp"

namespace emend {

namespace {

struct ReportOptions {
  std::string session, format = "text", out;
  bool last = false;
};

Result<std::string> session_to_report(CommandContext& context, const ReportOptions& options) {
  if (!options.session.empty()) return options.session;
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const auto sessions, store->sessions(repository->id(), 1));
  if (sessions.empty()) return fail(ErrorCode::not_found, "this repository has no session to report", "start one with: emend fix");
  return sessions.front().id;
}

Result<ExitStatus> run_report(CommandContext& context, const ReportOptions& options) {
  if (options.last && !options.session.empty()) return fail(ErrorCode::usage, "--last and --session exclude each other");
  TRY_ASSIGN(const std::string id, session_to_report(context, options));
  TRY_ASSIGN(SessionManager * manager, context.manager());
  TRY_ASSIGN(const FixReport report, manager->report(id));
  const std::string format = context.global().json ? "json" : options.format;
  std::string text;
  if (format == "json") text = dump_json({{"schema", "emend.session/v1"}, {"data", to_json(report)}}, 2) + "\n";
  if (format == "markdown") text = markdown_report(report);
  if (format == "text") text = session_text(report, options.out.empty() ? context.palette() : Palette{});
  if (options.out.empty()) {
    context.print(text);
    return context.finish(ExitStatus::done);
  }
  if (auto written = write_file(options.out, text, 0644); !written) return fail(ErrorCode::io, "--out: " + written.error().message);
  context.hint("wrote " + options.out);
  return context.finish(ExitStatus::done);
}

} // namespace

Command report_command() {
  const auto options = std::make_shared<ReportOptions>();
  Command command;
  command.name = "report";
  command.summary = "show again what a session did";
  command.examples = "  emend report\n  emend report --session k3f9 --format markdown --out report.md\n";
  command.options = {
      {"--session", &options->session, "the session (default: the last one)", "ID"},
      {"--last", &options->last, "the last session of this repository"},
      {"--format", &options->format, "form of the report", "FORMAT", {"text", "markdown", "json"}},
      {"--out", &options->out, "write it to this file", "FILE"},
  };
  command.run = [options](CommandContext& context) { return run_report(context, *options); };
  command.storage = options;
  return command;
}

} // namespace emend
