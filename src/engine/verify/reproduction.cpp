#include "engine/verify/reproduction.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/agents/agent_file.hpp"
#include "engine/patch/judge_tree.hpp"
#include "engine/prompts/ask_agent.hpp"
#include "engine/prompts/prompt.hpp"
#include "engine/verify/near_inputs.hpp"
#include "engine/verify/reproduce.hpp"
#include "engine/verify/test_report.hpp"
#include "engine/verify/verify.hpp"
#include "model/events.hpp"
#include "model/json_fields.hpp"

namespace emend {
namespace {

constexpr std::uint64_t kLargestCheck = 1'000'000;

const FileChange* added_file(const Patch& patch, const std::string& path) {
  const FileChange* change = patch.find(path);
  const bool plain = change != nullptr && change->added() &&
                     (change->new_mode == kModeFile || change->new_mode == kModeExecutable);
  return plain ? change : nullptr;
}

// Takes the named files out of what the agent left behind. Says why they cannot be used; empty = they can.
std::string take_files(const std::vector<std::string>& paths, const Patch& left, const Redactor& redactor,
                       Patch& files) {
  std::uint64_t size = 0;
  for (const std::string& path : paths) {
    const FileChange* file = added_file(left, path);
    if (file == nullptr)
      return "it names " + first_line(clean_text(path), 100) +
             ", which is not a new file in its working directory";
    if (files.find(path) == nullptr) files.changes.push_back(*file);
    size += file->new_content.size();
    if (!redactor.find(file->new_content).empty())
      return "there is a secret in " + first_line(clean_text(path), 100);
  }
  if (size > kLargestCheck) return "it is larger than a check should be";
  files.sort();
  return {};
}

std::string commands_text(const Policy& policy) {
  std::string text;
  for (const VerifyCommand& command : policy.commands) text += command.run + "\n";
  return text.empty() ? text : fenced(text, "sh");
}

// What the fixer knows: a judge may say it.
std::string known_words(const Issue& issue, const Attempt& attempt) {
  const Finding& finding = issue.finding;
  std::string words = join({finding.title, finding.description, finding.suggestion}, "\n");
  for (const FileChange& change : attempt.patch.changes)
    words += "\n" + change.old_content + "\n" + change.new_content;
  return words;
}

Patch changes_to_known_files(const Patch& patch) {
  Patch known;
  for (const FileChange& change : patch.changes)
    if (!change.added()) known.changes.push_back(change);
  return known;
}

} // namespace

Result<std::optional<Reproducer>> Reproduction::given(const std::string& issue_id) {
  TRY_ASSIGN(std::vector<Reproducer> known, context_.ports.store.reproducers(issue_id));
  std::optional<Reproducer> last;
  for (Reproducer& one : known) {
    if (!one.session_id.empty() || one.state == ReproducerState::proposed) continue;
    if (one.state == ReproducerState::given)
      last = std::move(one);
    else
      last.reset();
  }
  return last;
}

Result<bool> Reproduction::tried_before(const std::string& issue_id) {
  TRY_ASSIGN(const std::vector<Reproducer> known, context_.ports.store.reproducers(issue_id));
  return std::any_of(known.begin(), known.end(),
                     [&](const Reproducer& one) { return one.session_id == context_.session.id; });
}

Result<bool> Reproduction::possible(const Issue& issue) {
  TRY_ASSIGN(const std::optional<Reproducer> known,
             reproducer_of(context_.ports.store, issue.id, context_.session.id));
  if (known) return known->is_evidence();
  TRY_ASSIGN(const bool tried, tried_before(issue.id));
  if (tried) return false;
  TRY_ASSIGN(const std::optional<Reproducer> by_person, given(issue.id));
  return by_person.has_value() ||
         (agents_ != nullptr && context_.policy().asks_for_reproducer(issue.finding));
}

Status Reproduction::keep(const Issue& issue, const Reproducer& check,
                          const std::optional<Verification>& run) {
  Change change;
  change.reproducers.push_back(check);
  if (run) change.verifications.push_back(*run);
  change.events.push_back(context_.event(
      issue.code, FixReproducerResult{to_string(check.state), check.by_person() ? "person" : check.agent,
                                      check.model, check.reason, check.sha256()}));
  return context_.log.apply(std::move(change));
}

Result<Reproduction::Found> Reproduction::try_on_base(const Issue& issue, Reproducer check,
                                                      std::stop_token stop) {
  TRY_ASSIGN(const Verification run, execute_reproducer(context_, check, VerificationKind::reproducer_base,
                                                        context_.session.base, Patch{}, stop));
  if (was_cancelled(run)) return Found{true, std::nullopt};
  check.id = new_uuid();
  check.session_id = context_.session.id;
  check.base = context_.session.base;
  check.created_ms = context_.ports.clock.wall_ms();
  check.reason = why_not_red(check, run.commands.front());
  const bool stays = !check.question_id.empty() && check.green(run.commands.front());
  check.state = check.reason.empty() ? ReproducerState::accepted
                : stays              ? ReproducerState::required
                                     : ReproducerState::discarded;
  TRY(keep(issue, check, run));
  if (check.state != ReproducerState::discarded) return Found{false, std::move(check)};
  context_.notice(fmt::format("{}: the reproducer of {} is not used: {}", issue.code,
                              check.by_person() ? "a person" : check.agent, check.reason));
  return Found{};
}

// In a tree of the base in which no file gives orders to agents; what it leaves behind is thrown away but for
// the files it names.
Result<Reproduction::Asked> Reproduction::ask(const Issue& issue, int number, const std::string& problem,
                                              std::stop_token stop) {
  Asked asked;
  asked.check.issue_id = issue.id;
  asked.check.marker = "REPRODUCED " + random_hex(8);
  const std::string& base = context_.session.base;
  TRY_ASSIGN(const AgentFile file, agent_file(context_.policy(), "reproducer"));
  IssuesPromptInput input;
  input.template_body = file.body;
  input.items = prompt_items(context_, {issue});
  input.values = {{"marker", asked.check.marker},
                  {"commands", commands_text(context_.policy())},
                  {"problem", problem.empty() ? "" : fenced(problem, "text")}};
  input.max_bytes = static_cast<std::size_t>(context_.policy().prompt_max_bytes);
  TRY_ASSIGN(const Prompt prompt, build_issues_prompt(input));
  TRY_ASSIGN(const Patch tree, without_agent_files(context_.ports.repository, base));
  RoleRequest role;
  role.request.role = "reproducer";
  role.request.issue_codes = {issue.code};
  role.request.cycle = number;
  role.request.prompt = prompt.text;
  role.issue_ids = {issue.id};
  role.workspace = [&] { return context_.ports.repository.make_workspace(base, tree); };
  role.stem = fmt::format("{}-{}-reproducer", issue.code, number);
  role.timeout_ms = context_.policy().reproduce_timeout_ms;
  TRY(context_.publish(issue.code, FixReproducerStarted{agents_->first().name, number}));
  TRY_ASSIGN(const RoleRun run, agents_->run(role, stop));
  asked.cancelled = run.end != RoleRun::End::ran;
  if (asked.cancelled) return asked;
  asked.check.agent = run.agent.name;
  asked.check.model = run.run.model.empty() ? run.agent.model : run.run.model;
  asked.check.family = run.family;
  TRY_ASSIGN(const Snapshot snapshot, run.workspace->snapshot());
  const auto answer = last_json_object(run.run.answer);
  const Json* said = answer ? find_member(*answer, "reproducer") : nullptr;
  if (said == nullptr) {
    asked.problem = "the agent named no check";
    return asked;
  }
  asked.check.command = string_or(*said, "command");
  asked.check.explanation = first_line(context_.safe(string_or(*said, "explanation")), 1'000);
  if (const Json* expected = find_member(*said, "expected"))
    asked.check.expected = expected_values_from_json(*expected);
  if (asked.check.independent()) asked.check.marker.clear();
  if (trim(asked.check.command).empty())
    asked.problem = "the answer names no command";
  else if (!snapshot.violations.empty() || changes_to_known_files(snapshot.patch).sha256() != tree.sha256())
    asked.problem = "it changes existing files";
  else if (asked.check.independent() && !fault_of(asked.check.expected).empty())
    asked.problem = fault_of(asked.check.expected);
  else
    asked.problem =
        take_files(strings_field(*said, "files"), snapshot.patch, context_.redactor, asked.check.files);
  return asked;
}

// One that knows few answers is sent back once, and used where nothing better comes.
Result<Reproduction::Found> Reproduction::ask_and_try(const Issue& issue, std::stop_token stop) {
  std::string problem;
  std::optional<Reproducer> little;
  for (int number = 1; number <= context_.policy().asks; ++number) {
    TRY_ASSIGN(Asked asked, ask(issue, number, problem, stop));
    if (asked.cancelled) return Found{true, std::nullopt};
    Found found;
    if (asked.problem.empty() && !few_answers(asked.check).empty() && number < context_.policy().asks) {
      problem = fmt::format(
          "{}. Give at least {}, as unlike each other as the issue allows. If there are not "
          "that many, give the same check again.",
          few_answers(asked.check), kEnoughAnswers);
      little = std::move(asked.check);
      continue;
    }
    if (asked.problem.empty()) {
      TRY_ASSIGN(found, try_on_base(issue, asked.check, stop));
      if (found.cancelled || found.check) return found;
      TRY_ASSIGN(const std::vector<Reproducer> known, context_.ports.store.reproducers(issue.id));
      problem = known.back().reason;
    } else {
      problem = asked.problem;
      asked.check.id = new_uuid();
      asked.check.session_id = context_.session.id;
      asked.check.base = context_.session.base;
      asked.check.created_ms = context_.ports.clock.wall_ms();
      asked.check.state = ReproducerState::discarded;
      asked.check.reason = problem;
      TRY(keep(issue, asked.check, std::nullopt));
    }
  }
  if (little) return try_on_base(issue, *std::move(little), stop);
  context_.notice(fmt::format("{} has no reproducer: {}", issue.code, problem));
  return Found{};
}

Result<Reproduction::Found> Reproduction::find(const Issue& issue, std::stop_token stop) {
  TRY_ASSIGN(std::optional<Reproducer> known,
             reproducer_of(context_.ports.store, issue.id, context_.session.id));
  if (known) return Found{false, std::move(known)};
  TRY_ASSIGN(const bool tried, tried_before(issue.id));
  if (tried) return Found{}; // it was discarded: asking again would cost again
  TRY_ASSIGN(const std::optional<Reproducer> by_person, given(issue.id));
  if (by_person) return try_on_base(issue, *by_person, stop);
  if (agents_ == nullptr || !context_.policy().asks_for_reproducer(issue.finding)) return Found{};
  return ask_and_try(issue, stop);
}

Result<std::optional<CommandRun>> Reproduction::run(const Issue& issue, const Reproducer& check,
                                                    VerificationKind kind, const std::string& base,
                                                    const Patch& patch, std::stop_token stop) {
  const std::string sha = check.sha256(), patch_sha = patch.empty() ? "" : patch.sha256();
  TRY_ASSIGN(const std::vector<Verification> runs, context_.ports.store.verifications(context_.session.id));
  const bool again = kind == VerificationKind::reproducer_without; // has to follow the run with the patch
  for (const Verification& known : runs)
    if (!again && known.kind == kind && known.issue_id == issue.id && known.base == base &&
        known.patch_sha256 == patch_sha && known.reproducer_sha256 == sha)
      return std::optional<CommandRun>(known.commands.front());
  TRY_ASSIGN(const Verification made, execute_reproducer(context_, check, kind, base, patch, stop));
  if (was_cancelled(made)) return std::optional<CommandRun>{};
  Change change;
  change.verifications.push_back(made);
  // What it printed stays out of the events: they are for every eye.
  const CommandRun& ran = made.commands.front();
  change.events.push_back(context_.event(
      issue.code, FixReproducerRun{to_string(kind), to_string(ran.result), ran.exit_code, made.duration_ms}));
  TRY(context_.log.apply(std::move(change)));
  return std::optional<CommandRun>(made.commands.front());
}

Result<Reproduced> Reproduction::judge(const Issue& issue, const Attempt& attempt, std::stop_token stop) {
  TRY_ASSIGN(const Found found, find(issue, stop));
  if (found.cancelled) return Reproduced{Reproduced::End::cancelled, {}};
  if (!found.check) return Reproduced{};
  const Reproducer& check = *found.check;
  TRY_ASSIGN(const std::optional<CommandRun> before,
             run(issue, check, VerificationKind::reproducer_base, attempt.base, Patch{}, stop));
  if (!before) return Reproduced{Reproduced::End::cancelled, {}};
  TRY_ASSIGN(const std::optional<CommandRun> with,
             run(issue, check, VerificationKind::reproducer_patched, attempt.base, attempt.patch, stop));
  if (!with) return Reproduced{Reproduced::End::cancelled, {}};
  if (!check.green(*with))
    return Reproduced{Reproduced::End::refuted,
                      check.question_id.empty() ? "the reproducer does not pass with the patch"
                                                : check.title() + " does not pass with the patch",
                      false,
                      {},
                      !check.question_id.empty()};
  if (!leaves_failing(check, *before, *with).empty()) // the fixer must not learn which test it is
    return Reproduced{
        Reproduced::End::refuted,
        "the reproducer passes, but the tests that failed on the base are not among those that pass"};
  if (!check.is_evidence() || !check.red(*before))
    return Reproduced{Reproduced::End::no_check,
                      "the reproducer already passes with the fixes before this one"};
  TRY_ASSIGN(const std::optional<CommandRun> without,
             run(issue, check, VerificationKind::reproducer_without, attempt.base, Patch{}, stop));
  if (!without) return Reproduced{Reproduced::End::cancelled, {}};
  if (!check.red(*without))
    return Reproduced{Reproduced::End::refuted,
                      "the reproducer does not fail again without the patch, so it proves nothing"};
  Reproduced seen{Reproduced::End::repaired, {}, check.independent(), {}};
  if (!check.independent()) return seen;
  TRY_ASSIGN(const bool finished, run_near_checks(context_, check, attempt, stop));
  if (!finished) return Reproduced{Reproduced::End::cancelled, {}};
  TRY_ASSIGN(const std::vector<Verification> runs, context_.ports.store.verifications(context_.session.id));
  const NearAnswers near = near_answers(check, runs, attempt.base, attempt.patch.sha256());
  if (const std::string few = few_answers(check); !few.empty())
    seen.notes.push_back("the hidden check: " + few);
  if (const std::string note = near.sentence(); !note.empty()) {
    seen.notes.push_back(note);
    context_.notice(issue.code + ": " + note);
  }
  seen.for_judge = near.other_answers();
  seen.hidden = hidden_in(near, check, near_seed(context_.session.id, check), known_words(issue, attempt));
  return seen;
}

Result<std::optional<bool>> Reproduction::stays_green(const Issue& issue, const std::string& base,
                                                      const Patch& patch, std::stop_token stop) {
  TRY_ASSIGN(const std::optional<Reproducer> check,
             reproducer_of(context_.ports.store, issue.id, context_.session.id));
  if (!check) return std::optional<bool>(true);
  TRY_ASSIGN(const std::optional<CommandRun> ran,
             run(issue, *check, VerificationKind::reproducer_patched, base, patch, stop));
  if (!ran) return std::optional<bool>{};
  return std::optional<bool>(check->green(*ran));
}

} // namespace emend
