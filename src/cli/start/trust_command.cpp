#include "cli/agents/agent_files.hpp"
#include "cli/commands.hpp"
#include "cli/trust_check.hpp"
#include "service/project_config.hpp"
#include "service/trusting.hpp"

namespace emend {

namespace {

struct TrustOptions {
  bool show = false, revoke = false, tools = false;
  std::string base = "HEAD";
};

// Commands in configuration files, as they are on disk, agent files, as the commit has them, and the
// project's tools, if they are asked for or allowed already.
Result<std::vector<CommandFile>> files_to_trust(CommandContext& context, const TrustOptions& options) {
  TRY_ASSIGN(const Config config, context.config());
  TRY_ASSIGN(const std::vector<RepositoryAgent> agents, agent_files_at(context, options.base));
  std::vector<CommandFile> files = config.command_files();
  for (CommandFile& file : as_command_files(agents)) files.push_back(std::move(file));
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(Store * store, context.store());
  CommandFile tools = project_tools_of(repository->root());
  tools.trusted = project_tools_allowed(*store, repository->root());
  if (options.tools || tools.trusted) files.push_back(std::move(tools));
  return files;
}

std::vector<CommandFile> untrusted_of(std::vector<CommandFile> files) {
  std::erase_if(files, [](const CommandFile& file) { return file.trusted || file.wants.empty(); });
  return files;
}

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
    context.print(
        files.empty()
            ? "Nothing to trust: this repository configures no commands and no agent instructions.\n"
            : command_files_text(files));
  }
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> revoke(CommandContext& context, const std::vector<CommandFile>& files) {
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY(forbid_files(ports, files));
  for (const CommandFile& file : files) context.hint("no longer trusted: " + one_line(file.path, 400));
  if (files.empty())
    context.hint(
        "nothing to revoke: this repository configures no commands and no agent "
        "instructions");
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> run_trust(CommandContext& context, const TrustOptions& options) {
  if (options.show && options.revoke)
    return fail(ErrorCode::usage, "--show and --revoke cannot be used together");
  TRY_ASSIGN(std::vector<CommandFile> files, files_to_trust(context, options));
  if (options.revoke) return revoke(context, files);
  if (!options.show) {
    TRY(trust_files(context, untrusted_of(files)));
    TRY_ASSIGN(files, files_to_trust(context, options));
  }
  return show(context, files);
}

} // namespace

Command trust_command() {
  const auto options = std::make_shared<TrustOptions>();
  Command command;
  command.name = "trust";
  command.summary = "allow the commands and agent instructions of this repository, in their present version";
  command.examples =
      "  emend trust --show      show what would be allowed\n  emend trust             allow it; after a "
      "change "
      "emend asks again\n"
      "  emend trust --project-tools   and let reviews run the project's own tools\n";
  command.options = {
      {"--show", &options->show, "only show the files and their commands"},
      {"--project-tools", &options->tools,
       "also let reviews run the project's own tools, and tools that run its code: eslint, tsc, mypy, "
       "clippy"},
      {"--revoke", &options->revoke, "remove the permission"},
      {"--base", &options->base, "use the agent files of this commit (default HEAD)", "REF"},
  };
  command.run = [options](CommandContext& context) { return run_trust(context, *options); };
  command.storage = options;
  return command;
}

} // namespace emend
