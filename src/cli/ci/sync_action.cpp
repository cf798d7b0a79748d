#include "cli/ci/sync_action.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"
#include "cli/context.hpp"
#include "engine/branch/sync.hpp"

namespace emend {

namespace {

std::string sync_text(const SyncReport& report) {
  std::string text;
  for (const SyncedIssue& synced : report.issues)
    text += fmt::format("{:<8} {:<9} {}\n", synced.issue.code, to_string(synced.issue.status),
                        one_line(synced.detail));
  if (report.issues.empty()) return "No issue is RESOLVED: nothing to check.\n";
  const std::string place =
      report.target.ref.starts_with("refs/heads/") ? report.target.branch : report.target.ref.substr(13);
  return text + fmt::format("{} of {} merged into {} ({})\n", report.merged(), report.issues.size(),
                            one_line(place), report.target.tip.substr(0, 12));
}

} // namespace

Command sync_action() {
  const auto branch = std::make_shared<std::string>();
  Command command = action(
      "sync", "mark issues MERGED whose fixes are in the target branch",
      {{"--branch", branch.get(), "the branch fixes are merged into (default: the default branch)", "NAME"}},
      [branch](CommandContext& context) -> Result<ExitStatus> {
        TRY_ASSIGN(SessionManager * manager, context.manager());
        TRY_ASSIGN(const SyncReport report, manager->sync(*branch, context.dependencies().stop));
        if (context.global().json)
          context.print_json("sync", to_json(report));
        else
          context.print(sync_text(report));
        return context.finish(ExitStatus::done);
      });
  command.examples = "  emend issues sync\n  git fetch && emend issues sync --branch release\n";
  command.storage = branch;
  return command;
}

} // namespace emend
