// What a running command works with: the person's words, the screen, and the store, repository and engine
// opened when first needed.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "cli/cli.hpp"
#include "cli/command.hpp"
#include "cli/text_table.hpp"
#include "config/config.hpp"
#include "engine/session/session_manager.hpp"
#include "service/artifact_keeper.hpp"
#include "service/sharing.hpp"
#include "service/workbench.hpp"

namespace emend {

class CommandContext {
public:
  // directory: where it works; empty = where the process is.
  CommandContext(const CliDependencies& dependencies, GlobalOptions global, std::string directory = {});

  [[nodiscard]] const CliDependencies& dependencies() const { return dependencies_; }
  [[nodiscard]] const GlobalOptions& global() const { return global_; }
  [[nodiscard]] const std::string& directory() const { return directory_; } // as given
  [[nodiscard]] const std::vector<std::string>& environment() const { return environment_; }
  [[nodiscard]] const Palette& palette() const { return palette_; } // for stdout
  [[nodiscard]] bool output_is_terminal() const { return output_is_terminal_; }
  [[nodiscard]] bool error_is_terminal() const { return error_is_terminal_; }
  [[nodiscard]] bool may_ask() const { return may_ask_; }

  // stdout, for results. A failed write is kept for finish().
  void print(std::string_view text);
  // {"schema": "emend.<thing>/v1", "data": ...}
  void print_json(std::string_view thing, Json data);
  void print_json_list(std::string_view thing, Json data); // with next_cursor
  // stderr, unless --quiet.
  void hint(std::string_view line);
  // The status to leave with: cannot_run when a result could not be written.
  [[nodiscard]] Result<ExitStatus> finish(ExitStatus status) const;

  [[nodiscard]] Result<std::string> home();
  // Is anything kept yet? Opening a store makes the file.
  [[nodiscard]] Result<bool> has_database();
  [[nodiscard]] Result<Store*> store();
  [[nodiscard]] Result<Repository*> repository();
  [[nodiscard]] Result<AgentFactory*> agents();
  // From here on the repository's configuration files are those of the commit `base`, whatever is checked
  // out. A file that `head` or the checked-out commit has and base has not does not count; one that git does
  // not know is the person's own and does.
  [[nodiscard]] Status take_configuration_from(const std::string& base, const std::string& head);
  // With the global --set and the given flags on top.
  [[nodiscard]] Result<Config> config(const std::vector<ConfigOverride>& flags = {});
  // From here on the person works through this: "the editor", a coding agent's name.
  void act_through(std::string what) { through_ = std::move(what); }
  [[nodiscard]] const std::string& through() const { return through_; } // empty = nothing in between
  // With through what, for emend itself as a child.
  [[nodiscard]] std::vector<std::string> environment_for_children() const;
  // Whoever runs this command.
  [[nodiscard]] Actor actor();
  [[nodiscard]] Actor actor_at(RepositoryPlace* repository) const; // null = outside of one
  // Not kept: opened with the configuration as it is now.
  [[nodiscard]] Result<std::unique_ptr<Workbench>> open_bench();
  // The outside world as engine functions take it; lives as long as this.
  [[nodiscard]] Result<Ports> ports();
  // Where this repository's artifacts are kept.
  [[nodiscard]] Result<ArtifactSettings> artifact_settings();
  [[nodiscard]] Result<ArtifactKeeper*> artifact_keeper();
  // At the very end: removes old artifacts, waits a moment for new ones to be sent, and says how many are
  // not.
  void settle_artifacts();
  // Where work is shared with other machines; null where it is not.
  [[nodiscard]] Result<WorkBoard*> board();
  // on_event counts only for the first call.
  [[nodiscard]] Result<SessionManager*> manager(std::function<void(const Event&)> on_event = {});

private:
  [[nodiscard]] Result<ConfigPlace> config_place() const;
  [[nodiscard]] Result<Workbench*> bench();

  const CliDependencies& dependencies_;
  GlobalOptions global_;
  std::string directory_;
  std::vector<std::string> environment_;
  bool output_is_terminal_ = false, error_is_terminal_ = false, may_ask_ = false;
  Palette palette_;
  Status output_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<ArtifactKeeper> keeper_;
  std::unique_ptr<WorkBoard> board_; // of a command that looks at it, or works for others
  std::optional<Sharing> sharing_;
  std::unique_ptr<Workbench> bench_;
  std::optional<SessionManager> manager_;
  std::string through_;
};

} // namespace emend
