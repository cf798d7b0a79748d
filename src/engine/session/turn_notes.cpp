// The step of a turn that says what a judge and a person should look at.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "engine/patch/notes.hpp"
#include "engine/session/unit_turn.hpp"
#include "engine/verify/test_lines.hpp"
#include "engine/verify/test_owner.hpp"
#include "engine/verify/test_side.hpp"

namespace emend {
namespace {

Result<TestFiles> test_files(const UnitTurn& turn) {
  constexpr std::size_t kMost = 200;
  Repository& repository = turn.context.ports.repository;
  TRY_ASSIGN(std::vector<std::string> paths,
             test_side(repository, turn.policy(), turn.attempt.base, Patch{}));
  if (paths.size() > kMost) paths.resize(kMost);
  TRY_ASSIGN(std::vector<std::string> texts, repository.read_each(turn.attempt.base, paths));
  TestFiles files;
  for (std::size_t i = 0; i < paths.size(); ++i) files.emplace_back(std::move(paths[i]), std::move(texts[i]));
  return files;
}

// Tests of other files that failed and pass now, although nobody said why. Many of them are refused.
void note_foreign(UnitTurn& turn) {
  constexpr std::size_t kNamed = 5;
  std::vector<std::string> ids = turn.comparison.foreign;
  if (ids.empty()) return;
  const std::size_t all = ids.size();
  ids.resize(std::min(all, kNamed));
  turn.notes.push_back(fmt::format("failed on the base and {} now, although the issue is not about {}: {}{}",
                                   all == 1 ? "passes" : "pass", all == 1 ? "it" : "them", join(ids, ", "),
                                   all > kNamed ? fmt::format(" and {} more", all - kNamed) : ""));
}

// "tests.test_a.Suite.test_b" -> "tests.test_a.Suite": what stands in one place is often about one thing.
std::string place_of_test(const std::string& id) {
  return id.substr(0, id.substr(0, id.find_first_of("[(")).find_last_of(":./> ") + 1);
}

// Tests beside those the fix repairs that failed before and fail still: part of a bug may be left.
void note_left_failing(UnitTurn& turn) {
  constexpr std::size_t kNamed = 5;
  std::vector<std::string> ids;
  for (const TestOf& repaired : turn.comparison.repaired) {
    const CommandRun *now = turn.run.find(repaired.command), *before = turn.baseline->find(repaired.command);
    if (now == nullptr || before == nullptr) continue;
    for (const auto& [id, state] : now->tests.by_id) {
      const auto known = before->tests.by_id.find(id);
      const bool failed_before = known != before->tests.by_id.end() && known->second == kTestFailed;
      const bool beside = now->scoped || place_of_test(id) == place_of_test(repaired.id);
      if (state == kTestFailed && failed_before && beside &&
          std::find(ids.begin(), ids.end(), id) == ids.end())
        ids.push_back(id);
    }
  }
  if (ids.empty()) return;
  const std::size_t all = ids.size();
  ids.resize(std::min(all, kNamed));
  turn.notes.push_back(fmt::format("beside {}, which passes now, {} on the base and with the fix: {}{}",
                                   turn.comparison.repaired.front().id, all == 1 ? "fails" : "fail",
                                   join(ids, ", "),
                                   all > kNamed ? fmt::format(" and {} more", all - kNamed) : ""));
}

// Tests of the issue that the fix reaches and that fail still: whether that is another bug, a judge decides.
void note_reached(UnitTurn& turn) {
  for (const TestOf& test : turn.comparison.reached) {
    std::string why;
    for (const std::string& note : turn.attempt.notes)
      if (note.starts_with(kLeftFailingNote) && mentions_test(note, test.id))
        why = note.substr(kLeftFailingNote.size());
    turn.notes.push_back(
        fmt::format("{} failed on the base and fails otherwise with the fix. The reason given: \"{}\". "
                    "Decide whether it holds",
                    test.id, first_line(why, 400)));
  }
}

} // namespace

StepEnd notes_form(UnitTurn& turn) {
  TRY_ASSIGN(const TestFiles tests, test_files(turn));
  const Patch product = apart(turn.issue.finding.file, turn.patch(), turn.called, turn.opened).product;
  std::vector<Note> notes = form_notes(turn.issue.finding, turn.patch());
  for (Note& note : test_notes(product, tests)) notes.push_back(std::move(note));
  for (const Note& note : notes) turn.doubts.push_back(note.sentence());
  turn.notes.insert(turn.notes.end(), turn.doubts.begin(), turn.doubts.end());
  note_foreign(turn);
  if (turn.baseline) note_left_failing(turn);
  note_reached(turn);
  return std::nullopt;
}

} // namespace emend
