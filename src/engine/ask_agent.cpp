#include "engine/ask_agent.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"
#include "engine/streaming.hpp"

namespace emend {

namespace {

Error unavailable(const AgentBinding& agent, const AgentState& state) {
  const ErrorCode code = state.status == AgentStatus::not_logged_in ? ErrorCode::auth : ErrorCode::agent;
  return {code, fmt::format("agent {} cannot work now ({}): {}", agent.name, to_string(state.status), first_line(clean_text(state.text), 300)),
          "`emend doctor` tries the agents"};
}

} // namespace

std::vector<FixPromptInput::Item> prompt_items(RunContext& context, const std::vector<Issue>& issues) {
  std::vector<FixPromptInput::Item> items;
  for (const Issue& issue : issues) {
    FixPromptInput::Item item{issue, {}};
    item.issue.finding.description = context.safe(issue.finding.description);
    item.issue.finding.suggestion = context.safe(issue.finding.suggestion);
    if (!issue.finding.file.empty()) {
      if (auto content = context.ports.repository.read(context.session.base, issue.finding.file))
        item.excerpt = context.safe(excerpt(*content, issue.finding.line, issue.finding.line_end, context.policy().context_lines));
    }
    items.push_back(std::move(item));
  }
  return items;
}

Result<std::string> ask_agent(RunContext& context, Agent& agent, const AgentQuestion& question, std::stop_token stop) {
  TRY_ASSIGN(const std::unique_ptr<Workspace> workspace, context.ports.repository.make_workspace(context.session.base, Patch{}));
  AgentRequest request;
  request.role = question.role;
  for (const Issue& issue : question.issues) request.issue_codes.push_back(issue.code);
  request.cycle = question.cycle;
  request.prompt = question.prompt;
  request.workspace = workspace.get();
  request.read_only = true;
  request.timeout_ms = agent.binding().timeout_ms > 0 ? agent.binding().timeout_ms : context.policy().fix_timeout_ms;
  const std::string code = question.issues.empty() ? "" : question.issues.front().code;
  AgentStream stream(context, code);
  request.on_output = stream.sink();
  ChildRecord child;
  request.on_start = context.child_recorder(child);
  const std::string stem = fmt::format("{}-{}-{}-{}", code, question.cycle, question.role, question.ask);
  context.keep_artifact(stem + ".prompt.md", question.prompt);
  auto run = agent.run(request, stop);
  context.forget_child(child);
  stream.flush();
  if (!run) return fail(std::move(run).error());
  if (run->process.ending == Ending::cancelled) return fail(ErrorCode::cancelled, "stopped while agent " + agent.binding().name + " was working");
  context.keep_artifact(stem + ".out.txt", context.safe(run->process.out));
  if (run->state.unavailable()) return fail(unavailable(agent.binding(), run->state));
  return std::move(run->answer);
}

} // namespace emend
