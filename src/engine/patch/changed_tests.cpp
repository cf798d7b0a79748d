#include "engine/patch/changed_tests.hpp"

#include <algorithm>
#include <map>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/patch/added_lines.hpp"
#include "engine/patch/test_units.hpp"

namespace emend {
namespace {

// One side of a file, cut.
struct CutFile {
  CutFile(const std::string& path, const std::string& content)
      : text(content),
        masked(code_mask(path, content)),
        lines(lines_of(text)),
        code(lines_of(masked)),
        units(test_units(path, content)),
        words(identifiers(masked)) {
    for (std::size_t i = 0; i < units.size(); ++i) by_name[units[i].name].push_back(i);
  }

  [[nodiscard]] Region region(std::size_t begin, std::size_t end) const {
    Region found;
    add(begin, end, found);
    return found;
  }

  // What stands outside of all units.
  [[nodiscard]] Region outside() const {
    Region found;
    std::size_t at = 0;
    for (const TestUnit& unit : units) {
      add(at, unit.begin, found);
      at = std::max(at, unit.end);
    }
    add(at, lines.size(), found);
    return found;
  }

  void add(std::size_t begin, std::size_t end, Region& to) const {
    for (std::size_t i = begin; i < end && i < lines.size(); ++i) {
      to.text.push_back(lines[i]);
      to.code.push_back(i < code.size() ? code[i] : std::string_view{});
      to.numbers.push_back(i);
    }
  }

  const std::string& text;
  const std::string masked;
  const std::vector<std::string_view> lines, code;
  const std::vector<TestUnit> units;
  const std::set<std::string_view> words;
  std::map<std::string, std::vector<std::size_t>> by_name;
};

class FileComparison {
public:
  explicit FileComparison(const FileChange& change)
      : kind_(code_kind(change.path)),
        before_(change.path, change.old_content),
        after_(change.path, change.new_content) {}

  std::vector<ChangedTest> run() {
    for (const auto& [name, places] : before_.by_name) compare_tests(name, places);
    note_shadowed();
    if (const auto changed =
            first_change(before_.outside(), after_.outside(), kind_,
                         is_script() ? RegionKind::script : RegionKind::between_tests, before_.words))
      note("", "changes", *changed);
    std::stable_sort(found_.begin(), found_.end(),
                     [](const ChangedTest& a, const ChangedTest& b) { return a.line < b.line; });
    return std::move(found_);
  }

private:
  // Nobody else runs its parts: they are called by lines of the file itself, one after the other.
  [[nodiscard]] bool is_script() const {
    if (kind_ == CodeKind::shell) return true;
    std::string lines;
    for (const std::string_view line : before_.outside().code) lines += std::string(line) + "\n";
    const std::set<std::string_view> called = identifiers(lines);
    return std::all_of(before_.units.begin(), before_.units.end(),
                       [&](const TestUnit& unit) { return called.contains(unit.name); });
  }

  void compare_tests(const std::string& name, const std::vector<std::size_t>& places) {
    const auto now = after_.by_name.find(name);
    const std::size_t there = now == after_.by_name.end() ? 0 : now->second.size();
    if (there < places.size()) {
      const std::size_t line = before_.units[places[there]].begin;
      return note(name, "removes", {line, std::nullopt, std::string(trim(before_.lines[line])), ""});
    }
    if (there > places.size()) {
      const std::size_t line = after_.units[now->second.back()].begin;
      return note(name, "defines again", {std::nullopt, line, "", std::string(trim(after_.lines[line]))});
    }
    for (std::size_t i = 0; i < places.size(); ++i)
      compare_test(before_.units[places[i]], after_.units[now->second[i]]);
  }

  void compare_test(const TestUnit& old_unit, const TestUnit& new_unit) {
    if (old_unit.context != new_unit.context)
      return note(old_unit.name, "moves", {std::nullopt, new_unit.begin, "", ""});
    const auto changed =
        first_change(before_.region(old_unit.begin, old_unit.end),
                     after_.region(new_unit.begin, new_unit.end), kind_, RegionKind::test, before_.words);
    if (changed) note(old_unit.name, "changes", *changed);
  }

  // A new function under a name that existing tests use takes its place.
  void note_shadowed() {
    for (const TestUnit& unit : after_.units) {
      if (before_.by_name.contains(unit.name) || !before_.words.contains(unit.name) || is_quoted(unit))
        continue;
      note(unit.name, "defines again",
           {std::nullopt, unit.begin, "", std::string(trim(after_.lines[unit.begin]))});
    }
  }

  // it("adds") defines no adds().
  [[nodiscard]] bool is_quoted(const TestUnit& unit) const {
    for (std::size_t i = unit.begin; i < unit.end && i < after_.code.size(); ++i)
      if (const auto column = after_.lines[i].find(unit.name); column != std::string_view::npos)
        return after_.code[i].substr(column, unit.name.size()) != unit.name;
    return true;
  }

  void note(const std::string& name, const char* what, const Difference& where) {
    const std::size_t line = where.new_line ? *where.new_line : where.old_line.value_or(0);
    found_.push_back({name, static_cast<int>(line) + 1, what, where.before, where.after});
  }

  CodeKind kind_;
  CutFile before_, after_;
  std::vector<ChangedTest> found_;
};

bool is_named(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string lines_between(const CutFile& side, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < end && i < side.lines.size(); ++i)
    text += std::string(side.lines[i]) + "\n";
  return text;
}

} // namespace

std::vector<ChangedTest> changed_tests(const FileChange& change) {
  if (change.added()) return {};
  if (change.deleted()) return {{"", 1, "removes", "", ""}};
  return FileComparison(change).run();
}

FileChange only_tests(const FileChange& change, const std::vector<std::string>& names) {
  if (is_named(names, "") || change.added() || change.deleted()) return change;
  const CutFile before(change.path, change.old_content), after(change.path, change.new_content);
  std::string text;
  std::size_t at = 0;
  std::map<std::string, std::size_t> seen;
  for (const TestUnit& unit : before.units) {
    const std::size_t number = seen[unit.name]++;
    if (!is_named(names, unit.name) || unit.begin < at) continue;
    text += lines_between(before, at, unit.begin);
    at = unit.end;
    const auto now = after.by_name.find(unit.name);
    if (now != after.by_name.end() && number < now->second.size()) {
      const TestUnit& new_unit = after.units[now->second[number]];
      text += lines_between(after, new_unit.begin, new_unit.end);
    }
  }
  text += lines_between(before, at, before.lines.size());
  if (!change.old_content.ends_with('\n') && at < before.lines.size() && text.ends_with('\n'))
    text.pop_back();
  FileChange only = change;
  only.new_content = std::move(text);
  only.new_id = git_blob_id(only.new_content, change.old_id.size() == 40 ? "sha1" : "sha256");
  return only;
}

} // namespace emend
