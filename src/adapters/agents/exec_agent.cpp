#include "adapters/agents/exec_agent.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string_view>

#include "adapters/agents/agent_process.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {
namespace {

constexpr std::string_view prompt_file_placeholder = "{prompt_file}";

using Values = std::map<std::string, std::string, std::less<>>;

// One pass from left to right, so that a value that looks like a placeholder stays what it is.
std::string fill_in(std::string_view text, const Values& values) {
  std::string result;
  while (!text.empty()) {
    const auto value = std::find_if(values.begin(), values.end(),
                                    [&](const auto& entry) { return text.starts_with(entry.first); });
    if (value == values.end()) {
      result += text.front();
      text.remove_prefix(1);
    } else {
      result += value->second;
      text.remove_prefix(value->first.size());
    }
  }
  return result;
}

bool wants_prompt_file(const AgentBinding& binding) {
  return std::any_of(binding.command.begin(), binding.command.end(),
                     [](const std::string& argument) { return contains(argument, prompt_file_placeholder); });
}

// A prompt in a file, for one run.
class PromptFile {
public:
  static Result<PromptFile> write(const std::string& directory, const std::string& prompt) {
    PromptFile file(directory + "/prompt-" + random_hex(8) + ".md");
    TRY(write_scratch_file(file.path_, prompt, 0600));
    return file;
  }
  PromptFile() = default;
  PromptFile(PromptFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  PromptFile& operator=(PromptFile&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  PromptFile(const PromptFile&) = delete;
  PromptFile& operator=(const PromptFile&) = delete;
  ~PromptFile() {
    std::error_code problem;
    if (!path_.empty()) fs::remove(path_, problem);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

private:
  explicit PromptFile(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

} // namespace

Result<AgentRun> ExecAgent::run(const AgentRequest& request, std::stop_token stop) {
  PromptFile prompt_file;
  if (wants_prompt_file(binding_)) {
    TRY_ASSIGN(prompt_file, PromptFile::write(request.workspace->temp_dir(), request.prompt));
  }
  const Values values{{"{role}", request.role},
                      {"{model}", binding_.model},
                      {"{issue}", join(request.issue_codes, ",")},
                      {std::string(prompt_file_placeholder), prompt_file.path()}};
  std::vector<std::string> argv;
  for (const std::string& argument : binding_.command) argv.push_back(fill_in(argument, values));
  AgentRun run;
  TRY_ASSIGN(run.process, runner_.run(agent_process(binding_, request, std::move(argv)), std::move(stop)));
  run.state = state_by_exit(run.process);
  run.answer = run.process.out;
  run.model = binding_.model;
  return run;
}

Result<AgentRun> ScriptedAgent::run(const AgentRequest& request, std::stop_token stop) {
  std::vector<std::string> argv{self_binary_,
                                "__play",
                                binding_.script,
                                request.role,
                                join(request.issue_codes, ","),
                                std::to_string(request.cycle)};
  AgentRun run;
  TRY_ASSIGN(run.process, runner_.run(agent_process(binding_, request, std::move(argv)), std::move(stop)));
  run.state = state_by_exit(run.process);
  run.answer = run.process.out;
  run.model = script_model_.empty() ? binding_.model : script_model_;
  return run;
}

} // namespace emend
