#include "engine/forge/pr_post.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/strings.hpp"
#include "engine/forge/forge_text.hpp"
#include "engine/review/suggestion.hpp"

namespace emend {

namespace {

constexpr std::size_t kMaxBody = 60'000; // GitHub takes 65,536 characters
constexpr const char *kSummary = "summary", *kRest = "rest", *kMore = "more";

std::string severity_and_title(const Issue& issue) {
  return fmt::format("**{}**: {}{}", to_string(issue.finding.severity), harmless_line(issue.finding.title),
                     issue.code.empty() ? "" : " (" + issue.code + ")");
}

std::string found_by(const Finding& finding) {
  std::vector<std::string> names;
  for (const std::string& name : finding.found_by) names.push_back(harmless_line(name, 60));
  return names.empty() ? "" : "\n\nfound by " + join(names, ", ");
}

std::string words_of(const Issue& issue) {
  const Finding& finding = issue.finding;
  std::string text = severity_and_title(issue) + "\n\n" + harmless(finding.description);
  if (!finding.suggestion.empty()) text += "\n\n" + harmless(finding.suggestion, 2'000);
  return text + found_by(finding);
}

// One plan in the making.
class Planner {
public:
  Planner(const ForgeKind& kind, const PrReview& review, const std::vector<DiffFile>& diff,
          const std::vector<Remark>& remarks, const PostingSettings& settings, const HeadFile& head_file,
          const std::string& claims)
      : kind_(kind),
        review_(review),
        diff_(diff),
        remarks_(remarks),
        settings_(settings),
        head_file_(head_file),
        claims_(claims) {}

  PostPlan plan() {
    plan_.review.commit = review_.change.head;
    if (settings_.inline_comments)
      for (const Issue& issue : review_.findings) place(issue);
    else
      for (const Issue& issue : review_.findings) tell(issue);
    place_body();
    return std::move(plan_);
  }

private:
  std::string mark(const std::string& fingerprint) const {
    return "\n\n" + to_string(Mark{fingerprint, review_.session_id});
  }

  const Remark* own(const std::string& fingerprint) const {
    for (const Remark& remark : remarks_) {
      const auto found = remark.own ? mark_in(remark.body) : std::nullopt;
      if (found && found->fingerprint == fingerprint) return &remark;
    }
    return nullptr;
  }

  void change(const Remark& remark, std::string body) {
    if (!same_words(remark.body, body)) plan_.edits.emplace_back(remark, std::move(body));
  }

  void tell(const Issue& issue) {
    const Finding& finding = issue.finding;
    ++plan_.in_text;
    const std::string where = finding.file.empty()
                                  ? ""
                                  : fmt::format("`{}{}` ", harmless_line(finding.file),
                                                finding.line > 0 ? ":" + std::to_string(finding.line) : "");
    rest_ += fmt::format("- {}{}\n", where, replace_all(words_of(issue), "\n", "\n  "));
  }

  void place(const Issue& issue) {
    auto comment = comment_on(issue);
    if (const Remark* known = own(issue.fingerprint)) {
      ++plan_.unchanged;
      if (comment) change(*known, comment->body);
      return;
    }
    const bool room = plan_.inline_new < settings_.max_inline;
    if (!comment || !room) return tell(issue);
    ++plan_.inline_new;
    plan_.review.comments.push_back(*std::move(comment));
  }

  std::optional<InlineComment> comment_on(const Issue& issue) {
    const Finding& finding = issue.finding;
    const auto file = std::find_if(diff_.begin(), diff_.end(),
                                   [&](const DiffFile& each) { return each.path == finding.file; });
    if (file == diff_.end() || finding.line <= 0) return std::nullopt;
    InlineComment comment{finding.file, words_of(issue), finding.line, 0, 0};
    if (const auto suggestion = settings_.suggest ? suggested(finding, *file) : std::nullopt) {
      comment.line = suggestion->line;
      if (suggestion->start_line < suggestion->line) comment.start_line = suggestion->start_line;
      comment.body += "\n\n" + code_block(suggestion->text, info_of(*suggestion));
      ++plan_.suggestions;
    }
    comment.body += mark(issue.fingerprint);
    for (const auto& hunk : file->hunks)
      for (const DiffLine& line : hunk)
        if (line.line == comment.line) {
          comment.old_line = line.old_line;
          return comment;
        }
    return std::nullopt;
  }

  std::string info_of(const Suggestion& suggestion) const {
    if (!kind_.suggestions_name_their_lines) return "suggestion";
    return fmt::format("suggestion:-{}+0", suggestion.line - suggestion.start_line);
  }

  std::optional<Suggestion> suggested(const Finding& finding, const DiffFile& file) const {
    const auto content = head_file_(finding.file);
    return content ? suggestion_for(finding, *content, file) : std::nullopt;
  }

  std::string summary() const {
    std::string text =
        fmt::format("### emend: {} vote{}\n\n", review_.count.votes, review_.count.votes == 1 ? "" : "s") +
        "| voter | model | score | |\n|---|---|---|---|\n";
    for (const PrVote& vote : review_.votes)
      text += fmt::format("| {} | {} | {} | {} |\n", harmless_line(vote.voter, 60),
                          harmless_line(vote.model, 60), vote.score ? std::to_string(*vote.score) : "no vote",
                          harmless_line(vote.valid() ? vote.summary : vote.problem, 400));
    const char* decision = review_.count.decision == PrDecision::approved       ? "approved"
                           : review_.count.decision == PrDecision::not_approved ? "not approved"
                                                                                : "not enough votes";
    text += review_.count.average ? fmt::format("\naverage {:g}, needed {}: **{}**", *review_.count.average,
                                                review_.threshold, decision)
                                  : fmt::format("\n**{}**", decision);
    text += fmt::format(", at {}\n", review_.change.head.substr(0, 12));
    for (const PrVote& vote : review_.votes)
      if (!vote.feedback.empty())
        text += fmt::format("\n{}: {}\n", harmless_line(vote.voter, 60), harmless(vote.feedback, 2'000));
    return text + claims_;
  }

  void place_body() {
    const char* name = settings_.summary ? kSummary : kRest;
    std::string text = settings_.summary
                           ? summary()
                           : fmt::format("emend reviewed {}.\n", review_.change.head.substr(0, 12));
    if (!rest_.empty())
      text += (settings_.inline_comments ? "\nNot on a line of the diff:\n\n" : "\n") + rest_;
    text = trim_middle(text, kMaxBody) + mark(name);
    const Remark* known = own(name);
    if (known != nullptr)
      change(*known, text);
    else if (settings_.summary || !rest_.empty() || !plan_.review.comments.empty())
      plan_.review.body = std::move(text);
    if (known != nullptr && !plan_.review.comments.empty())
      plan_.review.body =
          fmt::format("emend has further comments at {}.", review_.change.head.substr(0, 12)) + mark(kMore);
  }

  const ForgeKind& kind_;
  const PrReview& review_;
  const std::vector<DiffFile>& diff_;
  const std::vector<Remark>& remarks_;
  const PostingSettings& settings_;
  const HeadFile& head_file_;
  const std::string& claims_;
  PostPlan plan_;
  std::string rest_;
};

Result<PullRequest> same_head(Forge& forge, int number, const PrReview& review, std::stop_token stop) {
  TRY_ASSIGN(PullRequest now, forge.pull_request(number, std::move(stop)));
  if (now.state != PullState::open)
    return fail(ErrorCode::conflict,
                fmt::format("pull request {} is no longer open: nothing was posted", number));
  if (now.head_sha != review.change.head)
    return fail(ErrorCode::conflict,
                fmt::format("pull request {} changed from {} to {} while it was reviewed: nothing was posted",
                            number, review.change.head.substr(0, 12), now.head_sha.substr(0, 12)),
                "review it again: emend pr review " + std::to_string(number));
  return now;
}

bool is_posted(const std::vector<Remark>& remarks, const PostPlan& plan) {
  const auto wanted = mark_in(plan.review.body);
  return std::any_of(remarks.begin(), remarks.end(), [&](const Remark& remark) {
    const auto mark = remark.own ? mark_in(remark.body) : std::nullopt;
    return mark && wanted && mark->fingerprint == wanted->fingerprint &&
           mark->session_id == wanted->session_id;
  });
}

} // namespace

PostPlan plan_post(const ForgeKind& kind, const PrReview& review, const std::vector<DiffFile>& diff,
                   const std::vector<Remark>& remarks, const PostingSettings& settings,
                   const HeadFile& head_file, const std::string& claims) {
  return Planner(kind, review, diff, remarks, settings, head_file, claims).plan();
}

std::string reason_to_skip(const PullRequest& pull, const PostingSettings& settings) {
  if (pull.state == PullState::merged) return "it is merged";
  if (pull.state == PullState::closed) return "it is closed";
  for (const std::string& label : settings.skip_labels)
    if (std::find(pull.labels.begin(), pull.labels.end(), label) != pull.labels.end())
      return "it has the label " + label + " (pr.skip_labels)";
  if (pull.draft && settings.skip_drafts) return "it is a draft (pr.skip_drafts)";
  return {};
}

Result<Posted> post_review(Forge& forge, int number, const PrReview& review, const PostingSettings& settings,
                           const HeadFile& head_file, const std::string& claims, std::stop_token stop) {
  TRY_ASSIGN(const std::vector<DiffFile> diff, forge.diff(number, stop));
  PostingSettings now = settings;
  Posted posted;
  for (int round = 0; round < 3; ++round) { // as planned, after a lost answer, without comments on lines
    TRY_ASSIGN(const std::vector<Remark> remarks, forge.remarks(number, stop));
    if (round > 0 && is_posted(remarks, posted.plan))
      return posted; // the answer got lost, what was sent did not
    posted.plan = plan_post(*forge.place().kind, review, diff, remarks, now, head_file, claims);
    TRY_ASSIGN(const PullRequest pull, same_head(forge, number, review, stop));
    Status sent;
    if (!posted.plan.review.body.empty()) sent = forge.post(pull, posted.plan.review, stop);
    if (sent) {
      for (const auto& [remark, body] : posted.plan.edits) TRY(forge.edit(number, remark, body, stop));
      return posted;
    }
    const bool refused = sent.error().code == ErrorCode::usage && !posted.plan.review.comments.empty();
    if (round == 2 || (!refused && sent.error().code != ErrorCode::io)) return fail(sent.error());
    if (refused) {
      now.max_inline = 0;
      posted.notes.push_back("the forge refused the comments on lines (" + sent.error().message +
                             "): they are in the review's text");
    }
  }
  return posted;
}

Json to_json(const Posted& posted) {
  return {{"comments", posted.plan.inline_new},
          {"updated", posted.plan.edits.size()},
          {"known", posted.plan.unchanged},
          {"in_text", posted.plan.in_text},
          {"suggestions", posted.plan.suggestions},
          {"review", !posted.plan.review.body.empty()},
          {"notes", posted.notes}};
}

} // namespace emend
