#include "cli/commands.hpp"
#include "cli/trust_check.hpp"

namespace emend {

namespace {

struct TrustOptions {
  bool show = false, revoke = false;
};

Json files_json(const std::vector<CommandFile>& files) {
  Json list = Json::array();
  for (const CommandFile& file : files) {
    list.push_back({{"path", file.path},
                    {"sha256", file.sha256},
                    {"trusted", file.trusted},
                    {"trusted_before", file.trusted_before},
                    {"wants", file.wants}});
  }
  return list;
}

Result<ExitStatus> show(CommandContext& context, const std::vector<CommandFile>& files) {
  if (context.global().json) {
    context.print_json_list("trust", files_json(files));
  } else {
    context.print(files.empty() ? "no configuration file of this repository wants to run commands\n" : command_files_text(files));
  }
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> revoke(CommandContext& context, const std::vector<CommandFile>& files) {
  TRY_ASSIGN(Store * store, context.store());
  for (const CommandFile& file : files) {
    TRY(store->revoke_trust(file.path));
    context.hint("no longer trusted: " + one_line(file.path, 400));
  }
  if (files.empty()) context.hint("nothing to revoke: no configuration file of this repository wants to run commands");
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> run_trust(CommandContext& context, const TrustOptions& options) {
  if (options.show && options.revoke) return fail(ErrorCode::usage, "--show and --revoke exclude each other");
  TRY_ASSIGN(Config config, context.config());
  if (options.revoke) return revoke(context, config.command_files());
  if (!options.show) {
    TRY(trust_files(context, config.untrusted()));
    TRY_ASSIGN(config, context.config());
  }
  return show(context, config.command_files());
}

} // namespace

Command trust_command() {
  const auto options = std::make_shared<TrustOptions>();
  Command command;
  command.name = "trust";
  command.summary = "allow this version of the repository's configuration to run its commands";
  command.examples = "  emend trust --show      what would be allowed\n  emend trust             allow it; a changed file asks again\n";
  command.options = {
      {"--show", &options->show, "only show the files and their commands"},
      {"--revoke", &options->revoke, "take the permission back"},
  };
  command.run = [options](CommandContext& context) { return run_trust(context, *options); };
  command.storage = options;
  return command;
}

} // namespace emend
