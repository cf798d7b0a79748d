#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/fix_output.hpp"
#include "cli/live_progress.hpp"
#include "cli/model_json.hpp"
#include "cli/report_text.hpp"
#include "cli/session_log.hpp"
#include "engine/acceptance.hpp"
#include "engine/recovery.hpp"
#include "engine/withdraw.hpp"

namespace emend {

namespace {

struct SessionsOptions {
  std::string id, code, reason;
  bool exit_zero = false, ascii = false;
  SessionLogOptions log;
};

Option id_option(SessionsOptions& options) {
  return {"ID", &options.id, "the session's id, or the beginning of it", "ID", {}, true};
}

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
  LiveProgress live(context, options.ascii);
  TRY_ASSIGN(SessionManager * manager, context.manager(live.listener()));
  if (const auto so_far = manager->report(options.id)) live.begin_with(*so_far);
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
  TRY_ASSIGN(const std::string tip, own_tip(*store, session));
  TRY_ASSIGN(const Patch patch, repository->diff(session.base, tip));
  print_patch(context, patch);
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> approve(CommandContext& context, const SessionsOptions& options) {
  LiveProgress live(context, options.ascii);
  TRY_ASSIGN(SessionManager * manager, context.manager(live.listener()));
  if (const auto so_far = manager->report(options.id)) live.begin_with(*so_far);
  TRY_ASSIGN(const FixReport report, manager->approve(options.id, context.dependencies().stop));
  return present_fix_report(context, report, {false, options.exit_zero});
}

std::string branch_text(const Withdrawn& withdrawn) {
  const Withdrawal& how = withdrawn.withdrawals.front();
  const std::string branch = one_line(withdrawn.session.branch);
  if (how.branch == BranchChange::done && how.branch_to.empty())
    return "branch " + branch + " is gone; it was " + how.branch_from.substr(0, 12) + " (git branch " +
           branch + " " + how.branch_from.substr(0, 12) + " brings it back)\n";
  if (how.branch == BranchChange::done)
    return "undone on " + branch + " by " + how.branch_to.substr(0, 12) + "; what remains was verified\n";
  return {};
}

Result<ExitStatus> present(CommandContext& context, const Withdrawn& withdrawn) {
  if (context.global().json) {
    context.print_json("withdrawal", to_json(withdrawn));
    return context.finish(ExitStatus::done);
  }
  std::string codes;
  for (const Issue& issue : withdrawn.issues) {
    context.print(context.palette().paint(one_line(issue.code), Tone::strong) + "  " +
                  std::string(to_string(issue.status)) +
                  (withdrawn.again ? "  had been taken back before" : "  its fix was taken back") + "\n");
    if (issue.status == IssueStatus::open) codes += " " + one_line(issue.code);
  }
  if (withdrawn.issues.empty())
    context.print("session " + withdrawn.session.id + " has no fix to take back\n");
  else
    context.print(branch_text(withdrawn));
  if (!withdrawn.advice.empty()) context.hint(one_line(withdrawn.advice, 600));
  const bool undone = !withdrawn.withdrawals.empty() &&
                      withdrawn.withdrawals.front().kind == WithdrawalKind::rejected && !codes.empty();
  if (undone && !withdrawn.again)
    context.hint("fix it anew, with what you said: emend fix" + codes + " --base " +
                 one_line(shell_quote(withdrawn.session.branch)));
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> reject_fix(CommandContext& context, const SessionsOptions& options) {
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY_ASSIGN(const Withdrawn withdrawn,
             reject(ports, home, progress_printer(context), {options.id, options.code, options.reason},
                    context.dependencies().stop));
  return present(context, withdrawn);
}

Result<ExitStatus> accept(CommandContext& context, const SessionsOptions& options) {
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY_ASSIGN(const Acceptance acceptance, accept_fix(ports, {}, options.id, options.code));
  if (context.global().json) {
    context.print_json("acceptance", to_json(acceptance));
  } else {
    context.print(context.palette().paint(one_line(acceptance.issue.code), Tone::strong) +
                  (acceptance.again ? "  had been accepted before\n" : "  its fix is accepted\n"));
  }
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> discard_session(CommandContext& context, const SessionsOptions& options) {
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY_ASSIGN(const Withdrawn withdrawn,
             discard(ports, home, progress_printer(context), options.id, options.reason));
  return present(context, withdrawn);
}

} // namespace

Command sessions_command() {
  const auto options = std::make_shared<SessionsOptions>();
  Command command = action("sessions", "look at past and running sessions", {}, list);
  command.examples =
      "  emend sessions\n  emend sessions resume k3f9\n  emend sessions diff k3f9 | less\n"
      "  emend sessions reject k3f9 BE-002 --reason \"keep the old signature\"\n";
  command.subcommands = {
      action("list", "all sessions of this repository, newest first (default)", {}, list),
      action("show", "what a session did, cycle by cycle", {id_option(*options)},
             [options](CommandContext& c) { return show(c, options->id); }),
      action("log", "what the agents of a session said, or were told",
             {{"ID", &options->log.session, "the session's id, or the beginning of it", "ID", {}, true},
              {"RUN", &options->log.run, "one run: its number, or the beginning of its id", "RUN"},
              {"--prompt", &options->log.prompt, "what they were told instead"},
              {"--follow", &options->log.follow, "go on until the session is over"}},
             [options](CommandContext& c) { return print_session_log(c, options->log); }),
      action("resume", "go on with a session that was stopped or interrupted",
             {id_option(*options),
              {"--exit-zero", &options->exit_zero, "exit 0 even if issues stay unresolved"},
              {"--ascii", &options->ascii, "draw the progress on a terminal with plain characters"}},
             [options](CommandContext& c) { return resume(c, *options); }),
      action("cancel", "stop a session; what was done is kept", {id_option(*options)},
             [options](CommandContext& c) { return cancel(c, options->id); }),
      action("approve", "begin a session whose plan waits for it (emend fix --approve plan)",
             {id_option(*options),
              {"--exit-zero", &options->exit_zero, "exit 0 even if issues stay unresolved"},
              {"--ascii", &options->ascii, "draw the progress on a terminal with plain characters"}},
             [options](CommandContext& c) { return approve(c, *options); }),
      action("accept", "say that you have looked at the fix of one issue and take it as it is",
             {id_option(*options), {"CODE", &options->code, "the issue's code", "CODE", {}, true}},
             [options](CommandContext& c) { return accept(c, *options); }),
      action("reject", "take the fix of one issue back: it is OPEN again, and undone on the session's branch",
             {id_option(*options),
              {"CODE", &options->code, "the issue's code", "CODE", {}, true},
              {"--reason", &options->reason, "why; whoever fixes it next is told", "TEXT", {}, true}},
             [options](CommandContext& c) { return reject_fix(c, *options); }),
      action("discard", "take every fix of a session back and remove its branch; proofs and history stay",
             {id_option(*options), {"--reason", &options->reason, "why, for the record", "TEXT"}},
             [options](CommandContext& c) { return discard_session(c, *options); }),
      action("diff", "the combined patch of a session", {id_option(*options)},
             [options](CommandContext& c) { return diff(c, options->id); }),
  };
  command.storage = options;
  return command;
}

} // namespace emend
