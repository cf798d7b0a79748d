#include "cli/start/project_guess.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/environment.hpp"
#include "base/strings.hpp"
#include "cli/terminal.hpp"

namespace emend {

namespace {

constexpr std::uint64_t kLargestFile = 1'000'000;
constexpr std::int64_t kPatienceMs = 10'000;

bool is_program(const std::string& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

std::string why_not_here(CommandContext& context, const CommandGuess& guess) {
  for (const std::string& program : guess.programs)
    if (program_in_path(context.environment(), program).empty()) return program + " is not installed here";
  if (guess.python_module.empty() || output_of(context, {"python3", "-c", "import " + guess.python_module}))
    return {};
  return "python3 has no module " + guess.python_module + " here";
}

} // namespace

std::string program_in_path(const std::vector<std::string>& environment, std::string_view name) {
  for (const std::string& directory : split(variable(environment, "PATH"), ':')) {
    const std::string path = directory + "/" + std::string(name);
    if (directory.starts_with('/') && is_program(path)) return path;
  }
  return {};
}

std::optional<std::string> output_of(CommandContext& context, std::vector<std::string> argv) {
  const auto place = TemporaryDirectory::create(fs::temp_directory_path(), "emend-ask-");
  if (!place) return std::nullopt;
  ProcessSpec spec;
  spec.argv = std::move(argv);
  spec.cwd = place->path().string();
  spec.env = {"PATH=" + variable(context.environment(), "PATH"), "HOME=" + spec.cwd, "LC_ALL=C.UTF-8"};
  spec.wall_limit_ms = kPatienceMs;
  spec.max_output_bytes = kLargestFile;
  spec.supervise = false;
  const auto result = context.dependencies().processes->run(spec, context.dependencies().stop);
  if (!result || !result->ok()) return std::nullopt;
  return result->out;
}

Result<Detected> guess_commands(CommandContext& context) {
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const std::string commit, repository->resolve("HEAD"));
  TRY_ASSIGN(const Tree* tree, repository->tree(commit));
  std::vector<std::string> paths;
  for (const auto& [path, entry] : *tree)
    if ((entry.mode & S_IFMT) == S_IFREG) paths.push_back(path);
  Detected found = detect_commands(paths, [&](const std::string& path) -> std::optional<std::string> {
    const auto entry = tree->find(path);
    if (entry == tree->end() || entry->second.size > kLargestFile) return std::nullopt;
    auto bytes = repository->read(commit, path);
    return bytes ? std::optional<std::string>(*std::move(bytes)) : std::nullopt;
  });
  for (CommandGuess& guess : found.commands)
    if (guess.not_used.empty()) guess.not_used = why_not_here(context, guess);
  return found;
}

bool any_used(const Detected& found) {
  return std::any_of(found.commands.begin(), found.commands.end(),
                     [](const CommandGuess& guess) { return guess.not_used.empty(); });
}

std::string existing_config(const fs::path& root) {
  struct stat facts {};
  for (const char* name : {"emend.toml", ".emend.toml", ".config/emend.toml"})
    if (::lstat((root / name).c_str(), &facts) == 0) return name;
  return {};
}

} // namespace emend
