#include "engine/agents/agent_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/strings.hpp"
#include "model/coding_clis.hpp"

namespace emend::embedded {
const std::vector<std::pair<std::string_view, std::string_view>>&
agent_templates(); // made from agents/*.md by the build
}

namespace emend {

namespace {

constexpr std::string_view kFence = "---";
// Known to other programs that read such files; accepted, so that one file can serve both, and without effect
// here.
constexpr std::string_view kForeignKeys[] = {"color",       "disallowedTools", "emend",          "kind",
                                             "maxTurns",    "max_turns",       "permissionMode", "skills",
                                             "temperature", "timeout_mins"};
constexpr std::string_view kChangingTools[] = {"Bash", "Edit", "MultiEdit", "NotebookEdit", "Write"};

template <typename List>
bool is_one_of(std::string_view word, const List& list) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

std::string_view unquoted(std::string_view text) {
  const bool quoted =
      text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

// "Read, Edit" or "[Read, Edit]".
std::vector<std::string> words_of(std::string_view value) {
  if (value.starts_with('[') && value.ends_with(']')) value = value.substr(1, value.size() - 2);
  std::vector<std::string> words;
  for (const std::string& part : split(value, ','))
    if (const auto word = unquoted(trim(part)); !word.empty()) words.emplace_back(word);
  return words;
}

class FrontMatter {
public:
  FrontMatter(std::string_view path, AgentFile& file) : path_(path), file_(file) {}

  Status read(const std::vector<std::string_view>& lines) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      line_ = static_cast<int>(i) + 2; // the fence is line 1
      TRY(read_line(lines[i]));
    }
    line_ = 1;
    if (file_.name.empty()) return wrong("the front matter has no name");
    if (file_.description.empty()) return wrong("the front matter has no description");
    return {};
  }

private:
  [[nodiscard]] tl::unexpected<Error> wrong(const std::string& why) const {
    return fail(ErrorCode::config, fmt::format("{}:{}: {}", path_, line_, why));
  }

  Status read_line(std::string_view line) {
    const std::string_view text = trim(line);
    if (text.empty() || text.starts_with('#')) return {};
    const bool nested = line.starts_with(' ') || line.starts_with('\t') || text.starts_with("- ");
    if (nested) return read_nested(text);
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) return wrong("expected \"key: value\"");
    key_ = std::string(trim(text.substr(0, colon)));
    if (!seen_.insert(key_).second) return wrong("\"" + key_ + "\" is set twice");
    return read_value(trim(text.substr(colon + 1)));
  }

  Status read_value(std::string_view value) {
    if (key_ == "name")
      file_.name = unquoted(value);
    else if (key_ == "description")
      file_.description = unquoted(value);
    else if (key_ == "model")
      file_.model = unquoted(value) == "inherit" ? "" : unquoted(value);
    else if (key_ == "tools")
      file_.tools = words_of(value);
    else if (!is_one_of(key_, kForeignKeys)) {
      const auto near = did_you_mean(key_, {"name", "description", "model", "tools"});
      return wrong("unknown key \"" + first_line(clean_text(key_), 60) + "\"" +
                   (near ? "; did you mean \"" + *near + "\"?" : ""));
    }
    if (key_ == "model" && file_.model.find_first_of(" \t") != std::string::npos)
      return wrong("the model is not one word");
    return {};
  }

  // A list below its key, or what belongs to a key of another program's.
  Status read_nested(std::string_view text) {
    if (is_one_of(key_, kForeignKeys)) return {};
    if (key_ != "tools" || !text.starts_with("- ")) return wrong("a value must be on the line of its key");
    file_.tools.emplace_back(unquoted(trim(text.substr(2))));
    return {};
  }

  std::string_view path_;
  AgentFile& file_;
  std::string key_;
  std::set<std::string> seen_;
  int line_ = 1;
};

} // namespace

Result<AgentFile> parse_agent_file(std::string_view path, std::string_view text) {
  const auto wrong = [&](std::size_t line, const char* why) {
    return fail(ErrorCode::config, fmt::format("{}:{}: {}", path, line, why));
  };
  if (!is_valid_utf8(text)) return wrong(1, "this is not UTF-8 text");
  const std::string plain = replace_all(std::string(text), "\r\n", "\n");
  const auto lines = lines_of(plain);
  if (lines.empty() || trim(lines.front()) != kFence)
    return wrong(1, "the front matter is missing: the first line must be ---");
  const auto close = std::find_if(lines.begin() + 1, lines.end(),
                                  [](std::string_view line) { return trim(line) == kFence; });
  if (close == lines.end()) return wrong(lines.size(), "the front matter is not closed by ---");
  AgentFile file;
  TRY(FrontMatter(path, file).read({lines.begin() + 1, close}));
  const auto after = static_cast<std::size_t>(close->data() - plain.data()) + close->size() + 1;
  file.body = plain.substr(std::min(after, plain.size()));
  if (trim(file.body).empty())
    return wrong(static_cast<std::size_t>(close - lines.begin()) + 1,
                 "there is no text below the front matter");
  return file;
}

std::vector<std::string> built_in_agent_files() {
  std::vector<std::string> names;
  for (const auto& [file_name, text] : embedded::agent_templates())
    names.emplace_back(file_name.substr(0, file_name.rfind('.')));
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::string> built_in_agent_text(std::string_view name) {
  const std::string file = std::string(name) + ".md";
  for (const auto& [file_name, text] : embedded::agent_templates())
    if (file_name == file) return std::string(text);
  return fail(ErrorCode::config, "there is no agent file agents/" + file, "`emend agents files` lists them");
}

Result<AgentFile> agent_file(const Policy& policy, std::string_view name) {
  if (const auto own = policy.agent_files.find(std::string(name)); own != policy.agent_files.end())
    return parse_agent_file(".emend/agents/" + own->first + ".md", own->second);
  TRY_ASSIGN(const std::string text, built_in_agent_text(name));
  return parse_agent_file("agents/" + std::string(name) + ".md", text);
}

bool model_suits(const AgentBinding& agent, const std::string& model) {
  const std::string maker = family_of(agent.engine, "");
  return !model.empty() && !maker.empty() && family_of("", model) == maker;
}

Status use_agent_file(const Policy& policy, const AgentBinding& agent, AgentRequest& request) {
  TRY_ASSIGN(const AgentFile file, agent_file(policy, request.role));
  if (model_suits(agent, file.model)) request.model = file.model;
  const CodingCli* cli = find_coding_cli(agent.engine);
  if (cli != nullptr && cli->uses_claude_tool_names) request.tools = file.tools;
  const auto changes = [](const std::string& tool) {
    return is_one_of(tool.substr(0, tool.find('(')), kChangingTools);
  };
  if (!file.tools.empty() && std::none_of(file.tools.begin(), file.tools.end(), changes))
    request.read_only = true;
  return {};
}

} // namespace emend
