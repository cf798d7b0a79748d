#include "engine/gate/reproducer_clause.hpp"

#include "engine/patch/clause_outcomes.hpp"
#include "engine/verify/reproduce.hpp"

namespace emend {
namespace {

// The newest run of the check that counts, of a kind, on exactly this tree.
const Verification* find_check(const GateInput& in, VerificationKind kind, const std::string& base,
                               const std::string& patch_sha) {
  const Verification* found = nullptr;
  for (const Verification& v : in.verifications)
    if (v.kind == kind && v.base == base && v.patch_sha256 == patch_sha && v.issue_id == in.issue.id &&
        v.reproducer_sha256 == in.reproducer->sha256() && v.commands.size() == 1)
      found = &v;
  return found;
}

} // namespace

// A check written for the issue that the fixer never saw. Runs are looked at again: nothing here rests on
// what was decided before.
Clause reproducer_clause(const GateInput& in) {
  const char* name = "reproduced";
  const Reproducer& check = *in.reproducer;
  const std::string who = check.title();
  const std::string& base = in.attempt->base;
  const auto red = [&](const Verification* run) {
    return run != nullptr && check.red(run->commands.front());
  };
  const auto green = [&](const Verification* run) {
    return run != nullptr && check.green(run->commands.front());
  };
  const Verification* before = find_check(in, VerificationKind::reproducer_base, in.session.base, "");
  if (check.is_evidence() && !red(before)) return failed("P6", name, who + " did not fail on the base");
  const Verification* with =
      find_check(in, VerificationKind::reproducer_patched, base, in.attempt->patch.sha256());
  if (!green(with)) return failed("P6", name, who + " does not pass with the patch");
  if (before == nullptr) return failed("P6", name, who + " was not run on the base");
  if (const std::string why = leaves_failing(check, before->commands.front(), with->commands.front());
      !why.empty())
    return failed("P6", name, who + ": " + why);
  if (in.commit &&
      !green(find_check(in, VerificationKind::reproducer_patched, in.final_base, in.final_patch_sha256)))
    return failed("P6", name, who + " does not pass in the branch's final tree");
  if (!check.is_evidence()) return spared("P6", name, who + " passes with the patch, as on the base");
  if (base != in.session.base && !red(find_check(in, VerificationKind::reproducer_base, base, "")))
    return spared("P6", name, who + " already passes with the fixes before this one");
  const Verification* taken_away = find_check(in, VerificationKind::reproducer_without, base, "");
  if (!red(taken_away) || taken_away < with)
    return failed("P6", name, who + " does not fail again without the patch");
  return passed("P6", name, who + ": fails on the base, passes with the patch, fails again without it");
}

} // namespace emend
