// A person's repository in a temporary directory, an engine home beside it, and the real runner to work on
// both.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "adapters/git/git_repository.hpp"
#include "adapters/process/supervised_runner.hpp"
#include "base/files.hpp"
#include "ports/repository.hpp"

namespace emend {

class GitTest : public testing::Test {
protected:
  GitTest();

  // The person at work: git with their own configuration, or any shell command, in the checkout unless told
  // otherwise.
  std::string git(const std::vector<std::string>& args, const std::string& cwd = {});
  std::string sh(const std::string& script, const std::string& cwd = {});
  void write(const std::string& path, const std::string& bytes);
  std::string commit_all(const std::string& message = "more"); // -> commit id
  void make_repository(const std::vector<std::string>& init_args = {});

  Result<std::unique_ptr<Repository>> open(const std::string& directory, bool overlay = false);
  std::unique_ptr<Repository> opened(const std::string& directory = {}, bool overlay = false);

  // An agent at work: a shell command that sees the workspace as an agent would.
  ProcessResult in_workspace(Workspace& workspace, const std::string& script);
  static Snapshot snapshot_of(Workspace& workspace);

  // Path -> mode, size, mtime and content of everything in a checkout, .git included; the object database and
  // `except` left out.
  std::map<std::string, std::string> manifest(const std::string& directory,
                                              const std::vector<std::string>& except = {}) const;

  [[nodiscard]] std::string path(const std::string& name) const { return (scratch_.path() / name).string(); }
  [[nodiscard]] bool overlay_works();

  TemporaryDirectory scratch_;
  SupervisedRunner runner_;
  std::string repo_;
  std::string home_;
};

// A patch that adds, replaces or removes whole files of `repository`'s commit.
struct Edit {
  std::string path;
  std::optional<std::string> content; // nullopt = remove
  unsigned mode = kModeFile;
};
Patch patch_of(Repository& repository, const std::string& commit, const std::vector<Edit>& edits);
CommitRequest request_for(const std::string& parent, Patch patch, const std::string& message = "Fix it\n");
std::vector<std::string> paths_of(const Patch& patch);

} // namespace emend
