// The engine's own place for one repository: a bare git directory that borrows the person's objects, and the
// directories beside it.
#pragma once

#include <string>
#include <vector>

#include "adapters/git/git_program.hpp"
#include "adapters/git/user_repository.hpp"
#include "base/result.hpp"

namespace emend {

// <home>/repositories/<id>/. A child of a workspace sees only `workspaces` of it: everything else can be
// hidden as a whole.
struct EngineStore {
  std::string home;       // EMEND_HOME
  std::string directory;  // <home>/repositories/<id>
  std::string git_dir;    // git/: commits are made here
  std::string bases;      // bases/: checkouts that workspaces start from
  std::string layers;     // layers/: what overlay workspaces changed
  std::string owners;     // owners/: a locked file per living workspace
  std::string workspaces; // workspaces/: what children see
  std::string scratch;    // tmp/
  std::vector<std::string>
      read_only; // the person's repository and <home>: children may look at them, not write
  std::vector<std::string> layered;  // children may write there, in private
  std::vector<std::string> secrets;  // children do not see them
  std::vector<std::string> writable; // the person opened them to children
  std::string user_home; // the person's: empty to children, but for `shown` and what is layered below it
  std::vector<std::string> shown; // children may look at it
  bool linked_home =
      false;              // a workspace's home has links to what is seen of the person's: there are no mounts
  std::string check_root; // where a check sees its tree: the person's checkout; empty = where it lies
  std::string objects;    // of the person's repository
  bool contained =
      true; // else children are kept away from <home> alone, and nothing of the lists above counts
};

// Makes what is missing and brings what is copied from the person's repository up to date. Safe against other
// processes.
[[nodiscard]] Result<EngineStore> open_engine_store(const UserRepository& repository, const std::string& home,
                                                    const GitProgram& git);

// A shallow repository's history ends where its `shallow` file says, and that may move; without the copy our
// git would look for the missing parents.
[[nodiscard]] Status copy_shallow(const EngineStore& store, const UserRepository& repository);

// Locks a git took that was killed, or whose machine lost its power. Call with the repository's lock held:
// only its holder changes refs.
void remove_dead_locks(const EngineStore& store);

// Temporary files of processes that are gone. Young ones are kept: opening a repository makes some without
// holding its lock.
void remove_old_scratch(const EngineStore& store);

} // namespace emend
