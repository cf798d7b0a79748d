// The step of a turn that looks at how far a change reaches.
#include <fmt/format.h>

#include "base/strings.hpp"
#include "engine/fix/fix.hpp"
#include "engine/patch/related_files.hpp"
#include "engine/session/unit_turn.hpp"

namespace emend {
namespace {

// The fixer's own, in one line; empty = it gave none.
std::string reason_for(const Attempt& attempt, const std::string& path) {
  const std::string begin = std::string(kOtherFileNote) + clean_text(path) + ": ";
  for (const std::string& note : attempt.notes)
    if (note.starts_with(begin)) return first_line(note.substr(begin.size()), 300);
  return {};
}

} // namespace

// A root cause may be anywhere, so no file is refused for where it is. The judge is shown the files that
// nothing leads to, with the fixer's reason.
StepEnd notes_other_files(UnitTurn& turn) {
  const Finding& finding = turn.issue.finding;
  if (turn.policy().scope == FixScope::repository || finding.file.empty()) return std::nullopt;
  const auto content = turn.context.ports.repository.read(turn.attempt.base, finding.file);
  for (const std::string& path : unrelated_files(finding, turn.patch(), content ? *content : "")) {
    const std::string reason = reason_for(turn.attempt, path);
    turn.notes.push_back(fmt::format(
        "{} is changed too, although the finding does not name it and no file of the finding loads it or is "
        "loaded by it{}",
        clean_text(path),
        reason.empty() ? "; no reason was given: decide whether the fix needs it"
                       : fmt::format("; the reason given: \"{}\"; decide whether it holds", reason)));
    turn.context.notice(fmt::format("{}: the fix also changes {}{}", turn.issue.code, clean_text(path),
                                    reason.empty() ? "" : ": " + reason));
  }
  return std::nullopt;
}

} // namespace emend
