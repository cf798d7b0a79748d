#include "config/config_key.hpp"

#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::int64_t kWeekMs = 7LL * 24 * 3600 * 1000;

ConfigKey text(std::string name, std::string fallback, std::string doc,
               std::vector<std::string> choices = {}) {
  return {std::move(name),   KeyType::text, Json(std::move(fallback)), std::move(doc), false, 0, 0,
          std::move(choices)};
}

ConfigKey integer(std::string name, std::int64_t fallback, std::int64_t low, std::int64_t high,
                  std::string doc) {
  return {std::move(name), KeyType::integer, Json(fallback), std::move(doc), false, low, high};
}

ConfigKey decimal(std::string name, double fallback, std::int64_t high, std::string doc) {
  return {std::move(name), KeyType::decimal, Json(fallback), std::move(doc), false, 0, high};
}

ConfigKey boolean(std::string name, bool fallback, std::string doc) {
  return {std::move(name), KeyType::boolean, Json(fallback), std::move(doc)};
}

ConfigKey duration(std::string name, std::string fallback, std::string doc) {
  return {std::move(name), KeyType::duration, Json(std::move(fallback)), std::move(doc), false, 1, kWeekMs};
}

// A duration that may be nothing at all.
ConfigKey pause(std::string name, std::string fallback, std::string doc) {
  ConfigKey key = duration(std::move(name), std::move(fallback), std::move(doc));
  key.low = 0;
  return key;
}

ConfigKey text_list(std::string name, std::vector<std::string> fallback, std::string doc) {
  return {std::move(name), KeyType::text_list, Json(std::move(fallback)), std::move(doc)};
}

ConfigKey pattern(std::string name, KeyType type, std::string doc) {
  ConfigKey key{std::move(name), type, Json(nullptr), std::move(doc)};
  if (type == KeyType::duration) key.low = 1, key.high = kWeekMs;
  return key;
}

ConfigKey trusted(ConfigKey key) {
  key.needs_trust = true;
  return key;
}

std::vector<ConfigKey> fix_keys() {
  return {
      text("fix.agent", "",
           "agent that makes the fixes: a NAME of [agents.NAME], or claude, codex, gemini, opencode, qwen; "
           "empty = the first of those on PATH"),
      text_list(
          "fix.fallback", {},
          "agents that take over, in this order, when the fixer cannot work now (limit, login, outage)"),
      text("fix.strategy", "per-issue", "how issues are cut into units of work",
           {"per-issue", "batched", "one-call"}),
      integer("fix.batch_points", 15, 1, 1'000'000, "batched: most workload points of one agent run"),
      integer("fix.batch_issues", 5, 1, 1'000, "batched: most issues of one agent run"),
      boolean("fix.git_agents", false,
              "let the fixer's agent propose the branch's name and the commits' messages; the engine checks "
              "both"),
      boolean("fix.keep_conversation", true,
              "a re-fix goes on with the conversation of the fix, a fix with that of clarify and plan"),
      pause("fix.max_wait", "10m", "longest wait for an agent whose limit will pass; 0 = do not wait"),
      pause("fix.retry_wait", "5s", "first wait when the agent does not say how long; doubles"),
      integer("fix.deferred_retries", 2, 0, 100, "further rounds for an issue the fixer deferred"),
      integer("fix.parallel", 2, 1, 64, "issues worked on at the same time"),
      duration("fix.timeout", "15m", "time limit of one fixer run"),
      text("fix.branch", "fix/{session}", "name of the branch the fixes are committed to"),
      trusted(text("fix.scope", "file", "what a fix may change around the issue's file",
                   {"file", "directory", "repository"})),
      trusted(text_list("fix.protected", {}, "globs a fix may never change, on top of the built-in ones")),
      trusted(text_list("fix.new_files", {},
                        "globs of files a fix may create besides files next to the issue's")),
      integer("fix.prompt_max_bytes", 200'000, 4'000, 10'000'000, "size limit of one prompt"),
      integer("fix.context_lines", 40, 0, 10'000, "lines of code around the issue in the prompt"),
      trusted(integer("fix.max_changed_lines", 2000, 1, 10'000'000, "a larger patch is refused")),
      trusted(boolean("fix.unsafe_fixes", false,
                      "the built-in fixer may also apply edits their tool does not call safe")),
  };
}

// Who judges, and what they get to see, is nothing a repository may decide for its readers.
std::vector<ConfigKey> challenger_keys() {
  return {
      trusted(boolean("fix_challenger.enabled", true, "let an independent agent score every fix")),
      trusted(text("fix_challenger.agent", "",
                   "agent that scores the fixes, named likewise; empty = the first on PATH of another vendor "
                   "than the fixer")),
      trusted(text_list("fix_challenger.fallback", {},
                        "agents that take over, in this order, when the challenger cannot work now")),
      trusted(integer("fix_challenger.canaries", 0, 0, 2,
                      "worthless diffs (1: an empty one, 2: a reverted one too) the challenger must reject, "
                      "or it is void for the session")),
      trusted(text("fix_challenger.model", "", "model for the challenger, instead of its agent's own")),
      integer("fix_challenger.max_iterations", 2, 1, 100, "fixes judged per issue: 1 fix and N-1 re-fixes"),
      trusted(
          integer("fix_challenger.satisfaction_threshold", 95, 0, 100, "lowest score that is good enough")),
      trusted(boolean("fix_challenger.allow_self", false,
                      "an agent may judge its own fixes; without it such a verdict does not count")),
      duration("fix_challenger.timeout", "2m", "time limit of one challenger run"),
      integer("fix_challenger.retries", 1, 0, 10, "further calls when a verdict is not usable"),
      trusted(integer("fix_challenger.thinking_budget", 0, 0, 10'000'000,
                      "tokens the challenger may think; 0 = its agent's own")),
  };
}

std::vector<ConfigKey> reproducer_keys() {
  return {
      trusted(text("reproducer.when", "auto",
                   "when an agent writes a check for an issue that the fixer never sees; auto = where "
                   "resolve.minimum_evidence is proven",
                   {"never", "auto", "always"})),
      trusted(text("reproducer.agent", "", "agent that writes it, named likewise; empty = the challenger's")),
      duration("reproducer.timeout", "10m", "time limit of one run of it"),
  };
}

std::vector<ConfigKey> verify_keys() {
  ConfigKey commands{"verify.commands", KeyType::commands, Json::array(),
                     "the project's own checks; the only commands ever run", true};
  ConfigKey alias{"project.verification_commands", KeyType::commands, Json::array(),
                  "another name of verify.commands", true};
  alias.alias_of = "verify.commands";
  return {
      commands,
      alias,
      text("verify.mode", "auto", "verify each fix alone, or several together", {"auto", "each", "batch"}),
      integer("verify.max_fix_cycles", 3, 0, 100,
              "attempts per issue that may end in a failing verification; 0 = do not fix"),
      trusted(integer("verify.repeat", 1, 1, 100, "times a command must pass in a row")),
      duration("verify.timeout", "15m", "time limit of one command"),
      trusted(pattern("verify.env.*", KeyType::text, "environment variable for the commands")),
      trusted(text_list("verify.pass_env",
                        {"PATH", "HOME", "LANG", "LC_ALL", "TZ", "CC", "CXX", "USER", "LOGNAME", "JAVA_HOME",
                         "GOPATH", "CARGO_HOME", "RUSTUP_HOME"},
                        "variables passed on to the commands")),
      integer("verify.max_output_bytes", 16'000'000, 1'000, 1'000'000'000,
              "output a command may give; past it the command is ended"),
  };
}

std::vector<ConfigKey> budget_keys() {
  constexpr std::int64_t kMany = 1'000'000'000;
  return {
      trusted(decimal("budget.cost_usd", 0, kMany,
                      "most that the agents of a session may cost, as they report it; 0 = no limit")),
      trusted(integer("budget.tokens", 0, 0, kMany, "most tokens of a session, in and out; 0 = no limit")),
      trusted(pause("budget.time", "0s", "longest time of a session; 0 = no limit")),
      trusted(decimal("budget.issue_cost_usd", 0, kMany,
                      "most that the agents may cost for one issue; 0 = no limit")),
      trusted(
          integer("budget.issue_tokens", 0, 0, kMany, "most tokens for one issue, in and out; 0 = no limit")),
      trusted(pause("budget.issue_time", "0s", "longest time of agents on one issue; 0 = no limit")),
  };
}

std::vector<ConfigKey> pr_keys() {
  return {
      trusted(text_list("pr.voters", {},
                        "agents that review a pull request, each alone; empty = two of what is configured or "
                        "on PATH, of different vendors")),
      trusted(integer("pr.approve_threshold", 80, 0, 100, "lowest average of the votes that approves")),
      duration("pr.timeout", "10m", "time limit of one vote"),
      trusted(text("pr.post", "none",
                   "what is posted to the pull request: nothing, one summary, comments on its lines, or both",
                   {"none", "summary", "inline", "both"})),
      boolean("pr.suggest", false,
              "comments carry a suggestion that can be applied, where a voter gave one that fits"),
      integer("pr.max_inline", 20, 0, 100,
              "most comments on lines; what is beyond is told in the review's text"),
      text_list("pr.skip_labels", {"emend-skip"}, "labels of pull requests that are not reviewed"),
      boolean("pr.skip_drafts", true, "drafts are not reviewed"),
  };
}

// Where a token is sent, and what is done in the person's name, is nothing a repository may decide for its
// readers.
std::vector<ConfigKey> forge_keys() {
  return {
      trusted(text("forge.kind", "auto",
                   "what the remote's host is; auto: known by its name or by the environment",
                   {"auto", "github", "gitlab", "none"})),
      trusted(text(
          "forge.api_url", "",
          "where its API is, https://HOST/PATH or http://127.0.0.1:PORT; empty = where it is by default")),
      trusted(text_list("forge.token_env", {},
                        "variables that may hold the token; empty = GH_TOKEN, GITHUB_TOKEN; GITLAB_TOKEN, "
                        "CI_JOB_TOKEN at GitLab")),
      trusted(boolean("forge.use_gh_cli", true, "without such a variable, ask `gh auth token`")),
      trusted(boolean("forge.allow_push", false, "`emend pr create --push` may push the session's branch")),
      text("tracker.kind", "forge", "where issues are opened for what stays unresolved", {"forge", "none"}),
      text_list("tracker.labels", {"emend"},
                "labels of every issue that is opened; made when they are missing"),
      text_list("tracker.open_for", {"blocked", "exhausted"}, "which ends become issues: blocked, exhausted"),
      trusted(boolean("tracker.dry_run", true,
                      "only print what would be opened, unless the command line says --post")),
  };
}

std::vector<ConfigKey> worker_keys() {
  return {
      text("worker.label", "",
           "label a worker on another machine must offer to get work of this repository; empty = any worker"),
      boolean("worker.local", true,
              "whoever runs a session works on its issues, too; false = workers alone do"),
      duration(
          "worker.lease", "60s",
          "a process that was not heard of for so long is taken for dead, and its work is given to another"),
  };
}

std::vector<ConfigKey> other_keys() {
  return {
      trusted(text("resolve.minimum_evidence", "",
                   "evidence RESOLVED needs; empty = verified when there are commands, else judged",
                   {"", "judged", "verified", "rescanned", "proven"})),
      text_list("project.conventions", {}, "rules of this project, as text for the prompts"),
      text_list("project.instructions",
                {"AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md", "CONTRIBUTING.md"},
                "files of the repository that tell agents how to work here"),
      trusted(text_list("redact.patterns", {}, "RE2 patterns of secrets, on top of the built-in ones")),
      trusted(text("sandbox.mode", "auto",
                   "auto: the best sandbox the machine gives; required: run nothing without one; off: none",
                   {"auto", "required", "off"})),
      trusted(text("sandbox.network.agents", "all", "network of agents, which ask their model over it",
                   {"all", "loopback", "none"})),
      trusted(text("sandbox.network.commands", "loopback",
                   "network of verification commands; loopback: one of their own",
                   {"all", "loopback", "none"})),
      trusted(text_list("sandbox.readable", {},
                        "files and directories of your home that agents and commands may read, besides "
                        "toolchains: absolute, or ~/...")),
      trusted(text_list(
          "sandbox.writable", {},
          "directories outside of the workspace that agents and commands may write to: absolute, or ~/...")),
  };
}

std::vector<ConfigKey> limit_keys() {
  constexpr std::int64_t kMany = 1'000'000'000;
  return {
      trusted(
          integer("limits.memory_mb", 0, 0, kMany,
                  "memory of an agent or a command with all it starts; 0 = four fifths of the machine's")),
      trusted(integer("limits.processes", 1000, 0, kMany, "processes of it at the same time; 0 = no limit")),
      trusted(integer("limits.file_mb", 10'000, 0, kMany, "size of a file it writes; 0 = no limit")),
      trusted(
          integer("limits.cpu_seconds", 0, 0, kMany, "processor time of one process of it; 0 = no limit")),
      trusted(integer("limits.free_disk_mb", 500, 0, kMany,
                      "it is ended when less than this is left on the disk; 0 = do not look")),
  };
}

// Where copies of prompts and transcripts go is nothing a repository may decide for its readers.
std::vector<ConfigKey> artifact_keys() {
  return {
      trusted(text("artifacts.store", "",
                   "where artifacts are kept besides the local folder: s3://BUCKET or s3://BUCKET/PREFIX; "
                   "empty = nowhere")),
      trusted(text("artifacts.endpoint", "",
                   "an S3-compatible server, https://HOST or http://127.0.0.1:PORT; empty = Amazon's")),
      trusted(text("artifacts.region", "", "region of the bucket; empty = AWS_REGION, else us-east-1")),
      trusted(text("artifacts.addressing", "auto",
                   "where the bucket's name goes: path, host, or auto: host at Amazon's, path elsewhere",
                   {"auto", "path", "host"})),
      trusted(integer("artifacts.retention_days", 10, 0, 100'000,
                      "days after which artifacts of ended sessions are removed; 0 = never")),
  };
}

std::vector<ConfigKey> agent_keys() {
  ConfigKey engine = trusted(
      pattern("agents.*.engine", KeyType::text,
              "how the agent is driven: a coding CLI, the Agent Client Protocol, a command, a script"));
  engine.choices = {"claude", "codex", "gemini", "opencode", "qwen", "acp", "exec", "scripted"};
  ConfigKey permissions =
      trusted(pattern("agents.*.permissions", KeyType::text,
                      "what the agent may do at most: read, edit files, run commands too"));
  permissions.choices = {"", "read", "edit", "full"};
  ConfigKey thinking = trusted(pattern("agents.*.thinking_budget", KeyType::integer,
                                       "tokens the agent may think; 0 = its own choice"));
  thinking.high = 10'000'000;
  ConfigKey turns = trusted(
      pattern("agents.*.max_turns", KeyType::integer, "turns after which the agent stops; 0 = no limit"));
  turns.high = 100'000;
  return {
      engine,
      trusted(pattern("agents.*.command", KeyType::argv,
                      "program and arguments; a coding CLI needs none unless it is called otherwise")),
      trusted(pattern("agents.*.script", KeyType::text, "scripted: path of the script")),
      trusted(pattern("agents.*.model", KeyType::text, "model the agent is asked to use")),
      trusted(pattern("agents.*.family", KeyType::text,
                      "vendor or model family; another one than the fixer's makes a challenger independent")),
      thinking,
      turns,
      permissions,
      trusted(
          pattern("agents.*.allowed_tools", KeyType::text_list, "tools the agent may use, by its own names")),
      pattern("agents.*.timeout", KeyType::duration, "time limit of one run, instead of the role's"),
      pattern("agents.*.idle_timeout", KeyType::duration, "longest silence of a run"),
      trusted(pattern("agents.*.env.*", KeyType::text, "environment variable for the agent")),
      trusted(pattern("agents.*.pass_env", KeyType::text_list, "variables passed on to the agent")),
  };
}

bool matches(std::string_view key_name, std::string_view dotted) {
  const auto want = split(key_name, '.');
  const auto have = split(dotted, '.');
  if (want.size() != have.size()) return false;
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (want[i] == "*" ? have[i].empty() : want[i] != have[i]) return false;
  }
  return true;
}

} // namespace

std::string_view describe(KeyType type) {
  switch (type) {
    case KeyType::text: return "a string";
    case KeyType::integer: return "an integer";
    case KeyType::decimal: return "a number";
    case KeyType::boolean: return "true or false";
    case KeyType::duration: return "a duration such as \"90s\" or \"15m\"";
    case KeyType::text_list: return "a list of strings";
    case KeyType::argv: return "a list of strings: the program and its arguments";
    case KeyType::commands: return "a list of commands (strings, or tables with name, run, paths, timeout)";
  }
  return "";
}

const std::vector<ConfigKey>& config_keys() {
  static const std::vector<ConfigKey> keys = [] {
    std::vector<ConfigKey> all;
    for (auto group :
         {fix_keys(), challenger_keys(), reproducer_keys(), verify_keys(), budget_keys(), pr_keys(),
          forge_keys(), worker_keys(), other_keys(), limit_keys(), artifact_keys(), agent_keys()}) {
      all.insert(all.end(), group.begin(), group.end());
    }
    return all;
  }();
  return keys;
}

const ConfigKey* find_config_key(std::string_view dotted) {
  for (const ConfigKey& key : config_keys()) {
    if (matches(key.name, dotted)) return &key;
  }
  return nullptr;
}

bool is_config_section(std::string_view dotted) {
  const std::size_t depth = split(dotted, '.').size();
  for (const ConfigKey& key : config_keys()) {
    auto parts = split(key.name, '.');
    if (parts.size() <= depth) continue;
    parts.resize(depth);
    if (matches(join(parts, "."), dotted)) return true;
  }
  return false;
}

std::optional<std::string> suggest_config_key(std::string_view dotted) {
  const auto have = split(dotted, '.');
  std::vector<std::string> candidates;
  for (const ConfigKey& key : config_keys()) {
    auto parts = split(key.name, '.');
    // "agents.claude.comand" is compared with "agents.claude.command".
    for (std::size_t i = 0; i < parts.size() && i < have.size(); ++i) {
      if (parts[i] == "*") parts[i] = have[i];
    }
    candidates.push_back(join(parts, "."));
  }
  return did_you_mean(dotted, candidates);
}

std::string environment_name(std::string_view dotted) {
  return "EMEND_" + to_upper(replace_all(std::string(dotted), ".", "_"));
}

} // namespace emend
