#include "engine/fix/fix.hpp"

#include <fmt/format.h>

#include "base/crash_point.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/agents/agent_file.hpp"
#include "engine/agents/answers.hpp"
#include "engine/fix/wanted_tests.hpp"
#include "engine/patch/new_files.hpp"
#include "engine/patch/notes.hpp"
#include "engine/patch/split_patch.hpp"
#include "engine/patch/static_clauses.hpp"
#include "model/events.hpp"

namespace emend {
namespace {

void read_claims(std::string_view answer, const std::vector<Issue>& issues, std::vector<Attempt>& attempts) {
  auto parsed = parse_fixer_answer(answer, issues);
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    Attempt& attempt = attempts[i];
    if (!parsed) {
      attempt.notes.push_back("no usable answer: " + parsed.error().message);
      continue;
    }
    const auto& claimed = parsed->by_code[issues[i].code];
    attempt.claim = claimed.claim;
    attempt.explanation = claimed.explanation;
    for (const auto& named : claimed.asserts_bug) {
      const TestName test = parse_test_name(named.test);
      note_wanted(attempt, {test.file, {test.test, 0, "changes", named.from, named.to}});
    }
    for (const auto& other : claimed.other_files)
      attempt.notes.push_back(fmt::format("{}{}: {}", kOtherFileNote, other.file, other.why));
    for (const auto& left : claimed.left_failing)
      attempt.notes.push_back(fmt::format("{}{}: {}", kLeftFailingNote, left.test, left.why));
    for (const std::string& id : parsed->unknown_ids)
      attempt.notes.push_back("answered for an issue that is not its task: " + id);
    for (const std::string& problem : parsed->problems) attempt.notes.push_back(problem);
  }
}

// Everything that was changed, but for new files that are by-products: those the project's own rules ignore,
// and known junk. Each is named.
Status take_patch(RunContext& context, const Issue& issue, Patch patch, Attempt& attempt) {
  std::vector<std::string> left_out;
  for (FileChange& change : patch.changes) {
    std::string why;
    if (change.added() && change.path != issue.finding.file) {
      TRY_ASSIGN(const bool ignored, context.ports.repository.is_ignored(attempt.base, change.path));
      why = ignored ? "ignored by the project" : std::string(junk_kind(change));
    }
    if (why.empty())
      attempt.patch.changes.push_back(std::move(change));
    else
      left_out.push_back(fmt::format("{} ({})", clean_text(change.path), why));
  }
  if (left_out.empty()) return {};
  const std::size_t shown = std::min<std::size_t>(left_out.size(), 10); // a cache may hold thousands
  const std::string more =
      shown < left_out.size() ? fmt::format(" and {} more", left_out.size() - shown) : "";
  left_out.resize(shown);
  attempt.notes.push_back(std::string(kLeftOutNote) + join(left_out, ", ") + more);
  context.notice(fmt::format("{}: {}", issue.code, attempt.notes.back()));
  return {};
}

// What the workspace holds now, to whom it belongs.
Status read_patches(RunContext& context, const std::vector<Issue>& issues, Workspace& workspace,
                    std::vector<Attempt>& attempts) {
  TRY_ASSIGN(const Snapshot snapshot, workspace.snapshot());
  std::vector<Patch> split = split_patch(snapshot.patch, issues);
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    Attempt& attempt = attempts[i];
    TRY(take_patch(context, issues[i], std::move(split[i]), attempt));
    TRY_ASSIGN(const std::vector<OpenedTest> decisions, context.ports.store.opened_tests(issues[i].id));
    for (const TouchedTest& test : touched_tests(issues[i].finding, attempt.patch, open_for(decisions)))
      note_wanted(attempt, test);
    for (const std::string& violation : snapshot.violations)
      attempt.notes.push_back(std::string(kViolationNote) + clean_text(violation));
    for (const std::string& note : snapshot.notes) attempt.notes.push_back(clean_text(note));
  }
  return {};
}

RoleRequest role_request(RunContext& context, const FixOrder& order, const std::vector<Issue>& issues,
                         int cycle) {
  RoleRequest role;
  role.request.role = order.role;
  for (const Issue& issue : issues) {
    role.request.issue_codes.push_back(issue.code);
    role.issue_ids.push_back(issue.id);
  }
  role.request.cycle = cycle;
  role.request.prompt = order.prompt;
  role.request.sub_agents = order.sub_agents;
  role.workspace = [&context, &order] {
    return context.ports.repository.make_workspace(order.unit().base, order.start);
  };
  role.prepare = order.prepare;
  role.stem = fmt::format("{}{}-{}-{}{}", issues.front().code,
                          issues.size() > 1 ? fmt::format("+{}", issues.size() - 1) : "", cycle, order.role,
                          order.mark.empty() ? "" : "-" + order.mark);
  role.timeout_ms = context.policy().fix_timeout_ms;
  role.conversations = context.policy().keep_conversation && order.mark.empty();
  return role;
}

} // namespace

bool ended_well(const Attempt& attempt) {
  return attempt.ending == "exit 0" || attempt.ending == kNoProcess ||
         attempt.ending.starts_with("answered, ");
}

Attempt begin_attempt(const RunContext& context, const AgentBinding& fixer, const FixOrder::Member& member) {
  Attempt attempt;
  attempt.id = new_uuid();
  attempt.session_id = context.session.id;
  attempt.unit_id = member.unit.id;
  attempt.issue_id = member.issue.id;
  attempt.cycle = member.unit.cycles + 1;
  attempt.agent = fixer.name;
  attempt.model = fixer.model;
  attempt.family = fixer.family;
  attempt.base = member.unit.base;
  attempt.started_ms = context.ports.clock.wall_ms();
  return attempt;
}

Result<FixRun> run_fixer(RunContext& context, RoleAgents& fixer, const FixOrder& order,
                         std::stop_token stop) {
  FixRun made;
  std::vector<Issue> issues;
  const std::int64_t start = context.ports.clock.steady_ms();
  Change begin;
  for (const FixOrder::Member& member : order.members) {
    issues.push_back(member.issue);
    made.attempts.push_back(begin_attempt(context, fixer.first(), member));
    const Attempt& attempt = made.attempts.back();
    begin.events.push_back(context.event(
        member.issue.code,
        FixAgentInvoked{attempt.agent, order.role, attempt.model, attempt.cycle, order.prompt.size()}));
  }
  begin.attempts = made.attempts;
  TRY(context.log.apply(std::move(begin)));
  crash_point("fix.before_agent");

  TRY_ASSIGN(const RoleRun run,
             fixer.run(role_request(context, order, issues, made.attempts.front().cycle), stop));
  made.end = run.end;
  for (Attempt& attempt : made.attempts) {
    if (run.workspace == nullptr) {
      attempt.ending = "not started";
      continue;
    }
    attempt.agent = run.agent.name;
    attempt.family = run.family;
    attempt.ending = describe_ending(run.run);
    attempt.exit_code = run.run.process.exit_code;
    attempt.model = run.run.model.empty() ? run.agent.model : run.run.model;
    attempt.notes = run.notes;
    if (run.run.process.killed_descendants > 0)
      attempt.notes.push_back(
          fmt::format("{} processes were still running after the agent ended, and were stopped",
                      run.run.process.killed_descendants));
  }
  if (run.workspace != nullptr && run.run.process.ending != Ending::not_started) {
    read_claims(run.run.answer, issues, made.attempts);
    TRY(read_patches(context, issues, *run.workspace, made.attempts));
  }
  crash_point("fix.after_agent");
  for (Attempt& attempt : made.attempts) {
    attempt.explanation = context.redactor.redact(attempt.explanation);
    attempt.duration_ms = context.ports.clock.steady_ms() - start;
  }
  return made;
}

} // namespace emend
