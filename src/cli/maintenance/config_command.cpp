#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/text_table.hpp"
#include "service/setting_writer.hpp"

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

struct WriteOptions {
  std::string key, value;
  bool own = false;
};

// Commands are allowed by `emend trust` alone: whoever runs this may be a program.
Result<ExitStatus> write(CommandContext& context, const WriteOptions& options, bool set) {
  TRY_ASSIGN(const auto bench, context.open_bench());
  TRY_ASSIGN(const Ports ports, context.ports());
  SettingOrder order{options.key, {}, options.own ? SettingPlace::own : SettingPlace::project, false};
  if (set) order.value = options.value;
  TRY_ASSIGN(const WrittenSetting written, write_setting(*bench, ports, order));
  if (context.global().json) {
    context.print_json("config_written",
                       {{"key", options.key},
                        {"file", written.file},
                        {"line", written.line == 0 ? Json() : Json(written.line)},
                        {"needs_trust", written.needs_trust},
                        {"stronger", written.stronger.empty() ? Json() : Json(written.stronger)}});
  } else if (set) {
    context.print(one_line(written.file, 400) + ":" + std::to_string(written.line) + ": " + options.key +
                  " is set\n");
  } else {
    context.print(one_line(written.file, 400) + ": " + options.key + " is not set here any more\n");
  }
  if (!written.stronger.empty())
    context.hint("note: " + one_line(written.stronger, 400) + " sets it too, and counts instead");
  if (written.needs_trust) context.hint("the file may run commands and has changed; allow it: emend trust");
  return context.finish(ExitStatus::done);
}

Option own_file(const std::shared_ptr<WriteOptions>& options) {
  return {"--own", &options->own, "in your own configuration file, for all repositories"};
}

Command set_action() {
  const auto options = std::make_shared<WriteOptions>();
  Command set = action("set", "write one setting into emend.toml; the rest of the file stays as it is",
                       {{"KEY", &options->key, "the setting, for example fix.parallel", "", {}, true},
                        {"VALUE", &options->value, "its value, as --set takes it", "", {}, true},
                        own_file(options)},
                       [options](CommandContext& context) { return write(context, *options, true); });
  set.examples = "  emend config set fix.parallel 4\n  emend config set --own fix.agent claude\n";
  set.storage = options;
  return set;
}

Command unset_action() {
  const auto options = std::make_shared<WriteOptions>();
  Command unset = action("unset", "take one setting out of emend.toml",
                         {{"KEY", &options->key, "the setting", "", {}, true}, own_file(options)},
                         [options](CommandContext& context) { return write(context, *options, false); });
  unset.examples = "  emend config unset fix.parallel\n";
  unset.storage = options;
  return unset;
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
  command.summary = "show and change the configuration";
  command.subcommands = {show, set_action(), unset_action()};
  return command;
}

} // namespace emend
