#include <fmt/format.h>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/maintenance/db_command.hpp"
#include "service/backup.hpp"
#include "service/database_place.hpp"
#include "service/server_place.hpp"

namespace emend {

namespace {

struct BackupOptions {
  std::string path;
  bool dry_run = false;
};

Result<BackupPlace> own_place(CommandContext& context) {
  TRY_ASSIGN(std::string home, context.home());
  std::string address = database_address(context.environment(), home);
  return BackupPlace{std::move(address), std::move(home)};
}

BackupTools tools_of(CommandContext& context) {
  const CliDependencies& outside = context.dependencies();
  return {database_tools(), *outside.processes, outside.version, outside.clock->wall_ms()};
}

std::string size_text(std::uint64_t bytes) {
  return bytes < 10'000'000 ? fmt::format("{} kB", bytes / 1'000) : fmt::format("{} MB", bytes / 1'000'000);
}

Json to_json(const BackupSum& sum, const std::string& path) {
  return {{"backup", path},     {"made_at", sum.made_at}, {"emend", sum.version},
          {"files", sum.files}, {"bytes", sum.bytes},     {"rows", sum.rows}};
}

std::string text_of(const BackupSum& sum) {
  return fmt::format("{} of the database and {}, {}", plural(static_cast<std::size_t>(sum.rows), "row"),
                     plural(sum.files, "file"), size_text(sum.bytes));
}

Result<ExitStatus> backup(CommandContext& context, const BackupOptions& options) {
  TRY(context.store()); // brought up to date, or made
  TRY_ASSIGN(const BackupPlace place, own_place(context));
  TRY_ASSIGN(const BackupSum sum,
             make_backup(tools_of(context), place, options.path, context.dependencies().stop));
  if (context.global().json) {
    context.print_json("backup", to_json(sum, options.path));
    return context.finish(ExitStatus::done);
  }
  context.print("wrote " + one_line(options.path, 300) + ": " + text_of(sum) + "\n");
  context.hint("to look whether it is whole: emend restore --dry-run " +
               one_line(shell_quote(options.path), 300) +
               "\nnot in it: your repositories, your configuration, the server's token");
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> restore(CommandContext& context, const BackupOptions& options) {
  TRY_ASSIGN(const BackupPlace place, own_place(context));
  // A server that runs would write into what is being put there.
  TRY_ASSIGN(const std::vector<FileLock> locks, keep_servers_away(place.home));
  TRY_ASSIGN(const BackupSum sum, restore_backup(tools_of(context), options.path, place, options.dry_run,
                                                 context.dependencies().stop));
  if (context.global().json) {
    Json data = to_json(sum, options.path);
    data["dry_run"] = options.dry_run;
    context.print_json("restore", std::move(data));
    return context.finish(ExitStatus::done);
  }
  const std::string of = " of " + one_line(sum.made_at, 40) + " by emend " + one_line(sum.version, 40);
  context.print((options.dry_run ? "the backup" + of + " is whole and fits here: "
                                 : "restored the backup" + of + ": ") +
                text_of(sum) + "\n");
  if (!options.dry_run) context.hint("to check it: emend db check, and in a repository: emend prove --all");
  return context.finish(ExitStatus::done);
}

} // namespace

Command backup_command() {
  const auto options = std::make_shared<BackupOptions>();
  Command command =
      action("backup",
             "copy the database, session files and proofs to a folder or a .tar file, also while emend runs",
             {{"PATH", &options->path, "a new folder, or a file whose name ends in .tar", "PATH", {}, true}},
             [options](CommandContext& context) { return backup(context, *options); });
  command.examples = "  emend backup /backup/emend-2026-11-18\n  emend backup /backup/emend.tar\n";
  command.storage = options;
  return command;
}

Command restore_command() {
  const auto options = std::make_shared<BackupOptions>();
  Command command =
      action("restore", "put a backup into an empty EMEND_HOME and an empty database",
             {{"PATH", &options->path, "what emend backup made", "PATH", {}, true},
              {"--dry-run", &options->dry_run, "only check that the backup is whole and would fit"}},
             [options](CommandContext& context) { return restore(context, *options); });
  command.examples =
      "  emend restore --dry-run /backup/emend.tar\n  EMEND_HOME=~/restored emend restore "
      "/backup/emend.tar\n";
  command.storage = options;
  return command;
}

} // namespace emend
