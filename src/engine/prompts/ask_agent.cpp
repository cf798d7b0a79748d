#include "engine/prompts/ask_agent.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"
#include "engine/agents/agent_file.hpp"
#include "engine/agents/agent_run.hpp"

namespace emend {

namespace {

Error unavailable(const AgentBinding& agent, const AgentState& state) {
  const ErrorCode code = state.status == AgentStatus::not_logged_in ? ErrorCode::auth : ErrorCode::agent;
  return {code,
          fmt::format("agent {} cannot work now ({}): {}", agent.name, to_string(state.status),
                      first_line(clean_text(state.text), 300)),
          "`emend doctor` tests the agents"};
}

AgentRequest request_for(const RunContext& context, const Agent& agent, const AgentQuestion& question) {
  AgentRequest request;
  request.role = question.role;
  for (const Issue& issue : question.issues) request.issue_codes.push_back(issue.code);
  request.cycle = question.cycle;
  request.prompt = question.prompt;
  request.schema = question.schema;
  request.sub_agents = question.sub_agents;
  request.on_event = question.on_event;
  request.read_only = true;
  const std::int64_t otherwise =
      question.timeout_ms > 0 ? question.timeout_ms : context.policy().fix_timeout_ms;
  request.timeout_ms = agent.binding().timeout_ms > 0 ? agent.binding().timeout_ms : otherwise;
  return request;
}

Result<std::unique_ptr<Workspace>> workspace_for(RunContext& context, const AgentQuestion& question) {
  return context.ports.repository.make_workspace(
      question.commit.empty() ? context.session.base : question.commit, question.patch);
}

std::vector<std::string> ids_of(const std::vector<Issue>& issues) {
  std::vector<std::string> ids;
  for (const Issue& issue : issues) ids.push_back(issue.id);
  return ids;
}

// Who asked before goes on where it left off: clarifying and planning prepare the fix.
Result<std::optional<Conversation>> earlier_conversation(RunContext& context, const Agent& agent,
                                                         const AgentQuestion& question) {
  TRY_ASSIGN(const std::vector<Conversation> known, conversations_about(context, ids_of(question.issues)));
  for (const Conversation& one : known)
    if (one.agent == agent.binding().name) return std::optional<Conversation>(one);
  return std::optional<Conversation>{};
}

bool keeps_conversation(const RunContext& context, const AgentQuestion& question) {
  return context.policy().keep_conversation &&
         (question.role == "fix_clarifier" || question.role == "fix_planner");
}

Result<AgentRun> run_once(RunContext& context, Agent& agent, const AgentQuestion& question,
                          Workspace& workspace, const std::optional<Conversation>& earlier,
                          std::stop_token stop) {
  AgentRequest request = request_for(context, agent, question);
  TRY(use_agent_file(context.policy(), agent.binding(), request));
  request.workspace = &workspace;
  if (earlier) {
    request.fork = earlier->id;
    request.conversation_from = earlier->directory;
  }
  const std::string code = question.issues.empty() ? question.name : question.issues.front().code;
  const std::string stem = fmt::format("{}-{}-{}-{}", code, question.cycle, question.role, question.ask);
  TRY_ASSIGN(RecordedRun done, run_recorded(context, agent, std::move(request), ids_of(question.issues), stem,
                                            keeps_conversation(context, question), std::move(stop)));
  if (!done.refused.empty())
    return fail(ErrorCode::limit, done.refused, "wait for the next day or month, or raise the limit");
  if (done.run.process.ending == Ending::not_started) return fail(ErrorCode::agent, done.run.process.problem);
  if (done.run.process.ending == Ending::cancelled)
    return fail(ErrorCode::cancelled, "stopped while agent " + agent.binding().name + " was working");
  return std::move(done.run);
}

Result<AgentRun> run_in(RunContext& context, Agent& agent, const AgentQuestion& question,
                        Workspace& workspace, std::stop_token stop) {
  std::optional<Conversation> earlier;
  if (keeps_conversation(context, question)) {
    TRY_ASSIGN(earlier, earlier_conversation(context, agent, question));
  }
  TRY_ASSIGN(AgentRun run, run_once(context, agent, question, workspace, earlier, stop));
  if (!earlier || run.state.status != AgentStatus::conversation_lost) return run;
  context.notice(fmt::format("the conversation with {} could not be continued; started a new one",
                             agent.binding().name));
  return run_once(context, agent, question, workspace, std::nullopt, stop);
}

} // namespace

std::vector<FixPromptInput::Item> prompt_items(RunContext& context, const std::vector<Issue>& issues,
                                               const std::string& base) {
  std::vector<FixPromptInput::Item> items;
  for (const Issue& issue : issues) {
    FixPromptInput::Item item{issue, {}};
    item.issue.finding.description = context.safe(issue.finding.description);
    item.issue.finding.suggestion = context.safe(issue.finding.suggestion);
    if (!issue.finding.file.empty()) {
      if (auto content =
              context.ports.repository.read(base.empty() ? context.session.base : base, issue.finding.file))
        item.excerpt = context.safe(
            excerpt(*content, issue.finding.line, issue.finding.line_end, context.policy().context_lines));
    }
    items.push_back(std::move(item));
  }
  return items;
}

Result<AskedRun> run_question(RunContext& context, Agent& agent, const AgentQuestion& question,
                              std::stop_token stop) {
  TRY_ASSIGN(const std::unique_ptr<Workspace> workspace, workspace_for(context, question));
  TRY_ASSIGN(AgentRun run, run_in(context, agent, question, *workspace, std::move(stop)));
  TRY_ASSIGN(const Snapshot snapshot, workspace->snapshot());
  const bool changed = snapshot.patch.sha256() != question.patch.sha256() || !snapshot.violations.empty();
  return AskedRun{std::move(run), changed};
}

Result<std::string> ask_agent(RunContext& context, Agent& agent, const AgentQuestion& question,
                              std::stop_token stop) {
  TRY_ASSIGN(const std::unique_ptr<Workspace> workspace, workspace_for(context, question));
  TRY_ASSIGN(AgentRun run, run_in(context, agent, question, *workspace, std::move(stop)));
  if (run.state.unavailable()) return fail(unavailable(agent.binding(), run.state));
  return std::move(run.answer);
}

} // namespace emend
