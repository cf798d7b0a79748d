#include "engine/branch/git_proposals.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "engine/agents/agent_file.hpp"
#include "engine/branch/message_style.hpp"
#include "engine/prompts/ask_agent.hpp"
#include "engine/prompts/prompt.hpp"

namespace emend {
namespace {

constexpr std::size_t kMostSubject = 72, kMostBranch = 80, kMostBody = 2'000, kShownSubjects = 15;

bool is_plain(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; }

fs::path message_file(const RunContext& context, const AcceptedFix& fix) {
  return fs::path(context.home) / "sessions" / context.session.id / "messages" / (fix.attempt.id + ".json");
}

// An agent that fails here costs a name, never a session; only a stop and a broken world end it.
Result<std::optional<std::string>> answer_of(RunContext& context, Agent& agent, AgentQuestion question,
                                             std::stop_token stop) {
  auto answer = ask_agent(context, agent, question, stop);
  if (answer) return std::optional<std::string>(*std::move(answer));
  if (answer.error().code != ErrorCode::agent && answer.error().code != ErrorCode::auth)
    return fail(std::move(answer).error());
  context.notice(question.role + " proposed nothing: " + answer.error().message);
  return std::optional<std::string>{};
}

} // namespace

bool looks_like_trailer(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const std::string_view word = line.substr(0, colon);
  return word.find(' ') == std::string_view::npos && word.find('-') != std::string_view::npos;
}

Result<std::string> parse_branch_proposal(std::string_view answer, std::string_view session_id) {
  TRY_ASSIGN(const Json json, last_json_object(answer));
  std::string name = string_or(json, "branch_name");
  constexpr std::string_view kPrefix = "fix/";
  if (!name.starts_with(kPrefix) || name.size() > kMostBranch)
    return fail(ErrorCode::agent, "\"branch_name\" must be fix/ and a short name");
  const std::string_view rest = std::string_view(name).substr(kPrefix.size());
  if (rest.empty() || rest.front() == '-' || rest.back() == '-' ||
      !std::all_of(rest.begin(), rest.end(), is_plain))
    return fail(ErrorCode::agent,
                "\"branch_name\" may have lower-case letters, digits and single hyphens only");
  if (!name.ends_with("-" + std::string(session_id))) name += "-" + std::string(session_id);
  return name;
}

Result<ProposedMessage> parse_message_proposal(std::string_view answer, const Redactor& redactor) {
  TRY_ASSIGN(const Json json, last_json_object(answer));
  const auto words = [&](const char* key) { return redactor.redact(clean_text(string_or(json, key))); };
  ProposedMessage message{words("subject"), trim_middle(words("body"), kMostBody)};
  if (trim(message.subject).empty() || message.subject.find_first_of("\r\n") != std::string::npos ||
      message.subject.size() > kMostSubject)
    return fail(ErrorCode::agent, "\"subject\" must be one line of at most 72 characters");
  message.subject = std::string(trim(message.subject));
  if (looks_like_trailer(message.subject)) return fail(ErrorCode::agent, "\"subject\" looks like a trailer");
  const auto lines = lines_of(message.body);
  if (std::any_of(lines.begin(), lines.end(), looks_like_trailer)) message.body.clear();
  message.body = std::string(trim(message.body));
  return message;
}

Result<std::optional<std::string>> propose_branch(RunContext& context, Agent& agent,
                                                  const std::vector<Issue>& issues, std::stop_token stop) {
  TRY_ASSIGN(const AgentFile file, agent_file(context.policy(), "git-branch-creator"));
  IssuesPromptInput input;
  input.template_body = file.body;
  input.items = prompt_items(context, issues);
  for (FixPromptInput::Item& item : input.items) item.excerpt.clear();
  input.values = {{"session", context.session.id}};
  input.max_bytes = static_cast<std::size_t>(context.policy().prompt_max_bytes);
  TRY_ASSIGN(Prompt prompt, build_issues_prompt(input));
  AgentQuestion question{"git-branch-creator", issues, 1, 1, std::move(prompt.text)};
  TRY_ASSIGN(const std::optional<std::string> answer, answer_of(context, agent, std::move(question), stop));
  if (!answer) return std::optional<std::string>{};
  auto name = parse_branch_proposal(*answer, context.session.id);
  if (name) return std::optional<std::string>(*std::move(name));
  context.notice("the proposed branch name is not used: " + name.error().message);
  return std::optional<std::string>{};
}

std::optional<ProposedMessage> kept_message(const RunContext& context, const AcceptedFix& fix) {
  const auto text = read_file(message_file(context, fix), 100'000);
  if (!text) return std::nullopt;
  auto message = parse_message_proposal(*text, context.redactor);
  return message ? std::optional<ProposedMessage>(*std::move(message)) : std::nullopt;
}

Result<std::optional<ProposedMessage>> propose_message(RunContext& context, Agent& agent,
                                                       const AcceptedFix& fix, std::stop_token stop) {
  if (auto kept = kept_message(context, fix)) return kept;
  TRY_ASSIGN(const AgentFile file, agent_file(context.policy(), "git-committer"));
  const auto items = prompt_items(context, {fix.issue});
  const std::string diff = trim_middle(context.safe(shown_diff(fix.attempt.patch)),
                                       static_cast<std::size_t>(context.policy().prompt_max_bytes) / 2);
  std::vector<std::string> subjects = earlier_subjects(context.ports.repository, context.session.base);
  subjects.resize(std::min(subjects.size(), kShownSubjects));
  const std::string style = context.safe(join(subjects, "\n"));
  TRY_ASSIGN(std::string prompt,
             render_template(file.body, {{"issue", describe(items.front().issue)},
                                         {"diff", fenced(diff, "diff")},
                                         {"style", style.empty() ? "" : fenced(style, "text")},
                                         {"cut", ""}}));
  AgentQuestion question{"git-committer", {fix.issue}, 1, 1, std::move(prompt)};
  TRY_ASSIGN(const std::optional<std::string> answer, answer_of(context, agent, std::move(question), stop));
  if (!answer) return std::optional<ProposedMessage>{};
  auto message = parse_message_proposal(*answer, context.redactor);
  if (!message) {
    context.notice(
        fmt::format("the proposed message for {} is not used: {}", fix.issue.code, message.error().message));
    return std::optional<ProposedMessage>{};
  }
  TRY(write_file(message_file(context, fix),
                 dump_json(Json{{"subject", message->subject}, {"body", message->body}})));
  return std::optional<ProposedMessage>(*std::move(message));
}

} // namespace emend
