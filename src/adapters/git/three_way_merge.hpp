// Two patches against one base made one, or one moved on top of the other: whole files where only one side
// changed them, a three-way merge of the text where both did, and no answer where that would be a guess.
#pragma once

#include <optional>
#include <string>

#include "adapters/git/git_program.hpp"
#include "base/result.hpp"
#include "model/patch.hpp"

namespace emend {

class ThreeWayMerge {
public:
  // Temporary files go below scratch_dir; algorithm is that of the blob ids.
  ThreeWayMerge(const GitProgram& git, std::string scratch_dir, std::string algorithm)
      : git_(git), scratch_dir_(std::move(scratch_dir)), algorithm_(std::move(algorithm)) {}

  // Relative to the base of both.
  [[nodiscard]] Result<std::optional<Patch>> merge(const Patch& first, const Patch& second) const;
  // `patch` relative to base + earlier. What earlier already did drops out.
  [[nodiscard]] Result<std::optional<Patch>> rebase(const Patch& patch, const Patch& earlier) const;

private:
  // One path changed by both; the result is relative to their base.
  [[nodiscard]] Result<std::optional<FileChange>> merge_file(const FileChange& first,
                                                             const FileChange& second) const;
  [[nodiscard]] Result<std::optional<std::string>> merge_text(const FileChange& first,
                                                              const FileChange& second) const;

  const GitProgram& git_;
  std::string scratch_dir_;
  std::string algorithm_;
};

} // namespace emend
