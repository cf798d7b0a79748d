#include "adapters/git/git_program.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/strings.hpp"

namespace emend {

namespace {

// The repository we are called in, "" outside of one.
std::filesystem::path repository_around() {
  std::error_code problem;
  for (std::filesystem::path up = std::filesystem::current_path(problem); up.has_relative_path();
       up = up.parent_path())
    if (std::filesystem::exists(up / ".git", problem)) return up;
  return {};
}

// A program called git that lies in there is not the one the person installed.
bool lies_in(const std::filesystem::path& repository, const std::string& directory) {
  std::error_code problem;
  const std::string real = std::filesystem::weakly_canonical(directory, problem).string() + "/";
  return !repository.empty() && real.starts_with(repository.string() + "/");
}

// Relative entries would make the program that runs depend on the directory we happen to be in.
std::string absolute_search_path() {
  const char* path = std::getenv("PATH");
  const std::filesystem::path repository = repository_around();
  std::vector<std::string> kept;
  for (const std::string& part : split(path != nullptr ? path : "", ':'))
    if (!part.empty() && part.front() == '/' && !lies_in(repository, part)) kept.push_back(part);
  return kept.empty() ? "/usr/local/bin:/usr/bin:/bin" : join(kept, ":");
}

std::vector<std::string> engine_environment() {
  return {"PATH=" + absolute_search_path(),
          "LC_ALL=C",
          "GIT_CONFIG_NOSYSTEM=1",
          "GIT_CONFIG_GLOBAL=/dev/null",
          "GIT_ATTR_NOSYSTEM=1",
          "GIT_OPTIONAL_LOCKS=0",
          "GIT_NO_REPLACE_OBJECTS=1",
          "GIT_GRAFT_FILE=/dev/null",
          "GIT_TERMINAL_PROMPT=0",
          "GIT_LFS_SKIP_SMUDGE=1",
          "GIT_NO_LAZY_FETCH=1",
          "GIT_PAGER=cat"};
}

// Of git's own variables only those that say who the person is and where the configuration lives; GIT_DIR and
// the like, set when we are started from a hook, would make git look at another repository.
bool passed_to_user_call(std::string_view variable) {
  if (!variable.starts_with("GIT_")) return !variable.starts_with("PATH=");
  for (std::string_view prefix : {"GIT_AUTHOR_", "GIT_COMMITTER_", "GIT_CONFIG"})
    if (variable.starts_with(prefix)) return true;
  return false;
}

std::vector<std::string> user_environment() {
  std::vector<std::string> variables = {"PATH=" + absolute_search_path(), "GIT_OPTIONAL_LOCKS=0",
                                        "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1"};
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    if (passed_to_user_call(*variable)) variables.emplace_back(*variable);
  return variables;
}

const std::vector<std::string>& safety_flags() {
  static const std::vector<std::string> flags = {"-c", "core.fsmonitor=false",
                                                 "-c", "core.hooksPath=/dev/null",
                                                 "-c", "core.attributesFile=/dev/null",
                                                 "-c", "core.excludesFile=/dev/null",
                                                 "-c", "protocol.ext.allow=never",
                                                 "-c", "protocol.allow=never",
                                                 "-c", "gc.auto=0",
                                                 "-c", "maintenance.auto=false"};
  return flags;
}

} // namespace

GitProgram::GitProgram(ProcessRunner& processes, std::string git)
    : processes_(processes), git_(std::move(git)) {}

Result<ProcessResult> GitProgram::run(const GitCall& call) const {
  ProcessSpec spec;
  spec.argv.push_back(git_);
  spec.argv.insert(spec.argv.end(), safety_flags().begin(), safety_flags().end());
  if (!call.git_dir.empty()) spec.argv.push_back("--git-dir=" + call.git_dir);
  spec.argv.insert(spec.argv.end(), call.args.begin(), call.args.end());
  spec.cwd = call.cwd;
  spec.env = call.user_config ? user_environment() : engine_environment();
  spec.env.insert(spec.env.end(), call.env.begin(), call.env.end());
  spec.stdin_data = call.input;
  spec.supervise = false;
  spec.max_output_bytes = 4'000'000'000ULL;
  TRY_ASSIGN(ProcessResult result, processes_.run(spec, {}));
  if (result.ending == Ending::not_started)
    return fail(ErrorCode::git, "git could not be started: " + result.problem,
                "install git, or name it in the configuration");
  if (result.ending != Ending::exited)
    return fail(ErrorCode::git,
                "git " + call.args.front() + " did not finish: " + std::string(to_string(result.ending)));
  return result;
}

Result<std::string> GitProgram::output(const GitCall& call) const {
  TRY_ASSIGN(ProcessResult result, run(call));
  if (result.exit_code != 0)
    return fail(ErrorCode::git, "git " + call.args.front() + " failed (exit " +
                                    std::to_string(result.exit_code) + "): " + git_complaint(result));
  return std::move(result.out);
}

Result<std::string> GitProgram::line(const GitCall& call) const {
  TRY_ASSIGN(std::string text, output(call));
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::string git_complaint(const ProcessResult& result) {
  std::string_view text = trim(result.err);
  for (std::string_view line : lines_of(text)) {
    if (!line.starts_with("fatal: ") && !line.starts_with("error: ")) continue;
    text.remove_prefix(static_cast<std::size_t>(line.data() - text.data()) + 7);
    break;
  }
  if (text.empty()) return "no message";
  // Some complaints end in a list below a colon.
  return first_line(replace_all(replace_all(std::string(text), ":\n\t", ": "), ":\n", ": "), 500);
}

} // namespace emend
