// A coding CLI that does what a script says instead of asking a model. Called claude, gemini or codex, it
// speaks that program's stream.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <string_view>

#include "tests/trust/fake_agent/call.hpp"
#include "tests/trust/fake_agent/player.hpp"

using namespace emend::fake_agent;

namespace {

std::string model_of(const Call& call) {
  for (std::size_t i = 0; i + 1 < call.argv.size(); ++i)
    if (call.argv[i] == "--model" || call.argv[i] == "-m") return call.argv[i + 1];
  return call.name == "gemini" ? "gemini-2.5-pro" : call.name == "codex" ? "gpt-5.5" : "claude-opus-4";
}

// A new conversation has a name of its own; one that is gone on with keeps it.
std::string conversation_of(const Call& call) {
  if (!call.resumed.empty()) return call.resumed;
  char text[40];
  std::snprintf(text, sizeof text, "00000000-0000-4000-8000-%012d", static_cast<int>(::getpid()));
  return text;
}

} // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "--version") {
    std::puts("9.9.9 (scripted)");
    return 0;
  }
  std::signal(SIGPIPE, SIG_IGN);
  const Call call = read_call(argc, argv);
  record(call);
  if (call.script.empty()) {
    std::fprintf(stderr, "no script for role %s\n", call.role.c_str());
    return 64;
  }
  Stream stream(call.name, conversation_of(call), model_of(call));
  const std::vector<Step> steps = parse_script(read_text(call.directory + "/scripts/" + call.script));
  const bool silent = !steps.empty() && steps.front().word == "silent"; // not even the first event
  if (!silent) stream.begin();
  return Player(call, stream).play(silent ? std::vector<Step>(steps.begin() + 1, steps.end()) : steps);
}
