#include "cli/commands.hpp"
#include "cli/fix_output.hpp"
#include "cli/model_json.hpp"
#include "cli/report_text.hpp"
#include "cli/session_log.hpp"
#include "engine/recovery.hpp"

namespace emend {

namespace {

struct SessionsOptions {
  std::string id;
  bool exit_zero = false;
  SessionLogOptions log;
};

Option id_option(SessionsOptions& options) { return {"ID", &options.id, "the session's id, or the beginning of it", "ID", {}, true}; }

Result<ExitStatus> list(CommandContext& context) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(auto sessions, store->sessions(repository->id(), 0));
  for (Session& session : sessions) session.status = present_status(session);
  if (context.global().json) {
    Json data = Json::array();
    for (const Session& session : sessions) data.push_back(session_json(session));
    context.print_json_list("sessions", std::move(data));
  } else {
    context.print(sessions_text(sessions, context.palette()));
  }
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> show(CommandContext& context, const std::string& id) {
  TRY_ASSIGN(SessionManager * manager, context.manager());
  TRY_ASSIGN(const FixReport report, manager->report(id));
  if (context.global().json) {
    context.print_json("session", to_json(report));
  } else {
    context.print(session_text(report, context.palette()));
  }
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> resume(CommandContext& context, const SessionsOptions& options) {
  TRY_ASSIGN(SessionManager * manager, context.manager(progress_printer(context)));
  TRY_ASSIGN(const FixReport report, manager->resume(options.id, context.dependencies().stop));
  return present_fix_report(context, report, {false, options.exit_zero});
}

Result<ExitStatus> cancel(CommandContext& context, const std::string& id) {
  TRY_ASSIGN(SessionManager * manager, context.manager());
  TRY(manager->cancel(id));
  context.hint("asked to stop; what was done is kept: emend sessions show " + one_line(id));
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> diff(CommandContext& context, const std::string& id) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(const Session session, store->session(id));
  if (session.tip.empty()) {
    context.hint("session " + session.id + " made no commit");
    return context.finish(ExitStatus::done);
  }
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const Patch patch, repository->diff(session.base, session.tip));
  print_patch(context, patch);
  return context.finish(ExitStatus::done);
}

} // namespace

Command sessions_command() {
  const auto options = std::make_shared<SessionsOptions>();
  Command command = action("sessions", "look at past and running sessions", {}, list);
  command.examples = "  emend sessions\n  emend sessions resume k3f9\n  emend sessions diff k3f9 | less\n";
  command.subcommands = {
      action("list", "all sessions of this repository, newest first (default)", {}, list),
      action("show", "what a session did, cycle by cycle", {id_option(*options)},
             [options](CommandContext& c) { return show(c, options->id); }),
      action("log", "what the agents of a session said, or were told",
             {{"ID", &options->log.session, "the session's id, or the beginning of it", "ID", {}, true},
              {"RUN", &options->log.run, "one run: its number, or the beginning of its id", "RUN"},
              {"--prompt", &options->log.prompt, "what they were told instead"}},
             [options](CommandContext& c) { return print_session_log(c, options->log); }),
      action("resume", "go on with a session that was stopped or interrupted",
             {id_option(*options), {"--exit-zero", &options->exit_zero, "exit 0 even if issues stay unresolved"}},
             [options](CommandContext& c) { return resume(c, *options); }),
      action("cancel", "stop a session; what was done is kept", {id_option(*options)},
             [options](CommandContext& c) { return cancel(c, options->id); }),
      action("diff", "the combined patch of a session", {id_option(*options)},
             [options](CommandContext& c) { return diff(c, options->id); }),
  };
  command.storage = options;
  return command;
}

} // namespace emend
