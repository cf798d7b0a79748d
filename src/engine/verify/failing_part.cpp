#include "engine/verify/failing_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/strings.hpp"
#include "engine/verify/test_lines.hpp"
#include "engine/verify/test_name.hpp"

namespace emend {
namespace {

constexpr std::size_t kWhole = 3'000; // an output that is short enough to be shown as it is
constexpr std::size_t kMost = 6'000;
constexpr std::size_t kTests = 3;                          // more of them say little more
constexpr std::size_t kBefore = 2, kAfter = 25, kLast = 8; // lines

std::vector<std::string> newly_failing(const CommandRun& now, const CommandRun* before) {
  std::vector<std::string> ids;
  for (const auto& [id, state] : now.tests.by_id) {
    if (state != kTestFailed || ids.size() == kTests) continue;
    const bool failed_before =
        before != nullptr && before->tests.by_id.contains(id) && before->tests.by_id.at(id) == kTestFailed;
    if (!failed_before) ids.push_back(id);
  }
  return ids;
}

// The lines around those that name one of the tests, and the last ones; gaps are marked.
std::string around(std::string_view output, const std::vector<std::string>& names) {
  const auto lines = lines_of(output);
  std::vector<bool> keep(lines.size(), false);
  bool any = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (std::none_of(names.begin(), names.end(),
                     [&](const auto& name) { return names_test(lines[i], name); }))
      continue;
    any = true;
    const std::size_t first = i < kBefore ? 0 : i - kBefore, last = std::min(lines.size() - 1, i + kAfter);
    for (std::size_t k = first; k <= last; ++k) keep[k] = true;
  }
  if (!any) return {};
  for (std::size_t k = lines.size() < kLast ? 0 : lines.size() - kLast; k < lines.size(); ++k) keep[k] = true;
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (keep[i])
      text += std::string(lines[i]) + "\n";
    else if (i == 0 || keep[i - 1])
      text += "[...]\n";
  }
  return text;
}

std::string shown_output(const CommandRun& now, const CommandRun* before) {
  if (now.output.size() <= kWhole) return now.output;
  std::vector<std::string> names;
  for (const std::string& id : newly_failing(now, before)) names.push_back(short_test_name(id));
  const std::string part = names.empty() ? "" : around(now.output, names);
  return trim_middle(part.empty() ? now.output : part, kMost);
}

} // namespace

std::string failure_text(const CommandRun& now, const CommandRun* before) {
  return fmt::format("$ {}\n[{}: {}, exit {}]\n{}", now.run, now.name, to_string(now.result), now.exit_code,
                     shown_output(now, before));
}

} // namespace emend
