#include "cli/terminal.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/environment.hpp"
#include "base/screen.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

// One line from the keyboard, nullopt when nobody is there any more; looks at the stop token often enough
// that Ctrl-C feels immediate.
Result<std::optional<std::string>> read_line(std::stop_token stop) {
  std::string line;
  while (!stop.stop_requested()) {
    pollfd keyboard{STDIN_FILENO, POLLIN, 0};
    if (::poll(&keyboard, 1, 100) <= 0) continue;
    char c = 0;
    const ssize_t got = ::read(STDIN_FILENO, &c, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0 && line.empty()) return std::optional<std::string>();
    if (got <= 0 || c == '\n') return std::optional<std::string>(std::move(line));
    line += c;
  }
  return fail(ErrorCode::cancelled, "stopped while waiting for an answer");
}

} // namespace

std::vector<std::string> process_environment() {
  std::vector<std::string> result;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) result.emplace_back(*entry);
  return result;
}

bool wants_color(std::string_view flag, const std::vector<std::string>& environment, bool is_terminal) {
  if (flag != "auto") return flag == "always";
  if (!variable(environment, "NO_COLOR").empty()) return false;
  const std::string force = variable(environment, "CLICOLOR_FORCE");
  if (!force.empty() && force != "0") return true;
  return is_terminal && variable(environment, "TERM") != "dumb";
}

bool may_ask(bool no_input_flag, const std::vector<std::string>& environment, bool input_is_terminal,
             bool error_is_terminal) {
  const auto says_yes = [&environment](std::string_view name) {
    const std::string value = to_lower(variable(environment, name));
    return !value.empty() && value != "0" && value != "false";
  };
  return !no_input_flag && !says_yes("EMEND_NO_INPUT") && !says_yes("CI") && input_is_terminal &&
         error_is_terminal;
}

Status write_stdout(std::string_view text) {
  const int problem = write_screen(STDOUT_FILENO, text);
  if (problem == 0 || problem == EPIPE) return {};
  return fail(ErrorCode::io, std::string("cannot write the result to stdout: ") + std::strerror(problem));
}

void write_stderr(std::string_view text) { write_screen(STDERR_FILENO, text); }

Result<std::optional<std::string>> ask_line(std::string_view prompt, std::stop_token stop) {
  const BottomPause pause;
  write_stderr(prompt);
  return read_line(std::move(stop));
}

Result<bool> ask_yes_no(std::string_view question, std::stop_token stop, Enter enter) {
  const BottomPause pause;
  while (true) {
    write_stderr(std::string(question) + (enter == Enter::yes ? " [Y/n] " : " [y/N] "));
    TRY_ASSIGN(const auto line, read_line(stop));
    const std::string answer = line ? to_lower(trim(*line)) : "n"; // whatever Enter means, it was not pressed
    if (answer.empty()) return enter == Enter::yes;
    if (answer == "n" || answer == "no") return false;
    if (answer == "y" || answer == "yes") return true;
  }
}

} // namespace emend
