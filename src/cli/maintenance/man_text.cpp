#include "cli/maintenance/man_text.hpp"

#include "base/strings.hpp"
#include "cli/command_tree.hpp"
#include "cli/exit_status.hpp"

namespace emend {

namespace {

// Text as text: nothing in it is an instruction to the formatter, and hyphens can be searched for and copied.
std::string roff(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\\')
      safe += "\\e";
    else if (c == '-')
      safe += "\\-";
    else if (c == '\'')
      safe += "\\(aq";
    else if (c == '`')
      safe += "\\(ga";
    else if (c == '^')
      safe += "\\(ha";
    else if (c == '~')
      safe += "\\(ti";
    else
      safe += c;
  }
  return safe.starts_with('.') ? "\\&" + safe : safe;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

std::string head(const std::string& name, const std::string& version) {
  return ".TH " + to_upper(name) + " 1 \"\" \"emend " + version + "\" \"emend\"\n";
}

std::string option_entry(const Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : names_of(option))
    names.push_back(is_positional(option) ? italic(name) : bold(name));
  std::string title = join(names, ", ");
  if (takes_value(option) && !is_positional(option)) title += " " + italic(value_text(option));
  return ".TP\n" + title + "\n" + roff(option.help) + "\n";
}

std::string option_entries(const std::vector<Option>& options) {
  std::string text;
  for (const Option& option : options) text += option_entry(option);
  return text;
}

std::string synopsis(const std::string& path, const Command& command) {
  std::string line = bold("emend " + path);
  if (!command.subcommands.empty())
    line += command.run ? " [" + italic("COMMAND") + "]" : " " + italic("COMMAND");
  for (const Option& option : command.options) {
    if (!is_positional(option)) continue;
    const bool list = std::holds_alternative<std::vector<std::string>*>(option.target);
    const std::string word = italic(option.names) + (list ? "..." : "");
    line += option.required ? " " + word : " [" + word + "]";
  }
  return line + " [" + italic("OPTIONS") + "]\n";
}

std::string examples(const Command& command) {
  if (command.examples.empty()) return "";
  std::string text = ".SH EXAMPLES\n.nf\n";
  for (const std::string_view line : lines_of(command.examples)) text += roff(line) + "\n";
  return text + ".fi\n";
}

std::string subcommands(const std::string& path, const Command& command) {
  std::string text;
  for (const Command& child : command.subcommands) {
    if (is_hidden(child)) continue;
    const std::string longer = path + " " + child.name;
    text += ".SS " + roff("emend " + longer) + "\n" + synopsis(longer, child) + ".PP\n" +
            roff(child.summary) + "\n" + option_entries(child.options);
    text += subcommands(longer, child);
  }
  return text;
}

ManPage command_page(const Command& command, const std::string& version) {
  const std::string name = "emend-" + command.name;
  std::string text = head(name, version) + ".SH NAME\n" + roff(name) + " \\- " + roff(command.summary) +
                     "\n.SH SYNOPSIS\n" + synopsis(command.name, command);
  if (!command.options.empty()) text += ".SH OPTIONS\n" + option_entries(command.options);
  if (!command.subcommands.empty()) text += ".SH COMMANDS\n" + subcommands(command.name, command);
  text += examples(command);
  text += ".SH SEE ALSO\n.BR emend (1)\nfor the options every command has, and for the exit codes.\n";
  return {name + ".1", text};
}

ManPage program_page(const std::vector<Command>& commands, const std::vector<Option>& global,
                     const std::string& version) {
  std::string text =
      head("emend", version) +
      ".SH NAME\nemend \\- review code, fix it on a branch, and commit only what was checked "
      "and judged\n.SH SYNOPSIS\n" +
      bold("emend") + " " + italic("COMMAND") + " [" + italic("OPTIONS") + "]\n.SH DESCRIPTION\n" +
      roff(
          "emend is a gate between fixes, made by AI agents or linters, and your branch. It commits only "
          "fixes that pass your own checks and an independent judge: to a new branch, "
          "never to your checkout.") +
      "\n.SH COMMANDS\n";
  std::vector<std::string> see;
  std::string group;
  for (const Command& command : commands) {
    if (is_hidden(command)) continue;
    if (command.group != group) text += ".SS " + roff(group = command.group) + "\n";
    text += ".TP\n" + bold(command.name) + "\n" + roff(command.summary) + "\n";
    see.push_back(".BR " + roff("emend-" + command.name) + " (1)");
  }
  text += ".SH OPTIONS\nEvery command has these, before or after its name.\n" + option_entries(global);
  text += ".TP\n" + bold("-V") + ", " + bold("--version") + "\nprint the version\n.TP\n" + bold("-h") + ", " +
          bold("--help") + "\nshow help for a command\n";
  text += ".SH EXIT STATUS\n";
  for (const ExitMeaning& meaning : exit_meanings())
    text += ".TP\n" + bold(std::to_string(static_cast<int>(meaning.status))) + "\n" + roff(meaning.meaning) +
            "\n";
  text += ".SH FILES\n.TP\n" + bold("emend.toml") + "\nthe configuration of a repository\n.TP\n" +
          bold("~/.config/emend/config.toml") + "\nyour own configuration\n.TP\n" +
          bold("~/.local/state/emend") + "\nthe state: database, logs, proofs (EMEND_HOME)\n";
  return {"emend.1", text + ".SH SEE ALSO\n" + join(see, ",\n") + "\n"};
}

} // namespace

std::vector<ManPage> man_pages(const std::vector<Command>& commands, const std::vector<Option>& global,
                               const std::string& version) {
  std::vector<ManPage> pages = {program_page(commands, global, version)};
  for (const Command& command : commands)
    if (!is_hidden(command)) pages.push_back(command_page(command, version));
  return pages;
}

} // namespace emend
