#include "model/panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace emend {
namespace {

const Verdict& lowest_of(const std::vector<const Verdict*>& votes) {
  return **std::min_element(votes.begin(), votes.end(),
                            [](const Verdict* a, const Verdict* b) { return *a->score < *b->score; });
}

// Rounded down, so it reaches a whole number exactly when the average does.
int joint_score(const std::vector<const Verdict*>& votes) {
  int sum = 0;
  for (const Verdict* vote : votes) sum += *vote->score;
  const int lowest = *lowest_of(votes).score;
  return lowest < kVetoBelow ? lowest : sum / static_cast<int>(votes.size());
}

} // namespace

std::vector<const Verdict*> votes_of(const std::vector<Verdict>& verdicts) {
  std::vector<const Verdict*> votes;
  std::map<std::string, std::size_t> seats;
  for (const Verdict& verdict : verdicts) {
    if (!verdict.valid || !verdict.score || !verdict.canary.empty()) continue;
    const std::string voter = verdict.family.empty() ? "agent " + verdict.agent : verdict.family;
    const auto [seat, added] = seats.try_emplace(voter, votes.size());
    if (added)
      votes.push_back(&verdict);
    else if (*verdict.score < *votes[seat->second]->score)
      votes[seat->second] = &verdict;
  }
  // They vote at the same time; who is first says nothing.
  std::stable_sort(votes.begin(), votes.end(),
                   [](const Verdict* a, const Verdict* b) { return a->agent < b->agent; });
  return votes;
}

std::optional<Verdict> joint_verdict(const std::vector<Verdict>& verdicts, int panel) {
  const std::vector<const Verdict*> votes = votes_of(verdicts);
  if (votes.empty() || static_cast<int>(votes.size()) < panel) return std::nullopt;
  Verdict joint = lowest_of(votes);
  if (panel < 2) return joint;
  joint.score = joint_score(votes);
  joint.feedback.clear();
  joint.improvements_needed.clear();
  for (const Verdict* vote : votes) {
    joint.feedback += fmt::format("{}One judge ({} of 100): {}", joint.feedback.empty() ? "" : "\n",
                                  *vote->score, vote->feedback);
    joint.improvements_needed.insert(joint.improvements_needed.end(), vote->improvements_needed.begin(),
                                     vote->improvements_needed.end());
    joint.independent = joint.independent || vote->independent;
  }
  return joint;
}

std::string votes_text(const std::vector<Verdict>& verdicts, int panel) {
  const std::vector<const Verdict*> votes = votes_of(verdicts);
  std::string text;
  for (const Verdict* vote : votes)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", vote->agent, *vote->score);
  if (panel > 1 && votes.size() > 1) {
    const int joint = joint_score(votes);
    text += fmt::format(": {}{}", joint, joint < kVetoBelow ? ", a vote below 50 decides" : " on average");
  }
  return text;
}

} // namespace emend
