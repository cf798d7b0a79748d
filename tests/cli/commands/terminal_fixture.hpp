// A program at a real terminal, where it may ask and draw.
#pragma once

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cli/commands/cli_fixture.hpp"
#include "tests/support/paths.hpp"

namespace emend {

class TerminalFixture : public CliFixture {
protected:
  struct Seen {
    std::string screen;
    int exit_code = -1;
  };

  // Types `answer` once `question` is on the screen.
  Seen at_terminal(std::vector<std::string> arguments, const std::string& question = "",
                   const std::string& answer = "") {
    arguments.insert(arguments.begin(), EMEND_BINARY);
    return program_at_terminal(std::move(arguments), question, answer);
  }

  Seen program_at_terminal(std::vector<std::string> command, const std::string& question = "",
                           const std::string& answer = "") {
    ProcessSpec wanted = spec(std::move(command));
    wanted.env.push_back("TERM=xterm");
    std::vector<char*> argv, env;
    for (std::string& word : wanted.argv) argv.push_back(word.data());
    for (std::string& word : wanted.env) env.push_back(word.data());
    argv.push_back(nullptr);
    env.push_back(nullptr);
    int terminal = -1;
    const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
    if (child == 0) {
      if (::chdir(wanted.cwd.c_str()) == 0) ::execve(argv[0], argv.data(), env.data());
      ::_exit(127);
    }
    Seen seen;
    bool answered = question.empty();
    char buffer[4096];
    // Reading fails with EIO once the last process has left the terminal.
    for (ssize_t got = 0; (got = ::read(terminal, buffer, sizeof buffer)) > 0;) {
      seen.screen.append(buffer, static_cast<std::size_t>(got));
      if (answered || !contains(seen.screen, question)) continue;
      answered = true;
      EXPECT_EQ(::write(terminal, answer.data(), answer.size()), static_cast<ssize_t>(answer.size()));
    }
    ::close(terminal);
    int status = 0;
    ::waitpid(child, &status, 0);
    seen.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return seen;
  }
};

} // namespace emend
