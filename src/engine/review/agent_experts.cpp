#include "base/strings.hpp"
#include "engine/agents/agent_file.hpp"
#include "engine/prompts/prompt.hpp"
#include "engine/review/agent_review.hpp"
#include "model/coding_clis.hpp"

namespace emend {

namespace {

Json definition(const AgentFile& file, const AgentBinding& agent, const CodingCli& cli) {
  Json made = {{"description", file.description}, {"prompt", file.body}};
  if (cli.uses_claude_tool_names && !file.tools.empty()) made["tools"] = file.tools;
  if (agent.model.empty() && model_suits(agent, file.model)) made["model"] = file.model;
  return made;
}

std::string where_specs_are(const std::string& specs) {
  return specs.empty() ? ""
                       : " The specifications are in the folder " + first_line(clean_text(specs), 200) + "/.";
}

} // namespace

Result<Experts> experts_for(const Policy& policy, const AgentBinding& agent, const std::string& specs) {
  TRY_ASSIGN(const AgentFile language, agent_file(policy, "expert_language"));
  TRY_ASSIGN(const AgentFile spec, agent_file(policy, "expert_spec"));
  Experts experts;
  const CodingCli* cli = find_coding_cli(agent.engine);
  if (cli == nullptr || !cli->takes_sub_agents) {
    experts.text =
        "Take these views first, one after the other.\n\nAs an expert in the languages and libraries of the "
        "change:\n\n" +
        fenced(trim(language.body), "text");
    if (!specs.empty())
      experts.text += "\nAs someone who compares it with the specifications:" + where_specs_are(specs) +
                      "\n\n" + fenced(trim(spec.body), "text");
    experts.text +=
        "\nTheir answers are notes for yourself: your own answer has the form asked for at the end.\n\n";
    return experts;
  }
  experts.sub_agents["language-expert"] = definition(language, agent, *cli);
  experts.text =
      "Ask these experts first, all of them in one message so that they work at the same time. They know "
      "nothing of this conversation:\n"
      "tell each of them which files changed and what changed in them, word for word where it matters.\n\n"
      "- `language-expert`: " +
      language.description + "\n";
  if (!specs.empty()) {
    experts.sub_agents["spec-expert"] = definition(spec, agent, *cli);
    experts.text += "- `spec-expert`: " + spec.description + "." + where_specs_are(specs) + " Tell it so.\n";
  }
  experts.text += "\n";
  return experts;
}

} // namespace emend
