#include "cli/daily/group_action.hpp"

#include "base/strings.hpp"

namespace emend {

Result<GroupedSession> group_here(CommandContext& context, const std::string& session,
                                  const std::string& by) {
  const auto grouping = parse_grouping(by);
  if (!grouping || *grouping == Grouping::issue)
    return fail(ErrorCode::usage, "commits are grouped by rule, file or one, not by \"" + by + "\"",
                "the session's own branch has one commit for each issue");
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(const Ports ports, context.ports());
  return group_session(ports, home, {}, session, *grouping);
}

std::string grouped_text(const GroupedSession& grouped) {
  if (!grouped.branch)
    return "no two commits of " + one_line(grouped.session.branch) +
           " can be put together, so no branch was made";
  return "branch " + one_line(grouped.branch->branch) + (grouped.again ? " has" : " was made: it has") +
         " the same files as " + one_line(grouped.session.branch) + " in " +
         plural(grouped.branch->commits, "commit");
}

Result<ExitStatus> run_group(CommandContext& context, const std::string& session, const std::string& by) {
  TRY_ASSIGN(const GroupedSession grouped, group_here(context, session, by));
  if (context.global().json) {
    context.print_json("grouped", to_json(grouped));
    return context.finish(ExitStatus::done);
  }
  context.print(grouped_text(grouped) + "\n");
  if (grouped.branch) context.hint("take it: git merge " + one_line(shell_quote(grouped.branch->branch)));
  return context.finish(ExitStatus::done);
}

} // namespace emend
