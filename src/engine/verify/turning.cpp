#include "engine/verify/turning.hpp"

#include <algorithm>
#include <set>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/probe/data_flip.hpp"
#include "engine/probe/failure_places.hpp"
#include "engine/probe/language.hpp"
#include "engine/probe/named_value.hpp"
#include "engine/probe/negation.hpp"
#include "engine/probe/other_value.hpp"
#include "engine/probe/sentinel.hpp"
#include "engine/verify/probe_reading.hpp"
#include "engine/verify/test_lines.hpp"
#include "engine/verify/test_name.hpp"
#include "engine/verify/test_owner.hpp"
#include "engine/verify/test_side.hpp"

namespace emend {
namespace {

// Failed on the base and pass with the fix: those that are known to be its own, else all.
std::vector<std::string> turned_green(const Comparison& comparison, const CommandRun& before,
                                      const CommandRun& now) {
  std::vector<std::string> ids;
  for (const TestOf& test : comparison.repaired)
    if (test.command == now.name) ids.push_back(test.id);
  if (!ids.empty()) return ids;
  for (const auto& [id, state] : before.tests.by_id) {
    const auto found = now.tests.by_id.find(id);
    if (state == kTestFailed && found != now.tests.by_id.end() && found->second == kTestPassed)
      ids.push_back(id);
  }
  return ids;
}

// Where the base failed and the fixed tree does not: what fails in both is somebody else's.
std::vector<Place> repaired_places(const CommandRun& before, const CommandRun& now,
                                   const std::vector<std::string>& tests) {
  std::vector<Place> places = failure_places(before.output, tests);
  const std::vector<Place> still = failure_places(now.output, tests);
  std::erase_if(places, [&](const Place& place) {
    return std::find(still.begin(), still.end(), place) != still.end();
  });
  return places;
}

// Five digits that no program gives by chance.
std::string drawn_digits() {
  const std::string hex = random_hex(4);
  return std::to_string(10'000 + std::stoul(hex, nullptr, 16) % 90'000);
}

// Two digits: they may be how often something is done.
std::string few_digits() { return std::to_string(11 + std::stoul(random_hex(4), nullptr, 16) % 89); }

// What a runner printed around these words, or around the last of them that it has.
std::string said_about(const std::string& output, const std::vector<std::string>& words) {
  constexpr std::size_t kAbove = 12, kBelow = 16; // lines
  const std::vector<std::string_view> lines = lines_of(output);
  for (const std::string& word : words)
    for (std::size_t i = 0; i < lines.size() && !word.empty(); ++i) {
      if (!contains(lines[i], word)) continue;
      const std::size_t begin = i > kAbove ? i - kAbove : 0, end = std::min(lines.size(), i + kBelow);
      return join(std::vector<std::string>(lines.begin() + static_cast<std::ptrdiff_t>(begin),
                                           lines.begin() + static_cast<std::ptrdiff_t>(end)),
                  "\n");
    }
  return {};
}

// said: by the runner, of the failure there.
std::optional<Probe> turned_around(const Place& place, const std::string& text, Turn turn,
                                   TwistedFiles& files, const std::string& said = {}) {
  const auto value = [&](std::string_view answered, bool shorter) {
    const std::string digits = drawn_digits();
    return other_value_at(place.file, text, place.line, {digits, answered, shorter});
  };
  std::optional<Twist> twist = turn == Turn::negated ? std::nullopt : value(said, false);
  if (turn == Turn::other && twist) { // a neighbour may be what the base answered
    constexpr int kDraws = 20;
    const std::string answered = twist->text;
    for (int i = 0; i < kDraws && twist->text == answered; ++i) twist = value({}, true);
  }
  const std::string_view kind = twist ? kValue : kNegation;
  if (!twist && turn == Turn::other) twist = contradict_at(place.file, text, place.line);
  if (!twist && turn != Turn::other) twist = negate_at(place.file, text, place.line);
  if (!twist || files.is_turned(twist->file, twist->line)) return std::nullopt;
  files.put(*twist);
  return probe_of(*twist, kind, "", "");
}

std::optional<Probe> as_literal(const std::optional<Twist>& twist, std::vector<std::string> ids,
                                TwistedFiles& files) {
  if (!twist) return std::nullopt;
  files.put(*twist);
  Probe probe = probe_of(*twist, kLiteral, "", "");
  probe.tests = std::move(ids);
  return probe;
}

// Those that have the name of one of these tests first: what a command prints stands in the files it runs.
Result<std::vector<std::string>> naming_first(const std::vector<std::string>& ids,
                                              std::vector<std::string> tests, TwistedFiles& files) {
  constexpr std::size_t kNames = 50, kFiles = 200;
  std::set<std::string> naming;
  for (std::size_t file = 0; file < tests.size() && file < kFiles; ++file) {
    TRY_ASSIGN(const std::string text, files.text(tests[file]));
    for (std::size_t i = 0; i < ids.size() && i < kNames; ++i)
      if (line_of_test(text, ids[i]) > 0) {
        naming.insert(tests[file]);
        break;
      }
  }
  std::stable_partition(tests.begin(), tests.end(),
                        [&](const std::string& path) { return naming.contains(path); });
  return tests;
}

std::size_t indentation(const std::vector<std::string_view>& lines, int line) {
  return lines[static_cast<std::size_t>(line - 1)].find_first_not_of(" \t");
}

// The condition under which a program says that the test failed: it stands at the name it prints, or just
// above. A name further to the left begins another test; what stands above it belongs to the one before.
Result<std::optional<Probe>> turn_condition(const std::vector<std::string>& ids, const std::string& output,
                                            const std::vector<std::string>& tests, Turn turn,
                                            TwistedFiles& files) {
  constexpr int kAbove = 3;
  constexpr std::size_t kFiles = 20;
  for (std::size_t file = 0; file < tests.size() && file < kFiles; ++file) {
    TRY_ASSIGN(const std::string text, files.text(tests[file]));
    for (const std::string& id : ids) {
      const int named = line_of_test(text, id);
      const std::vector<int> lines = named == 0 ? std::vector<int>{} : assertion_lines(tests[file], text);
      const std::vector<std::string_view> rows = lines_of(text);
      for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        if (*line > named || *line < named - kAbove) continue;
        if (indentation(rows, *line) > indentation(rows, named)) continue;
        std::optional<Probe> probe =
            turned_around({tests[file], *line}, text, turn, files, said_about(output, {id}));
        if (!probe) continue;
        probe->tests = ids;
        return probe;
      }
    }
  }
  return std::optional<Probe>{};
}

// A value at the name of one of these tests, the last one of its file: a program that stops at the first
// failure has run all the others by then.
Result<std::optional<Probe>> turn_named(const std::vector<std::string>& ids,
                                        const std::vector<std::string>& tests, TwistedFiles& files) {
  constexpr std::size_t kNames = 50, kFiles = 200;
  for (std::size_t file = 0; file < tests.size() && file < kFiles; ++file) {
    TRY_ASSIGN(const std::string text, files.text(tests[file]));
    std::optional<Twist> last;
    std::string named;
    for (std::size_t i = 0; i < ids.size() && i < kNames; ++i) {
      auto twist = other_number_of(tests[file], text, ids[i], few_digits());
      if (!twist || (last && last->line >= twist->line)) continue;
      last = std::move(twist);
      named = ids[i];
    }
    if (last) return as_literal(last, {named}, files);
  }
  return std::optional<Probe>{};
}

// Expected data that the tests are compared with. What these tests name comes first, then what the words do.
Result<std::optional<Probe>> turn_data(const std::string& words, const std::vector<std::string>& ids,
                                       const std::vector<std::string>& tests, TwistedFiles& files) {
  enum class Named { by_test, by_words, not_at_all };
  const auto how = [&](const std::string& path) {
    const std::string stem = fs::path(path).stem().string();
    if (std::any_of(ids.begin(), ids.end(), [&](const std::string& id) { return names_test(id, stem); }))
      return Named::by_test;
    return contains(words, stem) ? Named::by_words : Named::not_at_all;
  };
  for (const Named named : {Named::by_test, Named::by_words, Named::not_at_all})
    for (const std::string& path : tests) {
      if (how(path) != named) continue;
      TRY_ASSIGN(const std::string text, files.text(path));
      std::optional<Probe> probe = as_literal(flip_data(path, text), ids, files);
      if (!probe) continue;
      if (named == Named::by_test) probe->kind = kData;
      return probe;
    }
  return std::optional<Probe>{};
}

// The tests that this line belongs to: those whose name stands nearest above it.
std::vector<std::string> tests_at(const std::string& text, int line, const std::vector<std::string>& ids) {
  constexpr int kLinesOfTest = 40;
  std::vector<std::string> nearest;
  int best = std::max(1, line - kLinesOfTest);
  for (const std::string& id : ids) {
    const int at = line_of_test(text, id);
    if (at < best || at > line) continue;
    if (at > best) nearest.clear();
    best = at;
    nearest.push_back(id);
  }
  return nearest;
}

// A test that must fail, beside one of these; for runners that name their tests.
Result<std::optional<Probe>> add_failing(const std::vector<std::string>& ids,
                                         const std::vector<std::string>& tests, TwistedFiles& files) {
  constexpr std::size_t kNames = 50, kFiles = 200;
  for (std::size_t file = 0; file < tests.size() && file < kFiles; ++file) {
    TRY_ASSIGN(const std::string text, files.text(tests[file]));
    for (std::size_t i = 0; i < ids.size() && i < kNames; ++i) {
      if (line_of_test(text, ids[i]) == 0) continue;
      const auto sentinel = add_sentinel(tests[file], text, "test_" + random_hex(6));
      if (!sentinel) break;
      files.put(*sentinel);
      return std::optional<Probe>(probe_of(*sentinel, kSentinel, "", ""));
    }
  }
  return std::optional<Probe>{};
}

} // namespace

std::vector<std::string> passing_tests(const CommandRun& run) {
  std::vector<std::string> ids;
  for (const auto& [id, state] : run.tests.by_id)
    if (state == kTestPassed) ids.push_back(id);
  return ids;
}

Result<std::string> TwistedFiles::text(const std::string& path) {
  if (const auto found = texts_.find(path); found != texts_.end()) return found->second;
  return repository_.read(base_, path);
}

Result<Patch> TwistedFiles::patch() {
  TRY_ASSIGN(const Tree* tree, repository_.tree(base_));
  Patch patch;
  for (const auto& [path, text] : texts_) {
    TRY_ASSIGN(std::string before, repository_.read(base_, path));
    patch.changes.push_back(changed_text(path, tree->find(path)->second, std::move(before), text));
  }
  return patch;
}

Patch unreadable(const Patch& product) {
  Patch twist;
  for (const FileChange& change : product.changes) {
    if (change.deleted()) continue;
    FileChange broken = change;
    broken.old_mode = change.new_mode;
    broken.old_id = change.new_id;
    broken.old_content = change.new_content;
    broken.new_content = ")]} " + random_hex(8) + " <<< \"\n";
    broken.new_id = git_blob_id(broken.new_content, change.new_id.size() == 64 ? "sha256" : "sha1");
    twist.changes.push_back(std::move(broken));
  }
  return twist;
}

Probe probe_of(const Twist& twist, std::string_view kind, const std::string& issue_id,
               const std::string& command) {
  Probe probe;
  probe.issue_id = issue_id;
  probe.command = command;
  probe.kind = kind;
  probe.file = twist.file;
  probe.line = twist.line;
  probe.before = twist.before;
  probe.after = twist.after;
  probe.name = twist.name;
  return probe;
}

Result<std::optional<Probe>> turn_repaired(const RunPair& runs, const Comparison& comparison,
                                           const std::vector<std::string>& tests, const std::string& own,
                                           Turn turn, TwistedFiles& files) {
  const std::vector<std::string> ids = turned_green(comparison, runs.before, runs.now);
  if (ids.empty() && !runs.now.passed()) return std::optional<Probe>{}; // nobody could say which test failed
  std::vector<Place> places = repaired_places(runs.before, runs.now, tests);
  std::stable_partition(places.begin(), places.end(),
                        [&](const Place& place) { return !own.empty() && names_file(place.file, own); });
  for (const Place& place : places) {
    TRY_ASSIGN(const std::string text, files.text(place.file));
    const std::string name = fs::path(place.file).filename().string();
    const std::string line = std::to_string(place.line);
    const std::string said = said_about(
        runs.before.output, {name + ":" + line, name + "\", line " + line, name + "(" + line, name});
    std::optional<Probe> probe = turned_around(place, text, turn, files, said);
    if (!probe) continue;
    probe->tests = ids;
    return probe;
  }
  TRY_ASSIGN(const std::vector<std::string> likely, naming_first(ids, tests, files));
  TRY_ASSIGN(std::optional<Probe> condition, turn_condition(ids, runs.before.output, likely, turn, files));
  if (condition || turn == Turn::other) return condition;
  TRY_ASSIGN(std::optional<Probe> named, turn_named(ids, likely, files));
  if (named) return named;
  TRY_ASSIGN(std::optional<Probe> data, turn_data(join(ids, " ") + runs.before.output, ids, tests, files));
  if (data) return data;
  return add_failing(ids, tests, files);
}

namespace {

// "test_upper (tests.test_a.Limits)" -> "upper": data seldom has the word.
std::string name_in_data(const std::string& id) {
  constexpr std::size_t kShortest = 3;
  const std::string name = short_test_name(id);
  for (const std::string_view word : {"test_", "Test_", "test", "Test"})
    if (name.starts_with(word) && name.size() >= word.size() + kShortest) return name.substr(word.size());
  return name;
}

std::optional<Twist> other_data(const std::string& path, const std::string& text, const std::string& name) {
  if (fs::path(path).stem().string() == name) return flip_data(path, text);
  std::optional<Twist> twist = other_number_beside(path, text, name, few_digits());
  if (twist && twist->text == text) twist = other_number_beside(path, text, name, drawn_digits());
  return twist;
}

} // namespace

Result<std::vector<Probe>> turn_data_of(const std::vector<std::string>& ids,
                                        const std::vector<std::string>& tests, std::size_t most,
                                        TwistedFiles& files) {
  constexpr std::size_t kFiles = 50;
  std::vector<std::string> data;
  for (const std::string& path : tests) {
    TRY_ASSIGN(const std::string text, files.text(path));
    if (probe::language_of(path, text) == nullptr && data.size() < kFiles) data.push_back(path);
  }
  std::vector<Probe> turned;
  for (std::size_t i = 0; i < ids.size() && turned.size() < most; ++i)
    for (const std::string& path : data) {
      TRY_ASSIGN(const std::string text, files.text(path));
      const auto twist = other_data(path, text, name_in_data(ids[i]));
      if (!twist || files.is_turned(path, twist->line)) continue;
      files.put(*twist);
      turned.push_back(probe_of(*twist, kData, "", ""));
      turned.back().tests = {ids[i]};
      break;
    }
  return turned;
}

namespace {

// The last assertion of a file: see turn_named. `all`: also one that belongs to none of the tests.
Result<std::optional<Probe>> turn_assertion(const std::vector<std::string>& ids,
                                            const std::vector<std::string>& tests,
                                            const std::vector<Probe>& turned, bool all, TwistedFiles& files) {
  constexpr std::size_t kFiles = 20;
  for (std::size_t file = 0; file < tests.size() && file < kFiles; ++file) {
    const std::string& path = tests[file];
    TRY_ASSIGN(const std::string text, files.text(path));
    for (const Probe& probe : turned)
      if (probe.file == path && (all || !tests_at(text, probe.line, ids).empty()))
        return std::optional(probe);
    const std::vector<int> lines = assertion_lines(path, text);
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
      const std::vector<std::string> belongs = tests_at(text, *line, ids);
      if (belongs.empty() && !all) continue;
      std::optional<Probe> guard = turned_around({path, *line}, text, Turn::answered, files);
      if (!guard) continue;
      guard->kind = kGuard;
      guard->tests = belongs;
      return guard;
    }
  }
  return std::optional<Probe>{};
}

} // namespace

Result<std::optional<Probe>> turn_guard(const CommandRun& now, const std::vector<std::string>& tests,
                                        const std::vector<Probe>& turned, TwistedFiles& files) {
  const std::vector<std::string> ids = passing_tests(now);
  TRY_ASSIGN(const std::vector<std::string> likely, naming_first(ids, tests, files));
  if (!ids.empty()) {
    TRY_ASSIGN(std::optional<Probe> own, turn_assertion(ids, likely, turned, false, files));
    if (own) return own;
    TRY_ASSIGN(std::optional<Probe> named, turn_named(ids, likely, files));
    if (named) return named;
  }
  TRY_ASSIGN(std::optional<Probe> any, turn_assertion(ids, likely, turned, true, files));
  if (any) return any;
  TRY_ASSIGN(std::optional<Probe> data, turn_data(now.output, {}, likely, files));
  if (data) return data;
  return add_failing(ids, likely, files);
}

} // namespace emend
