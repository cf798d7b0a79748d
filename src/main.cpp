// The composition root: the one place that knows which adapters exist.
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "adapters/agents/agent_factory.hpp"
#include "adapters/agents/scripted_player.hpp"
#include "adapters/analyzers/analyzers.hpp"
#include "adapters/clock/system_clock.hpp"
#include "adapters/forge/forges.hpp"
#include "adapters/git/git_remotes.hpp"
#include "adapters/git/git_repository.hpp"
#include "adapters/git/hidden_paths.hpp"
#include "adapters/git/mirror.hpp"
#include "adapters/messages/network_messenger.hpp"
#include "adapters/openid/openid_provider.hpp"
#include "adapters/process/sandbox_probe.hpp"
#include "adapters/process/supervised_runner.hpp"
#include "adapters/s3/s3_store.hpp"
#include "adapters/sql/sql_board.hpp"
#include "adapters/sql/sql_ledger.hpp"
#include "adapters/sql/sql_store.hpp"
#include "adapters/sql/sql_tools.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/screen.hpp"
#include "base/strings.hpp"
#include "cli/cli.hpp"
#include "cli/maintenance/db_command.hpp"

namespace emend {

namespace {

// What the signal thread and the commands share. Static: the thread may outlive main's frame by a moment.
struct StopState {
  std::stop_source source;
  std::atomic<int> signal{0};
};

StopState& stop_state() {
  static StopState state;
  return state;
}

void say(const char* text) { write_screen(STDERR_FILENO, text); } // a failure has nobody left to be told to

// A signal somebody chose to ignore for us (nohup, background jobs) stays ignored.
sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM}) {
    struct sigaction current {};
    ::sigaction(number, nullptr, &current);
    if (current.sa_handler != SIG_IGN) sigaddset(&set, number);
  }
  return set;
}

// The first signal asks everything to stop and keeps what is done; the second leaves at once. Children are
// guarded by emend-exec, which ends them when we are gone.
void wait_for_signals(sigset_t set) {
  while (true) {
    int number = 0;
    if (::sigwait(&set, &number) != 0) continue;
    StopState& state = stop_state();
    if (state.signal.exchange(number) != 0) ::_exit(128 + number);
    if (log_format() == LogFormat::text)
      say("emend: stopping; what is done is kept (once more to leave at once)\n");
    state.source.request_stop();
  }
}

void handle_signals() {
  ::signal(SIGPIPE, SIG_IGN);
  const sigset_t set = stop_signals();
  if (sigisemptyset(&set)) return;
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr); // before the first thread, so that all inherit it
  std::thread(wait_for_signals, set).detach();
}

void choose_log_level() {
  const char* word = std::getenv("EMEND_LOG");
  if (word == nullptr) return;
  const std::string level = word;
  if (level == "error") set_log_level(LogLevel::error);
  if (level == "warn") set_log_level(LogLevel::warn);
  if (level == "info") set_log_level(LogLevel::info);
  if (level == "debug") set_log_level(LogLevel::debug);
}

fs::path own_program() {
  std::error_code problem;
  const fs::path path = fs::read_symlink("/proc/self/exe", problem);
  return problem ? fs::path("/usr/bin/emend") : path;
}

// Beside the program in a build tree, in libexec when installed.
std::string helper_program(const fs::path& self) {
  const fs::path beside = self.parent_path() / "emend-exec";
  const fs::path installed = self.parent_path().parent_path() / "libexec" / "emend" / "emend-exec";
  return ::access(beside.c_str(), X_OK) == 0 ? beside.string() : installed.string();
}

DoctorFact git_fact(ProcessRunner& runner) {
  ProcessSpec spec;
  spec.argv = {"git", "--version"};
  spec.cwd = "/";
  const char* path = std::getenv("PATH");
  spec.env = {std::string("PATH=") + (path != nullptr ? path : "/usr/bin:/bin")};
  spec.supervise = false;
  const auto result = runner.run(spec, {});
  if (!result) return {"git", "missing", result.error().message, result.error().remedy};
  if (!result->ok())
    return {"git", "missing", "git does not run: " + result->problem, "install git 2.30 or newer"};
  return {"git", "ok", std::string(trim(result->out)), ""};
}

DoctorFact guardian_fact(SupervisedRunner& runner, const std::string& helper) {
  const auto kind = runner.isolation();
  if (!kind)
    return {"process guardian", "missing", kind.error().message,
            "emend-exec must be next to emend or in ../libexec/emend: " + helper};
  return {"process guardian", "ok", std::string(*kind), ""};
}

DoctorFact workspace_fact(const MachineSandbox& found) {
  if (found.overlay) return {"workspaces", "ok", "overlay: private trees cost no copying", ""};
  return {
      "workspaces", "ok",
      "copy: this machine allows no private mounts, so trees are copied; checks see the path of their copy, "
      "and what is written to sandbox.writable stays",
      ""};
}

DoctorFact sandbox_fact(const MachineSandbox& found) {
  std::string detail = std::string(to_string(found.kind)) + ": " + std::string(describe(found.kind));
  if (found.kind != SandboxKind::none && !closes_abstract_sockets())
    detail +=
        "; abstract sockets of other programs can be reached where the network is shared (Linux before 6.12)";
  if (found.kind == SandboxKind::full) return {"sandbox", "ok", detail, ""};
  return {"sandbox", "warning", detail,
          "allow user namespaces (docs/sandbox.md), or run emend outside the container"};
}

// Which directories of the home agents and commands see, without the checkout: that is another one each time.
DoctorFact home_fact(const MachineSandbox& found) {
  if (found.kind == SandboxKind::none)
    return {"home", "warning", "agents and checks can read all of it: there is no sandbox",
            "see the row sandbox"};
  const HomeView view = view_of_home({}, {});
  if (view.home.empty()) return {"home", "ok", "there is no home directory to hide", ""};
  std::vector<std::string> names;
  for (const std::vector<std::string>* list : {&view.tools, &view.shown})
    for (const std::string& path : *list) names.push_back("~" + path.substr(view.home.size()));
  return {"home", "ok",
          "hidden from agents and checks, except " + (names.empty() ? "" : join(names, ", ") + ", ") +
              "the checkout and sandbox.readable",
          ""};
}

std::vector<DoctorFact> system_facts(SupervisedRunner& runner, const std::string& helper) {
  const auto scratch = TemporaryDirectory::create(fs::temp_directory_path(), "emend-doctor-");
  const MachineSandbox found = scratch ? probe_sandbox(runner, scratch->path().string()) : MachineSandbox{};
  return {git_fact(runner), guardian_fact(runner, helper), workspace_fact(found), sandbox_fact(found),
          home_fact(found)};
}

// For tests, on a machine that could do better: EMEND_TEST_SANDBOX=landlock or none.
SupervisedRunner make_runner(const std::string& helper) {
  const char* word = std::getenv("EMEND_TEST_SANDBOX");
  const auto kind = parse_sandbox_kind(word != nullptr ? word : "full").value_or(SandboxKind::full);
  return SupervisedRunner(
      helper,
      kind == SandboxKind::full ? SupervisedRunner::Namespaces::automatic
                                : SupervisedRunner::Namespaces::never,
      kind == SandboxKind::none ? SupervisedRunner::Landlock::never : SupervisedRunner::Landlock::automatic);
}

GitOptions best_workspaces(const std::string& home, const OpenedPlaces& opened, SupervisedRunner& runner) {
  GitOptions options;
  options.home = home;
  options.writable = opened.writable;
  options.shared = opened.shared;
  options.readable = opened.readable;
  options.find_out = [&runner](GitOptions& known) {
    const MachineSandbox found = probe_sandbox(runner, known.home);
    known.overlay = found.overlay;
    known.sandbox = found.kind;
  };
  return options;
}

int run(int argc, char** argv) {
  const fs::path self = own_program();
  const std::string helper = helper_program(self);
  SupervisedRunner runner = make_runner(helper);
  SystemClock clock;

  CliDependencies dependencies;
  dependencies.open_store = [](const std::string& address) { return open_sql_store(address); };
  dependencies.open_ledger = [](const std::string& address) { return open_sql_ledger(address); };
  dependencies.open_board = [](const std::string& address) -> Result<std::unique_ptr<WorkBoard>> {
    if (!is_shared_database(address)) return std::unique_ptr<WorkBoard>();
    return open_sql_board(address);
  };
  dependencies.open_mirror = [&runner](const std::string& id, const std::string& commit,
                                       const std::string& home, const std::string& url,
                                       const FetchPack& fetch) {
    return open_mirror({id, commit, url}, fetch, runner, best_workspaces(home, {}, runner));
  };
  dependencies.sandbox = [&runner](const std::string& home) { return probe_sandbox(runner, home).kind; };
  const auto tools = make_sql_tools();
  use_database_tools(*tools);
  dependencies.open_repository = [&runner](const std::string& directory, const std::string& home,
                                           const OpenedPlaces& opened) {
    return open_repository(directory, runner, best_workspaces(home, opened, runner));
  };
  dependencies.processes = &runner;
  dependencies.make_analyzers = [&runner](const AnalyzerSetup& setup) {
    return make_analyzers(runner, setup);
  };
  dependencies.make_agents = [&runner, self](const std::string& root) {
    return std::make_unique<LocalAgentFactory>(runner, self.string(), root);
  };
  dependencies.open_objects = [&clock](const ArtifactSettings& settings,
                                       const std::vector<std::string>& environment) {
    return open_s3_store(settings, environment, clock);
  };
  dependencies.open_remotes = [&runner](const std::string& directory, const std::string& home) {
    return open_remotes(directory, runner, home);
  };
  dependencies.clone_repository = [&runner](const std::string& url, const std::string& directory,
                                            std::stop_token stop) {
    return clone_bare(runner, url, directory, std::move(stop));
  };
  dependencies.refresh_clone = [&runner](const std::string& directory, std::stop_token stop) {
    return refresh_clone(runner, directory, std::move(stop));
  };
  dependencies.adopt_repository = [&runner](const std::string& directory, const std::string& home,
                                            const std::string& id) {
    GitOptions options;
    options.home = home;
    options.id = id;
    return adopt_repository(directory, runner, options);
  };
  dependencies.open_forge = [&runner, &clock](const ForgePlace& place, const ForgeSettings& settings,
                                              const std::vector<std::string>& environment) {
    return open_forge(place, settings, environment, runner, clock, stop_state().source.get_token());
  };
  dependencies.open_sign_in = [&clock](const SignInPlace& place) {
    return open_openid_provider(place, clock);
  };
  dependencies.open_messenger = [](const MailServer& server, const std::string& ca_file) {
    return open_messenger(server, ca_file);
  };
  dependencies.clock = &clock;
  dependencies.system_facts = [&runner, helper] { return system_facts(runner, helper); };
  dependencies.version = EMEND_VERSION;
  dependencies.stop = stop_state().source.get_token();
  dependencies.stop_signal = [] { return stop_state().signal.load(); };
  return run_cli(argc, argv, dependencies);
}

} // namespace

} // namespace emend

int main(int argc, char** argv) {
  // The player behind a scripted agent is a child like any other agent: nothing of the engine is set up for
  // it.
  if (argc > 1 && std::strcmp(argv[1], "__play") == 0)
    return emend::play_command(std::vector<std::string>(argv + 2, argv + argc));
  try {
    emend::handle_signals();
    emend::choose_log_level();
    return emend::run(argc, argv);
  } catch (const std::system_error& refused) {
    emend::say((std::string("emend: cannot start: ") + refused.what() + "\n").c_str());
    return 3;
  }
}
