#include "engine/verify/own_tests.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"

namespace emend {
namespace {

std::string state_of(const CommandRun& run, const std::string& id) {
  const auto found = run.tests.by_id.find(id);
  return found == run.tests.by_id.end() ? "" : found->second;
}

bool fails(const CommandRun& run) {
  return run.result == CommandResult::failed || run.result == CommandResult::crashed;
}

// Runners print what a test is called in many ways; the last part of its name is in all of them.
bool names_one(const std::string& id, const std::vector<std::string>& names) {
  if (names.empty()) return true;
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const auto at = name.rfind("::");
    const std::string_view last = at == std::string::npos ? name : std::string_view(name).substr(at + 2);
    return !last.empty() && contains(id, last);
  });
}

void compare_ids(const CommandRun& before, const CommandRun& with_tests, const CommandRun& patched,
                 const std::vector<std::string>& names, OwnTests& own) {
  for (const auto& [id, state] : patched.tests.by_id) {
    if (state != "passed" || !names_one(id, names)) continue;
    const std::string on_base = state_of(with_tests, id), untouched = state_of(before, id);
    const bool cannot_run = on_base.empty() && untouched.empty() && before.passed() && fails(with_tests);
    if ((on_base == "failed" && untouched != "failed") || cannot_run) own.ids.push_back(id);
    if (on_base == "passed" && untouched.empty()) own.idle.push_back(id);
  }
}

std::string named(const std::vector<std::string>& ids) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> shown;
  for (const std::string& id : ids)
    if (shown.size() < kShown) shown.push_back(first_line(clean_text(id), 200));
  const std::string more = ids.size() > kShown ? fmt::format(" and {} more", ids.size() - kShown) : "";
  return join(shown, ", ") + more;
}

} // namespace

std::string OwnTests::sentence() const {
  const std::string which = ids.empty() ? "" : " (" + named(ids) + ")";
  const std::string rest = idle.empty() ? "" : "; these pass without the fix too: " + named(idle);
  if (shown) return "the tests it adds fail without the fix and pass with it" + which + rest;
  return "the tests it adds pass without the fix too, so they show nothing about it" +
         (idle.empty() ? "" : " (" + named(idle) + ")");
}

OwnTests shown_by(const std::vector<VerifyCommand>& commands, const Verification& base,
                  const Verification& with_tests, const Verification& patched,
                  const std::vector<std::string>& names) {
  OwnTests own;
  for (const VerifyCommand& command : commands) {
    const CommandRun* before = base.find(command.name);
    const CommandRun* alone = with_tests.find(command.name);
    const CommandRun* now = patched.find(command.name);
    if (before == nullptr || alone == nullptr || now == nullptr) continue;
    compare_ids(*before, *alone, *now, names, own);
    // Without ids: by the exit status.
    own.shown = own.shown || (now->tests.by_id.empty() && before->passed() && fails(*alone) && now->passed());
  }
  own.shown = own.shown || !own.ids.empty();
  return own;
}

std::vector<std::string> failing_own_tests(const std::vector<VerifyCommand>& commands,
                                           const Verification& base, const Verification& patched) {
  std::vector<std::string> ids;
  for (const VerifyCommand& command : commands) {
    const CommandRun* before = base.find(command.name);
    const CommandRun* now = patched.find(command.name);
    if (before == nullptr || now == nullptr) continue;
    for (const auto& [id, state] : now->tests.by_id)
      if (state == "failed" && state_of(*before, id).empty()) ids.push_back(id);
  }
  return ids;
}

} // namespace emend
