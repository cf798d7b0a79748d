#include "engine/fix/human_notes.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"
#include "engine/prompts/prompt.hpp"

namespace emend {
namespace {

constexpr const char* kReviewerDecides =
    "\nHere the reviewer decides about existing tests: where one asserts this very bug, change the wrong "
    "expectation and nothing else of that test, and name it in `asserts_bug`.\n";
constexpr std::size_t kLongestComment = 4'000, kLongestWords = 8'000, kLongestDiff = 12'000;

std::string place_of(const Comment& comment) {
  if (comment.file.empty()) return "";
  const std::string line = comment.line == 0 ? "" : fmt::format(":{}", comment.line);
  const char* side = comment.side == "old"   ? " (before the change)"
                     : comment.side == "new" ? " (in the change)"
                                             : "";
  return fmt::format("{}{}{}: ", first_line(clean_text(comment.file), 300), line, side);
}

// In the order they were said, as many of the last ones as there is room for.
std::string newest(const RunContext& context, const std::vector<Comment>& comments) {
  std::string text;
  for (auto comment = comments.rbegin(); comment != comments.rend(); ++comment) {
    const std::string said =
        "- " + place_of(*comment) + trim_middle(context.safe(comment->text), kLongestComment) + "\n";
    if (!text.empty() && text.size() + said.size() > kLongestWords)
      return "(earlier comments are left out)\n" + text;
    text = said + text;
  }
  return text;
}

// The change a person said no to last.
Result<std::string> rejected_change(const RunContext& context, const Issue& issue) {
  TRY_ASSIGN(const std::vector<Withdrawal> withdrawals, context.ports.store.withdrawals(issue.id, ""));
  std::string sha;
  for (const Withdrawal& one : withdrawals)
    if (one.kind == WithdrawalKind::rejected) sha = one.patch_sha256;
  if (sha.empty()) return std::string();
  TRY_ASSIGN(const std::vector<Attempt> attempts, context.ports.store.attempts_of_issue(issue.id));
  for (const Attempt& attempt : attempts)
    if (attempt.patch.sha256() == sha)
      return trim_middle(context.redactor.redact(shown_diff(attempt.patch)), kLongestDiff);
  return std::string();
}

} // namespace

Result<std::string> person_words(const RunContext& context, const Issue& issue) {
  TRY_ASSIGN(const std::vector<Comment> comments, context.ports.store.comments(issue.id, ""));
  TRY_ASSIGN(const std::string rejected, rejected_change(context, issue));
  TRY_ASSIGN(const std::vector<OpenedTest> decisions, context.ports.store.opened_tests(issue.id));
  std::string text, opened;
  for (const OpenedTest& one : open_for(decisions))
    opened += "- " + first_line(clean_text(one.name()), 300) + "\n";
  if (!opened.empty())
    text += "\nThe person in charge lets this fix change these existing tests, and no others:\n" +
            fenced(opened, "text");
  if (context.policy().changed_tests == ChangedTests::judge) text += kReviewerDecides;
  if (!rejected.empty())
    text += "\nA person rejected this change; it is not in the files. Do not make it again:\n" +
            fenced(rejected, "diff");
  if (!comments.empty())
    text += "\nWhat the person in charge said about it, oldest first; take it into account:\n" +
            fenced(newest(context, comments), "text");
  return text;
}

} // namespace emend
