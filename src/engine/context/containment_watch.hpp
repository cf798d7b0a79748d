// Looks at what children have no business in, before and after one runs, where the machine does not keep them
// away from it by itself.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "engine/context/run_context.hpp"

namespace emend {

// One change outside of the workspaces.
struct OutsideChange {
  std::string path;
  std::string how;     // "changed", "made", "removed"
  bool rights = false; // its mode, owner or access list, which Landlock lets through, whatever else was
                       // changed with them
};
[[nodiscard]] std::vector<OutsideChange> compare(const Surroundings& before, const Surroundings& after);

// What a project's own commands change on its untouched base: the same by a patched tree is no patch's doing.
class KnownHabits {
public:
  void add(const std::string& path);
  [[nodiscard]] bool contain(const std::string& path) const;

private:
  mutable std::mutex mutex_;
  std::set<std::string> paths_;
};

class ContainmentWatch {
public:
  // Looks now, unless the sandbox is full. who: "agent claude (fixer)", "command test".
  ContainmentWatch(RunContext& context, std::string who);

  // Looks again, tells of every change, and returns those the child must answer for, as text; empty = none.
  // The issues are blamed for them. In a sandbox by Landlock a change of content cannot have been the child;
  // without one nobody can tell, so it counts as the child's.
  [[nodiscard]] Result<std::string> finish(const std::vector<std::string>& issue_codes,
                                           const KnownHabits* habits = nullptr);
  // The same for a run on the untouched base: told, and remembered as what the project does anyway.
  [[nodiscard]] Status finish_base(KnownHabits& habits);

private:
  [[nodiscard]] std::vector<OutsideChange> changes() const;
  [[nodiscard]] Status tell(const std::vector<OutsideChange>& changes, const std::vector<std::string>& blamed,
                            const std::string& issue_code) const;

  RunContext& context_;
  std::string who_;
  bool watching_;
  Surroundings before_;
};

} // namespace emend
