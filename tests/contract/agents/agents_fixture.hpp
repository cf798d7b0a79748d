// What the agent suites share: a workspace that is a plain directory, a factory with a real runner, a
// request.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "adapters/agents/agent_factory.hpp"
#include "adapters/process/supervised_runner.hpp"
#include "base/files.hpp"

namespace emend {

class DirectoryWorkspace : public Workspace {
public:
  explicit DirectoryWorkspace(const fs::path& root) : root_(root), path_(root / "tree") {
    for (const char* name : {"tree", "home", "temp"}) fs::create_directory(root_ / name);
  }
  [[nodiscard]] const std::string& path() const override { return path_; }
  [[nodiscard]] OverlayMount overlay() const override { return {}; }
  [[nodiscard]] Result<Snapshot> snapshot() override { return Snapshot{}; }
  [[nodiscard]] std::string home_dir() const override { return root_ / "home"; }
  [[nodiscard]] std::string temp_dir() const override { return root_ / "temp"; }
  [[nodiscard]] std::string_view kind() const override { return "copy"; }

private:
  fs::path root_;
  std::string path_;
};

// Sets a variable of ours for one test.
class ScopedVariable {
public:
  ScopedVariable(std::string name, const std::string& value);
  ~ScopedVariable();

private:
  std::string name_;
  std::string before_;
  bool was_set_;
};

class AgentTest : public testing::Test {
protected:
  AgentTest();

  // Makes the agent and runs it; the test fails when that is not possible.
  AgentRun run(const AgentBinding& binding);
  std::string write_program(const fs::path& path, const std::string& script) const;
  [[nodiscard]] std::string in_tree(const std::string& name) const { return workspace_.path() + "/" + name; }

  TemporaryDirectory scratch_;
  fs::path repository_;
  DirectoryWorkspace workspace_;
  SupervisedRunner runner_;
  LocalAgentFactory factory_;
  AgentRequest request_;
};

} // namespace emend
