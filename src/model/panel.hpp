// What the judges of one change say together. One judge: its lowest score. Several: the average of their
// votes, one vote a vendor.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/verdict.hpp"

namespace emend {

// A vote below this decides by itself, however high the others are.
inline constexpr int kVetoBelow = 50;

// Those of the verdicts that count as votes: valid, on a fix, of each vendor (of each agent where the vendor
// is unknown) the lowest. Pointers into `verdicts`.
[[nodiscard]] std::vector<const Verdict*> votes_of(const std::vector<Verdict>& verdicts);

// One verdict for all of them: the score, every judge's words without the judge's name, and all that must
// change. Its score passes a threshold exactly when the average does. nullopt = fewer than `panel` votes.
[[nodiscard]] std::optional<Verdict> joint_verdict(const std::vector<Verdict>& verdicts, int panel);

// "claude 97, gemini 94: 95 on average"; of one vote "claude 97".
[[nodiscard]] std::string votes_text(const std::vector<Verdict>& verdicts, int panel);

} // namespace emend
