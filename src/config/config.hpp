// Configuration: every known setting with its value and where it came from, and the Policy made of them.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "config/config_key.hpp"
#include "model/artifact_settings.hpp"
#include "model/known_analyzers.hpp"
#include "model/policy.hpp"
#include "model/review_rules.hpp"

namespace emend {

struct ConfigOrigin {
  enum class Kind { builtin, file, environment, set, flag };
  Kind kind = Kind::builtin;
  std::string name; // file path, variable or flag
  int line = 0;     // files
};
[[nodiscard]] std::string to_string(
    const ConfigOrigin& origin); // "built-in", "/repo/emend.toml:4", "EMEND_FIX_AGENT", "--set"

struct ConfigSetting {
  Json value; // in normal form, see config_value.hpp
  ConfigOrigin origin;
};

// A key given on the command line; `origin` is the flag's name ("--set", "--agent").
struct ConfigOverride {
  std::string key, value, origin;
};

// A file of the repository that wants commands to be run.
struct CommandFile {
  std::string path;
  std::string sha256;             // of its bytes now
  std::vector<std::string> wants; // "verify.commands: make test", for people to judge
  bool trusted = false;
  bool trusted_before = false; // an older version was trusted
};

// Answers with the sha256 a person trusted for this path, if any.
using TrustLookup = std::function<Result<std::optional<std::string>>(const std::string& path)>;

// The bytes of a file of the repository, by its path from the root; nullopt = there is none.
using TreeFileReader = std::function<Result<std::optional<std::string>>(const std::string& tree_path)>;

struct ConfigSources {
  std::string directory;                 // where looking for files starts
  std::string repository_root;           // empty = not in a repository
  std::string user_file;                 // the user's own file; need not exist
  std::string explicit_file;             // --config
  bool isolated = false;                 // no files at all
  std::vector<std::string> environment;  // NAME=VALUE
  std::vector<ConfigOverride> overrides; // later wins
  TrustLookup trusted_sha256;            // asked only for files that want commands
  std::vector<std::string> installed;    // coding CLIs on this machine by engine name, preferred first
  TreeFileReader repository_file;        // where the repository's files come from; empty = from disk
};

class Config {
public:
  // Any mistake in any source is ErrorCode::config (usage for overrides) naming the place. Untrusted commands
  // are no mistake: they are left out and listed in untrusted().
  [[nodiscard]] static Result<Config> load(const ConfigSources& sources);

  // Effective settings by dotted name: every plain key, and those of agents.* and *.env.* that are set.
  [[nodiscard]] const std::map<std::string, ConfigSetting>& settings() const { return settings_; }
  [[nodiscard]] const std::vector<std::string>& files() const {
    return files_;
  } // read, lowest precedence first
  [[nodiscard]] const std::vector<CommandFile>& command_files() const { return command_files_; }
  // Those whose commands are needed (nothing stronger overrides them) and not trusted.
  [[nodiscard]] std::vector<CommandFile> untrusted() const;

  [[nodiscard]] std::vector<std::string> agent_names() const; // of [agents.NAME]
  // A coding CLI needs no section of its own: its engine's name is enough. On the command line "acp:PROGRAM
  // ARGUMENT..." is one, too. ErrorCode::config with the lines to write when there is no such agent or it is
  // incomplete.
  [[nodiscard]] Result<AgentBinding> agent(const std::string& name) const;
  // Bindings that are not configured stay empty: commands that need no agent work without one.
  [[nodiscard]] Policy policy() const;
  // [review] of the configuration.
  [[nodiscard]] ReviewRules review_rules() const;
  // [analyzers.NAME]: new ones, and known ones with what the configuration changes. ErrorCode::config for
  // one that cannot be run.
  [[nodiscard]] Result<std::vector<KnownAnalyzer>> analyzer_rows() const;
  [[nodiscard]] bool project_tools() const { return value("review.project_tools").get<bool>(); }
  // Names of the agents for the two roles; chosen among the installed ones where nothing is configured. Empty
  // = there is none.
  [[nodiscard]] std::string fixer_name() const;
  [[nodiscard]] std::string challenger_name() const;
  // One line for people about what was chosen for them; empty = everything is configured.
  [[nodiscard]] std::string choice() const;
  // Lines for people about settings that are read, but should be written otherwise.
  [[nodiscard]] const std::vector<std::string>& remarks() const { return remarks_; }
  // Who reviews a pull request: pr.voters, else the roles' agents and what is installed, of different vendors
  // if possible. At least two; ErrorCode::config with the way out when there are fewer, or one of them cannot
  // vote.
  [[nodiscard]] Result<std::vector<AgentBinding>> voters() const;
  // Where artifacts are kept; AWS_REGION comes from `environment`. ErrorCode::config when the address or the
  // endpoint is none.
  [[nodiscard]] Result<ArtifactSettings> artifacts(const std::vector<std::string>& environment) const;
  // What coding agents and editors may start in a repository.
  [[nodiscard]] int most_checks() const { return number("mcp.checks_at_once"); }
  [[nodiscard]] int most_fixes() const { return number("mcp.fixes_at_once"); }
  [[nodiscard]] int fixes_an_hour() const { return number("mcp.fixes_an_hour"); }
  // An answer that a coding agent passes on counts as the person's.
  [[nodiscard]] bool takes_passed_on_answers() const { return text("clarify.accept_from") == "any"; }
  [[nodiscard]] std::int64_t worker_lease_ms() const { return duration_ms("worker.lease"); }
  // Fails with the exact lines to add when a fix could not start: no fixer, no challenger although it is
  // enabled.
  [[nodiscard]] Status require_agents() const;

private:
  friend class ConfigLoader;
  [[nodiscard]] const Json& value(const std::string& key) const;
  [[nodiscard]] std::string text(const std::string& key) const;
  [[nodiscard]] int number(const std::string& key) const;
  [[nodiscard]] std::int64_t duration_ms(const std::string& key) const;
  [[nodiscard]] std::vector<std::string> list(const std::string& key) const;
  [[nodiscard]] Result<AgentBinding> direct_agent(const std::string& name) const; // "acp:..."
  // Those of `key`; where the role itself is not configured either, whatever else is installed and free.
  [[nodiscard]] std::vector<AgentBinding> fallbacks(const std::string& key,
                                                    const std::string& role_key) const;
  [[nodiscard]] AgentBinding challenger() const; // empty when it is not configured
  // Of a panel: of another vendor than the judge, and not the fixer. ErrorCode::config when there is none.
  [[nodiscard]] Result<AgentBinding> second_judge() const;
  [[nodiscard]] std::vector<std::string> environment(
      const std::string& prefix) const; // NAME=VALUE of "<prefix>NAME"

  std::map<std::string, ConfigSetting> settings_;
  std::vector<std::string> files_;
  std::vector<CommandFile> command_files_;
  std::vector<std::string> installed_;
  std::vector<std::string> remarks_;
};

} // namespace emend
