// Runs the git program the only way the engine runs it: argv only, no hooks, no filters, no user
// configuration, no network.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "ports/process.hpp"

namespace emend {

struct GitCall {
  std::vector<std::string> args = {};
  std::string git_dir = {}; // empty: git looks for a repository from cwd upwards
  std::string cwd = "/";
  std::string input = {};            // stdin
  std::vector<std::string> env = {}; // on top of the engine's own
  bool user_config = false;          // only to ask for what the person configured: identity, safe.directory
};

// Thread-safe: it holds nothing that changes.
class GitProgram {
public:
  GitProgram(ProcessRunner& processes, std::string git);

  // Any exit code is a value. ErrorCode::git when git cannot be run to its own end.
  [[nodiscard]] Result<ProcessResult> run(const GitCall& call) const;
  // Exit code 0 or ErrorCode::git with what git said; the value is stdout.
  [[nodiscard]] Result<std::string> output(const GitCall& call) const;
  // The same without the newline git ends one-line answers with.
  [[nodiscard]] Result<std::string> line(const GitCall& call) const;

private:
  ProcessRunner& processes_;
  std::string git_;
};

// What git said on stderr, in one line without its "fatal: ".
[[nodiscard]] std::string git_complaint(const ProcessResult& result);

} // namespace emend
