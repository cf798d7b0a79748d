#include "engine/patch/apart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/glob.hpp"
#include "base/strings.hpp"
#include "engine/patch/test_units.hpp"

namespace emend {
namespace {

bool has_opened(const std::vector<OpenedTest>& opened, const std::string& file, const std::string& test) {
  return std::any_of(opened.begin(), opened.end(), [&](const OpenedTest& one) {
    return one.file == file && (one.test.empty() || one.test == test);
  });
}

// The change as far as it concerns tests that were opened in this file.
void take_opened(const FileChange& change, const std::vector<OpenedTest>& opened, Patch& taken) {
  std::vector<std::string> names;
  for (const OpenedTest& one : opened)
    if (one.file == change.path) names.push_back(one.test);
  if (names.empty()) return;
  FileChange only = only_tests(change, names);
  if (change.deleted() || only.new_content != only.old_content) taken.changes.push_back(std::move(only));
}

bool stands_in(const TestUnit& unit, const Finding& finding) {
  const auto last = static_cast<std::size_t>(std::max(finding.line, finding.line_end));
  return finding.line > 0 && static_cast<std::size_t>(finding.line) <= unit.end && last > unit.begin;
}

// Existing tests inside of a file of the product. What the file does else is not their concern.
std::vector<ChangedTest> changed_inside(const Finding& finding, const FileChange& change) {
  if (!change.path.ends_with(".rs") || !contains(change.old_content, "#[cfg(test)]")) return {};
  std::set<std::string> inside;
  for (const TestUnit& unit : test_units(change.path, change.old_content))
    if (contains(unit.context, "#[cfg(test)]") && (change.path != finding.file || !stands_in(unit, finding)))
      inside.insert(unit.name);
  std::vector<ChangedTest> found = changed_tests(change);
  std::erase_if(found, [&](const ChangedTest& test) { return !inside.contains(test.name); });
  return found;
}

std::vector<TouchedTest> touched(const Finding& finding, const Patch& patch,
                                 const std::vector<OpenedTest>& opened, bool wanted) {
  std::vector<TouchedTest> found;
  for (const FileChange& change : patch.changes) {
    if (change.added() || change.binary()) continue;
    const FileChange text = as_text(change);
    for (ChangedTest& test :
         is_own_test(finding.file, change) ? changed_tests(text) : changed_inside(finding, text))
      if (has_opened(opened, change.path, test.name) == wanted)
        found.push_back({change.path, std::move(test)});
  }
  return found;
}

} // namespace

bool is_own_test(std::string_view issue_file, const FileChange& change) {
  static const std::vector<std::string> loaded_by_runners = {"conftest.py", "__mocks__/**",
                                                             "**/__mocks__/**"};
  return change.path != issue_file && is_test_path(change.path) &&
         !any_glob_match(loaded_by_runners, change.path);
}

ApartPatch apart(std::string_view issue_file, const Patch& patch, const PathSet& called,
                 const std::vector<OpenedTest>& opened) {
  ApartPatch parts;
  std::vector<OpenedTest> by_person, by_judge;
  for (const OpenedTest& one : opened) (one.by_judge() ? by_judge : by_person).push_back(one);
  for (const FileChange& change : patch.changes) {
    if (is_own_test(issue_file, change)) {
      parts.own_tests.changes.push_back(change);
      take_opened(change, by_person, parts.product); // is compared with the base like the rest
      take_opened(change, by_judge, parts.judges);
      continue;
    }
    const bool judges = !judging_kind(change.path).empty() || called.contains(change.path);
    (judges ? parts.judges : parts.product).changes.push_back(change);
  }
  return parts;
}

Patch product_side(const Patch& patch, const PathSet& issue_files, const std::vector<OpenedTest>& opened) {
  Patch product;
  for (const FileChange& change : patch.changes) {
    if (!is_own_test("", change) || issue_files.contains(change.path))
      product.changes.push_back(change);
    else
      take_opened(change, opened, product);
  }
  return product;
}

Patch tests_side(const Patch& patch, const PathSet& issue_files) {
  Patch tests;
  for (const FileChange& change : patch.changes)
    if (is_own_test("", change) && !issue_files.contains(change.path)) tests.changes.push_back(change);
  return tests;
}

std::vector<TouchedTest> touched_tests(const Finding& finding, const Patch& patch,
                                       const std::vector<OpenedTest>& opened) {
  return touched(finding, patch, opened, false);
}

std::vector<TouchedTest> opened_and_changed(const Finding& finding, const Patch& patch,
                                            const std::vector<OpenedTest>& opened) {
  return touched(finding, patch, opened, true);
}

std::string from_to(const ChangedTest& test) {
  const auto shown = [](const std::string& line) { return first_line(clean_text(line), 160); };
  if (!test.before.empty() && !test.after.empty())
    return fmt::format("from `{}` to `{}`", shown(test.before), shown(test.after));
  if (!test.before.empty()) return fmt::format("without `{}`", shown(test.before));
  return test.after.empty() ? "" : fmt::format("with `{}`", shown(test.after));
}

std::vector<std::string> added_tests(const Patch& own_tests) {
  std::vector<std::string> names;
  for (const FileChange& change : own_tests.changes) {
    std::multiset<std::string> before;
    for (const TestUnit& unit : test_units(change.path, change.old_content)) before.insert(unit.name);
    for (const TestUnit& unit : test_units(change.path, change.new_content))
      if (!before.contains(unit.name)) names.push_back(unit.name);
    for (const ChangedTest& test : changed_tests(change))
      if (!test.name.empty()) names.push_back(test.name);
  }
  return names;
}

} // namespace emend
