#include "cli/agents/install_action.hpp"

#include <algorithm>

#include "base/environment.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/strings.hpp"
#include "cli/agents/agent_wiring.hpp"
#include "cli/context.hpp"
#include "cli/start/first_run.hpp"
#include "cli/terminal.hpp"
#include "cli/trust_check.hpp"
#include "config/config_files.hpp"
#include "model/coding_clis.hpp"
#include "model/patch.hpp"

namespace emend {
namespace {

constexpr std::uint64_t kLargestFile = 64'000'000;

struct InstallOptions {
  std::vector<std::string> agents;
  bool hooks = false, no_hooks = false, dry_run = false, remove = false, yes = false;
};

Result<std::optional<std::string>> read_if_there(const std::string& path) {
  std::error_code problem;
  if (!fs::exists(path, problem)) return std::optional<std::string>{};
  TRY_ASSIGN(std::string text, read_file(path, kLargestFile));
  return std::optional<std::string>(std::move(text));
}

// The person's file as it was before emend was added, with the bytes emend wrote: as long as nobody else has
// changed the file, taking emend out gives back every byte.
class Originals {
public:
  explicit Originals(const std::string& home) : directory_(fs::path(home) / "wiring") {}

  Status keep(const WiredFile& file) {
    TRY(make_directories(directory_.string(), 0700));
    const auto first = original(file.path, file.before); // emend was there, and something of it is added
    const std::optional<std::string> before = first ? first->after : file.before;
    const Json record = {{"path", file.path},
                         {"before", before ? Json(*before) : Json()},
                         {"after", file.after ? Json(*file.after) : Json()}};
    return write_file(place(file.path), dump_json(record));
  }
  // What the file was, if it is still as emend left it.
  [[nodiscard]] std::optional<WiredFile> original(const std::string& path,
                                                  const std::optional<std::string>& now) const {
    const auto text = read_file(place(path), kLargestFile);
    const auto record = text ? parse_json(*text) : Result<Json>(fail(text.error()));
    if (!record || !now || string_or(*record, "after") != *now) return std::nullopt;
    const Json* before = find_member(*record, "before");
    WiredFile file{path, 0, now, std::nullopt};
    if (before != nullptr && before->is_string()) file.after = before->get<std::string>();
    return file;
  }
  void forget(const std::string& path) const {
    std::error_code problem;
    fs::remove(place(path), problem);
  }

private:
  [[nodiscard]] fs::path place(const std::string& path) const {
    return directory_ / (sha256_hex(path).substr(0, 24) + ".json");
  }
  fs::path directory_;
};

std::string diff_text(const std::vector<WiredFile>& files) {
  std::string text;
  for (const WiredFile& file : files) {
    FileChange change;
    change.path = file.path.substr(1);
    change.old_mode = file.before ? kModeFile : 0;
    change.new_mode = file.after ? kModeFile : 0;
    change.old_content = file.before.value_or("");
    change.new_content = file.after.value_or("");
    change.old_id = file.before ? git_blob_id(change.old_content, "sha1") : "";
    change.new_id = file.after ? git_blob_id(change.new_content, "sha1") : "";
    Patch patch;
    patch.changes.push_back(std::move(change));
    text += unified_diff(patch);
  }
  return text;
}

// Where a person's links lead (settings kept in a repository of dotfiles): that file is written, and the
// links stay.
fs::path behind_links(fs::path path) {
  constexpr int kMostLinks = 40; // as the kernel has it
  std::error_code problem;
  for (int i = 0; i < kMostLinks && fs::is_symlink(fs::symlink_status(path, problem)); ++i) {
    const fs::path target = fs::read_symlink(path, problem);
    if (problem) break;
    path = path.parent_path() / target; // an absolute one replaces all of it
  }
  return path;
}

Status take_away(const WiredFile& file, const fs::path& place) {
  std::error_code problem;
  fs::remove(place, problem);
  if (problem) return fail(ErrorCode::io, "cannot remove " + file.path);
  fs::path folder = place.parent_path();
  for (int left = file.folders; left > 0 && fs::is_empty(folder, problem) && !fs::is_symlink(folder, problem);
       --left) {
    fs::remove(folder, problem);
    folder = folder.parent_path();
  }
  return {};
}

// A file that several programs write keeps its mode; a new one is the person's alone.
Status put(const WiredFile& file) {
  const fs::path place = behind_links(file.path);
  if (!file.after) return take_away(file, place);
  TRY(make_directories(place.parent_path().string(), 0700));
  std::error_code problem;
  const auto mode = fs::status(place, problem).permissions();
  return write_file(place, *file.after, file.before ? static_cast<unsigned>(mode) & 0777U : 0600U);
}

Result<std::vector<WiredFile>> planned(const InstallOptions& options, const std::vector<std::string>& agents,
                                       const Wiring& wiring, const Originals& originals) {
  std::vector<WiredFile> files;
  for (const std::string& agent : agents) {
    TRY_ASSIGN(std::vector<WiredFile> more,
               options.remove ? unwired(agent, wiring, read_if_there) : wired(agent, wiring, read_if_there));
    for (WiredFile& file : more) {
      if (options.remove)
        if (auto known = originals.original(file.path, file.before)) file.after = known->after;
      files.push_back(std::move(file));
    }
  }
  return files;
}

Result<std::vector<std::string>> chosen(const InstallOptions& options) {
  const auto& known = wirable_agents();
  for (const std::string& name : options.agents)
    if (std::find(known.begin(), known.end(), name) == known.end())
      return fail(ErrorCode::usage, "emend does not know how to be added to \"" + name + "\"",
                  "known: " + join(known, ", ") + "; for others see docs/mcp.md");
  return options.agents.empty() ? known : options.agents;
}

Result<bool> allowed(CommandContext& context, const InstallOptions& options) {
  if (options.yes) return true;
  if (!context.may_ask())
    return fail(ErrorCode::needs_input, "nothing was changed: nobody could be asked",
                "read the difference above, then add --yes");
  return ask_yes_no("Change these files?", context.dependencies().stop);
}

// So that the first check of an agent's change tells something: this repository's checks, if a person wants
// them. What goes wrong here does not take back what was installed.
void offer_checks_here(CommandContext& context) {
  if (find_repository_root(fs::current_path().string()).empty()) return;
  const auto offered = [&]() -> Status {
    TRY(offer_checks(context, {}));
    TRY_ASSIGN(const Config config, context.config());
    if (config.untrusted().empty()) return {};
    return ask_for_trust(context, config.untrusted(), "this repository sets what its checks run");
  }();
  if (!offered)
    context.hint(offered.error().message +
                 (offered.error().remedy.empty() ? "" : "\n" + offered.error().remedy));
}

// A coding CLI keeps its settings where its login is.
std::string settings_folder(const CodingCli& cli, const std::string& home,
                            const std::vector<std::string>& environment) {
  const LoginFile& login = cli.logins.front();
  const std::string value = login.variable.empty() ? "" : variable(environment, login.variable);
  const fs::path folder = fs::path(login.path(home, value.c_str())).parent_path();
  return (folder.has_filename() ? folder : folder.parent_path()).string(); // a value may end with a slash
}

Result<ExitStatus> run_install(CommandContext& context, const InstallOptions& options) {
  TRY_ASSIGN(const std::vector<std::string> agents, chosen(options));
  TRY_ASSIGN(const std::string home, context.home());
  Wiring wiring;
  std::error_code problem;
  wiring.program = fs::read_symlink("/proc/self/exe", problem).string();
  if (!options.remove && contains(wiring.program, "/_npx/"))
    context.hint(
        "warning: this emend is in npm's cache, which npm empties; to keep it where the agents look for it: "
        "npm install -g emend");
  wiring.hooks = !options.no_hooks;
  wiring.own_folder = (fs::path(home) / "claude").string();
  wiring.home = variable(context.environment(), "HOME");
  for (const std::string& agent : wirable_agents())
    wiring.folders[agent] = settings_folder(coding_cli(agent), wiring.home, context.environment());
  if (wiring.home.empty()) return fail(ErrorCode::usage, "HOME is not set", "set it to your home directory");
  Originals originals(home);
  TRY_ASSIGN(const std::vector<WiredFile> files, planned(options, agents, wiring, originals));
  if (files.empty()) {
    context.print(options.remove ? "emend is not in these files\n" : "emend is there already\n");
    if (!options.remove && !options.dry_run) offer_checks_here(context);
    return context.finish(ExitStatus::done);
  }
  context.print(diff_text(files));
  if (options.dry_run) return context.finish(ExitStatus::done);
  TRY_ASSIGN(const bool go_on, allowed(context, options));
  if (!go_on) return context.finish(ExitStatus::done);
  for (const WiredFile& file : files) {
    if (!options.remove) TRY(originals.keep(file));
    TRY(put(file));
    if (options.remove) originals.forget(file.path);
  }
  context.print(options.remove ? "removed\n"
                               : "done. Restart the agent; Codex asks you once to allow hooks (/hooks)\n");
  if (!options.remove) offer_checks_here(context);
  return context.finish(ExitStatus::done);
}

} // namespace

Command install_action() {
  const auto options = std::make_shared<InstallOptions>();
  Command command = action(
      "install", "let Claude Code, Codex and Gemini CLI call emend (docs/mcp.md); shows the difference first",
      {{"AGENT", &options->agents, "claude, codex, gemini (default: all of them)", "AGENT"},
       {"--hooks", &options->hooks,
        "check what the agent changed before it stops (docs/check.md); the default"},
       {"--no-hooks", &options->no_hooks, "do not"},
       {"--dry-run", &options->dry_run, "only show the difference"},
       {"--remove", &options->remove, "take emend out again"},
       {"--yes", &options->yes, "change the files without a question"}},
      [options](CommandContext& context) { return run_install(context, *options); });
  command.storage = options;
  return command;
}

} // namespace emend
