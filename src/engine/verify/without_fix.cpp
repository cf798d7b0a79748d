#include "engine/verify/without_fix.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "engine/verify/test_lines.hpp"

namespace emend {
namespace {

// On the base with exactly this laid over it.
const Verification* newest(const std::vector<Verification>& runs, const WithoutFix& of, VerificationKind kind,
                           const std::string& sha) {
  const Verification* found = nullptr;
  for (const Verification& run : runs)
    if (run.kind == kind && run.issue_id == of.issue_id && run.base == of.base && run.patch_sha256 == sha)
      found = &run;
  return found;
}

const Verification* with_other_files(const std::vector<Verification>& runs, const WithoutFix& of) {
  const Patch rest = other_files(of.parts.product, of.issue_file);
  return rest.empty() ? nullptr : newest(runs, of, VerificationKind::without_patch, rest.sha256());
}

const Verification* with_own_tests(const std::vector<Verification>& runs, const WithoutFix& of) {
  const Patch& tests = of.parts.own_tests;
  return tests.empty() ? nullptr : newest(runs, of, VerificationKind::own_tests_base, tests.sha256());
}

} // namespace

Patch other_files(const Patch& product, const std::string& own_file) {
  Patch rest = product;
  std::erase_if(rest.changes, [&](const FileChange& change) { return change.path == own_file; });
  return rest.changes.size() == product.changes.size() ? Patch{} : rest;
}

std::string outline(std::string output) {
  std::erase_if(
      output, [](char c) { return std::string_view("0123456789()-$ \t").find(c) != std::string_view::npos; });
  return output;
}

bool fails_as_on_base(const std::vector<std::string>& commands, const Verification& baseline,
                      const Verification& run) {
  const auto alike = [&](const std::string& name) {
    const CommandRun *before = baseline.find(name), *now = run.find(name);
    if (before == nullptr || now == nullptr || before->passed()) return false;
    const std::string words = outline(before->output);
    return before->result == now->result && before->exit_code == now->exit_code &&
           before->tests.by_id == now->tests.by_id && !words.empty() && words == outline(now->output);
  };
  return !commands.empty() && std::all_of(commands.begin(), commands.end(), alike);
}

bool repaired_tests_fail(const Comparison& comparison, const Verification& run) {
  const auto is_named = [&](const std::string& command) {
    return std::any_of(comparison.repaired.begin(), comparison.repaired.end(),
                       [&](const TestOf& test) { return test.command == command; });
  };
  const auto fails = [&](const TestOf& test) {
    const CommandRun* now = run.find(test.command);
    if (now == nullptr || now->passed()) return false;
    const auto found = now->tests.by_id.find(test.id);
    return found != now->tests.by_id.end() && found->second == kTestFailed;
  };
  return !comparison.reproducers.empty() &&
         std::all_of(comparison.reproducers.begin(), comparison.reproducers.end(), is_named) &&
         std::all_of(comparison.repaired.begin(), comparison.repaired.end(), fails);
}

const Verification* run_without(const std::vector<Verification>& runs, const WithoutFix& of) {
  const Verification* found = newest(runs, of, VerificationKind::without_patch, "");
  if (found == nullptr) found = with_other_files(runs, of);
  return found != nullptr ? found : with_own_tests(runs, of);
}

const Verification* telling_without(const std::vector<Verification>& runs, const WithoutFix& of,
                                    const Comparison& comparison, const Verification& baseline) {
  const Verification *rest = with_other_files(runs, of), *tests = with_own_tests(runs, of);
  if (rest != nullptr && fails_as_on_base(comparison.reproducers, baseline, *rest)) return rest;
  if (tests != nullptr && repaired_tests_fail(comparison, *tests)) return tests;
  return newest(runs, of, VerificationKind::without_patch, "");
}

} // namespace emend
