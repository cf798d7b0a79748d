#include "engine/patch/scope.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "base/glob.hpp"
#include "base/strings.hpp"
#include "engine/patch/file_form.hpp"
#include "engine/patch/file_names.hpp"
#include "engine/patch/new_files.hpp"
#include "engine/patch/related_files.hpp"

namespace emend {
namespace {

std::string directory_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string{} : std::string(path.substr(0, slash + 1));
}

// src/reader.c and src/reader.h are two faces of one thing.
std::string stem_of(std::string_view path) {
  const auto slash = path.rfind('/');
  const auto start = slash == std::string_view::npos ? 0 : slash + 1;
  const auto dot = path.rfind('.');
  return std::string(dot == std::string_view::npos || dot <= start ? path : path.substr(0, dot));
}

// What a word at the place of a command says about the words after it.
enum class CommandWord { program, interpreter, wrapper };

CommandWord kind_of(std::string_view word) {
  const auto slash = word.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? word : word.substr(slash + 1);
  for (const std::string_view known :
       {"sh",   "bash", "dash",   "zsh", "ksh",  "python", "python2", "python3", "node",    "perl",
        "ruby", "php",  "source", ".",   "deno", "bun",    "tsx",     "ts-node", "Rscript", "lua"})
    if (name == known) return CommandWord::interpreter;
  for (const std::string_view known :
       {"env",    "exec",    "time", "nice",   "timeout", "xargs",  "sudo", "nohup", "setsid",
        "stdbuf", "command", "eval", "if",     "then",    "else",   "elif", "while", "until",
        "do",     "!",       "npx",  "poetry", "uv",      "pipenv", "pdm",  "go",    "bundle"})
    if (name == known) return CommandWord::wrapper;
  if (word == "run") return CommandWord::wrapper; // poetry run, go run; not ./run
  return name.starts_with("python3.") ? CommandWord::interpreter : CommandWord::program;
}

// `bash -n a.sh` reads a.sh and runs nothing of it. (`perl -c` does run its BEGIN blocks.)
bool only_reads(std::string_view interpreter, const std::string& flag) {
  const auto slash = interpreter.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? interpreter : interpreter.substr(slash + 1);
  const bool cluster =
      flag.find_first_not_of("nevuxf", 1) == std::string::npos; // bash takes -norc for --norc
  for (const std::string_view shell : {"sh", "bash", "dash", "zsh", "ksh"})
    if (name == shell) return cluster && flag.find('n') != std::string::npos;
  if (name == "node") return flag == "--check" || flag == "-c";
  if (name == "ruby") return flag == "-c";
  return name == "php" && (flag == "-l" || flag == "--syntax-check");
}

// Reads a command line word by word and keeps the ones that name what runs.
class CommandReader {
public:
  void word(const std::string& text) {
    if (text.empty()) return;
    if (directory_next_) return enter(text);
    if (!expect_) return;
    const bool assignment = text.find('=') != std::string::npos && text.find('/') > text.find('=');
    if (assignment || (text.starts_with('-') && text.size() > 1)) return flag(text);
    const bool argument = std::exchange(argument_next_, false);
    if (argument || (wrapped_ && is_setting(text))) return;
    keep(text);
    directory_next_ = text == "cd" || text == "pushd";
    const CommandWord kind = kind_of(text);
    wrapped_ = kind == CommandWord::wrapper;
    interpreter_ = kind == CommandWord::interpreter;
    program_ = text;
    expect_ = ((wrapped_ || interpreter_) && !module_) || preload_;
    interpreter_ = interpreter_ || preload_;
    module_ = preload_ = false;
  }

  // The next word begins a new simple command.
  void command() {
    expect_ = true;
    wrapped_ = interpreter_ = argument_next_ = module_ = preload_ = directory_next_ = false;
  }

  std::vector<std::string> words;

private:
  // "60", "5m", "KILL": what timeout and nice are told, not what runs.
  static bool is_setting(const std::string& text) {
    const bool number = text[0] >= '0' && text[0] <= '9';
    return number || text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == std::string::npos;
  }

  void flag(const std::string& text) {
    if (!interpreter_ || text.find('=') != std::string::npos) return;
    if (only_reads(program_, text)) expect_ = false;
    const bool short_flag = !text.starts_with("--");
    module_ = text == "-m";
    preload_ = text == "-r" || text == "--require" || text == "--import";
    argument_next_ = text == "-W" || text == "-X" || (short_flag && text.ends_with('o'));
  }

  void enter(const std::string& directory) {
    if (directory.starts_with('-')) return;
    directory_ = (std::filesystem::path(directory_) / directory).lexically_normal().generic_string();
    directory_next_ = false;
    expect_ = false;
  }

  void keep(const std::string& text) {
    const std::filesystem::path path(text);
    words.push_back(path.lexically_normal().generic_string());
    if (!directory_.empty())
      words.push_back((std::filesystem::path(directory_) / path).lexically_normal().generic_string());
  }

  std::string directory_; // where `cd` has gone
  std::string program_;   // the last word that was kept
  bool expect_ = true;    // the next word is what runs
  bool wrapped_ = false;  // after env, timeout, if, ...
  bool interpreter_ = false;
  bool argument_next_ = false;
  bool module_ = false;  // python -m name: what follows are the module's arguments
  bool preload_ = false; // node -r name: run before the script
  bool directory_next_ = false;
};

constexpr std::uint64_t kBytesPerLine = 500; // what a limit of lines means for files that have none

// The issue's own file may be an image that is replaced by a larger one.
std::uint64_t added_bytes(const Issue& issue, const Patch& patch) {
  std::uint64_t added = 0;
  for (const FileChange& change : patch.changes) {
    const bool own_binary = change.path == issue.finding.file && change.binary();
    if (!own_binary && change.new_content.size() > change.old_content.size())
      added += change.new_content.size() - change.old_content.size();
  }
  return added;
}

} // namespace

std::vector<std::string> executed_words(std::string_view command) {
  CommandReader reader;
  std::string word;
  for (std::size_t i = 0; i <= command.size(); ++i) {
    const char c = i == command.size() ? '\n' : command[i];
    const bool continued = c == '\\' && i + 1 < command.size() && command[i + 1] == '\n';
    const bool separates = std::string_view(";|&()\n{}`").find(c) != std::string_view::npos;
    if (continued || separates || c == ' ' || c == '\t' || c == '<') {
      reader.word(std::exchange(word, {}));
      if (separates) reader.command();
      if (continued) ++i;
    } else if (c != '"' && c != '\'') {
      word += c;
    }
  }
  return reader.words;
}

Scope::Scope(const Policy& policy, const Tree& base, PathSet called, std::vector<OpenedTest> opened)
    : policy_(policy), base_(&base), called_(std::move(called)), opened_(std::move(opened)) {
  for (const VerifyCommand& command : policy.commands)
    for (const std::string& word : executed_words(command.run))
      if (base.contains(word)) verify_scripts_.insert(word);
}

bool changes_analyzers(const Patch& patch) {
  return std::any_of(patch.changes.begin(), patch.changes.end(), [](const FileChange& change) {
    return judging_kind(change.path) == kAnalyzerConfiguration;
  });
}

std::string path_list(const Patch& patch) {
  constexpr std::size_t kNamed = 5;
  std::vector<std::string> names;
  for (const FileChange& change : patch.changes)
    if (names.size() < kNamed) names.push_back(clean_text(change.path));
  const std::string shown = join(names, ", ");
  return patch.changes.size() > kNamed ? fmt::format("{} and {} more", shown, patch.changes.size() - kNamed)
                                       : shown;
}

std::string Scope::protected_as(const Issue& issue, std::string_view path) const {
  if (verify_scripts_.contains(path)) return "run by a check";
  if (any_glob_match(policy_.protected_paths, path)) return "listed in fix.protected";
  if (path == issue.finding.file || locked_together(path, issue.finding.file)) return {};
  return called_.contains(path) ? "called by a check" : std::string(judging_kind(path));
}

bool Scope::in_scope(const Issue& issue, std::string_view path) const {
  const Finding& finding = issue.finding;
  if (finding.file.empty() || policy_.scope == FixScope::repository) return true;
  if (path == finding.file) return true;
  if (std::find(finding.related_files.begin(), finding.related_files.end(), path) !=
      finding.related_files.end())
    return true;
  if (policy_.scope == FixScope::directory && path.starts_with(directory_of(finding.file))) return true;
  return stem_of(path) == stem_of(finding.file) || named_in_text(finding, path);
}

std::string Scope::creation_problem(const Issue& issue, const FileChange& change, const PathSet& used) const {
  const std::string& path = change.path;
  const std::string shown = clean_text(path);
  const Finding& finding = issue.finding;
  const bool test = is_own_test(finding.file, change) && !any_glob_match(policy_.protected_paths, path);
  if (const std::string what = protected_as(issue, path); !what.empty() && !test)
    return shown + " is protected (" + what + "): a fix may not change it";
  const bool named = path == finding.file ||
                     std::find(finding.related_files.begin(), finding.related_files.end(), path) !=
                         finding.related_files.end() ||
                     named_in_text(finding, path);
  if (named || any_glob_match(policy_.new_files, path)) return {};
  if (test || used.contains(path)) return {};
  return shown +
         " is a new file that nothing in the change uses: use it or remove it (fix.new_files lists files a "
         "fix may always create)";
}

std::vector<std::string> Scope::test_problems(const Issue& issue, const FileChange& change) const {
  std::vector<std::string> found;
  for (const TouchedTest& one : touched_tests(issue.finding, Patch{{change}}, opened_)) {
    const std::string difference = from_to(one.test);
    const std::string what = one.test.name.empty()
                                 ? (change.deleted() ? "the whole file" : "lines that existing tests may use")
                                 : "the existing test " + clean_text(one.test.name);
    found.push_back(fmt::format(
        "{}:{} {} {}{}: a fix may add tests, but not change existing ones. If it asserts the bug, a person "
        "can open it: emend issues open-test {} {}",
        clean_text(one.file), one.test.line, one.test.what, what,
        difference.empty() ? "" : " (" + difference + ")", issue.code, shell_quote(clean_text(one.name()))));
  }
  return found;
}

std::vector<std::string> Scope::violations(const Issue& issue, const Patch& patch) const {
  std::vector<std::string> found;
  const std::uint64_t added = added_bytes(issue, patch),
                      most = static_cast<std::uint64_t>(policy_.max_changed_lines) * kBytesPerLine;
  const PathSet used =
      added > most ? PathSet{} : used_new_files(patch); // what is too large is not worth reading
  for (const FileChange& change : patch.changes) {
    const std::string shown = clean_text(change.path);
    if (change.added()) {
      if (std::string problem = creation_problem(issue, change, used); !problem.empty())
        found.push_back(std::move(problem));
    } else if (std::vector<std::string> tests = test_problems(issue, change);
               !tests.empty() && !any_glob_match(policy_.protected_paths, change.path)) {
      std::move(tests.begin(), tests.end(), std::back_inserter(found));
    } else if (is_own_test(issue.finding.file, change) &&
               !any_glob_match(policy_.protected_paths, change.path)) {
      // what is only added to tests is welcome
    } else if (const std::string what = protected_as(issue, change.path); !what.empty())
      found.push_back(shown + " is protected (" + what + "): a fix may not change it");
    else if (policy_.scope != FixScope::need && !in_scope(issue, change.path))
      found.push_back(fmt::format("{} is outside the scope of {} (fix.scope = \"{}\")", shown, issue.code,
                                  to_string(policy_.scope)));
    if (change.new_mode == kModeSymlink || change.old_mode == kModeSymlink)
      found.push_back(shown + " is a symbolic link");
    if (change.new_mode == kModeGitlink || change.old_mode == kModeGitlink)
      found.push_back(shown + " is a submodule");
    if (change.mode_changed() && !repairs_mode(issue.finding, change))
      found.push_back(shown + " changes its mode bits");
    if (change.becomes_binary())
      found.push_back(
          shown + (change.added() ? " is a new file with NUL bytes" : " was text and holds NUL bytes now"));
    else if (change.binary() && !change.deleted() && change.path != issue.finding.file)
      found.push_back(shown + " is binary");
    if (const std::string odd = change.added() ? odd_file_name(change.path, *base_) : ""; !odd.empty())
      found.push_back(fmt::format("the new file \"{}\" has a name that {}", visible_text(change.path), odd));
  }
  if (added > most) { // not worth a comparison line by line
    found.push_back(fmt::format("{} added bytes are more than {} lines hold (fix.max_changed_lines)", added,
                                policy_.max_changed_lines));
    return found;
  }
  const DiffStat stat = diff_stat(patch);
  if (stat.insertions + stat.deletions > policy_.max_changed_lines)
    found.push_back(fmt::format("{} changed lines are more than fix.max_changed_lines = {}",
                                stat.insertions + stat.deletions, policy_.max_changed_lines));
  return found;
}

} // namespace emend
