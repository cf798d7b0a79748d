#include "cli/ci/pr_text.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"
#include "cli/daily/markdown_report.hpp"
#include "cli/daily/review_text.hpp"

namespace emend {

namespace {

std::string number_text(double number) { return fmt::format("{:.6g}", number); } // 81.5, 80

std::string joined(const std::vector<std::string>& words) {
  if (words.size() < 2) return join(words, "");
  return join({words.begin(), words.end() - 1}, ", ") + " and " + words.back();
}

Tone tone_of(const PrReview& review, const PrVote& vote) {
  if (!vote.valid()) return Tone::bad;
  return *vote.score >= review.threshold ? Tone::good : Tone::warn;
}

std::string who(const PrVote& vote) {
  std::vector<std::string> about;
  for (const std::string* part : {&vote.model, &vote.family})
    if (!part->empty()) about.push_back(one_line(*part, 60));
  return one_line(vote.voter, 60) + (about.empty() ? "" : " (" + join(about, ", ") + ")");
}

std::string spent_text(const PrVote& vote) {
  std::string text = format_duration_ms(vote.duration_ms);
  if (vote.usage.cost_usd) text += fmt::format(", ${:.4f}", *vote.usage.cost_usd);
  return text;
}

std::string vote_text(const PrReview& review, const PrVote& vote, const Palette& palette) {
  const std::string score = vote.valid() ? fmt::format("{} of 100", *vote.score) : "no vote";
  std::string text = palette.paint(who(vote), Tone::strong) + "  " +
                     palette.paint(score, tone_of(review, vote)) + "  " +
                     palette.paint(spent_text(vote), Tone::dim) + "\n";
  if (!vote.valid()) text += indented(vote.problem, "  ");
  if (!vote.summary.empty()) text += indented(vote.summary, "  ");
  if (!vote.feedback.empty() && vote.feedback != vote.summary) text += indented(vote.feedback, "  ");
  for (const std::string& note : vote.notes)
    text += palette.paint("  note: " + one_line(note, 200), Tone::dim) + "\n";
  return text + "\n";
}

std::string change_line(const PrReview& review) {
  const DiffStat stat = diff_stat(review.change.patch);
  return fmt::format("{} into {}: {} changed, +{} -{}  {}..{}", one_line(review.change.head_ref),
                     one_line(review.change.base_ref), plural(static_cast<std::size_t>(stat.files), "file"),
                     stat.insertions, stat.deletions, review.change.start.substr(0, 8),
                     review.change.head.substr(0, 8));
}

std::string word_of(PrDecision decision) {
  if (decision == PrDecision::approved) return "APPROVED";
  return decision == PrDecision::not_approved ? "NOT APPROVED" : "NOT APPROVED, not enough votes";
}

// Votes on the other side of the bar than the decision.
std::vector<std::string> dissenters(const PrReview& review) {
  std::vector<std::string> names;
  const bool approved = review.count.decision == PrDecision::approved;
  for (const PrVote& vote : review.votes)
    if (vote.valid() && (*vote.score >= review.threshold) != approved)
      names.push_back(fmt::format("{} ({})", one_line(vote.voter, 60), *vote.score));
  return names;
}

} // namespace

std::string decision_line(const PrReview& review) {
  std::vector<std::string> scores;
  for (const PrVote& vote : review.votes)
    if (vote.valid()) scores.push_back(std::to_string(*vote.score));
  std::string text =
      scores.empty() ? "no votes" : (scores.size() == 1 ? "one vote: " : "votes ") + joined(scores);
  if (review.count.average && scores.size() > 1) text += ", average " + number_text(*review.count.average);
  return text + fmt::format(", needed {}: {}", review.threshold, word_of(review.count.decision));
}

std::vector<std::string> decision_notes(const PrReview& review) {
  std::vector<std::string> notes;
  const auto others = dissenters(review);
  const bool approved = review.count.decision == PrDecision::approved;
  if (review.count.decision == PrDecision::not_enough_votes) {
    notes.push_back(fmt::format("approval needs two votes; {} of {} voters voted", review.count.votes,
                                review.votes.size()));
  } else if (!others.empty()) {
    notes.push_back(fmt::format("{} {}: alone {} {} have approved it", joined(others),
                                others.size() == 1 ? "disagrees" : "disagree",
                                others.size() == 1 ? "it" : "they", approved ? "would not" : "would"));
  }
  for (const PrVote& vote : review.votes)
    if (!vote.valid() && review.count.decision != PrDecision::not_enough_votes)
      notes.push_back("no vote from " + one_line(vote.voter, 60) + ": " + one_line(vote.problem, 200));
  if (review.count.one_vendor) {
    for (const PrVote& vote : review.votes)
      if (vote.valid()) {
        notes.push_back("all votes are from one vendor (" + one_line(vote.family, 60) +
                        "), so they are likely to miss the same issues");
        break;
      }
  }
  if (!review.unseen.empty())
    notes.push_back(plural(review.unseen.size(), "binary file") +
                    " could not be shown to the voters: " + one_line(join(review.unseen, ", "), 200));
  if (review.rest_bytes > 0)
    notes.push_back(fmt::format(
        "the change is larger than a prompt (fix.prompt_max_bytes); the voters had to read {} bytes "
        "of it from a file",
        review.rest_bytes));
  return notes;
}

std::string pr_review_text(const PrReview& review, const SourceReader& source, const Palette& palette) {
  std::string text = change_line(review) + "\n\n";
  for (const PrVote& vote : review.votes) text += vote_text(review, vote, palette);
  for (const Issue& issue : review.findings) text += issue_frame(issue, source(issue.finding.file), palette);
  const Tone tone = review.count.decision == PrDecision::approved ? Tone::good : Tone::bad;
  text += palette.paint(decision_line(review), tone) + "\n";
  for (const std::string& note : decision_notes(review)) text += note + "\n";
  return text;
}

std::string pr_review_markdown(const PrReview& review) {
  std::string text = "# " + word_of(review.count.decision) + "\n\n" + decision_line(review) +
                     ".\n\n| voter | model | score | |\n|---|---|---|---|\n";
  for (const PrVote& vote : review.votes)
    text += fmt::format("| {} | {} | {} | {} |\n", markdown_escape(vote.voter), markdown_escape(vote.model),
                        vote.valid() ? std::to_string(*vote.score) : "no vote",
                        markdown_escape(vote.valid() ? vote.summary : vote.problem));
  text += "\n";
  for (const std::string& note : decision_notes(review)) text += "- " + markdown_escape(note) + "\n";
  for (const PrVote& vote : review.votes)
    if (vote.valid() && !vote.feedback.empty())
      text += "\n**" + markdown_escape(vote.voter) + ":** " + markdown_escape(vote.feedback) + "\n";
  return text + "\n";
}

} // namespace emend
