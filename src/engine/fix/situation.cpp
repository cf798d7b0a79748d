#include "engine/fix/situation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "engine/patch/apart.hpp"
#include "engine/patch/called_scripts.hpp"
#include "engine/patch/related_files.hpp"
#include "engine/patch/scope.hpp"
#include "engine/verify/test_lines.hpp"

namespace emend {
namespace {

constexpr std::size_t kMostTests = 20;
constexpr std::size_t kMostScripts = 20;

std::string seconds(std::int64_t ms) {
  return ms < 1'000 ? "under a second" : fmt::format("{} s", (ms + 500) / 1'000);
}

} // namespace

FixPromptInput::Item::OpenFile told_file(const Scope& scope, const Issue& issue, const std::string& path,
                                         const std::string& why) {
  const std::string what = scope.protected_as(issue, path);
  if (what.empty()) return {path, why, ""};
  const bool extended = what == "test" && is_own_test(issue.finding.file, FileChange{.path = path});
  if (extended) return {path, why + "; only add to it: existing tests stay as they are", ""};
  return {path, why, what};
}

Result<std::vector<FixPromptInput::Item::OpenFile>> open_files(RunContext& context, const Issue& issue,
                                                               const std::string& base) {
  const Finding& finding = issue.finding;
  std::vector<FixPromptInput::Item::OpenFile> open;
  TRY_ASSIGN(const Tree* tree, context.ports.repository.tree(base));
  TRY_ASSIGN(const PathSet called, called_scripts(context.ports.repository, context.policy(), base));
  const Scope scope(context.policy(), *tree, called);
  for (const std::string& path : files_of_finding(finding, *tree))
    open.push_back(
        told_file(scope, issue, path, path == finding.file ? "the finding" : "named in the finding"));
  const auto known = [&](const std::string& path) {
    return std::any_of(open.begin(), open.end(), [&](const auto& file) { return file.path == path; });
  };
  const bool drawn = context.policy().scope != FixScope::need;
  if (const auto content = context.ports.repository.read(base, finding.file))
    for (const std::string& path : loaded_files(finding.file, *content, *tree))
      if (!known(path) && (!drawn || scope.in_scope(issue, path)))
        if (const auto file = told_file(scope, issue, path, "loaded by " + finding.file); file.closed.empty())
          open.push_back(file);
  return open;
}

Result<std::string> closed_text(RunContext& context, const std::vector<Issue>& issues,
                                const std::string& base) {
  const Policy& policy = context.policy();
  std::string text;
  for (const std::string& glob : policy.protected_paths)
    text += fmt::format("- {} (fix.protected)\n", first_line(clean_text(glob), 200));
  TRY_ASSIGN(const Tree* tree, context.ports.repository.tree(base));
  TRY_ASSIGN(const PathSet called, called_scripts(context.ports.repository, policy, base));
  std::vector<std::string> scripts(called.begin(), called.end());
  for (const VerifyCommand& command : policy.commands)
    for (const std::string& word : executed_words(command.run))
      if (tree->contains(word) && !called.contains(word)) scripts.push_back(word);
  std::size_t shown = 0;
  for (const std::string& path : scripts)
    if (judging_kind(path).empty() && shown++ < kMostScripts)
      text += fmt::format("- {} (a check runs it)\n", first_line(clean_text(path), 200));
  const bool line = policy.scope == FixScope::file || policy.scope == FixScope::directory;
  if (line &&
      std::any_of(issues.begin(), issues.end(), [](const Issue& i) { return !i.finding.file.empty(); }))
    text += fmt::format("- every existing file outside the {} of the finding, but for tests (fix.scope)\n",
                        to_string(policy.scope));
  return text;
}

std::string check_note(const CommandRun& run) {
  const std::string time = seconds(run.duration_ms);
  if (run.wavers) return "its results differ from run to run, so they are not used; " + time;
  if (run.passed()) return "passes on the base, " + time;
  if (run.tests.recognised && run.tests.passed > 0)
    return fmt::format("fails on the base: {} of {} tests; the others must go on passing; {}",
                       run.tests.failed, run.tests.failed + run.tests.passed, time);
  return "fails on the base, " + time;
}

std::string red_before_text(const Verification& baseline, const std::vector<VerifyCommand>& commands) {
  std::string text;
  std::size_t count = 0;
  for (const VerifyCommand& command : commands) {
    const CommandRun* run = baseline.find(command.name);
    if (run == nullptr) continue;
    for (const auto& [id, state] : run->tests.by_id)
      if (state == kTestFailed && ++count <= kMostTests) text += "- " + first_line(id, 200) + "\n";
  }
  if (count > kMostTests) text += fmt::format("- and {} more\n", count - kMostTests);
  return text;
}

} // namespace emend
