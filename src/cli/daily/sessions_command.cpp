#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/daily/fix_output.hpp"
#include "cli/daily/group_action.hpp"
#include "cli/daily/session_log.hpp"
#include "cli/live_progress.hpp"
#include "cli/model_json.hpp"
#include "cli/report_text.hpp"
#include "engine/branch/acceptance.hpp"
#include "engine/branch/recovery.hpp"
#include "engine/branch/withdraw.hpp"
#include "engine/branch/withdrawals.hpp"

namespace emend {

namespace {

struct SessionsOptions {
  std::string id, code, reason, by = "rule";
  bool exit_zero = false, ascii = false;
  SessionLogOptions log;
};

Option id_option(SessionsOptions& options) {
  return {"ID", &options.id, "the session's id, or its first characters", "ID", {}, true};
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
  context.hint("stopping; finished work is kept: emend sessions show " + one_line(id));
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
                  (withdrawn.again ? "  was withdrawn before" : "  its fix was withdrawn") + "\n");
    if (issue.status == IssueStatus::open) codes += " " + one_line(issue.code);
  }
  if (withdrawn.issues.empty())
    context.print("session " + withdrawn.session.id + " has no fix to withdraw\n");
  else
    context.print(branch_text(withdrawn));
  if (!withdrawn.advice.empty()) context.hint(one_line(withdrawn.advice, 600));
  const bool undone = !withdrawn.withdrawals.empty() &&
                      withdrawn.withdrawals.front().kind == WithdrawalKind::rejected && !codes.empty();
  if (undone && !withdrawn.again)
    context.hint("to fix it again, with your reason in the prompt: emend fix" + codes + " --base " +
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
                  (acceptance.again ? "  was accepted before\n" : "  its fix is accepted\n"));
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
  Command command = action("sessions", "list, show, resume, stop, accept or reject sessions", {}, list);
  command.examples =
      "  emend sessions\n  emend sessions resume k3f9\n  emend sessions diff k3f9 | less\n"
      "  emend sessions reject k3f9 BE-002 --reason \"keep the old signature\"\n";
  command.subcommands = {
      action("list", "list the sessions of this repository, newest first (default)", {}, list),
      action("show", "show what a session did, round by round", {id_option(*options)},
             [options](CommandContext& c) { return show(c, options->id); }),
      action("log", "show the output or the prompts of a session's agents",
             {{"ID", &options->log.session, "the session's id, or its first characters", "ID", {}, true},
              {"RUN", &options->log.run, "one run: its number, or the first characters of its id", "RUN"},
              {"--prompt", &options->log.prompt, "show the prompts instead"},
              {"--follow", &options->log.follow, "keep printing until the session ends"}},
             [options](CommandContext& c) { return print_session_log(c, options->log); }),
      action("resume", "continue a session that was stopped or interrupted",
             {id_option(*options),
              {"--exit-zero", &options->exit_zero, "exit 0 even if some issues are not resolved"},
              {"--ascii", &options->ascii, "draw the progress with ASCII characters"}},
             [options](CommandContext& c) { return resume(c, *options); }),
      action("cancel", "stop a session; finished work is kept", {id_option(*options)},
             [options](CommandContext& c) { return cancel(c, options->id); }),
      action("approve", "start a session that waits for approval of its plan (emend fix --approve plan)",
             {id_option(*options),
              {"--exit-zero", &options->exit_zero, "exit 0 even if some issues are not resolved"},
              {"--ascii", &options->ascii, "draw the progress with ASCII characters"}},
             [options](CommandContext& c) { return approve(c, *options); }),
      action("accept", "accept the fix of one issue after you reviewed it",
             {id_option(*options), {"CODE", &options->code, "the issue's code", "CODE", {}, true}},
             [options](CommandContext& c) { return accept(c, *options); }),
      action("reject",
             "reject the fix of one issue: revert it on the session's branch and open the issue again",
             {id_option(*options),
              {"CODE", &options->code, "the issue's code", "CODE", {}, true},
              {"--reason", &options->reason, "why; the next fixer sees this text", "TEXT", {}, true}},
             [options](CommandContext& c) { return reject_fix(c, *options); }),
      action("discard", "reject every fix of a session and remove its branch; proofs and history stay",
             {id_option(*options), {"--reason", &options->reason, "why, for the record", "TEXT"}},
             [options](CommandContext& c) { return discard_session(c, *options); }),
      action("group", "make a second branch with the same files and fewer commits",
             {id_option(*options),
              {"--by",
               &options->by,
               "one commit for each rule (default), each file, or one in all",
               "WHAT",
               {"rule", "file", "one"}}},
             [options](CommandContext& c) { return run_group(c, options->id, options->by); }),
      action("diff", "print the combined patch of a session", {id_option(*options)},
             [options](CommandContext& c) { return diff(c, options->id); }),
  };
  command.storage = options;
  return command;
}

} // namespace emend
