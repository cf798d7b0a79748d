#include "cli/background_work.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/exit_status.hpp"
#include "cli/spawn_attributes.hpp"

namespace emend {

namespace {

// Where a child reads and writes.
class Redirections {
public:
  Redirections(const std::string& out, const std::string& err) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                       0600);
    ::posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                       0600);
  }
  Redirections(const Redirections&) = delete;
  Redirections& operator=(const Redirections&) = delete;
  ~Redirections() { ::posix_spawn_file_actions_destroy(&actions_); }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

private:
  posix_spawn_file_actions_t actions_{};
};

// From "emend: ..." on; without such a line, the end of it.
std::string complaint_in(const std::string& log) {
  constexpr std::size_t kMost = 2'000;
  const auto text = read_file(log, 1'000'000);
  if (!text) return {};
  const std::size_t begin = text->starts_with("emend: ") ? 0 : text->find("\nemend: ");
  if (begin != std::string::npos) return std::string(trim(text->substr(begin, kMost)));
  return std::string(trim(text->size() > kMost ? text->substr(text->size() - kMost) : *text));
}

// Issues that stay unresolved are a result, and told of by events.
bool did_its_work(int status) {
  if (!WIFEXITED(status)) return false;
  const int code = WEXITSTATUS(status);
  return code == static_cast<int>(ExitStatus::done) || code == static_cast<int>(ExitStatus::unresolved) ||
         code == static_cast<int>(ExitStatus::verification_failed);
}

} // namespace

std::vector<std::string> BackgroundWork::command_line(const std::vector<std::string>& arguments) const {
  std::error_code ignored;
  std::vector<std::string> words = {fs::read_symlink("/proc/self/exe", ignored).string()};
  const GlobalOptions& global = context_.global();
  if (!context_.directory().empty()) words.insert(words.end(), {"-C", context_.directory()});
  if (!global.config_file.empty()) words.insert(words.end(), {"--config", global.config_file});
  if (global.isolated) words.push_back("--isolated");
  for (const std::string& assignment : global.set) words.insert(words.end(), {"--set", assignment});
  words.insert(words.end(), {"--json", "--no-input"});
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

Result<int> BackgroundWork::start(const std::string& name, const std::vector<std::string>& arguments) {
  TRY_ASSIGN(const std::string home, context_.home());
  TRY(make_directories(home + "/tui", 0700));
  const std::string stem =
      home + "/tui/" + name + "-" + std::to_string(::getpid()) + "-" + std::to_string(++started_);
  const Redirections files(stem + ".json", stem + ".log");
  const SpawnAttributes attributes(POSIX_SPAWN_SETSID);
  std::vector<std::string> words = command_line(arguments);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::vector<std::string> variables = context_.environment_for_children();
  std::vector<char*> envp;
  for (std::string& variable : variables) envp.push_back(variable.data());
  envp.push_back(nullptr);
  pid_t child = 0;
  const int problem = ::posix_spawn(&child, argv[0], files.get(), attributes.get(), argv.data(), envp.data());
  if (problem != 0)
    return fail(ErrorCode::io, std::string("cannot start emend ") + name + ": " + std::strerror(problem),
                "try the command in a shell");
  children_.push_back({child, name, stem + ".log"});
  return static_cast<int>(child);
}

std::vector<BackgroundWork::Failure> BackgroundWork::failures() {
  std::vector<Failure> said;
  std::erase_if(children_, [&](const Child& child) {
    int status = 0;
    const pid_t ended = ::waitpid(child.pid, &status, WNOHANG);
    if (ended == 0) return false;
    if (ended == child.pid && !did_its_work(status)) said.push_back({child.name, complaint_in(child.log)});
    return true;
  });
  return said;
}

} // namespace emend
