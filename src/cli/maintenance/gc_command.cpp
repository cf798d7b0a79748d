#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/maintenance/db_command.hpp"
#include "engine/session/artifacts.hpp"
#include "service/database_place.hpp"
#include "service/housekeeping.hpp"

namespace emend {

namespace {

constexpr std::int64_t kDay = std::int64_t{24} * 3600 * 1000;

struct GcOptions {
  bool remove = false;
};

struct GcSum {
  LocalExpiry artifacts;
  DatabaseExpiry events;
  std::vector<OldBranch> branches;
  std::int64_t given_back = 0; // bytes of the database file

  [[nodiscard]] std::size_t removable() const {
    return static_cast<std::size_t>(
        std::count_if(branches.begin(), branches.end(),
                      [](const OldBranch& branch) { return branch.kept_because.empty(); }));
  }
};

std::string size_text(std::uint64_t bytes) {
  return bytes < 10'000'000 ? fmt::format("{} kB", bytes / 1'000) : fmt::format("{} MB", bytes / 1'000'000);
}

int days_of(const Config& config, const std::string& key) {
  const auto setting = config.settings().find(key);
  return setting == config.settings().end() ? 0 : setting->second.value.get<int>();
}

Status expire_branches(CommandContext& context, const Config& config, bool dry, std::int64_t now,
                       GcSum& sum) {
  const int days = days_of(config, "retention.branches_days");
  if (days == 0) return {};
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY_ASSIGN(sum.branches, old_branches(ports.store, ports.repository, now - days * kDay));
  if (dry) return {};
  TRY_ASSIGN(const std::string home, context.home());
  return remove_branches(home, ports, sum.branches);
}

Result<GcSum> collect(CommandContext& context, bool dry) {
  GcSum sum;
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const Config config, context.config());
  TRY_ASSIGN(const ArtifactSettings settings, context.artifact_settings());
  const std::int64_t now = context.dependencies().clock->wall_ms();
  if (settings.retention_days > 0) {
    TRY_ASSIGN(sum.artifacts,
               expire_local(*store, home, repository->id(), now - settings.retention_ms(), dry));
  }
  const std::string address = database_address(context.environment(), home);
  if (const int days = days_of(config, "retention.events_days"); days > 0) {
    TRY_ASSIGN(sum.events, database_tools().expire(address, now - days * kDay, dry));
  }
  TRY(expire_branches(context, config, dry, now, sum));
  if (!dry) {
    TRY_ASSIGN(sum.given_back, database_tools().compact(address));
  }
  return sum;
}

Json to_json(const GcSum& sum, bool dry) {
  Json branches = Json::array();
  for (const OldBranch& branch : sum.branches)
    branches.push_back(
        {{"branch", branch.name},
         {"session", branch.session_id},
         {"kept_because", branch.kept_because.empty() ? Json(nullptr) : Json(branch.kept_because)}});
  return {{"dry_run", dry},
          {"artifacts",
           {{"sessions", sum.artifacts.sessions},
            {"files", sum.artifacts.files},
            {"bytes", sum.artifacts.bytes}}},
          {"events", {{"sessions", sum.events.sessions}, {"events", sum.events.events}}},
          {"branches", std::move(branches)},
          {"database_bytes", dry ? Json(nullptr) : Json(sum.given_back)}};
}

std::string age_text(int days) {
  return days == 0 ? "kept forever" : fmt::format("older than {} days", days);
}

Result<ExitStatus> gc(CommandContext& context, const GcOptions& options) {
  const bool dry = !options.remove;
  TRY_ASSIGN(const GcSum sum, collect(context, dry));
  if (context.global().json) {
    context.print_json("gc", to_json(sum, dry));
    return context.finish(ExitStatus::done);
  }
  TRY_ASSIGN(const Config config, context.config());
  TRY_ASSIGN(const ArtifactSettings settings, context.artifact_settings());
  TextTable table({"what", dry ? "would go" : "removed", "rule"});
  table.add({{"artifacts"},
             {plural(sum.artifacts.files, "file") + ", " + size_text(sum.artifacts.bytes)},
             {"artifacts.retention_days: " + age_text(settings.retention_days)}});
  table.add({{"events"},
             {fmt::format("{} of {}", plural(static_cast<std::size_t>(sum.events.events), "event"),
                          plural(static_cast<std::size_t>(sum.events.sessions), "session"))},
             {"retention.events_days: " + age_text(days_of(config, "retention.events_days"))}});
  table.add({{"branches"},
             {fmt::format("{} of {}", sum.removable(), sum.branches.size())},
             {"retention.branches_days: " + age_text(days_of(config, "retention.branches_days"))}});
  context.print(table.render(context.palette()));
  for (const OldBranch& branch : sum.branches)
    context.print(branch.kept_because.empty()
                      ? (dry ? "would remove " : "removed ") + one_line(branch.name, 100) + "\n"
                      : "kept " + one_line(branch.name, 100) + ": " + one_line(branch.kept_because, 200) +
                            "\n");
  if (dry)
    context.hint("nothing was removed; to do it: emend gc --remove");
  else if (sum.given_back > 0)
    context.print("the database is " + size_text(static_cast<std::uint64_t>(sum.given_back)) + " smaller\n");
  return context.finish(ExitStatus::done);
}

} // namespace

Command gc_command() {
  const auto options = std::make_shared<GcOptions>();
  Command command = action(
      "gc", "show what is older than the retention settings, and remove it on request; proofs always stay",
      {{"--remove", &options->remove, "remove it, and give unused space of the database back"}},
      [options](CommandContext& context) { return gc(context, *options); });
  command.examples = "  emend gc\n  emend gc --remove\n";
  command.storage = options;
  return command;
}

} // namespace emend
