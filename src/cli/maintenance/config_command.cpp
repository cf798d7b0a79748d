#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/maintenance/config_text.hpp"

namespace emend {

Command config_command() {
  const auto origin = std::make_shared<bool>(false);
  Command show;
  show.name = "show";
  show.summary = "show every setting and its value";
  show.examples = "  emend config show --origin\n  emend config show --set fix.parallel=4 --json\n";
  show.options = {{"--origin", origin.get(), "also say where each value comes from"}};
  show.run = [origin](CommandContext& context) -> Result<ExitStatus> {
    TRY_ASSIGN(const Config config, context.config());
    if (context.global().json) {
      context.print_json("config", config_json(config));
    } else {
      context.print(config_text(config, *origin, context.palette()));
    }
    for (const CommandFile& file : config.untrusted()) {
      context.hint("not trusted, so its commands are ignored: " + one_line(file.path, 400) +
                   "  (see: emend trust --show)");
    }
    return context.finish(ExitStatus::done);
  };
  show.storage = origin;

  Command command;
  command.name = "config";
  command.summary = "show the configuration";
  command.subcommands = {show};
  return command;
}

} // namespace emend
