#include "engine/judge/challenge.hpp"

#include <fmt/format.h>

#include "base/hash.hpp"
#include "base/parallel.hpp"
#include "base/strings.hpp"
#include "engine/agents/agent_file.hpp"
#include "engine/agents/answers.hpp"
#include "engine/agents/read_proof.hpp"
#include "engine/patch/apart.hpp"
#include "engine/patch/judge_tree.hpp"
#include "engine/patch/new_files.hpp"
#include "engine/prompts/prompt.hpp"
#include "engine/prompts/show_change.hpp"
#include "model/events.hpp"
#include "model/panel.hpp"

namespace emend {
namespace {

constexpr const char* kOwnFix =
    " judged its own fix, which counts only with fix_challenger.allow_self = true";

constexpr std::size_t kKeptAnswer = 32'000; // of a judge's words, in the store

std::string checks_text(const SeenOfChange& seen) {
  if (seen.verification == nullptr)
    return seen.checks_later ? "Nothing ran yet: in this session the checks run on all fixes together, after "
                               "your verdict.\n"
                             : "";
  std::string text;
  for (const CommandRun& run : seen.verification->commands) {
    text += fmt::format("{}: {} (exit {})", run.name, to_string(run.result), run.exit_code);
    if (run.tests.recognised)
      text += fmt::format(", tests: {} passed, {} failed, {} skipped", run.tests.passed, run.tests.failed,
                          run.tests.skipped);
    text += "\n";
  }
  return text;
}

Verdict begin_verdict(const RunContext& context, const AgentBinding& challenger, const Issue& issue,
                      const Attempt& attempt, const std::string& canary) {
  Verdict verdict;
  verdict.id = new_uuid();
  verdict.session_id = context.session.id;
  verdict.issue_id = issue.id;
  if (canary.empty()) verdict.attempt_id = attempt.id;
  verdict.patch_sha256 = attempt.patch.sha256();
  verdict.agent = challenger.name;
  verdict.model = challenger.model;
  verdict.family = challenger.family;
  verdict.canary = canary;
  verdict.started_ms = context.ports.clock.wall_ms();
  return verdict;
}

bool is_independent(const Verdict& verdict, const Attempt& attempt) {
  if (judges_itself(verdict, attempt)) return false;
  const bool known = !verdict.family.empty() && !attempt.family.empty();
  return known ? verdict.family != attempt.family : verdict.agent != attempt.agent;
}

// Where programs say why they gave up: the last line on stderr.
std::string last_words(const ProcessResult& process) {
  std::string last;
  for (const std::string_view line : lines_of(process.err))
    if (!trim(line).empty()) last = line;
  return last.empty() ? "" : ": " + first_line(trim(clean_text(last)), 200);
}

// What the agent left behind that was not in its tree, or is not as it was there.
std::vector<FileChange> differences(const Patch& now, const Patch& shown) {
  std::vector<FileChange> found;
  for (const FileChange& change : now.changes) {
    const FileChange* before = shown.find(change.path);
    if (before == nullptr || before->new_id != change.new_id || before->new_mode != change.new_mode)
      found.push_back(change);
  }
  for (const FileChange& change : shown.changes)
    if (now.find(change.path) == nullptr) found.push_back(change);
  return found;
}

void make_invalid(Verdict& verdict, const std::string& why) {
  verdict.valid = false;
  verdict.score.reset();
  verdict.problem = why;
}

// Why the agent's run cannot count, whatever it answered; empty = it can.
std::string failed_run(const AgentRun& run) {
  const ProcessResult& process = run.process;
  if (process.ending == Ending::not_started) return "the judge could not be started: " + process.problem;
  if (!run.state.ok()) {
    const std::string text = run.state.text.empty() ? "" : ": " + first_line(clean_text(run.state.text), 200);
    if (run.state.status != AgentStatus::failed && run.state.status != AgentStatus::interrupted)
      return fmt::format("the judge did not answer ({}){}", to_string(run.state.status), text);
    if (process.ending == Ending::exited)
      return fmt::format("the judge exited with {}{}", process.exit_code, last_words(process));
    return "the judge stopped: " + std::string(to_string(process.ending));
  }
  return {};
}

Patch reversed(const Patch& patch) {
  Patch back = patch;
  for (FileChange& change : back.changes) {
    std::swap(change.old_mode, change.new_mode);
    std::swap(change.old_id, change.new_id);
    std::swap(change.old_content, change.new_content);
  }
  return back;
}

bool approves(const Verdict& verdict, int threshold) {
  return verdict.valid && verdict.score && *verdict.score >= threshold;
}

Sometimes<JudgedIssues> judged(const Issue& issue, const Verdict& verdict) {
  if (!verdict.valid) return {};
  return JudgedIssues{{issue.code,
                       {verdict.score, verdict.status_word, verdict.feedback, verdict.quality_scores,
                        verdict.improvements_needed}}};
}

Event result_event(const RunContext& context, const Issue& issue, const Verdict& verdict) {
  return context.event(
      issue.code, FixChallengerResult{verdict.valid, verdict.score, verdict.problem, verdict.status_word,
                                      verdict.feedback, verdict.quality_scores, verdict.improvements_needed,
                                      context.policy().satisfaction_threshold, verdict.independent,
                                      Text(verdict.agent), judged(issue, verdict)});
}

} // namespace

bool judges_itself(const Verdict& verdict, const Attempt& attempt) {
  if (verdict.agent.empty() || verdict.agent != attempt.agent || verdict.family == "rubric") return false;
  return verdict.model == attempt.model || verdict.model.empty() || attempt.model.empty();
}

Status store_verdict(RunContext& context, const Issue& issue, const Verdict& verdict) {
  Change change;
  change.verdicts.push_back(verdict);
  if (verdict.canary.empty()) change.events.push_back(result_event(context, issue, verdict));
  return context.log.apply(std::move(change));
}

Status publish_verdict(RunContext& context, const Issue& issue, const Verdict& verdict) {
  return verdict.canary.empty() ? context.log.publish(result_event(context, issue, verdict)) : Status{};
}

// A fix, or a worthless diff that is shown as if it were one.
struct Challenger::Case {
  const Issue& issue;
  const Attempt& attempt;
  const SeenOfChange& seen;
  Patch diff;         // what the agent is shown
  Patch tree;         // what its workspace has on top of the base
  std::string canary; // empty = a fix

  [[nodiscard]] Result<ChallengePromptInput> input(RunContext& context) const {
    TRY_ASSIGN(const AgentFile file, agent_file(context.policy(), "fix_challenger"));
    ChallengePromptInput input;
    input.token = new_read_token();
    input.template_body = file.body;
    input.issue = issue;
    input.issue.finding.description = context.safe(issue.finding.description);
    input.issue.finding.suggestion = context.safe(issue.finding.suggestion);
    if (auto content = context.ports.repository.read(attempt.base, issue.finding.file);
        content && !issue.finding.file.empty())
      input.excerpt = context.safe(
          excerpt(*content, issue.finding.line, issue.finding.line_end, context.policy().context_lines));
    for (const bool tests : {false, true}) // the product first, the tests it brings along apart from it
      for (const FileChange& change : diff.changes)
        if (is_own_test(issue.finding.file, change) == tests)
          input.files.push_back(file_diff(context, change));
    for (const std::string& note : seen.notes) input.notes += "- " + context.safe(note) + "\n";
    if (!seen.hidden_note.empty()) input.notes += "- " + context.safe(seen.hidden_note) + "\n";
    for (const std::string& name : seen.changed_tests) input.changed_tests += "- " + name + "\n";
    input.verification = checks_text(seen);
    for (const std::string& note : attempt.notes)
      if (note.starts_with(kLeftOutNote)) input.left_out += context.safe(note) + "\n";
    input.threshold = context.policy().satisfaction_threshold;
    input.max_bytes = static_cast<std::size_t>(context.policy().prompt_max_bytes);
    return input;
  }
};

std::set<std::string> void_challengers(const std::vector<Verdict>& verdicts, int threshold) {
  std::set<std::string> agents;
  for (const Verdict& verdict : verdicts)
    if (!verdict.canary.empty() && approves(verdict, threshold)) agents.insert(verdict.agent);
  return agents;
}

// A judge may run things: what the project ignores, and known by-products, may be left behind.
Result<std::string> Challenger::void_reason(const AgentRun& run, Workspace& workspace, const Patch& shown,
                                            const std::string& base) {
  if (std::string failed = failed_run(run); !failed.empty()) return failed;
  TRY_ASSIGN(const Snapshot snapshot, workspace.snapshot());
  if (!snapshot.violations.empty()) return "the judge changed files: " + snapshot.violations.front();
  for (const FileChange& change : differences(snapshot.patch, shown)) {
    bool left_behind = change.added() && !junk_kind(change).empty();
    if (change.added() && !left_behind) {
      TRY_ASSIGN(left_behind, context_.ports.repository.is_ignored(base, change.path));
    }
    if (!left_behind)
      return "the judge changed files: " + clean_text(change.path) +
             " is not as it was shown. Run what you like, but leave the files as they are";
  }
  return std::string{};
}

Result<std::optional<Verdict>> Challenger::ask_once(RoleAgents& judge, const Case& shown, int ask,
                                                    const std::string& problem, std::stop_token stop) {
  TRY_ASSIGN(ChallengePromptInput input, shown.input(context_));
  input.problem = problem;
  TRY_ASSIGN(const Prompt prompt, build_challenge_prompt(input));
  const Patch tree = with_rest({shown.attempt.base, shown.tree}, input.rest_file, prompt.rest);
  Verdict verdict = begin_verdict(context_, judge.first(), shown.issue, shown.attempt, shown.canary);
  verdict.patch_sha256 = shown.diff.sha256();
  const std::int64_t start = context_.ports.clock.steady_ms();
  RoleRequest role;
  role.request.role = "fix_challenger";
  role.request.issue_codes = {shown.issue.code};
  role.request.cycle = shown.attempt.cycle;
  role.request.prompt = prompt.text;
  role.request.read_only = true;
  role.issue_ids = {shown.issue.id};
  role.workspace = [&] { return context_.ports.repository.make_workspace(shown.attempt.base, tree); };
  role.stem = fmt::format("{}-{}-fix_challenger-{}{}{}", shown.issue.code, shown.attempt.cycle,
                          &judge == judges_.front() ? "" : "second-", ask,
                          shown.canary.empty() ? "" : "-" + shown.canary);
  role.timeout_ms = context_.policy().challenge_timeout_ms;
  TRY_ASSIGN(const RoleRun run, judge.run(role, stop));
  if (run.end != RoleRun::End::ran) return std::optional<Verdict>{};
  verdict.agent = run.agent.name;
  verdict.model = run.run.model.empty() ? run.agent.model : run.run.model;
  verdict.family = run.family;
  verdict.independent = is_independent(verdict, shown.attempt);
  parse_verdict(run.run.answer, shown.issue, input.token, context_.policy().satisfaction_threshold, verdict);
  TRY_ASSIGN(const std::string reason, void_reason(run.run, *run.workspace, tree, shown.attempt.base));
  const std::string open = unanswered_tests(run.run.answer, shown.issue, shown.seen.changed_tests);
  if (!reason.empty())
    make_invalid(verdict, context_.safe(reason));
  else if (!open.empty() && shown.canary.empty() &&
           approves(verdict, context_.policy().satisfaction_threshold))
    make_invalid(verdict, context_.safe(open));
  else if (judges_itself(verdict, shown.attempt) && !context_.policy().allow_self_judging)
    make_invalid(verdict, verdict.agent + kOwnFix);
  verdict.answer = trim_middle(context_.safe(run.run.answer), kKeptAnswer);
  const HiddenWords& hidden = shown.seen.hidden;
  verdict.feedback = context_.redactor.redact(hidden.left_of(verdict.feedback));
  verdict.account = context_.redactor.redact(hidden.left_of(verdict.account));
  verdict.problem = hidden.left_of(verdict.problem);
  verdict.status_word = hidden.left_of(verdict.status_word);
  verdict.improvements_needed = hidden.left_of(verdict.improvements_needed);
  for (std::string& item : verdict.improvements_needed) item = context_.redactor.redact(item);
  if (shown.canary.empty())
    for (const std::string& remark : hidden.left_of(other_remarks(run.run.answer, shown.issue)))
      TRY(context_.publish(
          shown.issue.code,
          FixNotice{fmt::format("{}: {} also noted (no new issue is opened for it): {}", shown.issue.code,
                                verdict.agent, first_line(context_.safe(remark), 300))}));
  verdict.duration_ms = context_.ports.clock.steady_ms() - start;
  return std::optional<Verdict>(std::move(verdict));
}

// Once a session: what an earlier run of it learned about its judges.
Status Challenger::remember_void_agents() {
  const std::lock_guard lock(mutex_);
  if (remembered_) return {};
  TRY_ASSIGN(const std::vector<Verdict> verdicts, context_.ports.store.verdicts(context_.session.id));
  remembered_ = true;
  for (const Verdict& verdict : verdicts) {
    if (verdict.canary.empty()) continue;
    const bool second = judges_.size() > 1 && judges_.back()->first().name == verdict.agent;
    ++canaries_sent_[second ? judges_.back() : judges_.front()];
  }
  void_agents_ = void_challengers(verdicts, context_.policy().satisfaction_threshold);
  return {};
}

// The agent cannot tell a canary from a fix: same prompt, same checks. false: cancelled, or nobody can be
// asked now.
Result<bool> Challenger::send_canary(RoleAgents& judge, const Issue& issue, const Attempt& attempt,
                                     const SeenOfChange& seen, std::stop_token stop) {
  int number = 0;
  {
    const std::lock_guard lock(mutex_);
    if (canaries_sent_[&judge] >= context_.policy().canaries) return true;
    number = canaries_sent_[&judge]++;
  }
  const bool empty = number == 0;
  TRY_ASSIGN(Patch tree, without_agent_files(context_.ports.repository, attempt.base));
  const Case shown{issue,
                   attempt,
                   seen,
                   empty ? Patch{} : reversed(attempt.patch),
                   std::move(tree),
                   empty ? "empty" : "reverted"};
  TRY_ASSIGN(const std::optional<Verdict> verdict, ask_once(judge, shown, 0, "", stop));
  if (!verdict) return false;
  TRY(keep_(context_, issue, *verdict));
  if (!approves(*verdict, context_.policy().satisfaction_threshold)) return true;
  context_.notice(fmt::format(
      "judge {} gave {} of 100 to a worthless change ({}): its scores do not count in this session",
      verdict->agent, *verdict->score, shown.canary));
  const std::lock_guard lock(mutex_);
  void_agents_.insert(verdict->agent);
  return true;
}

// Until one judge has said something usable.
Result<std::optional<Verdict>> Challenger::ask(RoleAgents& judge, const Case& shown, std::stop_token stop) {
  TRY_ASSIGN(const bool go_on, send_canary(judge, shown.issue, shown.attempt, shown.seen, stop));
  if (!go_on) return std::optional<Verdict>{};
  std::optional<Verdict> last;
  for (int ask = 0; ask <= context_.policy().challenge_retries; ++ask) {
    TRY(context_.publish(shown.issue.code, FixChallengerEvaluating{judge.first().name, shown.attempt.cycle}));
    TRY_ASSIGN(last, ask_once(judge, shown, ask + 1, last ? last->problem : "", stop));
    if (!last) return last;
    bool is_void = false;
    {
      const std::lock_guard lock(mutex_);
      is_void = void_agents_.contains(last->agent);
    }
    if (is_void)
      make_invalid(*last,
                   "the judge approved a worthless change in this session, so its scores do not count");
    TRY(keep_(context_, shown.issue, *last));
    if (last->valid || is_void) break;
  }
  return last;
}

Result<std::optional<Verdict>> Challenger::judge(const Issue& issue, const Attempt& attempt,
                                                 const SeenOfChange& seen, std::stop_token stop) {
  TRY(remember_void_agents());
  TRY_ASSIGN(Patch tree, without_agent_files(context_.ports.repository, attempt.base, attempt.patch));
  const Case shown{issue, attempt, seen, attempt.patch, std::move(tree), ""};
  std::vector<Result<std::optional<Verdict>>> answers(judges_.size(), std::optional<Verdict>{});
  parallel_for(judges_.size(), judges_.size(),
               [&](std::size_t i) { answers[i] = ask(*judges_[i], shown, stop); });
  std::vector<Verdict> said;
  for (Result<std::optional<Verdict>>& answer : answers) {
    TRY_ASSIGN(std::optional<Verdict> verdict, std::move(answer));
    if (!verdict || !verdict->valid || judges_.size() == 1) return verdict;
    said.push_back(*std::move(verdict));
  }
  std::optional<Verdict> joint = joint_verdict(said, context_.policy().panel);
  if (!joint) {
    make_invalid(said.front(), "both judges turned out to be of one vendor (" + said.front().family + ")");
    return std::optional<Verdict>(said.front());
  }
  joint->agent = "panel";
  TRY(context_.log.publish(result_event(context_, issue, *joint)));
  return joint;
}

} // namespace emend
