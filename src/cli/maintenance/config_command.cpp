#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/text_table.hpp"

namespace emend {
namespace {

// Variables for agents and commands are where people put keys and passwords.
Json shown_value(const std::string& key, const ConfigSetting& setting) {
  return contains(key, ".env.") ? Json("(set)") : setting.value;
}

std::string config_text(const Config& config, bool with_origin, const Palette& palette) {
  TextTable table({});
  for (const auto& [key, setting] : config.settings()) {
    std::vector<Cell> row = {{key + " = " + trim_middle(dump_json(shown_value(key, setting)), 300)}};
    if (with_origin) row.push_back({to_string(setting.origin), Tone::dim});
    table.add(std::move(row));
  }
  return table.render(palette);
}

// Values of environment variables are not shown.
Json config_json(const Config& config) {
  Json keys = Json::array();
  for (const auto& [key, setting] : config.settings()) {
    keys.push_back(
        {{"key", key}, {"value", shown_value(key, setting)}, {"origin", to_string(setting.origin)}});
  }
  Json untrusted = Json::array();
  for (const CommandFile& file : config.untrusted())
    untrusted.push_back({{"path", file.path}, {"wants", file.wants}});
  return {{"keys", std::move(keys)}, {"files", config.files()}, {"untrusted", std::move(untrusted)}};
}

} // namespace

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
