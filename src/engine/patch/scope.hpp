// Which paths a fix may touch: whatever it needs, minus what judges the fix (tests, runners, CI, build and
// agent configuration), unless fix.scope draws a line.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/patch/apart.hpp"
#include "engine/patch/protected_paths.hpp"
#include "model/issue.hpp"
#include "model/patch.hpp"
#include "model/policy.hpp"
#include "ports/repository.hpp"

namespace emend {

class Scope {
public:
  // Both outlive it. called: what verification reaches through others, see called_scripts.hpp. opened:
  // existing tests that a person lets fixes of the issue change.
  Scope(const Policy& policy, const Tree& base, PathSet called = {}, std::vector<OpenedTest> opened = {});

  // Why `path` is protected ("test", "CI", "named in a verification command"...); empty = it is not. An
  // issue's own file, and what is locked together with it, may be changed even if it is a test or
  // configuration, except scripts that verification runs and what fix.protected names.
  [[nodiscard]] std::string protected_as(const Issue& issue, std::string_view path) const;
  // Does the issue open an existing file at `path`: its own file and the other face of it (.c and .h), its
  // related files, those its text names, and what fix.scope adds? Only fix.scope = file or directory refuses
  // others; by default the judge is shown those that nothing leads to (see related_files.hpp).
  [[nodiscard]] bool in_scope(const Issue& issue, std::string_view path) const;
  // Test files may be extended for any issue, if their existing tests stay as they are: one sentence for each
  // that does not and that nobody opened.
  [[nodiscard]] std::vector<std::string> test_problems(const Issue& issue, const FileChange& change) const;
  // Why the patch may not create this file, as a sentence; empty = it may. used: see used_new_files().
  [[nodiscard]] std::string creation_problem(const Issue& issue, const FileChange& change,
                                             const PathSet& used) const;

  // Everything wrong with the paths, kinds and size of a patch, one sentence each; empty = clause P2 holds.
  [[nodiscard]] std::vector<std::string> violations(const Issue& issue, const Patch& patch) const;

private:
  const Policy& policy_;
  const Tree* base_;
  PathSet verify_scripts_, called_;
  std::vector<OpenedTest> opened_;
};

// Does it change the configuration of an analyzer?
[[nodiscard]] bool changes_analyzers(const Patch& patch);
[[nodiscard]] std::string path_list(const Patch& patch); // "a, b and 3 more", clean

// Words of a command line that name what is executed: the first word of each simple command and the script
// after an interpreter. After `cd dir` a word is given both as it is and below dir.
[[nodiscard]] std::vector<std::string> executed_words(std::string_view command);

} // namespace emend
