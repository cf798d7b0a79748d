#include "cli/agents/mcp_checks.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "cli/agents/mcp_shown.hpp"
#include "cli/daily/check_action.hpp"
#include "cli/daily/review_options.hpp"
#include "engine/context/audit.hpp"
#include "engine/review/review.hpp"
#include "service/budgets.hpp"
#include "service/database_place.hpp"

namespace emend {
namespace {

// Of a context of its own: the one that works takes its configuration from another commit later.
Status note_begun(CommandContext& context, const std::string& action, const std::string& id, Json detail) {
  CommandContext noting(context.dependencies(), context.global(), context.directory());
  noting.act_through(context.through());
  TRY_ASSIGN(const Ports ports, noting.ports());
  Change change;
  detail["channel"] = "mcp";
  note_audit(change, ports, action, id, {}, std::move(detail));
  TRY(ports.store.apply(change, ports.clock.wall_ms()));
  return {};
}

// The judge costs money: not when a quota of the day or the month is used up.
Status judge_may_be_asked(CommandContext& context) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const std::string home, context.home());
  CommandContext asking(context.dependencies(), context.global(), context.directory());
  TRY_ASSIGN(const Config config, asking.config());
  TRY_ASSIGN(const auto ledger,
             context.dependencies().open_ledger(database_address(context.environment(), home)));
  TRY_ASSIGN(const auto limits,
             limits_of(config, *ledger, *store, repository->id(), context.dependencies().clock->wall_ms()));
  Policy policy = config.policy();
  std::string warning;
  return keep_to_quota(policy, limits, warning);
}

Status keep_only(Patch& patch, const std::vector<std::string>& paths) {
  for (const std::string& path : paths)
    if (std::none_of(patch.changes.begin(), patch.changes.end(),
                     [&](const FileChange& change) { return names_path(path, change.path); }))
      return fail(ErrorCode::usage, "nothing is changed in " + one_line(path),
                  "leave out paths to check the whole change");
  std::erase_if(patch.changes, [&](const FileChange& change) {
    return std::none_of(paths.begin(), paths.end(),
                        [&](const std::string& path) { return names_path(path, change.path); });
  });
  return {};
}

Result<ReviewScope> scope_in(const Json& arguments) {
  const std::string scope = string_or(arguments, "scope"), range = string_or(arguments, "range");
  if (!range.empty() && (scope.empty() || scope == "range")) return parse_range(range);
  if (!range.empty()) return fail(ErrorCode::usage, "a range needs the scope range");
  if (scope == "range")
    return fail(ErrorCode::usage, "the scope range needs a range", "for example HEAD~3..HEAD");
  if (scope == "staged") return ReviewScope{ScopeKind::staged};
  if (scope == "branch") return ReviewScope{ScopeKind::branch};
  if (scope == "all") return ReviewScope{ScopeKind::all};
  if (scope != "file") return ReviewScope{ScopeKind::uncommitted};
  if (!arguments.contains("paths") || arguments.at("paths").empty())
    return fail(ErrorCode::usage, "the scope file needs paths",
                "name the files that should be looked at whole");
  return ReviewScope{ScopeKind::all};
}

} // namespace

Result<std::string> check_for_agent(CommandContext& context, const AgentCheck& wanted, const std::string& id,
                                    std::stop_token stop) {
  const CheckWords& words = wanted.words;
  TRY(note_begun(context, "check.started", id,
                 {{"issue", words.issue}, {"base", words.base}, {"judge", words.judge}}));
  if (words.judge) TRY(judge_may_be_asked(context));
  TRY_ASSIGN(CheckOrder order, order_of(context, words));
  if (!wanted.paths.empty()) TRY(keep_only(order.patch, wanted.paths));
  TRY_ASSIGN(ChangeCheck check, check_here(context, std::move(order), stop));
  if (!wanted.paths.empty())
    check.notes.push_back("only the change in " + join(wanted.paths, ", ") + " was checked");
  return check_text(check, Palette{});
}

Result<std::string> review_for_agent(CommandContext& context, const Json& arguments, const std::string& id,
                                     std::stop_token stop) {
  ReviewRequest request;
  TRY_ASSIGN(request.scope, scope_in(arguments));
  if (const Json* paths = find_member(arguments, "paths"))
    request.paths = paths->get<std::vector<std::string>>();
  TRY(note_begun(context, "review.started", id, {{"scope", string_or(arguments, "scope", "uncommitted")}}));
  const Severity least =
      parse_severity(string_or(arguments, "min_severity", "info")).value_or(Severity::info);
  TRY_ASSIGN(SessionManager * manager, context.manager());
  TRY_ASSIGN(const Analyzers analyzers, configured_analyzers(context, Kept::yes));
  TRY_ASSIGN(const Config config, context.config());
  request.rules = config.review_rules();
  TRY_ASSIGN(Review review, manager->review(analyzers, request, stop));
  std::erase_if(review.issues, [&](const Issue& issue) { return issue.finding.severity < least; });
  return issues_for_agent(std::move(review.issues),
                          "no issues in what was looked at\nnext: check your change\n");
}

} // namespace emend
