// The real coding CLIs, each talking to a scripted model on this machine: no account, no network, every
// request on record.
#pragma once

#include <filesystem>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "adapters/process/overlay_probe.hpp"
#include "base/files.hpp"
#include "base/json.hpp"
#include "model/policy.hpp"
#include "tests/support/paths.hpp"

namespace emend::testing_support {

// What the model was asked, and when.
struct ModelRequest {
  std::int64_t began_ms = 0, ended_ms = 0; // ended_ms == 0: still being answered
  std::string api, rule, model;
  std::string asks;   // what the user said before the model's first turn
  std::string latest; // the last message
  std::string body;   // all of it, as JSON text
  int status = 0;
  std::string outcome; // "complete", "cut", "client gone"
  std::vector<std::string> tools;

  [[nodiscard]] bool overlaps(const ModelRequest& other) const {
    return began_ms < other.ended_ms && other.began_ms < ended_ms;
  }
};

class RealAgents {
public:
  // Why this CLI ("claude-197", "claude-325", "gemini", "codex") cannot be used here; empty when it can.
  static std::string missing(const std::string& cli);
  static std::string program(const std::string& cli);

  // rules: the text of a JSON array, see tests/real_agents/script.py. Starts the model; it ends with this
  // object.
  explicit RealAgents(const std::string& rules);
  ~RealAgents();
  RealAgents(const RealAgents&) = delete;
  RealAgents& operator=(const RealAgents&) = delete;

  // NAME=VALUE: where the model is, dummy keys, telemetry off, few retries, state in a folder of this
  // object's.
  [[nodiscard]] const std::vector<std::string>& environment() const { return environment_; }

  // Makes all of it this process's own environment until the object ends: what a user has who set the
  // endpoints and keys.
  void become_the_users();
  // The home that all of it names.
  [[nodiscard]] std::string home() const { return (directory_.path() / "home").string(); }
  // A binding of the engine that knows this CLI ("claude", "gemini", "codex"); needs become_the_users().
  [[nodiscard]] AgentBinding native(const std::string& cli) const;

  // Bindings of the exec engine, the program's answer as plain text.
  [[nodiscard]] AgentBinding claude(const std::string& cli = "claude-325") const;
  [[nodiscard]] AgentBinding gemini() const;
  [[nodiscard]] AgentBinding codex() const;

  [[nodiscard]] std::vector<ModelRequest> requests() const;
  [[nodiscard]] std::vector<ModelRequest> requests(const std::string& rule) const;
  [[nodiscard]] std::vector<std::string> rules_used() const; // in the order of the requests
  void await(const std::string& rule) const; // until a request has met this rule; throws after half a minute
  void settle() const;                       // until every request has ended; throws after half a minute

  // Processes of this machine that carry this object's environment: what an agent left behind.
  [[nodiscard]] std::vector<std::string> leftovers() const;

private:
  [[nodiscard]] AgentBinding binding(const std::string& name, const std::string& cli,
                                     std::vector<std::string> arguments) const;
  void start(const std::string& script);
  void read_environment();

  TemporaryDirectory directory_;
  std::vector<std::string> environment_;
  std::vector<std::string> exported_; // names
  int pid_ = -1, in_ = -1, out_ = -1;
};

} // namespace emend::testing_support

// Skips the test, saying why, when one of the CLIs is not there.
// codex edits files only from inside a sandbox of its own, which needs the same rights as private mounts.
#define EMEND_NEEDS_SANDBOX(cli)                                                                         \
  do {                                                                                                   \
    if (std::string(cli) == "codex" &&                                                                   \
        !::emend::overlay_supported(EMEND_EXEC_BINARY, std::filesystem::temp_directory_path().string())) \
      GTEST_SKIP() << "NOT TESTED: codex cannot make its sandbox on this machine";                       \
  } while (false)

#define EMEND_NEEDS_AGENT(cli)                                                                    \
  do {                                                                                            \
    if (const std::string why = ::emend::testing_support::RealAgents::missing(cli); !why.empty()) \
      GTEST_SKIP() << why;                                                                        \
  } while (false)
