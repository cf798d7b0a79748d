// Runs in which the checks of an issue are seen failing again without its fix. Pure.
#pragma once

#include <string>
#include <vector>

#include "engine/patch/apart.hpp"
#include "engine/verify/comparison.hpp"

namespace emend {

// The product side without the change of the issue's own file; empty = it has no other part, or none there.
[[nodiscard]] Patch other_files(const Patch& product, const std::string& own_file);

// An output without what a sum in the place of a number, or another clock, changes in it.
[[nodiscard]] std::string outline(std::string output);

// Each of these commands fails in this run, with the same tests and in the same words as on the base: then
// whatever else lies in the tree has no part in it.
[[nodiscard]] bool fails_as_on_base(const std::vector<std::string>& commands, const Verification& baseline,
                                    const Verification& run);

// Tests have names, and every one that the fix repairs fails in this run: what else the run holds, tests that
// come with the fix, cannot be what fails.
[[nodiscard]] bool repaired_tests_fail(const Comparison& comparison, const Verification& run);

// What is known of an issue's checks without its fix.
struct WithoutFix {
  const std::string& issue_id;
  const std::string& issue_file;
  const std::string& base; // of the attempt
  const ApartPatch& parts; // of its patch
};

// The newest run on the base alone. If there is none: on the base with the fix's other files, or with the
// tests that come with it. Null = none of them.
[[nodiscard]] const Verification* run_without(const std::vector<Verification>& runs, const WithoutFix& of);

// The same, but only a run that says as much as one of the base alone.
[[nodiscard]] const Verification* telling_without(const std::vector<Verification>& runs, const WithoutFix& of,
                                                  const Comparison& comparison, const Verification& baseline);

} // namespace emend
