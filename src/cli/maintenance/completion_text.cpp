#include "cli/maintenance/completion_text.hpp"

#include "base/strings.hpp"
#include "cli/command_tree.hpp"

namespace emend {

namespace {

// In single quotes, for all three shells: none of our words has a newline, and quotes are left out of texts.
std::string in_quotes(std::string_view text) {
  return "'" + replace_all(replace_all(std::string(text), "\\", "/"), "'", "’") + "'";
}

// What _emend_values answers: "-" no value, "@file", "@dir", words, or nothing for anything.
std::string value_word(const Option& option) {
  if (!takes_value(option)) return "-";
  switch (value_kind(option)) {
    case ValueKind::choice: return join(option.choices, " ");
    case ValueKind::file: return "@file";
    case ValueKind::directory: return "@dir";
    case ValueKind::anything: return "";
  }
  return "";
}

std::vector<Option> options_at(const CommandPlace& place, const std::vector<Option>& global) {
  std::vector<Option> options = place.command == nullptr ? std::vector<Option>() : place.command->options;
  options.insert(options.end(), global.begin(), global.end());
  return options;
}

std::string flags_at(const CommandPlace& place, const std::vector<Option>& global) {
  std::vector<std::string> flags = {"--help"};
  for (const Option& option : options_at(place, global)) {
    if (is_positional(option)) continue;
    for (const std::string& name : names_of(option)) flags.push_back(name);
  }
  return join(flags, " ");
}

std::string children_at(const CommandPlace& place) {
  std::vector<std::string> names;
  for (const Command* child : place.children) names.push_back(child->name);
  return join(names, " ");
}

// The words that may stand where no flag begins: commands, a positional's choices or files.
std::string words_at(const CommandPlace& place) {
  if (!place.children.empty() || place.command == nullptr) return children_at(place);
  for (const Option& option : place.command->options)
    if (is_positional(option) && value_kind(option) != ValueKind::anything) return value_word(option);
  return "";
}

// Tables that bash and zsh read alike.
std::string tables(const std::vector<CommandPlace>& places, const std::vector<Option>& global) {
  std::string commands, words, flags, values;
  for (const CommandPlace& place : places) {
    if (!place.path.empty()) commands += (commands.empty() ? "" : "|") + in_quotes(place.path);
    words += "    " + in_quotes(place.path) + ") _emend_reply=" + in_quotes(words_at(place)) + " ;;\n";
    flags +=
        "    " + in_quotes(place.path) + ") _emend_reply=" + in_quotes(flags_at(place, global)) + " ;;\n";
    for (const Option& option : place.command == nullptr ? std::vector<Option>() : place.command->options)
      for (const std::string& name : names_of(option))
        if (takes_value(option) && !is_positional(option))
          values += "    " + in_quotes(place.path + " " + name) +
                    ") _emend_reply=" + in_quotes(value_word(option)) + " ;;\n";
  }
  for (const Option& option : global)
    for (const std::string& name : names_of(option))
      if (takes_value(option))
        values +=
            "    *" + in_quotes(" " + name) + ") _emend_reply=" + in_quotes(value_word(option)) + " ;;\n";
  return "_emend_is_command() {\n  case \"$1\" in\n    " + commands +
         ") return 0 ;;\n  esac\n  return 1\n}\n\n" +
         "# What may stand at a command, flags apart: words, @file or @dir.\n_emend_words() {\n  case \"$1\" "
         "in\n" +
         words + "    *) _emend_reply='' ;;\n  esac\n}\n\n" + "_emend_flags() {\n  case \"$1\" in\n" + flags +
         "    *) _emend_reply='' ;;\n  esac\n}\n\n" +
         "# What follows a flag: words, @file, @dir, nothing we know, or - for a flag that takes no "
         "value.\n_emend_values() {\n  case \"$1 $2\" in\n" +
         values + "    *) _emend_reply='-' ;;\n  esac\n}\n\n";
}

constexpr const char* kBash = R"(_emend() {
  local cur=${COMP_WORDS[COMP_CWORD]} path='' flag='' word i _emend_reply=''
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [ -n "$flag" ]; then
      [ "$word" = '=' ] || flag=''
      continue
    fi
    case $word in
      -*) _emend_values "$path" "$word"; [ "$_emend_reply" = - ] || flag=$word ;;
      *) if _emend_is_command "${path:+$path }$word"; then path="${path:+$path }$word"; fi ;;
    esac
  done
  [ "$cur" != '=' ] || cur=''
  if [ -n "$flag" ]; then
    _emend_values "$path" "$flag"
  elif [ "${cur:0:1}" = - ]; then
    _emend_flags "$path"
  else
    _emend_words "$path"
  fi
  case $_emend_reply in
    @file) compopt -o filenames 2>/dev/null || :; mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
    @dir) compopt -o filenames 2>/dev/null || :; mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$_emend_reply" -- "$cur") ;;
  esac
}

complete -F _emend emend
)";

constexpr const char* kZsh = R"(_emend_describe() {
  local -a known
  known=()
  local line
  while IFS= read -r line; do
    [[ -n $line ]] && known+=("$line")
  done <<< "$1"
  _describe -t commands command known
}

_emend() {
  local cur=${words[CURRENT]} at='' flag='' word _emend_reply=''
  local -i i
  for ((i = 2; i < CURRENT; i++)); do
    word=${words[i]}
    if [[ -n $flag ]]; then
      flag=''
      continue
    fi
    case $word in
      -*=*) ;;
      -*) _emend_values "$at" "$word"; [[ $_emend_reply == - ]] || flag=$word ;;
      *) if _emend_is_command "${at:+$at }$word"; then at="${at:+$at }$word"; fi ;;
    esac
  done
  if [[ -z $flag && $cur == --*=* ]]; then
    _emend_values "$at" "${cur%%=*}"
    compset -P '*='
  elif [[ -n $flag ]]; then
    _emend_values "$at" "$flag"
  elif [[ $cur == -* ]]; then
    _emend_flags "$at"
  else
    _emend_summaries "$at"
    if [[ -n $_emend_reply ]]; then
      _emend_describe "$_emend_reply"
      return
    fi
    _emend_words "$at"
  fi
  case $_emend_reply in
    @file) _files ;;
    @dir) _files -/ ;;
    *) compadd -- ${=_emend_reply} ;;
  esac
}

if [[ $funcstack[1] == _emend ]]; then
  _emend "$@"
else
  compdef _emend emend
fi
)";

// "name:what it does", one a line.
std::string zsh_summaries(const std::vector<CommandPlace>& places) {
  std::string cases;
  for (const CommandPlace& place : places) {
    std::string lines;
    for (const Command* child : place.children)
      lines += child->name + ":" + replace_all(child->summary, ":", " -") + "\n";
    if (!lines.empty())
      cases += "    " + in_quotes(place.path) + ") _emend_reply=" + in_quotes(lines) + " ;;\n";
  }
  return "_emend_summaries() {\n  case \"$1\" in\n" + cases + "    *) _emend_reply='' ;;\n  esac\n}\n\n";
}

std::string fish_option(const std::string& when, const Option& option) {
  std::string line = "complete -c emend" + when;
  for (const std::string& name : names_of(option))
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (takes_value(option)) {
    switch (value_kind(option)) {
      case ValueKind::choice: line += " -x -a " + in_quotes(join(option.choices, " ")); break;
      case ValueKind::file: line += " -r -F"; break;
      case ValueKind::directory: line += " -x -a '(__fish_complete_directories)'"; break;
      case ValueKind::anything: line += " -x"; break;
    }
  }
  return line + " -d " + in_quotes(option.help) + "\n";
}

std::string fish_place(const CommandPlace& place) {
  const std::string when = " -n " + in_quotes("__emend_at \"" + place.path + "\"");
  std::string text;
  for (const Command* child : place.children)
    text += "complete -c emend" + when + " -a " + child->name + " -d " + in_quotes(child->summary) + "\n";
  for (const Option& option : place.command == nullptr ? std::vector<Option>() : place.command->options) {
    if (!is_positional(option)) {
      text += fish_option(when, option);
    } else if (value_kind(option) == ValueKind::choice) {
      text += "complete -c emend" + when + " -a " + in_quotes(join(option.choices, " ")) + "\n";
    } else if (value_kind(option) == ValueKind::file) {
      text += "complete -c emend" + when + " -F\n";
    }
  }
  return text;
}

constexpr const char* kFish = R"(
# Is the command line at this command? Known words make the path, values of global flags do not count.
function __emend_at
    set -l words (commandline -opc)
    set -l path
    set -l skip 0
    for word in $words[2..-1]
        if test $skip = 1
            set skip 0
            continue
        end
        switch $word
            case @value-flags@
                set skip 1
            case '-*'
            case '*'
                set -l longer (string join ' ' $path $word)
                if contains -- $longer $__emend_commands
                    set path $path $word
                end
        end
    end
    test "$path" = "$argv[1]"
end

complete -c emend -f
)";

std::string header(std::string_view shell) {
  return "# " + std::string(shell) + " completion for emend; written by `emend completion " +
         std::string(shell) + "`.\n";
}

} // namespace

std::string bash_completion(const std::vector<Command>& commands, const std::vector<Option>& global) {
  return header("bash") + tables(command_places(commands), global) + kBash;
}

std::string zsh_completion(const std::vector<Command>& commands, const std::vector<Option>& global) {
  const auto places = command_places(commands);
  return "#compdef emend\n" + header("zsh") + tables(places, global) + zsh_summaries(places) + kZsh;
}

std::string fish_completion(const std::vector<Command>& commands, const std::vector<Option>& global) {
  const auto places = command_places(commands);
  std::vector<std::string> paths, flags;
  for (const CommandPlace& place : places)
    if (!place.path.empty()) paths.push_back(in_quotes(place.path));
  for (const Option& option : global)
    for (const std::string& name : names_of(option))
      if (takes_value(option)) flags.push_back(name);
  std::string text = header("fish") + "set -g __emend_commands " + join(paths, " ") +
                     replace_all(kFish, "@value-flags@", join(flags, " "));
  for (const Option& option : global) text += fish_option("", option);
  for (const CommandPlace& place : places) text += fish_place(place);
  return text;
}

} // namespace emend
