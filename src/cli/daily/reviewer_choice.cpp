#include "cli/daily/reviewer_choice.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "cli/agents/agent_files.hpp"
#include "cli/trust_check.hpp"
#include "engine/agents/agent_file.hpp"

namespace emend {

namespace {

constexpr std::string_view kPrefix = "reviewer_";
constexpr const char* kUnified = "unified_reviewer";

// "be_quality" of "reviewer_be_quality".
std::vector<std::string> known_views(const Policy& policy) {
  std::vector<std::string> files = built_in_agent_files(), views;
  for (const auto& [name, text] : policy.agent_files) files.push_back(name);
  for (const std::string& file : files)
    if (file.starts_with(kPrefix)) views.push_back(file.substr(kPrefix.size()));
  std::sort(views.begin(), views.end());
  views.erase(std::unique(views.begin(), views.end()), views.end());
  return views;
}

void add(std::vector<std::string>& list, const std::string& word) {
  if (std::find(list.begin(), list.end(), word) == list.end()) list.push_back(word);
}

std::vector<std::string> words_in(const std::vector<std::string>& lists) {
  std::vector<std::string> words;
  for (const std::string& list : lists)
    for (const std::string& part : split(list, ','))
      if (const auto word = trim(part); !word.empty()) add(words, std::string(word));
  return words;
}

Result<AgentBinding> reviewing_agent(const Config& config, const std::string& name) {
  auto binding = config.agent(name);
  if (!binding)
    return fail(ErrorCode::usage, "--agent: " + binding.error().message, "to list the agents: emend agents");
  if (binding->builtin())
    return fail(ErrorCode::usage, "--agent: the built-in agent does not review",
                "use its rules as an analyzer: --analyzers builtin");
  return binding;
}

Result<std::vector<std::string>> agent_names(const Config& config, const ReviewerWords& words) {
  std::vector<std::string> names = words_in(words.agents);
  if (!names.empty()) return names;
  const std::string fixer = config.fixer_name();
  if (fixer.empty() || fixer == "builtin")
    return fail(ErrorCode::usage, "--reviewers: there is no agent to review with",
                "name one with --agent; to list them: emend agents");
  return std::vector<std::string>{fixer};
}

} // namespace

Result<std::vector<std::string>> reviewer_files(const std::string& words, const Policy& policy) {
  const std::vector<std::string> views = known_views(policy);
  std::vector<std::string> files;
  for (const std::string& word : words_in({words.empty() ? "unified" : words})) {
    const std::string name = replace_all(word, "-", "_");
    const std::string view = name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
    if (name == "unified" || name == kUnified) {
      add(files, kUnified);
    } else if (name == "all") {
      for (const std::string& each : views) add(files, std::string(kPrefix) + each);
    } else if (std::find(views.begin(), views.end(), view) != views.end()) {
      add(files, std::string(kPrefix) + view);
    } else {
      std::vector<std::string> known = {"unified", "all"};
      known.insert(known.end(), views.begin(), views.end());
      const auto near = did_you_mean(name, known);
      return fail(ErrorCode::usage,
                  "--reviewers: there is no reviewer \"" + one_line(word, 80) + "\"" +
                      (near ? "; did you mean " + *near + "?" : ""),
                  "reviewers: " + join(known, ", "));
    }
  }
  return files;
}

Result<ReviewersOrder> chosen_reviewers(CommandContext& context, const ReviewerWords& words,
                                        const ReviewScope& scope) {
  ReviewersOrder order;
  TRY_ASSIGN(const Config config, trusted_config(context));
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(order.rules_commit, rules_commit(*repository, scope));
  order.policy = config.policy();
  if (!order.rules_commit.empty()) {
    TRY_ASSIGN(order.policy, policy_with_agent_files(context, config, order.rules_commit));
  }
  TRY_ASSIGN(const std::vector<std::string> files, reviewer_files(words.reviewers, order.policy));
  TRY_ASSIGN(const std::vector<std::string> names, agent_names(config, words));
  for (const std::string& name : names) {
    TRY_ASSIGN(const AgentBinding agent, reviewing_agent(config, name));
    for (const std::string& file : files) order.reviewers.push_back({file, agent});
  }
  TRY_ASSIGN(order.home, context.home());
  order.specs = words.specs;
  while (order.specs.ends_with('/')) order.specs.pop_back();
  return order;
}

} // namespace emend
