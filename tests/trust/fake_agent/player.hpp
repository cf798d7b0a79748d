// Plays a script step by step. A step that fails is recorded and the next one is played: a misbehaving agent
// does not stop at a refusal.
#pragma once

#include <string>
#include <vector>

#include "tests/trust/fake_agent/call.hpp"
#include "tests/trust/fake_agent/script.hpp"
#include "tests/trust/fake_agent/stream.hpp"

namespace emend::fake_agent {

class Player {
public:
  Player(const Call& call, Stream stream) : call_(call), stream_(std::move(stream)) {}

  int play(const std::vector<Step>& steps); // the exit status

private:
  using Handler = void (Player::*)(const Step&);
  static Handler handler(const std::string& word);

  void perform(const Step& step);
  // Files
  void write(const Step& step);
  void bytes(const Step& step);
  void append(const Step& step);
  void replace(const Step& step);
  void remove(const Step& step);
  void symlink(const Step& step);
  void hardlink(const Step& step);
  void chmod(const Step& step);
  void mkdir(const Step& step);
  void touch(const Step& step);
  void fifo(const Step& step);
  void fill(const Step& step);
  // What it says
  void emit(const Step& step);
  void raw(const Step& step);
  void rawhex(const Step& step);
  void dribble(const Step& step);
  void flood(const Step& step);
  void complain(const Step& step);
  void say(const Step& step);
  void model(const Step& step);
  void result(const Step& step);
  void fence(const Step& step);
  void claim(const Step& step);
  void verdict(const Step& step);
  void canary(const Step& step);
  // What it does as a process
  void run_git(const Step& step);
  void run_shell(const Step& step);
  void sleep(const Step& step);
  void ignore(const Step& step);
  void daemon(const Step& step);
  void forkbomb(const Step& step);
  void alloc(const Step& step);
  void readstdin(const Step& step);
  void tty(const Step& step);
  void http(const Step& step);
  void exit(const Step& step);
  void crash(const Step& step);
  // Conditions
  void when(const Step& step);
  void unless(const Step& step);
  void repeat(const Step& step);
  void onresume(const Step& step);
  void last(const Step& step);

  [[nodiscard]] bool holds(std::string_view& condition) const;
  [[nodiscard]] std::string filled(std::string text) const; // {issue} becomes the first code
  static void run(const std::vector<std::string>& argv);

  const Call& call_;
  Stream stream_;
  bool done_ = false;
  int status_ = 0;
};

} // namespace emend::fake_agent
