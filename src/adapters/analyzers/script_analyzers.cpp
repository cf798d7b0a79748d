// ESLint and Biome: JavaScript and TypeScript. ShellCheck: shell scripts.
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "adapters/analyzers/special_analyzers.hpp"
#include "base/json.hpp"
#include "base/strings.hpp"
#include "model/review_rules.hpp"

namespace emend {

namespace {

bool has_eslint_configuration(SourceTree& tree) {
  for (const char* file : {"eslint.config.js", "eslint.config.mjs", "eslint.config.cjs", "eslint.config.ts",
                           "eslint.config.mts", "eslint.config.cts", ".eslintrc", ".eslintrc.js",
                           ".eslintrc.cjs", ".eslintrc.json", ".eslintrc.yaml", ".eslintrc.yml"})
    if (tree.exists(file)) return true;
  const auto package = tree.text("package.json");
  const auto json = package == nullptr ? Result<Json>(Json()) : parse_json(package->bytes());
  return json && find_member(*json, "eslintConfig") != nullptr;
}

// Only for projects that have an ESLint configuration, which is a program.
class Eslint : public ToolAnalyzer {
public:
  using ToolAnalyzer::ToolAnalyzer;

protected:
  [[nodiscard]] std::string why_skipped(SourceTree& tree) const override {
    return has_eslint_configuration(tree) ? "" : "the project has no ESLint configuration";
  }

  // Debian 12 has 6.4, which knows neither the flags nor the configuration files of today.
  [[nodiscard]] std::string why_unusable(std::string_view version) const override {
    const std::string_view major = version.substr(0, version.find('.'));
    return major.size() == 1 && major < "8" ? "older than 8" : "";
  }
};

// The finding's line; empty when there is none.
std::string_view line_at(std::string_view text, const Finding& finding) {
  const auto lines = lines_of(text);
  return finding.line < 1 || static_cast<std::size_t>(finding.line) > lines.size()
             ? std::string_view()
             : lines[static_cast<std::size_t>(finding.line) - 1];
}

// The finding's line, with the next one where that belongs to it.
std::string command_at(std::string_view text, const Finding& finding) {
  std::string line(line_at(text, finding));
  if (!trim(line).ends_with("||") && !trim(line).ends_with("&&")) return line;
  Finding next = finding;
  ++next.line;
  return line + " " + std::string(line_at(text, next));
}

bool is_about_react(std::string_view rule) {
  return contains(rule, "Component") || contains(rule, "Hook") || contains(rule, "Jsx") ||
         contains(rule, "React");
}

bool is_esm(std::string_view text) {
  const auto lines = lines_of(text);
  return std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
    return line.starts_with("import ") || line.starts_with("import{") || line.starts_with("export ");
  });
}

bool is_module(std::string_view text) {
  return contains(text, "require(") || contains(text, "module.exports") || contains(text, "exports.") ||
         is_esm(text);
}

// What turns tags into calls is used by them, though nobody reads its name there.
bool makes_tags(std::string_view line, std::string_view text) {
  static const RE2 kMaker(R"(\bReact\b|[{,]\s*(?:h|createElement)\b|\b(?:h|jsx)\s+from\b)");
  return RE2::PartialMatch(re2::StringPiece(line.data(), line.size()), kMaker) &&
         (contains(text, "</") || contains(text, "/>"));
}

// Whether the file shows that what biome's rule warns of is meant, or cannot be known.
bool is_meant_in_script(const Finding& finding, std::string_view line, std::string_view text) {
  const std::string_view rule = last_name(finding.rule);
  if (rule == "noGlobalAssign") return contains(line, "exports"); // of CommonJS: a variable of the file
  if (rule == "noUnusedImports") return makes_tags(line, text);
  if (rule == "noMisleadingCharacterClass") // written with escapes: who does that knows what it is
    return std::none_of(line.begin(), line.end(),
                        [](char c) { return (static_cast<unsigned char>(c) & 0x80U) != 0; });
  return finding.rule == "parse" && contains(finding.title, "strict mode") && !is_esm(text);
}

class Biome : public ToolAnalyzer {
public:
  using ToolAnalyzer::ToolAnalyzer;

protected:
  // Without a configuration only what may be a bug, of the rules biome recommends: `--only=GROUP` would turn
  // on all of a group, those of frameworks the project does not use with them.
  [[nodiscard]] ToolCall call(const std::vector<std::string>& files, const AnalysisRequest&,
                              SourceTree& tree) const override {
    ToolCall made{with_rules(tool().arguments, tree), ""};
    made.arguments.insert(made.arguments.end(), files.begin(), files.end());
    return made;
  }
  [[nodiscard]] std::vector<std::string> fix_arguments(SourceTree& tree) const override {
    return with_rules(tool().fix, tree);
  }

  // What stands at the top of a script that is no module is there for other scripts and pages. Rules of React
  // mean nothing elsewhere.
  void settle(std::vector<Finding>& findings, const AnalysisRequest&, SourceTree& tree) const override {
    const auto package = tree.text("package.json");
    const bool react = package != nullptr &&
                       (contains(package->bytes(), "\"react\"") || contains(package->bytes(), "\"preact\""));
    std::set<std::string> unread; // files it could not read to their end: who knows what is used there
    for (const Finding& finding : findings)
      if (finding.rule == "parse") unread.insert(finding.file);
    for (Finding& finding : findings) {
      if (!react && is_about_react(finding.rule)) mark_doubtful(finding);
      const bool about_use = contains(finding.rule, "/noUnused");
      if (about_use && unread.contains(finding.file)) mark_doubtful(finding);
      const auto text = tree.text(finding.file);
      if (text == nullptr) continue;
      const std::string_view line = line_at(text->bytes(), finding);
      if (is_meant_in_script(finding, line, text->bytes())) mark_doubtful(finding);
      if (finding.rule != "lint/correctness/noUnusedVariables" || is_module(text->bytes())) continue;
      if (!line.empty() && line.front() != ' ' && line.front() != '\t') mark_doubtful(finding);
    }
  }

private:
  static std::vector<std::string> with_rules(std::vector<std::string> arguments, const SourceTree& tree) {
    if (!tree.exists("biome.json") && !tree.exists("biome.jsonc"))
      for (const char* group : {"style", "complexity", "a11y", "performance", "nursery"})
        arguments.push_back(std::string("--skip=") + group);
    return arguments;
  }
};

bool names_a_shell(std::string_view interpreter_line) {
  if (!interpreter_line.starts_with("#!")) return false;
  for (std::string_view word : split(trim(interpreter_line.substr(2)), ' ')) {
    word = word.substr(word.rfind('/') + 1);
    if (word == "env" || word.empty() || word.starts_with('-')) continue;
    return word == "sh" || word == "bash" || word == "dash" || word == "ksh";
  }
  return false;
}

// `test && other || die`: who gives up at the end wants to whenever one of the others fails.
bool gives_up_at_the_end(std::string_view line) {
  const auto last = line.rfind("||");
  if (last == std::string_view::npos) return false;
  std::string_view word = trim(line.substr(last + 2));
  word = word.substr(0, word.find_first_of(" \t;&|)}"));
  const std::array<std::string_view, 14> words = {"die",   "exit", "return", "fail",  "true",
                                                  "false", ":",    "abort",  "break", "continue",
                                                  "{",     "err",  "error",  "throw"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Whether the line itself shows that what the rule warns of is meant, or cannot happen.
bool is_meant(const std::string& rule, std::string_view line) {
  if (rule == "SC2015") return gives_up_at_the_end(line);
  if (rule == "SC2207") return contains(line, "COMPREPLY"); // how completions are written
  if (rule == "SC2046") return contains(line, "<<<");       // bash splits no words there
  if (rule == "SC1083") return contains(line, "@{");        // a revision of git
  if (rule == "SC2128")                                     // the first one is what is asked for
    return contains(line, "BASH_SOURCE") || contains(line, "FUNCNAME") || contains(line, "BASH_LINENO");
  if (rule == "SC2028") return contains(line, "printf"); // a script that is written by this one
  if (!rule.starts_with("SC30")) return false; // not in every shell: the line asks first which one it is
  return contains(line, "type ") || contains(line, "command -v") || contains(line, "_VERSION");
}

// NAME of the "$NAME" or "${NAME...}" that the finding is about.
std::string variable_at(std::string_view text, const Finding& finding) {
  std::string_view rest = line_at(text, finding);
  if (rest.empty() || finding.column < 1) return {};
  rest.remove_prefix(std::min(rest.size(), static_cast<std::size_t>(finding.column) - 1));
  const auto begin = rest.find_first_not_of("${");
  if (begin == std::string_view::npos) return {};
  rest.remove_prefix(begin);
  const auto end =
      std::find_if(rest.begin(), rest.end(), [](unsigned char c) { return !std::isalnum(c) && c != '_'; });
  return {rest.begin(), end};
}

bool holds_words(std::string_view variable) {
  const std::string name = to_lower(variable);
  for (const char* tool : {"cc", "cxx", "cpp", "ld", "ar", "make", "cmake"}) // with arguments, often
    if (name == tool) return true;
  for (const char* part : {"flag", "opt", "arg", "param", "prefix", "files", "packages", "pkgs", "list",
                           "extra", "sudo", "cmd", "command", "runner", "modules", "targets"})
    if (contains(name, part)) return true;
  return false;
}

class Shellcheck : public ToolAnalyzer {
public:
  using ToolAnalyzer::ToolAnalyzer;

  // A file without extension may be a script; its first line tells, see wants().
  [[nodiscard]] bool understands(std::string_view path) const override {
    const std::string_view name = file_name(path);
    return ToolAnalyzer::understands(path) || name == ".bashrc" || name == ".bash_profile" ||
           name == ".profile" || (!name.empty() && name.find('.') == std::string_view::npos);
  }

protected:
  [[nodiscard]] bool wants(const std::string& file, const SourceTree& tree) const override {
    if (file_name(file).find('.') != std::string_view::npos) return true;
    return names_a_shell(first_line(head_of_file(tree.on_disk(file), 200), 200));
  }

  // A variable that holds several words, or sometimes none, is left unquoted on purpose.
  void settle(std::vector<Finding>& findings, const AnalysisRequest&, SourceTree& tree) const override {
    for (Finding& finding : findings) {
      const auto text = tree.text(finding.file);
      if (text == nullptr) continue;
      const bool on_purpose = finding.rule == "SC2086"
                                  ? holds_words(variable_at(text->bytes(), finding))
                                  : is_meant(finding.rule, command_at(text->bytes(), finding));
      if (on_purpose) mark_doubtful(finding);
    }
  }
};

} // namespace

std::unique_ptr<ToolAnalyzer> make_eslint(const KnownAnalyzer& row, ProcessRunner& processes, ProjectCode) {
  return std::make_unique<Eslint>(processes, row);
}

std::unique_ptr<ToolAnalyzer> make_biome(const KnownAnalyzer& row, ProcessRunner& processes, ProjectCode) {
  return std::make_unique<Biome>(processes, row);
}

std::unique_ptr<ToolAnalyzer> make_shellcheck(const KnownAnalyzer& row, ProcessRunner& processes,
                                              ProjectCode) {
  return std::make_unique<Shellcheck>(processes, row);
}

} // namespace emend
