#include "cli/context.hpp"

#include <unistd.h>

#include "base/environment.hpp"
#include "base/files.hpp"
#include "base/screen.hpp"
#include "cli/state_directory.hpp"
#include "cli/terminal.hpp"
#include "service/database_place.hpp"
#include "service/local_owner.hpp"
#include "service/pr_setup.hpp"
#include "service/project_config.hpp"

namespace emend {

CommandContext::CommandContext(const CliDependencies& dependencies, GlobalOptions global,
                               std::string directory)
    : dependencies_(dependencies),
      global_(std::move(global)),
      directory_(std::move(directory)),
      environment_(process_environment()) {
  output_is_terminal_ = ::isatty(STDOUT_FILENO) == 1;
  error_is_terminal_ = ::isatty(STDERR_FILENO) == 1;
  may_ask_ = emend::may_ask(global_.no_input, environment_, ::isatty(STDIN_FILENO) == 1, error_is_terminal_);
  if (output_is_terminal_) palette_.columns = static_cast<std::size_t>(screen_size(STDOUT_FILENO).columns);
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
                "set EMEND_HOME to a directory you can write to");
  return path;
}

Result<bool> CommandContext::has_database() {
  if (store_) return true;
  TRY_ASSIGN(const std::string directory, home());
  const std::string address = database_address(environment_, directory);
  std::error_code problem;
  return !address.starts_with('/') || fs::exists(address, problem);
}

Result<Store*> CommandContext::store() {
  if (!store_) {
    TRY_ASSIGN(const std::string directory, home());
    TRY_ASSIGN(store_, dependencies_.open_store(database_address(environment_, directory)));
  }
  return store_.get();
}

Result<ConfigPlace> CommandContext::config_place() const {
  ConfigPlace place;
  place.directory = directory_.empty() ? fs::current_path().string() : directory_;
  place.user_file = user_config_file(environment_);
  place.explicit_file =
      global_.config_file.empty() ? variable(environment_, "EMEND_CONFIG") : global_.config_file;
  place.isolated = global_.isolated;
  place.environment = environment_;
  for (const std::string& assignment : global_.set) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos)
      return fail(ErrorCode::usage, "--set: expected KEY=VALUE, got \"" + assignment + "\"");
    place.overrides.push_back({assignment.substr(0, equals), assignment.substr(equals + 1), "--set"});
  }
  return place;
}

Result<std::unique_ptr<Workbench>> CommandContext::open_bench() {
  WorkbenchPlace place;
  TRY_ASSIGN(static_cast<ConfigPlace&>(place), config_place());
  TRY_ASSIGN(place.home, home());
  TRY_ASSIGN(place.artifacts, artifact_keeper());
  place.at_root = false;
  return Workbench::open(
      dependencies_, [this] { return store(); }, std::move(place));
}

Result<Workbench*> CommandContext::bench() {
  if (!bench_) {
    TRY_ASSIGN(bench_, open_bench());
  }
  return bench_.get();
}

Result<Repository*> CommandContext::repository() {
  TRY_ASSIGN(Workbench * bench, this->bench());
  return &bench->repository();
}

Result<AgentFactory*> CommandContext::agents() {
  TRY_ASSIGN(Workbench * bench, this->bench());
  return &bench->agents();
}

Status CommandContext::take_configuration_from(const std::string& base, const std::string& head) {
  TRY_ASSIGN(Workbench * bench, this->bench());
  bench->read_files_by(configuration_of_base(bench->repository(), base, head));
  return {};
}

Result<Config> CommandContext::config(const std::vector<ConfigOverride>& flags) {
  if (bench_) return bench_->config(flags);
  TRY_ASSIGN(ConfigPlace place, config_place());
  place.overrides.insert(place.overrides.end(), flags.begin(), flags.end());
  return project_config(dependencies_, place, [this]() -> Result<Store*> {
    TRY_ASSIGN(const bool there, has_database());
    if (!there) return nullptr;
    return store();
  });
}

std::vector<std::string> CommandContext::environment_for_children() const {
  std::vector<std::string> variables = environment_;
  if (through_.empty()) return variables;
  const std::string begin = std::string(kThroughVariable) + "=";
  std::erase_if(variables, [&](const std::string& one) { return one.starts_with(begin); });
  variables.push_back(begin + through_);
  return variables;
}

// Outside of a repository there is no configuration of git's to ask.
Actor CommandContext::actor() {
  const auto place = repository();
  return actor_at(place ? *place : nullptr);
}

Actor CommandContext::actor_at(RepositoryPlace* repository) const {
  const Actor owner = local_owner(repository, environment_);
  return through_.empty() ? owner : owner.through(clean_name(through_));
}

Result<Ports> CommandContext::ports() {
  TRY(store());
  TRY_ASSIGN(Workbench * bench, this->bench());
  if (!sharing_) {
    TRY_ASSIGN(const std::string directory, home());
    TRY_ASSIGN(const Config config, this->config());
    TRY_ASSIGN(sharing_, Sharing::open(dependencies_, database_address(environment_, directory),
                                       config.worker_lease_ms()));
    bench->share(sharing_->presence.get());
  }
  return bench->ports(actor());
}

Result<SessionManager*> CommandContext::manager(std::function<void(const Event&)> on_event) {
  TRY(ports());
  if (!manager_) {
    bench_->start(std::move(on_event));
    manager_.emplace(bench_->manager(actor()));
  }
  return &*manager_;
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
  if (!bench_ || !bench_->artifacts()->used()) return;
  if (const auto settings = artifact_settings(); settings && store_)
    if (auto tidied = keeper_->tidy(*store_, bench_->repository().id(), *settings); !tidied)
      hint("warning: old artifacts were not removed: " + tidied.error().message);
  for (const ArtifactKeeper::Rest& rest : keeper_->finish(kPatience, dependencies_.stop)) {
    const bool one = rest.state.pending == 1;
    hint("warning: " + plural(rest.state.pending, "artifact") + (one ? " is" : " are") + " not yet in " +
         rest.settings.address() +
         (rest.state.problem ? " (" + one_line(rest.state.problem->message, 200) + ")" : "") + "; " +
         (one ? "it is" : "they are") + " uploaded by the next emend command, or by: emend artifacts push");
  }
}

} // namespace emend
