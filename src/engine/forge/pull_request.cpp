#include "engine/forge/pull_request.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/redact.hpp"
#include "base/strings.hpp"
#include "engine/forge/forge_text.hpp"

namespace emend {

namespace {

constexpr std::string_view kEnd = "<!-- emend end -->";
constexpr std::size_t kMaxRows = 200, kMaxBody = 60'000;

bool is_fixed(const Issue& issue) {
  return issue.status == IssueStatus::resolved || issue.status == IssueStatus::merged;
}

// A fix that was rejected here can have been made again on the branch of another session.
bool is_in(const Issue& issue, const FixReport& report) {
  return is_fixed(issue) && issue.session_id == report.session.id;
}

std::string where(const Issue& issue, const FixReport& report, const ForgePlace* place) {
  const Finding& finding = issue.finding;
  const std::string text =
      harmless_line(finding.file + (finding.line > 0 ? ":" + std::to_string(finding.line) : ""));
  if (place == nullptr || finding.file.empty()) return "`" + text + "`";
  return fmt::format("[{}]({})", text, place->permalink(report.session.base, finding.file, finding.line));
}

// The commands that were run on the fix as it was accepted.
std::string verification(const Issue& issue, const FixReport& report) {
  std::size_t passed = 0, all = 0;
  for (const FixCycle& cycle : report.cycles) {
    if (cycle.issue_code != issue.code || cycle.attempt.result != AttemptResult::accepted) continue;
    for (const Verification& run : cycle.verifications) {
      if (run.kind != VerificationKind::alone) continue;
      passed =
          static_cast<std::size_t>(std::count_if(run.commands.begin(), run.commands.end(),
                                                 [](const CommandRun& command) { return command.passed(); }));
      all = run.commands.size();
    }
  }
  return all == 0 ? "no commands" : fmt::format("{} of {} commands", passed, all);
}

// Its hash, and where it can be looked at.
std::string proof_cell(const Issue& issue, const ProposalEvidence& evidence) {
  for (const Proof& proof : evidence.proofs) {
    const Json* bundle = proof.issue_id == issue.id ? find_member(proof.detail, "bundle") : nullptr;
    if (bundle == nullptr || !bundle->is_object()) continue;
    const std::string hash = "`" + harmless_line(string_or(*bundle, "root")) + "`";
    const auto page = evidence.pages.find(issue.code);
    return page == evidence.pages.end() ? hash : fmt::format("{} [look at it]({})", hash, page->second);
  }
  return "-";
}

std::string resolved_table(const std::vector<const Issue*>& issues, const FixReport& report,
                           const ProposalEvidence& evidence, const ForgePlace* place) {
  std::string text =
      "| issue | where | what | evidence | score | verification | proof |\n|---|---|---|---|---|---|---|\n";
  for (std::size_t i = 0; i < issues.size() && i < kMaxRows; ++i) {
    const Issue& issue = *issues[i];
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", issue.code, where(issue, report, place),
                        harmless_line(issue.finding.title), evidence_text(issue.evidence, issue.marks),
                        issue.last_score < 0 ? "-" : std::to_string(issue.last_score),
                        verification(issue, report), proof_cell(issue, evidence));
  }
  return issues.size() > kMaxRows ? text + fmt::format("\nand {} more\n", issues.size() - kMaxRows) : text;
}

const TellingRun* run_of(const std::vector<TellingRun>& runs, std::string_view step) {
  const auto found =
      std::find_if(runs.begin(), runs.end(), [&](const TellingRun& run) { return run.step == step; });
  return found == runs.end() ? nullptr : &*found;
}

std::string outcome_of(const std::vector<TellingRun>& runs, std::string_view step) {
  const TellingRun* run = run_of(runs, step);
  return run == nullptr ? "-" : run->passes ? "passes" : "fails";
}

// Red, green, red: the same check before the fix, with it, and without it again.
std::string shown_table(const std::vector<const Issue*>& issues,
                        const std::map<std::string, std::vector<TellingRun>>& all) {
  std::string rows;
  std::size_t count = 0;
  for (const Issue* issue : issues) {
    const auto found = all.find(issue->code);
    if (found == all.end() || run_of(found->second, "with") == nullptr || ++count > kMaxRows) continue;
    const std::vector<TellingRun>& runs = found->second;
    const TellingRun& with = *run_of(runs, "with");
    const std::string tests = with.tests.empty() ? "" : ": " + join(with.tests, ", ");
    rows += fmt::format("| {} | {} | {} | {} | {} |\n", issue->code, harmless_line(with.check + tests, 200),
                        outcome_of(runs, "before"), outcome_of(runs, "with"), outcome_of(runs, "without"));
  }
  if (rows.empty()) return rows;
  return "\nThe same check, three times:\n\n| issue | check | before the fix | with it | without it again "
         "|\n|---|---|---|---|---|\n" +
         rows;
}

constexpr std::size_t kShownOutput = 1'200, kMostFolded = 8;

std::string words_of_step(const TellingRun& run) {
  const char* when = run.step == "before"    ? "before the fix"
                     : run.step == "with"    ? "with it"
                     : run.step == "without" ? "without it again"
                                             : "with its expectation turned around";
  return fmt::format("{}, on {}: {}", when, run.base.substr(0, 12), run.passes ? "passes" : "fails");
}

// What the check said each time, folded: who believes no table reads it here.
std::string folded_runs(const std::vector<const Issue*>& issues,
                        const std::map<std::string, std::vector<TellingRun>>& all) {
  std::string text;
  std::size_t count = 0;
  for (const Issue* issue : issues) {
    const auto found = all.find(issue->code);
    if (found == all.end() || run_of(found->second, "with") == nullptr || ++count > kMostFolded) continue;
    text += fmt::format("\n<details><summary>{}: what the check said each time</summary>\n\n", issue->code);
    for (const TellingRun& run : found->second) {
      const std::string output = trim_middle(clean_text(without_ansi(run.output)), kShownOutput);
      text += words_of_step(run) + "\n\n" +
              code_block(output.empty() ? "(it said nothing)" : Redactor().redact(output), "text") + "\n\n";
    }
    text += fmt::format("To run it again: `emend prove {}`\n\n</details>\n", issue->code);
  }
  return text;
}

std::string open_table(const std::vector<const Issue*>& issues, const FixReport& report,
                       const ForgePlace* place) {
  std::string text =
      "\nNot in this branch:\n\n| issue | where | what | status | why |\n|---|---|---|---|---|\n";
  for (std::size_t i = 0; i < issues.size() && i < kMaxRows; ++i) {
    const Issue& issue = *issues[i];
    const std::string why = is_fixed(issue)
                                ? "session " + issue.session_id
                                : issue.reason + (issue.detail.empty() ? "" : ": " + issue.detail);
    text += fmt::format("| {} | {} | {} | {} | {} |\n", issue.code, where(issue, report, place),
                        harmless_line(issue.finding.title),
                        is_fixed(issue) ? "fixed on another branch" : to_string(issue.status),
                        harmless_line(why, 300));
  }
  return text;
}

std::string title_of(const std::vector<const Issue*>& resolved) {
  if (resolved.size() == 1)
    return fmt::format("Fix {}: {}", resolved.front()->code,
                       harmless_line(resolved.front()->finding.title, 150));
  std::vector<std::string> codes;
  for (std::size_t i = 0; i < resolved.size() && i < 5; ++i) codes.push_back(resolved[i]->code);
  return fmt::format("Fix {} issues ({}{})", resolved.size(), join(codes, ", "),
                     resolved.size() > 5 ? ", ..." : "");
}

Status push_branch(Forge& forge, Remotes& remotes, const Proposal& proposal, Proposed& done,
                   std::stop_token stop) {
  const std::string& url = forge.place().git_url;
  TRY_ASSIGN(const auto there, remotes.tip(url, "refs/heads/" + proposal.pull.head_branch, stop));
  if (there && *there == proposal.tip) return {};
  TRY(remotes.push({url, proposal.pull.head_branch, proposal.tip, there.value_or("")}, std::move(stop)));
  done.pushed = true;
  return {};
}

Status bring_up_to_date(Forge& forge, const PullRequest& there, const Proposal& proposal, Proposed& done,
                        std::stop_token stop) {
  done.pull = there;
  const auto body = with_our_part(there.body, proposal.pull.body);
  if (!body) {
    done.notes.push_back(
        fmt::format("pull request {} was not made by emend: its text stays as it is", there.number));
    return {};
  }
  if (same_words(there.body, *body)) return {};
  TRY_ASSIGN(done.pull, forge.update(there.number, there.title, *body, std::move(stop)));
  done.updated = true;
  return {};
}

} // namespace

ProposalText proposal_text(const FixReport& report, const ProposalEvidence& evidence,
                           const ForgePlace* place) {
  std::vector<const Issue*> resolved, others;
  for (const IssueOutcome& outcome : report.issues)
    (is_in(outcome.issue, report) ? resolved : others).push_back(&outcome.issue);
  std::string text = fmt::format(
      "emend fixed {} of {} issues, starting from {}. Each fix was checked, judged by another agent, and is "
      "a "
      "separate commit.\n\n",
      resolved.size(), report.issues.size(), report.session.base.substr(0, 12));
  text += resolved_table(resolved, report, evidence, place);
  text += shown_table(resolved, evidence.runs);
  text += folded_runs(resolved, evidence.runs);
  if (!others.empty()) text += open_table(others, report, place);
  if (!resolved.empty())
    text += fmt::format(
        "\nThe proof is the SHA-256 of the file that `emend prove {}` checks; with `--html FILE` "
        "it writes a page that shows it.\n",
        resolved.front()->code);
  const std::string marked = to_string(Mark{"pull-request", report.session.id}) + "\n" +
                             trim_middle(Redactor().redact(text), kMaxBody) + "\n" + std::string(kEnd) + "\n";
  return {Redactor().redact(title_of(resolved)), marked};
}

std::optional<std::string> with_our_part(const std::string& body, const std::string& ours) {
  const std::string text = replace_all(body, "\r\n", "\n"); // as GitHub's editor leaves it
  const auto mark = mark_in(text);
  if (!mark || mark->fingerprint != "pull-request") return std::nullopt;
  const std::size_t begin = text.find(to_string(*mark)), end = text.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin) return std::nullopt;
  const std::string rest = text.substr(end + kEnd.size());
  return text.substr(0, begin) + std::string(trim(ours)) + (trim(rest).empty() ? "\n" : rest);
}

Result<Proposed> propose(Forge& forge, Remotes& remotes, const Proposal& proposal, std::stop_token stop) {
  Proposed done;
  TRY(push_branch(forge, remotes, proposal, done, stop));
  TRY_ASSIGN(auto there, forge.pull_request_of(proposal.pull.head_branch, stop));
  if (!there) {
    auto made = forge.create(proposal.pull, stop);
    if (!made && made.error().code == ErrorCode::io) { // the answer got lost: look before it is made again
      TRY_ASSIGN(there, forge.pull_request_of(proposal.pull.head_branch, stop));
      if (!there) made = forge.create(proposal.pull, stop);
    }
    if (!there) {
      TRY_ASSIGN(done.pull, std::move(made));
    }
    done.created = true;
  }
  if (there && !done.created) TRY(bring_up_to_date(forge, *there, proposal, done, stop));
  if (there && done.created) done.pull = *there;
  std::vector<std::string> asked;
  for (const std::string& name : proposal.reviewers)
    if (name != done.pull.author) asked.push_back(name);
  if (!asked.empty())
    if (auto status = forge.ask_for_review(done.pull.number, asked, stop); !status)
      done.notes.push_back("no reviewers could be requested: " + status.error().message);
  return done;
}

} // namespace emend
