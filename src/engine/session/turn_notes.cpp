// The step of a turn that says what a judge and a person should look at.
#include <fmt/format.h>

#include "base/strings.hpp"
#include "engine/patch/notes.hpp"
#include "engine/session/unit_turn.hpp"
#include "engine/verify/test_side.hpp"

namespace emend {
namespace {

Result<TestFiles> test_files(const UnitTurn& turn) {
  constexpr std::size_t kMost = 200;
  Repository& repository = turn.context.ports.repository;
  TRY_ASSIGN(std::vector<std::string> paths,
             test_side(repository, turn.policy(), turn.attempt.base, Patch{}));
  if (paths.size() > kMost) paths.resize(kMost);
  TestFiles files;
  for (std::string& path : paths) {
    TRY_ASSIGN(std::string text, repository.read(turn.attempt.base, path));
    files.emplace_back(std::move(path), std::move(text));
  }
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

} // namespace

StepEnd notes_form(UnitTurn& turn) {
  TRY_ASSIGN(const TestFiles tests, test_files(turn));
  const Patch product = apart(turn.issue.finding.file, turn.patch(), turn.called, turn.opened).product;
  std::vector<Note> notes = form_notes(turn.issue.finding, turn.patch());
  for (Note& note : test_notes(product, tests)) notes.push_back(std::move(note));
  for (const Note& note : notes) turn.doubts.push_back(note.sentence());
  turn.notes.insert(turn.notes.end(), turn.doubts.begin(), turn.doubts.end());
  note_foreign(turn);
  return std::nullopt;
}

} // namespace emend
