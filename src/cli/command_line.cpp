#include "cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <set>

#include "base/strings.hpp"
#include "cli/command_tree.hpp"

namespace emend {

namespace {

using Targets = decltype(Option::target);

Status take(const Option& option, const std::vector<std::string>& given) {
  if (const auto* list = std::get_if<std::vector<std::string>*>(&option.target)) {
    (*list)->insert((*list)->end(), given.begin(),
                    given.end()); // a global flag may come before and after the command
    return {};
  }
  const std::string& text = given.back();
  if (!option.choices.empty() &&
      std::find(option.choices.begin(), option.choices.end(), text) == option.choices.end()) {
    const auto near = did_you_mean(text, option.choices);
    return fail(ErrorCode::usage, option.names + ": \"" + text + "\" is not one of " +
                                      join(option.choices, ", ") +
                                      (near ? "; did you mean " + *near + "?" : ""));
  }
  if (const auto* word = std::get_if<std::string*>(&option.target)) **word = text;
  if (const auto* number = std::get_if<NumberTarget>(&option.target)) {
    const auto value = parse_unsigned(text);
    if (!value || *value > static_cast<std::uint64_t>(number->high) ||
        static_cast<int>(*value) < number->low) {
      return fail(ErrorCode::usage, option.names + ": expected a number from " + std::to_string(number->low) +
                                        " to " + std::to_string(number->high) + ", got \"" + text + "\"");
    }
    *number->value = static_cast<int>(*value);
  }
  return {};
}

// One parse: builds the tree of commands, lets the library read the arguments, and judges what it left over.
// Commands that the arguments do not name have only their names in it: their options are never asked for.
class Parser {
public:
  Parser(const std::vector<Command>& commands, GlobalOptions& global,
         const std::vector<std::string>& arguments)
      : app_("", "emend"), global_(global), named_(arguments.begin(), arguments.end()) {
    app_.description(
        "emend is a gate between fixes, made by AI agents or linters, and your branch. It commits only fixes "
        "that pass\n"
        "your own checks and an independent judge: to a new branch, never to your checkout.");
    app_.get_formatter()->label("Subcommands", "Commands");
    app_.get_formatter()->label("SUBCOMMAND", "COMMAND");
    app_.add_flag("-V,--version", global.version, "print the version");
    prepare(app_);
    for (const Command& command : commands) add(app_, command);
  }

  Result<ParsedCommandLine> parse(std::vector<std::string> arguments) {
    std::reverse(arguments.begin(), arguments.end()); // the library takes them from the back
    try {
      app_.parse(arguments);
    } catch (const CLI::CallForHelp&) {
      return ParsedCommandLine{nullptr, help_of(chosen_app()), false};
    } catch (const CLI::ParseError& error) {
      if (problem_) return fail(*problem_);
      return fail(ErrorCode::usage, error.what(), help_hint());
    }
    TRY(check_leftovers());
    CLI::App* app = chosen_app();
    if (app == &app_ && global_.version) return ParsedCommandLine{nullptr, "", false};
    if (app == &app_) return ParsedCommandLine{nullptr, help_of(&app_), true};
    const Command* command = by_app_[app];
    if (!command->run) {
      return fail(ErrorCode::usage,
                  "emend " + path_of(app) + " needs one of: " + join(subcommand_names(app), ", "),
                  help_hint());
    }
    return ParsedCommandLine{command, "", false};
  }

private:
  void prepare(CLI::App& app) {
    app.allow_extras(); // so that we can say what was meant
    for (const Option& option : global_options(global_)) add_option(app, option)->group("Global");
  }

  void add(CLI::App& parent, const Command& command) {
    CLI::App* app = parent.add_subcommand(command.name, command.summary);
    by_app_[app] = &command;
    if (!command.group.empty()) app->group(command.group);
    if (is_hidden(command)) app->group("");
    if (!named_.contains(command.name)) return;
    for (const Option& option : command.options) add_option(*app, option);
    prepare(*app);
    if (!command.examples.empty()) app->footer("Examples:\n" + command.examples);
    for (const Command& child : command.subcommands) add(*app, child);
  }

  CLI::Option* add_option(CLI::App& app, const Option& option) {
    if (const auto* flag = std::get_if<bool*>(&option.target))
      return app.add_flag(option.names, **flag, option.help);
    const bool is_list = std::holds_alternative<std::vector<std::string>*>(option.target);
    const bool positional = option.names.front() != '-';
    CLI::Option* added = app.add_option(
        option.names,
        [this, option](const CLI::results_t& given) {
          if (auto taken = take(option, given); !taken) problem_ = taken.error();
          return !problem_;
        },
        option.help);
    added->type_name(!option.choices.empty()     ? join(option.choices, "|")
                     : option.value_name.empty() ? "TEXT"
                                                 : option.value_name);
    if (is_list && positional) added->expected(1, -1)->allow_extra_args(true);
    if (is_list && !positional) added->type_size(1)->expected(1, -1)->allow_extra_args(false);
    if (!is_list) added->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    added->required(option.required);
    return added;
  }

  CLI::App* chosen_app() {
    CLI::App* app = &app_;
    while (!app->get_subcommands().empty()) app = app->get_subcommands().back();
    return app;
  }

  std::string help_of(CLI::App* app) const {
    if (app == &app_) return app->help();
    const std::string above = path_of(app->get_parent());
    return app->help(above.empty() ? "emend" : "emend " + above);
  }

  std::string path_of(CLI::App* app) const {
    if (app == nullptr || app == &app_) return "";
    const std::string above = path_of(app->get_parent());
    return above.empty() ? app->get_name() : above + " " + app->get_name();
  }

  std::string help_hint() {
    const std::string path = path_of(chosen_app());
    return "see: emend " + (path.empty() ? "" : path + " ") + "--help";
  }

  static std::vector<std::string> subcommand_names(CLI::App* app) {
    std::vector<std::string> names;
    for (const CLI::App* child :
         app->get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); }))
      names.push_back(child->get_name());
    return names;
  }

  static std::vector<std::string> flag_names(CLI::App* app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    return names;
  }

  Status check_leftovers() {
    for (CLI::App* app = &app_;; app = app->get_subcommands().back()) {
      TRY(check_leftovers_of(app));
      if (app->get_subcommands().empty()) return {};
    }
  }

  Status check_leftovers_of(CLI::App* app) {
    const auto left = app->remaining();
    if (left.empty()) return {};
    const bool flag = left.front().size() > 1 && left.front().front() == '-';
    const std::string word = flag ? left.front().substr(0, left.front().find('=')) : left.front();
    const std::string path = path_of(app);
    const auto children = subcommand_names(app);
    const auto near = did_you_mean(word, flag ? flag_names(app) : children);
    std::string message = flag               ? "unknown flag " + word
                          : children.empty() ? "unexpected argument \"" + word + "\""
                                             : "unknown command \"" + word + "\"";
    if (!path.empty()) message += " for emend " + path;
    if (near) message += "; did you mean " + *near + "?";
    return fail(ErrorCode::usage, message, help_hint());
  }

  CLI::App app_;
  GlobalOptions& global_;
  std::set<std::string> named_; // every argument; some are names of commands
  std::map<const CLI::App*, const Command*> by_app_;
  std::optional<Error> problem_;
};

} // namespace

std::vector<Option> global_options(GlobalOptions& global) {
  return {
      {"-C", &global.directory, "run as if started in DIR", "DIR"},
      {"--config", &global.config_file, "use this configuration file instead of the repository's", "FILE"},
      {"--isolated", &global.isolated, "read no configuration files"},
      {"--set", &global.set, "set one configuration key (may be repeated)", "KEY=VALUE"},
      {"--json", &global.json, "print one JSON object on stdout"},
      {"-q,--quiet", &global.quiet, "print no progress and no hints on stderr"},
      {"-v,--verbose", &global.verbose, "print more progress on stderr"},
      {"--color", &global.color, "use colours in the output", "WHEN", {"auto", "always", "never"}},
      {"--no-input", &global.no_input, "never ask questions; exit with code 7 instead"},
  };
}

Result<ParsedCommandLine> parse_command_line(const std::vector<Command>& commands, GlobalOptions& global,
                                             const std::vector<std::string>& arguments) {
  return Parser(commands, global, arguments).parse(arguments);
}

} // namespace emend
