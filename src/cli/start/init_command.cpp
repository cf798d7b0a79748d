#include <sys/stat.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/start/init_text.hpp"
#include "cli/start/project_guess.hpp"
#include "cli/terminal.hpp"
#include "cli/trust_check.hpp"
#include "config/config_files.hpp"

namespace emend {

namespace {

constexpr const char* kPersonalFile = "emend.local.toml";

struct InitOptions {
  bool yes = false, dry_run = false, pre_commit = false;
  std::string ci;
};

struct PlannedFile {
  std::string path; // relative to the root
  std::string text;
  std::string if_there; // what to tell when the file exists; empty = that is an error
};

bool is_there(const fs::path& path) {
  struct stat facts {};
  return ::lstat(path.c_str(), &facts) == 0; // a dangling link is there, too
}

std::string guesses_text(const Detected& found) {
  std::string text;
  for (const CommandGuess& guess : found.commands) {
    text += "\n  " + one_line(guess.name, 60) +
            (guess.not_used.empty() ? ": " : " (not used: " + one_line(guess.not_used) + "): ") +
            one_line(guess.command, 200) + "\n    " + one_line(guess.reason, 300);
  }
  return text;
}

std::vector<PlannedFile> planned_files(const InitOptions& options, const Detected& found,
                                       const std::string& there) {
  std::vector<PlannedFile> files;
  if (there.empty() || options.dry_run) files.push_back({"emend.toml", config_file_text(found), ""});
  if (options.ci == "github") files.push_back({".github/workflows/emend.yml", github_workflow_text(), ""});
  if (options.ci == "gitlab") files.push_back({".gitlab/emend.yml", gitlab_job_text(), ""});
  if (options.pre_commit)
    files.push_back({".pre-commit-config.yaml", pre_commit_text(),
                     "add the entry below `repos:` to your .pre-commit-config.yaml:"});
  return files;
}

Status refuse_to_overwrite(const fs::path& root, const std::vector<PlannedFile>& files) {
  for (const PlannedFile& file : files)
    if (file.if_there.empty() && is_there(root / file.path))
      return fail(ErrorCode::usage, file.path + " exists already; init does not overwrite files",
                  "to see what it would write: emend init --dry-run");
  return {};
}

// Nothing may be written through a link that leads out of the repository.
Status make_parent(const fs::path& root, const std::string& path) {
  fs::path directory = root;
  for (const fs::path& part : fs::path(path).parent_path()) {
    directory /= part;
    if (fs::is_symlink(fs::symlink_status(directory)))
      return fail(ErrorCode::usage, directory.string() + " is a symbolic link",
                  "write the file yourself: emend init --dry-run prints it");
    TRY(make_directories(directory, 0755));
  }
  return {};
}

Status write_files(CommandContext& context, const fs::path& root, const std::vector<PlannedFile>& files,
                   std::vector<std::string>& written) {
  for (const PlannedFile& file : files) {
    if (is_there(root / file.path)) {
      context.hint(file.if_there);
      context.hint(file.text);
      continue;
    }
    TRY(make_parent(root, file.path));
    TRY(write_file(root / file.path, file.text, 0644));
    written.push_back(file.path);
  }
  return {};
}

bool ignores(std::string_view gitignore, std::string_view name) {
  for (const std::string_view line : lines_of(gitignore))
    if (trim(line) == name || trim(line) == "/" + std::string(name)) return true;
  return false;
}

// Personal settings do not belong into git; touching a file of the person's needs a yes.
Status ignore_personal_file(CommandContext& context, const fs::path& root, bool yes,
                            std::vector<std::string>& written) {
  const fs::path path = root / ".gitignore";
  struct stat facts {};
  const bool there = ::lstat(path.c_str(), &facts) == 0;
  const auto before = there ? read_file_nofollow(path, 10'000'000) : Result<std::string>(std::string());
  if (before && ignores(*before, kPersonalFile)) return {};
  if (before && !yes && context.may_ask()) {
    TRY_ASSIGN(yes, ask_yes_no("add emend.local.toml (personal settings) to .gitignore?",
                               context.dependencies().stop, Enter::yes));
  }
  if (!before || !yes) {
    context.hint("personal settings go to emend.local.toml; keep it out of git: add it to .gitignore");
    return {};
  }
  const std::string text =
      *before + (before->empty() || before->ends_with('\n') ? "" : "\n") + kPersonalFile + "\n";
  TRY(write_file(path, text, there ? facts.st_mode & 07777U : 0644));
  written.push_back(".gitignore");
  return {};
}

void leave_out_all(Detected& found) {
  for (CommandGuess& guess : found.commands)
    if (guess.not_used.empty()) guess.not_used = "you said no";
}

Status confirm_guesses(CommandContext& context, const InitOptions& options, Detected& found) {
  context.hint(found.commands.empty()
                   ? "no checks were found in this project: fill in [verify] commands yourself"
                   : "checks found in this project:" + guesses_text(found));
  if (options.yes || !any_used(found) || !context.may_ask()) return {};
  TRY_ASSIGN(const bool use, ask_yes_no("use them?", context.dependencies().stop, Enter::yes));
  if (!use) leave_out_all(found);
  return {};
}

// Only a person at a terminal can allow commands, and only after having seen them.
Status offer_trust(CommandContext& context, const InitOptions& options, const Detected& found) {
  if (options.yes || !any_used(found) || !context.may_ask()) return {};
  TRY_ASSIGN(const Config config, context.config());
  const auto untrusted = config.untrusted();
  if (untrusted.empty()) return {};
  TRY_ASSIGN(const bool yes, ask_yes_no("allow emend to run these commands here (the same as emend trust)?",
                                        context.dependencies().stop));
  return yes ? trust_files(context, untrusted) : Status{};
}

Status print_next_steps(CommandContext& context) {
  TRY_ASSIGN(const Config config, context.config());
  std::string text = "next:\n";
  if (!config.untrusted().empty()) text += "  emend trust         read the commands and allow them\n";
  text +=
      "  emend review        find issues with the installed analyzers\n"
      "  emend fix --safe    fix those that need no AI, on a new branch";
  context.hint(text);
  return {};
}

Result<ExitStatus> print_plan(CommandContext& context, const std::vector<PlannedFile>& files,
                              const Detected& found) {
  if (context.global().json) {
    Json list = Json::array();
    for (const PlannedFile& file : files) list.push_back({{"path", file.path}, {"text", file.text}});
    Json data = to_json(found);
    data["would_write"] = std::move(list);
    context.print_json("init", std::move(data));
  } else {
    for (const PlannedFile& file : files)
      context.print((files.size() > 1 ? "# --- " + file.path + "\n" : "") + file.text);
  }
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> run_init(CommandContext& context, const InitOptions& options) {
  const fs::path root = find_repository_root(fs::current_path().string());
  if (root.empty())
    return fail(ErrorCode::usage, "this is not the work tree of a git repository",
                "git init, or emend -C DIRECTORY init");
  const std::string there = existing_config(root);
  const bool more = !options.ci.empty() || options.pre_commit;
  if (!there.empty() && !more && !options.dry_run)
    return fail(ErrorCode::usage, there + " exists already; init does not overwrite files",
                "to see what it would write: emend init --dry-run");
  TRY_ASSIGN(Detected found, guess_commands(context));
  if (options.dry_run) return print_plan(context, planned_files(options, found, there), found);
  TRY(refuse_to_overwrite(root, planned_files(options, found, there)));
  if (there.empty()) {
    TRY(confirm_guesses(context, options, found));
  }
  std::vector<std::string> written;
  TRY(write_files(context, root, planned_files(options, found, there), written));
  TRY(ignore_personal_file(context, root, options.yes, written));
  if (there.empty()) {
    TRY(offer_trust(context, options, found));
  }
  if (context.global().json) {
    Json data = to_json(found);
    data["written"] = written;
    context.print_json("init", std::move(data));
  } else {
    for (const std::string& path : written) context.print("wrote " + path + "\n");
  }
  TRY(print_next_steps(context));
  return context.finish(ExitStatus::done);
}

} // namespace

Command init_command() {
  const auto options = std::make_shared<InitOptions>();
  Command command;
  command.name = "init";
  command.summary = "write a commented emend.toml with the checks found in this project";
  command.examples = "  emend init\n  emend init --dry-run\n  emend init --yes --ci github\n";
  command.options = {
      {"--yes", &options->yes,
       "ask nothing: use the checks found, add emend.local.toml to .gitignore; trust nothing"},
      {"--dry-run", &options->dry_run, "print what would be written, write nothing"},
      {"--pre-commit", &options->pre_commit, "also write a hook for the pre-commit program"},
      {"--ci", &options->ci, "also write a CI job that reviews every push", "SYSTEM", {"github", "gitlab"}},
  };
  command.run = [options](CommandContext& context) { return run_init(context, *options); };
  command.storage = options;
  return command;
}

} // namespace emend
