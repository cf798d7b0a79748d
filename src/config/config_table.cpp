// The rows of the table of configuration keys; those of reviews are in review_keys.cpp, those of
// servers in server_keys.cpp.
#include "base/strings.hpp"
#include "config/config_rows.hpp"
#include "model/coding_clis.hpp"
#include "model/forges.hpp"

namespace emend {

namespace {

using namespace config_rows;

std::vector<ConfigKey> fix_keys() {
  return {
      text("fix.agent", "",
           "agent that fixes: a NAME of [agents.NAME], or " + join(coding_cli_names(), ", ") +
               "; empty = the first of those on PATH"),
      text_list("fix.fallback", {},
                "fallback agents, in this order, when the fixer is not available (limit, login, outage)"),
      word("fix.strategy", at(&Policy::strategy), parse_strategy, "how issues are grouped into units of work",
           {"per-issue", "batched", "one-call", "auto"}),
      integer("fix.batch_points", at(&Policy::batch, &BatchLimits::max_points), 1, 1'000'000,
              "batched: most workload points of one agent run"),
      integer("fix.batch_issues", at(&Policy::batch, &BatchLimits::max_issues), 1, 1'000,
              "batched: most issues of one agent run"),
      boolean("fix.git_agents", at(&Policy::git_agents),
              "let the fixer propose the branch name and the commit messages; emend checks "
              "both"),
      boolean("fix.keep_conversation", at(&Policy::keep_conversation),
              "continue conversations: a second attempt that of the first, a fix that of clarify and plan"),
      pause("fix.max_wait", at(&Policy::max_wait_ms),
            "longest wait for an agent that reached its limit; 0 = do not wait"),
      pause("fix.retry_wait", at(&Policy::retry_wait_ms),
            "first wait when the agent names no time; doubles each time"),
      integer("fix.deferred_retries", at(&Policy::deferred_retries), 0, 100,
              "more attempts for an issue that the fixer deferred"),
      trusted(integer("fix.candidates", at(&Policy::candidates), 0, 4,
                      "changes that different agents make for each issue at the same time; the best one goes "
                      "on; 0: one, and two after a round that failed")),
      trusted(
          word("fix.autonomy", at(&Policy::autonomy), parse_autonomy,
               "ask: with --approve plan every plan waits for you; earned: not if each of its issues is of "
               "a rule and an agent with 20 merged fixes and none reverted",
               {"ask", "earned"})),
      integer("fix.parallel", at(&Policy::parallel), 1, 64, "how many issues are fixed at the same time"),
      duration("fix.timeout", at(&Policy::fix_timeout_ms), "time limit of one fixer run"),
      text("fix.branch", at(&Policy::branch), "name of the branch for the fixes"),
      word("fix.group", at(&Policy::grouping), parse_grouping,
           "a second branch with fewer commits: one for each rule, each file, or in all; issue = none",
           {"issue", "rule", "file", "one"}),
      trusted(word("fix.scope", at(&Policy::scope), parse_fix_scope,
                   "what a fix may change beside the issue's file",
                   {"need", "file", "directory", "repository"})),
      trusted(word("fix.changed_tests", at(&Policy::changed_tests), parse_changed_tests,
                   "who may let a fix change an existing test that asserts the bug", {"person", "judge"})),
      trusted(text_list("fix.protected", at(&Policy::protected_paths),
                        "globs of files a fix must never change, in addition to the built-in ones")),
      trusted(
          text_list("fix.new_files", at(&Policy::new_files),
                    "globs of files a fix may always create; others must be tests or used by the change")),
      integer("fix.prompt_max_bytes", at(&Policy::prompt_max_bytes), 4'000, 10'000'000,
              "size limit of one prompt"),
      integer("fix.context_lines", at(&Policy::context_lines), 0, 10'000,
              "lines of code around the issue in the prompt"),
      trusted(integer("fix.max_changed_lines", at(&Policy::max_changed_lines), 1, 10'000'000,
                      "a larger patch is refused")),
      trusted(boolean("fix.unsafe_fixes", at(&Policy::unsafe_fixes),
                      "the built-in fixer may also apply edits that the analyzer does not mark as safe")),
  };
}

// Who judges, and what they get to see, is nothing a repository may decide for its readers.
std::vector<ConfigKey> challenger_keys() {
  return {
      trusted(boolean("fix_challenger.enabled", at(&Policy::challenger_enabled),
                      "let an independent agent score every fix")),
      trusted(text("fix_challenger.agent", "",
                   "judge: the agent that scores fixes, named like fix.agent; empty = the first on PATH of "
                   "another vendor "
                   "than the fixer")),
      trusted(text_list("fix_challenger.fallback", {},
                        "fallback agents, in this order, when the judge is not available")),
      trusted(integer("fix_challenger.panel", at(&Policy::panel), 1, 2,
                      "judges that score each fix; 2: judges of two vendors vote, and the average of their "
                      "scores counts")),
      trusted(
          text("fix_challenger.second_agent", "",
               "second judge of a panel; empty = one that is configured or on PATH, of another vendor than "
               "the judge, and not the fixer")),
      trusted(integer("fix_challenger.canaries", at(&Policy::canaries), 0, 2,
                      "worthless diffs (1: an empty one, 2: also a reverted one) that the judge must reject, "
                      "or its scores do not count in the session")),
      trusted(text("fix_challenger.model", "", "model of the judge, instead of its agent's default")),
      integer("fix_challenger.max_iterations", at(&Policy::max_iterations), 1, 100,
              "rounds per issue: the judge scores at most N fixes"),
      trusted(integer("fix_challenger.satisfaction_threshold", at(&Policy::satisfaction_threshold), 0, 100,
                      "lowest score that passes")),
      trusted(boolean("fix_challenger.allow_self", at(&Policy::allow_self_judging),
                      "an agent may judge its own fixes; if false, such a verdict does not count")),
      duration("fix_challenger.timeout", at(&Policy::challenge_timeout_ms), "time limit of one judge run"),
      integer("fix_challenger.retries", at(&Policy::challenge_retries), 0, 10,
              "more calls when a verdict is not usable"),
      trusted(integer("fix_challenger.thinking_budget", 0, 0, 10'000'000,
                      "thinking tokens of the judge; 0 = its agent's default")),
  };
}

std::vector<ConfigKey> reproducer_keys() {
  return {
      trusted(word("reproducer.when", at(&Policy::reproduce), parse_reproduce,
                   "when an agent writes a reproducer for an issue, which the fixer never sees; auto = if "
                   "resolve.minimum_evidence asks for repaired or proven",
                   {"never", "auto", "always"})),
      trusted(text("reproducer.agent", "", "agent that writes it, named like fix.agent; empty = the judge")),
      duration("reproducer.timeout", at(&Policy::reproduce_timeout_ms), "time limit of one run of it"),
  };
}

std::vector<ConfigKey> verify_keys() {
  ConfigKey commands{"verify.commands", KeyType::commands, Json::array(),
                     "the project's checks; emend runs no other commands of the project", true};
  ConfigKey alias{"project.verification_commands", KeyType::commands, Json::array(),
                  "another name of verify.commands", true};
  alias.alias_of = "verify.commands";
  return {
      commands,
      alias,
      word("verify.mode", at(&Policy::verify_mode), parse_verify_mode,
           "verify each fix alone, or several together", {"auto", "each", "batch"}),
      integer("verify.max_fix_cycles", at(&Policy::max_fix_cycles), 0, 100,
              "attempts per issue that may fail verification; 0 = do not fix"),
      trusted(integer("verify.repeat", at(&Policy::repeat), 1, 100, "how often a check must pass in a row")),
      duration("verify.timeout", at(&Policy::verify_timeout_ms), "time limit of one command"),
      trusted(pattern("verify.env.*", KeyType::text, "environment variable for the commands")),
      trusted(text_list("verify.pass_env", at(&Policy::pass_env),
                        {"PATH", "HOME", "LANG", "LC_ALL", "TZ", "CC", "CXX", "USER", "LOGNAME", "JAVA_HOME",
                         "GOPATH", "CARGO_HOME", "RUSTUP_HOME"},
                        "variables passed on to the commands")),
      integer("verify.max_output_bytes", at(&Policy::max_output_bytes), 1'000, 1'000'000'000,
              "most output of one command; beyond it the command is stopped"),
      word("verify.coverage", at(&Policy::coverage), parse_coverage,
           "find out whether the checks execute the changed lines, where a coverage tool is there",
           {"auto", "off"}),
  };
}

std::vector<ConfigKey> budget_keys() {
  constexpr std::int64_t kMany = 1'000'000'000;
  return {
      trusted(decimal("budget.cost_usd", at(&Policy::session_budget, &Budget::cost_usd), kMany,
                      "cost limit of a session, as the agents report it; 0 = no limit")),
      trusted(integer("budget.tokens", at(&Policy::session_budget, &Budget::tokens), 0, kMany,
                      "token limit of a session, input and output; 0 = no limit")),
      trusted(pause("budget.time", at(&Policy::session_budget, &Budget::time_ms),
                    "time limit of a session; 0 = no limit")),
      trusted(decimal("budget.issue_cost_usd", at(&Policy::issue_budget, &Budget::cost_usd), kMany,
                      "cost limit of one issue; 0 = no limit")),
      trusted(integer("budget.issue_tokens", at(&Policy::issue_budget, &Budget::tokens), 0, kMany,
                      "token limit of one issue, input and output; 0 = no limit")),
      trusted(pause("budget.issue_time", at(&Policy::issue_budget, &Budget::time_ms),
                    "limit of agent time on one issue; 0 = no limit")),
      trusted(integer("quota.day_usd", 0, 0, 1'000'000'000,
                      "dollars that agents may cost in a day (UTC), all sessions together; 0 = no limit")),
      trusted(integer("quota.month_usd", 0, 0, 1'000'000'000,
                      "dollars that agents may cost in a month (UTC), all sessions together; 0 = no limit")),
      trusted(integer("quota.day_tokens", 0, 0, 1'000'000'000,
                      "tokens of agents in a day (UTC), all sessions together; 0 = no limit")),
      trusted(integer("quota.month_tokens", 0, 0, 1'000'000'000,
                      "tokens of agents in a month (UTC), all sessions together; 0 = no limit")),
      trusted(text("quota.per", "all",
                   "whose sessions share a quota: all of the database, or each repository alone",
                   {"all", "repository"})),
  };
}

// Whoever calls may have read hostile text: what it can spend is nothing a repository may decide.
std::vector<ConfigKey> caller_keys() {
  return {
      trusted(integer("mcp.checks_at_once", 3, 1, 100,
                      "checks and reviews that coding agents may have running in a repository")),
      trusted(integer("mcp.fixes_at_once", 3, 0, 100,
                      "fix sessions that may be running in a repository when a coding agent or an editor "
                      "begins one; 0 = they may not begin any")),
      trusted(integer("mcp.fixes_an_hour", 10, 0, 1'000,
                      "fix sessions begun in a repository within an hour after which coding agents and "
                      "editors begin no more; of checks with the judge as many")),
      trusted(text("clarify.accept_from", "person",
                   "whose answers to questions count. person: what a person said; any: also what a coding "
                   "agent passes on, which is only proposed otherwise",
                   {"person", "any"})),
  };
}

std::vector<ConfigKey> pr_keys() {
  return {
      trusted(text_list("pr.voters", {},
                        "agents that review a pull request independently; empty = two that are configured or "
                        "on PATH, of different vendors")),
      trusted(integer("pr.approve_threshold", at(&Policy::approve_threshold), 0, 100,
                      "lowest average of the votes that approves")),
      duration("pr.timeout", at(&Policy::vote_timeout_ms), "time limit of one vote"),
      trusted(text("pr.post", "none",
                   "what is posted to the pull request: nothing, one summary, comments on its lines, or both",
                   {"none", "summary", "inline", "both"})),
      boolean("pr.suggest", false,
              "comments carry a suggestion that can be applied, where a voter gave one that fits"),
      integer("pr.max_inline", 20, 0, 100, "most comments on lines; the rest goes into the review's text"),
      text_list("pr.skip_labels", {"emend-skip"}, "labels of pull requests that are not reviewed"),
      boolean("pr.skip_drafts", true, "drafts are not reviewed"),
  };
}

std::vector<std::string> forge_choices() {
  std::vector<std::string> choices = forge_names();
  choices.insert(choices.begin(), "auto");
  choices.emplace_back("none");
  return choices;
}

// "GH_TOKEN, GITHUB_TOKEN at GitHub; ..."
std::string usual_token_variables() {
  std::vector<std::string> all;
  for (const ForgeKind& forge : forge_kinds())
    all.push_back(join(forge.token_variables, ", ") + " at " + forge.product);
  return join(all, "; ");
}

// Where a token is sent, and what is done in the person's name, is nothing a repository may decide for its
// readers.
std::vector<ConfigKey> forge_keys() {
  return {
      trusted(text("forge.kind", "auto", "kind of the remote's host; auto: from its name or the environment",
                   forge_choices())),
      trusted(text("forge.api_url", "",
                   "address of its API, https://HOST/PATH or http://127.0.0.1:PORT; empty = the usual one")),
      trusted(
          text_list("forge.token_env", {}, "variables with the token; empty = " + usual_token_variables())),
      trusted(boolean("forge.use_gh_cli", true, "if no such variable is set, use `gh auth token`")),
      trusted(boolean("forge.allow_push", false, "`emend pr create --push` may push the session's branch")),
      trusted(text("forge.status", "off",
                   "say of each reviewed head how it stands: as a commit status, as a check run, or auto: a "
                   "check run where the token may make one",
                   {"off", "status", "check", "auto"})),
      trusted(text("forge.gate", "never",
                   "when that status is a failure: never; findings: an open finding is at least as severe as "
                   "forge.gate_at; proof: also when an issue the pull request claims to fix is not proven",
                   {"never", "findings", "proof"})),
      trusted(text("forge.gate_at", "high", "severity from which on a finding fails forge.gate",
                   {"critical", "high", "medium", "low", "info"})),
      trusted(
          text("forge.override_label", "emend-override",
               "a pull request with this label passes, if a person who may write has put it on this head")),
      trusted(text_list("forge.allow_bots", {}, "logins of bots whose comments may hold commands")),
      trusted(
          text("forge.fix_to", "stacked",
               "where a fix asked for in a pull request goes: a pull request into its branch, or its branch",
               {"stacked", "branch"})),
      trusted(boolean("forge.review_heads", false,
                      "`emend serve` reviews each new head that a webhook tells of, and posts the result")),
      trusted(
          boolean("forge.repair_pipelines", false,
                  "`emend serve` repairs a failed pipeline that a webhook tells of, as `emend ci fix` does")),
      text("tracker.kind", "forge", "where to open issues for unresolved findings", {"forge", "none"}),
      text_list("tracker.labels", {"emend"}, "labels of every opened issue; created if missing"),
      text_list("tracker.open_for", {"blocked", "exhausted"},
                "which results become issues: blocked, exhausted"),
      trusted(boolean("tracker.dry_run", true, "only print what would be opened, unless --post is given")),
  };
}

std::vector<ConfigKey> worker_keys() {
  return {
      text("worker.label", at(&Policy::worker_label),
           "label a worker on another machine must offer to get work of this repository; empty = any worker"),
      boolean("worker.local", at(&Policy::work_here),
              "the process that runs a session also fixes issues; false = only workers do"),
      duration("worker.lease", "60s",
               "time without a sign of life after which a process counts as dead and its work is given away"),
  };
}

std::vector<std::string> instruction_files() {
  std::vector<std::string> files = of_all_coding_clis(&CodingCli::instructions);
  files.insert(files.begin(), "AGENTS.md");
  files.insert(files.end(), {".github/copilot-instructions.md", "CONTRIBUTING.md"});
  return files;
}

// One level for everything, or a table: see check_levels().
void apply_levels(const Json& value, Policy& policy) {
  policy.minimum_by_severity.clear();
  policy.minimum_by_path.clear();
  policy.minimum_evidence = value.is_string() ? value.get<std::string>() : "";
  if (!value.is_object()) return;
  for (const auto& [member, level] : value.items()) {
    if (member == "default")
      policy.minimum_evidence = level.get<std::string>();
    else if (member == "paths")
      policy.minimum_by_path = level.get<std::map<std::string, std::string>>();
    else
      policy.minimum_by_severity[member] = level.get<std::string>();
  }
}

ConfigKey minimum_evidence_key() {
  ConfigKey key{
      "resolve.minimum_evidence", KeyType::levels, Json(""),
      "evidence needed for RESOLVED, for all or by severity and path; empty = checks that apply must "
      "confirm a fix, and a judge decides where none does"};
  key.choices = {"", "judged", "unbroken", "repaired", "proven"};
  key.apply = apply_levels;
  return key;
}

std::vector<ConfigKey> other_keys() {
  return {
      trusted(minimum_evidence_key()),
      text_list("project.conventions", at(&Policy::conventions),
                "rules of this project, as text for the prompts"),
      text_list("project.instructions", at(&Policy::instructions), instruction_files(),
                "files of the repository with instructions for agents"),
      trusted(duration("hook.timeout", "60s",
                       "`emend hook stop`: time for the check of what an agent changed, at most 80s")),
      trusted(text_list("redact.patterns", at(&Policy::redact_patterns),
                        "RE2 patterns of secrets, in addition to the built-in ones")),
      trusted(word("sandbox.mode", at(&Policy::sandbox, &SandboxPolicy::mode), parse_sandbox_mode,
                   "auto: the best sandbox available; required: run nothing without one; off: none",
                   {"auto", "required", "off"})),
      trusted(text("sandbox.network.agents", "all", "network of agents; they need it for their model",
                   {"all", "loopback", "none"})),
      trusted(word("sandbox.network.commands", at(&Policy::sandbox, &SandboxPolicy::command_network),
                   parse_network_access, "network of checks; loopback: only inside their own sandbox",
                   {"all", "loopback", "none"})),
      trusted(text_list("sandbox.readable", {},
                        "files and directories of your home that agents and checks may read, in addition to "
                        "toolchains: absolute, or ~/...")),
      trusted(text_list("sandbox.shared", {},
                        "directories outside the workspace that agents and checks share and may write to: "
                        "what one leaves there, the next one reads; absolute, or ~/...")),
      trusted(text_list("sandbox.writable", {},
                        "directories outside the workspace that agents and checks may write to; what they "
                        "write is dropped after each run where the machine can do that: absolute, or ~/...")),
  };
}

std::vector<ConfigKey> limit_keys() {
  constexpr std::int64_t kMany = 1'000'000'000;
  return {
      trusted(integer("limits.memory_mb", 0, 0, kMany,
                      "memory of an agent or a check with its child processes; 0 = 80% of the machine's")),
      trusted(integer("limits.processes", 1000, 0, kMany, "its processes at the same time; 0 = no limit")),
      trusted(integer("limits.file_mb", 10'000, 0, kMany, "largest file it may write; 0 = no limit")),
      trusted(integer("limits.cpu_seconds", 0, 0, kMany, "CPU time of one of its processes; 0 = no limit")),
      trusted(integer("limits.free_disk_mb", 500, 0, kMany,
                      "it is stopped when the disk has less free space than this; 0 = do not check")),
  };
}

// Where copies of prompts and transcripts go is nothing a repository may decide for its readers.
std::vector<ConfigKey> artifact_keys() {
  return {
      trusted(text("artifacts.store", "",
                   "where artifacts are also stored: s3://BUCKET or s3://BUCKET/PREFIX; "
                   "empty = nowhere")),
      trusted(text("artifacts.endpoint", "",
                   "S3-compatible server, https://HOST or http://127.0.0.1:PORT; empty = Amazon's")),
      trusted(text("artifacts.region", "", "region of the bucket; empty = AWS_REGION, else us-east-1")),
      trusted(text("artifacts.addressing", "auto",
                   "where the bucket name goes: path, host, or auto (host at Amazon, path elsewhere)",
                   {"auto", "path", "host"})),
      trusted(integer("artifacts.retention_days", 10, 0, 100'000,
                      "days after which artifacts of ended sessions are removed; 0 = never")),
      trusted(integer("retention.events_days", 0, 0, 100'000,
                      "days after which a server, or emend gc, removes the events of ended sessions without "
                      "a proof; 0 = never")),
      trusted(integer(
          "retention.branches_days", 0, 0, 100'000,
          "days after which a server, or emend gc, removes branches of sessions that are merged; 0 = never")),
  };
}

std::vector<ConfigKey> agent_keys() {
  ConfigKey engine = trusted(
      pattern("agents.*.engine", KeyType::text,
              "how emend runs the agent: a coding CLI, the Agent Client Protocol, a command, a script"));
  engine.choices = coding_cli_names();
  engine.choices.insert(engine.choices.end(), {"acp", "exec", "scripted"});
  ConfigKey permissions =
      trusted(pattern("agents.*.permissions", KeyType::text,
                      "the most the agent may do: read, edit files, or also run commands"));
  permissions.choices = {"", "read", "edit", "full"};
  ConfigKey thinking = trusted(
      pattern("agents.*.thinking_budget", KeyType::integer, "thinking tokens of the agent; 0 = its default"));
  thinking.high = 10'000'000;
  ConfigKey turns = trusted(
      pattern("agents.*.max_turns", KeyType::integer, "turns after which the agent stops; 0 = no limit"));
  turns.high = 100'000;
  return {
      engine,
      trusted(pattern("agents.*.command", KeyType::argv,
                      "program and arguments; a coding CLI needs it only if its program has another name")),
      trusted(pattern("agents.*.script", KeyType::text, "scripted: path of the script")),
      trusted(pattern("agents.*.model", KeyType::text, "model of the agent")),
      trusted(pattern("agents.*.family", KeyType::text,
                      "vendor or model family; a judge of another family than the fixer is independent")),
      thinking,
      turns,
      permissions,
      trusted(pattern("agents.*.allowed_tools", KeyType::text_list,
                      "tools the agent may use, by the agent's names")),
      pattern("agents.*.timeout", KeyType::duration, "time limit of one run, instead of the role's"),
      pattern("agents.*.idle_timeout", KeyType::duration, "longest time without output"),
      trusted(pattern("agents.*.env.*", KeyType::text, "environment variable for the agent")),
      trusted(pattern("agents.*.pass_env", KeyType::text_list, "variables passed on to the agent")),
  };
}

} // namespace

const std::vector<ConfigKey>& config_keys() {
  static const std::vector<ConfigKey> keys = [] {
    std::vector<ConfigKey> all;
    for (auto group : {fix_keys(), challenger_keys(), reproducer_keys(), verify_keys(), budget_keys(),
                       caller_keys(), pr_keys(), forge_keys(), worker_keys(), other_keys(), limit_keys(),
                       artifact_keys(), agent_keys(), review_keys(), server_keys()}) {
      all.insert(all.end(), group.begin(), group.end());
    }
    return all;
  }();
  return keys;
}

} // namespace emend
