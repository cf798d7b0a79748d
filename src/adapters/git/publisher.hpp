// Brings a finished branch into the person's repository: the objects first, then one ref by compare-and-swap,
// nothing else. Later it may move that ref on or take it away again, while it points where we left it and
// nobody stands on it.
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
  [[nodiscard]] Status publish(const std::string& branch, const std::string& tip,
                               const std::string& base) const;
  [[nodiscard]] Result<std::optional<std::string>> tip_of(const std::string& branch) const;
  // See Repository.
  [[nodiscard]] Status advance(const std::string& branch, const std::string& from,
                               const std::string& to) const;
  [[nodiscard]] Status remove(const std::string& branch, const std::string& tip) const;
  [[nodiscard]] Result<std::optional<std::string>> in_use(const std::string& branch) const;

private:
  [[nodiscard]] Status check_name(const std::string& branch) const;
  [[nodiscard]] Status check_worktrees(const std::string& branch) const;
  [[nodiscard]] Result<std::optional<std::string>> standing_on(const std::string& branch) const;
  [[nodiscard]] Status check_untouched(const std::string& branch, const std::string& tip) const;
  [[nodiscard]] Result<ProcessResult> update_ref(const std::string& branch, const std::string& command,
                                                 const std::string& why,
                                                 const std::string& lock_content) const;
  [[nodiscard]] Result<std::string> had_already(const std::string& base) const;
  [[nodiscard]] Status copy_objects(const std::string& tip, const std::string& base) const;
  [[nodiscard]] Status create_ref(const std::string& branch, const std::string& tip) const;
  [[nodiscard]] Status sync_directories(const std::string& branch) const;

  const GitProgram& git_;
  const UserRepository& user_;
  std::string engine_git_dir_;
};

} // namespace emend
