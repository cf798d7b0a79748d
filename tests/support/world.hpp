// A whole small world for a session: a real git repository, a real database, real child processes, agents
// written as shell scripts.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "adapters/clock/system_clock.hpp"
#include "adapters/process/supervised_runner.hpp"
#include "base/files.hpp"
#include "engine/session/session_manager.hpp"
#include "ports/analyzer.hpp"

namespace emend::testing_support {

using Files = std::map<std::string, std::string>;

class World {
public:
  explicit World(const Files& files);

  // The fixer's and challenger's shell scripts: $1 = role, $2 = issue code, $3 = prompt file; the prompt is
  // on stdin as well.
  void fixer(const std::string& script);
  void judge(const std::string& script, const std::string& name = "judge");
  void judge_score(int score, const std::string& status = "SOLVED"); // the same verdict for every issue

  // Findings on file:line; ids F1, F2, ... The returned issues have codes BE-001, ...
  std::vector<Issue> add(const std::vector<Finding>& findings);
  static Finding finding(const std::string& file, int line, const std::string& description,
                         Severity severity = Severity::high);

  Result<FixReport> fix(const std::vector<Issue>& issues, std::stop_token stop = {});
  FixReport must_fix(const std::vector<Issue>& issues);
  SessionManager manager();
  Ports ports();

  // Reads from the user's repository.
  std::string git(const std::vector<std::string>& arguments);        // stdout; fails the test when git fails
  std::string show(const std::string& ref, const std::string& path); // "" when absent
  std::vector<std::string> branches();
  void write(const std::string& path, const std::string& bytes); // in the user's checkout
  // Every file of the checkout and of .git (but objects, refs/heads/fix and logs) with content hash, mode and
  // mtime.
  std::map<std::string, std::string> manifest();
  // How the repository is opened; reopen() after a change.
  SandboxKind sandbox = SandboxKind::full;
  // Text of a kept artifact, e.g. "BE-001-1-fixer.prompt.md" of a session.
  std::string artifact(const std::string& session_id, const std::string& name);
  std::vector<Event> events(const std::string& session_id);
  static const IssueOutcome& outcome(const FixReport& report, const std::string& code);
  static std::string status(const FixReport& report,
                            const std::string& code); // "RESOLVED" or "FAILED(reason)"

  Policy policy;
  std::vector<std::unique_ptr<Analyzer>> analyzers; // none unless a test adds some
  std::string root, home, scripts;
  std::function<void(const Event&)> on_event;

  // The real binary in this world, configured by a file outside the repository; extra environment as
  // NAME=VALUE.
  ProcessResult emend(const std::vector<std::string>& arguments,
                      const std::vector<std::string>& environment = {});

  Store& store() { return *store_; }
  Repository& repository() { return *repository_; }
  ProcessRunner& runner() { return runner_; }
  void reopen(); // store and repository, as a new process would

private:
  TemporaryDirectory directory_;
  SystemClock clock_;
  SupervisedRunner runner_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Repository> repository_;
  std::unique_ptr<AgentFactory> agents_;
};

// Stops the test with the error's text when a Result failed.
template <typename T>
T must(Result<T> result) {
  if (!result) {
    ADD_FAILURE() << result.error().message << " | " << result.error().remedy;
    throw std::runtime_error(result.error().message);
  }
  return *std::move(result);
}
inline void must(Status status) {
  if (!status) {
    ADD_FAILURE() << status.error().message;
    throw std::runtime_error(status.error().message);
  }
}

} // namespace emend::testing_support
