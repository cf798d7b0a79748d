#include <algorithm>

#include "base/strings.hpp"
#include "cli/agents/taken_fix.hpp"
#include "cli/commands.hpp"
#include "cli/daily/apply_action.hpp"
#include "cli/terminal.hpp"
#include "engine/branch/withdrawals.hpp"

namespace emend {

namespace {

struct ApplyOptions {
  std::string what;
  bool dry_run = false;
};

Status say(CommandContext& context, const std::string& what, const std::string& files, bool dry) {
  if (context.global().json)
    context.print_json("applied", {{"what", what}, {"dry_run", dry}, {"said", files}});
  else
    context.print(files);
  if (!dry) context.hint("to look at it: git diff; to take it back: git checkout -- FILE");
  return {};
}

// The newest with a commit.
Result<Session> latest_session(CommandContext& context) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const std::vector<Session> sessions, store->sessions(repository->id(), 0));
  const Session* newest = nullptr;
  for (const Session& session : sessions)
    if (!session.tip.empty() && (newest == nullptr || session.started_ms > newest->started_ms))
      newest = &session;
  if (newest == nullptr)
    return fail(ErrorCode::not_found, "no session has made a commit yet", "to make one: emend fix --safe");
  return *newest;
}

Result<ExitStatus> apply_one(CommandContext& context, const std::string& code, bool dry) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const TakenFix fix, taken_fix(*store, *repository, code));
  TRY_ASSIGN(const std::string said, write_fix(repository->root(), fix, dry));
  TRY(say(context, fix.code, said, dry));
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> run_apply(CommandContext& context, const ApplyOptions& options) {
  const std::string upper = to_upper(options.what);
  if (upper.starts_with("BE-") || upper.starts_with("FE-")) return apply_one(context, upper, options.dry_run);
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(const Session session,
             options.what.empty() ? latest_session(context) : store->session(options.what));
  TRY(apply_session(context, session, options.dry_run));
  return context.finish(ExitStatus::done);
}

} // namespace

Status apply_session(CommandContext& context, const Session& session, bool dry) {
  if (session.tip.empty())
    return fail(ErrorCode::not_found, "session " + session.id.substr(0, 8) + " made no commit");
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const std::string tip, own_tip(*store, session));
  TRY_ASSIGN(const Patch patch, repository->published_diff(session.base, tip));
  TRY_ASSIGN(const std::string said,
             write_patch(repository->root(), patch,
                         "take the branch instead: git merge " + shell_quote(session.branch), dry));
  return say(context, session.id, said, dry);
}

Command apply_command() {
  const auto options = std::make_shared<ApplyOptions>();
  Command command;
  command.name = "apply";
  command.summary = "put the fixes of a session, or of one issue, into your working tree";
  command.examples =
      "Writes files only if each of them is as the fix found it; otherwise nothing is written.\n"
      "  emend apply                the latest session\n  emend apply BE-001\n  emend apply --dry-run\n";
  command.options = {
      {"WHAT", &options->what, "a session (its id or its first characters) or an issue's code", "WHAT"},
      {"--dry-run", &options->dry_run, "only say which files would be written"},
  };
  command.run = [options](CommandContext& context) { return run_apply(context, *options); };
  command.storage = options;
  return command;
}

} // namespace emend
