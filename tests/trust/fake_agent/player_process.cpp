// The steps that start, disturb or end processes.
#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <chrono>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "tests/trust/fake_agent/player.hpp"

namespace emend::fake_agent {

namespace {

int signal_named(const std::string& name) {
  const std::pair<const char*, int> known[] = {{"TERM", SIGTERM}, {"INT", SIGINT},   {"HUP", SIGHUP},
                                               {"KILL", SIGKILL}, {"SEGV", SIGSEGV}, {"ABRT", SIGABRT},
                                               {"PIPE", SIGPIPE}, {"STOP", SIGSTOP}};
  for (const auto& [word, number] : known)
    if (name == word) return number;
  throw std::runtime_error("no such signal: " + name);
}

[[noreturn]] void sleep_for_ever() {
  while (true) ::pause();
}

} // namespace

// Waits for it; what it prints goes to stderr, so that it does not break the stream.
void Player::run(const std::vector<std::string>& argv) {
  const pid_t child = ::fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    std::vector<char*> words;
    for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    ::execvp(words[0], words.data());
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (status != 0) throw std::runtime_error(argv.back() + ": status " + std::to_string(status));
}

void Player::run_git(const Step& step) {
  std::vector<std::string> argv = {"git", "-c", "user.name=agent", "-c", "user.email=agent@example.org"};
  argv.insert(argv.end(), step.args.begin(), step.args.end());
  run(argv);
}

void Player::run_shell(const Step& step) { run({"/bin/sh", "-c", step.rest}); }

void Player::sleep(const Step& step) {
  if (step.args.at(0) == "inf") sleep_for_ever();
  std::this_thread::sleep_for(std::chrono::milliseconds(std::stol(step.args[0])));
}

void Player::ignore(const Step& step) { std::signal(signal_named(step.args.at(0)), SIG_IGN); }

// Double fork and setsid: nobody's child, in a session of its own, and still holding our stdout.
void Player::daemon(const Step& step) {
  const std::vector<Step> steps = parse_script(read_text(call_.directory + "/scripts/" + step.args.at(0)));
  const pid_t child = ::fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child > 0) {
    ::waitpid(child, nullptr, 0);
    return;
  }
  ::setsid();
  if (::fork() > 0) ::_exit(0);
  ::_exit(Player(call_, stream_).play(steps));
}

// N children that stay, each in a group of its own.
void Player::forkbomb(const Step& step) {
  for (int i = 0; i < std::stoi(step.args.at(0)); ++i) {
    const pid_t child = ::fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "fork " + std::to_string(i));
    if (child > 0) continue;
    ::setpgid(0, 0);
    sleep_for_ever();
  }
}

void Player::alloc(const Step& step) {
  const std::size_t size = std::stoul(step.args.at(0)) << 20;
  std::string* memory = new std::string(size, 'x'); // kept until the end
  if (memory->size() != size) throw std::bad_alloc();
}

void Player::readstdin(const Step&) {
  char buffer[4096];
  while (::read(STDIN_FILENO, buffer, sizeof buffer) > 0) continue;
}

void Player::tty(const Step&) {
  const int terminal = ::open("/dev/tty", O_RDWR | O_CLOEXEC);
  const bool has_one = terminal >= 0 || ::isatty(STDIN_FILENO) == 1 || ::isatty(STDOUT_FILENO) == 1;
  if (terminal >= 0) ::close(terminal);
  if (has_one) record_problem(call_, "tty?", "there is a terminal");
}

// To loopback only: "http PATCH 127.0.0.1:PORT/path BODY". What is answered is recorded.
void Player::http(const Step& step) {
  const std::string& url = step.args.at(1);
  const auto colon = url.find(':'), slash = url.find('/');
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(url.substr(colon + 1, slash - colon - 1))));
  ::inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw std::system_error(errno, std::generic_category(), "connect " + url);
  const std::string body = step.args.size() > 2 ? step.args[2] : "";
  const std::string request =
      step.args[0] + " " + url.substr(slash) +
      " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) +
      "\r\n\r\n" + body;
  [[maybe_unused]] const ssize_t sent = ::send(fd, request.data(), request.size(), MSG_NOSIGNAL);
  char buffer[4096];
  const ssize_t n = ::recv(fd, buffer, sizeof buffer, 0);
  ::close(fd);
  record_problem(call_, "http " + url, std::string(buffer, n > 0 ? static_cast<std::size_t>(n) : 0));
}

void Player::crash(const Step& step) {
  const int number = signal_named(step.args.at(0));
  std::signal(number, SIG_DFL);
  ::kill(::getpid(), number);
}

} // namespace emend::fake_agent
