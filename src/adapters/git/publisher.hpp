// Brings a finished branch into the person's repository: the objects first, then one new ref by compare-and-swap, nothing else.
#pragma once

#include <optional>
#include <string>

#include "adapters/git/git_program.hpp"
#include "adapters/git/user_repository.hpp"
#include "base/result.hpp"

namespace emend {

class Publisher {
public:
  Publisher(const GitProgram& git, const UserRepository& user, std::string engine_git_dir)
      : git_(git), user_(user), engine_git_dir_(std::move(engine_git_dir)) {}

  // Durable when it returns. ErrorCode::conflict when the name is taken by something that is not `tip`.
  [[nodiscard]] Status publish(const std::string& branch, const std::string& tip, const std::string& base) const;
  [[nodiscard]] Result<std::optional<std::string>> tip_of(const std::string& branch) const;

private:
  [[nodiscard]] Status check_name(const std::string& branch) const;
  [[nodiscard]] Status check_worktrees(const std::string& branch) const;
  [[nodiscard]] Status copy_objects(const std::string& tip, const std::string& base) const;
  [[nodiscard]] Status create_ref(const std::string& branch, const std::string& tip) const;
  [[nodiscard]] Status sync_directories(const std::string& branch) const;

  const GitProgram& git_;
  const UserRepository& user_;
  std::string engine_git_dir_;
};

} // namespace emend
