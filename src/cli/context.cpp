#include "cli/context.hpp"

#include <unistd.h>

#include "base/environment.hpp"
#include "base/files.hpp"
#include "cli/state_directory.hpp"
#include "cli/terminal.hpp"
#include "service/database_place.hpp"
#include "service/pr_setup.hpp"
#include "service/project_config.hpp"

namespace emend {

CommandContext::CommandContext(const CliDependencies& dependencies, GlobalOptions global)
    : dependencies_(dependencies), global_(std::move(global)), environment_(process_environment()) {
  output_is_terminal_ = ::isatty(STDOUT_FILENO) == 1;
  error_is_terminal_ = ::isatty(STDERR_FILENO) == 1;
  may_ask_ = emend::may_ask(global_.no_input, environment_, ::isatty(STDIN_FILENO) == 1, error_is_terminal_);
  palette_.on = wants_color(global_.color, environment_, output_is_terminal_);
}

void CommandContext::print(std::string_view text) {
  if (output_) output_ = write_stdout(text);
}

void CommandContext::print_json(std::string_view thing, Json data) {
  const Json object = {{"schema", "emend." + std::string(thing) + "/v1"}, {"data", std::move(data)}};
  print(dump_json(object, 2) + "\n");
}

void CommandContext::print_json_list(std::string_view thing, Json data) {
  const Json object = {
      {"schema", "emend." + std::string(thing) + "/v1"}, {"data", std::move(data)}, {"next_cursor", nullptr}};
  print(dump_json(object, 2) + "\n");
}

void CommandContext::hint(std::string_view line) {
  if (!global_.quiet) write_stderr(std::string(line) + "\n");
}

Result<ExitStatus> CommandContext::finish(ExitStatus status) const {
  TRY(output_);
  return status;
}

Result<std::string> CommandContext::home() {
  TRY_ASSIGN(const std::string path, state_directory(environment_));
  auto made = make_directories(path, 0700);
  if (!made)
    return fail(ErrorCode::io, "cannot use the state directory " + path + ": " + made.error().message,
                "set EMEND_HOME to a directory of your own");
  return path;
}

Result<Store*> CommandContext::store() {
  if (!store_) {
    TRY_ASSIGN(const std::string directory, home());
    TRY_ASSIGN(store_, dependencies_.open_store(database_address(environment_, directory)));
  }
  return store_.get();
}

Result<Repository*> CommandContext::repository() {
  if (!repository_) {
    TRY_ASSIGN(const std::string directory, home());
    TRY_ASSIGN(const OpenedPlaces opened, opened_places());
    TRY_ASSIGN(repository_, dependencies_.open_repository(fs::current_path().string(), directory, opened));
  }
  return repository_.get();
}

// A configuration with mistakes opens nothing; commands that need it say what is wrong with it.
Result<OpenedPlaces> CommandContext::opened_places() {
  const auto config = this->config();
  if (!config) return OpenedPlaces();
  return emend::opened_places(*config, environment_);
}

Result<AgentFactory*> CommandContext::agents() {
  if (!agents_) {
    TRY_ASSIGN(Repository * repository, this->repository());
    agents_ = dependencies_.make_agents(repository->root());
  }
  return agents_.get();
}

Status CommandContext::take_configuration_from(const std::string& base, const std::string& head) {
  TRY_ASSIGN(Repository * repository, this->repository());
  repository_file_ = configuration_of_base(*repository, base, head);
  return {};
}

Result<Config> CommandContext::config(const std::vector<ConfigOverride>& flags) {
  ConfigPlace place;
  place.directory = fs::current_path().string();
  place.user_file = user_config_file(environment_);
  place.explicit_file =
      global_.config_file.empty() ? variable(environment_, "EMEND_CONFIG") : global_.config_file;
  place.isolated = global_.isolated;
  place.environment = environment_;
  place.repository_file = repository_file_;
  for (const std::string& assignment : global_.set) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos)
      return fail(ErrorCode::usage, "--set: expected KEY=VALUE, got \"" + assignment + "\"");
    place.overrides.push_back({assignment.substr(0, equals), assignment.substr(equals + 1), "--set"});
  }
  place.overrides.insert(place.overrides.end(), flags.begin(), flags.end());
  return project_config(dependencies_, place, [this] { return store(); });
}

Result<Ports> CommandContext::ports() {
  TRY_ASSIGN(Store * store, this->store());
  TRY_ASSIGN(Repository * repository, this->repository());
  TRY_ASSIGN(AgentFactory * agents, this->agents());
  if (analyzers_.empty() && dependencies_.make_analyzers) analyzers_ = dependencies_.make_analyzers();
  if (!artifacts_) {
    TRY_ASSIGN(ArtifactKeeper * keeper, artifact_keeper());
    artifacts_ = std::make_unique<RepositoryArtifacts>(*keeper, [this] { return artifact_settings(); });
  }
  if (!sharing_) {
    TRY_ASSIGN(const std::string directory, home());
    TRY_ASSIGN(const Config config, this->config());
    TRY_ASSIGN(sharing_, Sharing::open(dependencies_, database_address(environment_, directory),
                                       config.worker_lease_ms()));
  }
  return Ports{*store,
               *repository,
               *dependencies_.processes,
               *agents,
               *dependencies_.clock,
               &analyzers_,
               dependencies_.version,
               artifacts_.get(),
               sharing_->presence.get()};
}

Result<WorkBoard*> CommandContext::board() {
  if (!board_) {
    TRY_ASSIGN(const std::string directory, home());
    TRY_ASSIGN(board_, dependencies_.open_board(database_address(environment_, directory)));
  }
  return board_.get();
}

Result<ArtifactSettings> CommandContext::artifact_settings() {
  TRY_ASSIGN(const Config config, this->config());
  return config.artifacts(environment_);
}

Result<ArtifactKeeper*> CommandContext::artifact_keeper() {
  if (!keeper_) {
    TRY_ASSIGN(std::string directory, home());
    keeper_ = std::make_unique<ArtifactKeeper>(dependencies_, std::move(directory), environment_);
  }
  return keeper_.get();
}

void CommandContext::settle_artifacts() {
  constexpr std::chrono::milliseconds kPatience(5'000);
  if (!artifacts_ || !artifacts_->used()) return;
  if (const auto settings = artifact_settings(); settings && store_ && repository_)
    if (auto tidied = keeper_->tidy(*store_, repository_->id(), *settings); !tidied)
      hint("warning: old artifacts were not removed: " + tidied.error().message);
  for (const ArtifactKeeper::Rest& rest : keeper_->finish(kPatience, dependencies_.stop)) {
    const bool one = rest.state.pending == 1;
    hint("warning: " + plural(rest.state.pending, "artifact") + (one ? " is" : " are") + " not yet in " +
         rest.settings.address() +
         (rest.state.problem ? " (" + one_line(rest.state.problem->message, 200) + ")" : "") + "; " +
         (one ? "it is" : "they are") + " tried again by the next emend, or by: emend artifacts push");
  }
}

Result<SessionManager*> CommandContext::manager(std::function<void(const Event&)> on_event) {
  if (!manager_) {
    TRY_ASSIGN(const std::string directory, home());
    TRY_ASSIGN(const Ports ports, this->ports());
    manager_ = std::make_unique<SessionManager>(ports, directory, std::move(on_event));
  }
  return manager_.get();
}

} // namespace emend
