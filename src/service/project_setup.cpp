#include "service/project_setup.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/environment.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::uint64_t kLargestFile = 1'000'000;
constexpr std::int64_t kPatienceMs = 10'000;

bool is_program(const std::string& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

std::string why_not_here(const SetupPlace& place, const CommandGuess& guess) {
  for (const std::string& program : guess.programs)
    if (program_in_path(place.environment, program).empty()) return program + " is not installed here";
  const std::vector<std::string> asks = {"python3", "-c", "import " + guess.python_module};
  if (guess.python_module.empty() || output_of(place.processes, place.environment, asks, place.stop))
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

std::optional<std::string> output_of(ProcessRunner& processes, const std::vector<std::string>& environment,
                                     std::vector<std::string> argv, std::stop_token stop) {
  const auto place = TemporaryDirectory::create(fs::temp_directory_path(), "emend-ask-");
  if (!place) return std::nullopt;
  ProcessSpec spec;
  spec.argv = std::move(argv);
  spec.cwd = place->path().string();
  spec.env = {"PATH=" + variable(environment, "PATH"), "HOME=" + spec.cwd, "LC_ALL=C.UTF-8"};
  spec.wall_limit_ms = kPatienceMs;
  spec.max_output_bytes = kLargestFile;
  spec.supervise = false;
  const auto result = processes.run(spec, stop);
  if (!result || !result->ok()) return std::nullopt;
  return result->out;
}

Result<Detected> guess_commands(const SetupPlace& place) {
  Repository& repository = place.repository;
  TRY_ASSIGN(const std::string commit, repository.resolve("HEAD"));
  TRY_ASSIGN(const Tree* tree, repository.tree(commit));
  std::vector<std::string> paths;
  for (const auto& [path, entry] : *tree)
    if ((entry.mode & S_IFMT) == S_IFREG) paths.push_back(path);
  Detected found = detect_commands(paths, [&](const std::string& path) -> std::optional<std::string> {
    const auto entry = tree->find(path);
    if (entry == tree->end() || entry->second.size > kLargestFile) return std::nullopt;
    auto bytes = repository.read(commit, path);
    return bytes ? std::optional<std::string>(*std::move(bytes)) : std::nullopt;
  });
  for (CommandGuess& guess : found.commands)
    if (guess.not_used.empty()) guess.not_used = why_not_here(place, guess);
  return found;
}

bool any_used(const Detected& found) {
  return std::any_of(found.commands.begin(), found.commands.end(),
                     [](const CommandGuess& guess) { return guess.not_used.empty(); });
}

Json to_json(const Detected& found) {
  Json commands = Json::array(), hints = Json::array();
  for (const CommandGuess& guess : found.commands)
    commands.push_back({{"name", guess.name},
                        {"run", guess.command},
                        {"reason", guess.reason},
                        {"paths", guess.paths},
                        {"used", guess.not_used.empty()},
                        {"not_used", guess.not_used}});
  for (const CommandHint& hint : found.hints)
    hints.push_back({{"command", hint.command}, {"file", hint.file}, {"line", hint.line}});
  return {{"commands", std::move(commands)}, {"hints", std::move(hints)}, {"notes", found.notes}};
}

std::string existing_config(const fs::path& root) {
  struct stat facts {};
  for (const char* name : {"emend.toml", ".emend.toml", ".config/emend.toml"})
    if (::lstat((root / name).c_str(), &facts) == 0) return name;
  return {};
}

Result<std::string> write_first_config(const fs::path& root, std::string_view text) {
  std::error_code unknown;
  if (!fs::exists(root / ".git", unknown))
    return fail(ErrorCode::conflict, root.string() + " has no checkout to write a file into",
                "add an emend.toml to the project in a commit");
  if (const std::string there = existing_config(root); !there.empty())
    return fail(ErrorCode::conflict, there + " exists already; no file is overwritten");
  const std::string path = (root / "emend.toml").string();
  TRY(write_file(path, text, 0644));
  return path;
}

} // namespace emend
