// A change shown to an agent that judges it: the tree it may look at, the prompt, and what makes its answer
// void.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/context/run_context.hpp"
#include "engine/prompts/ask_agent.hpp"
#include "engine/prompts/change_prompt.hpp"
#include "model/patch.hpp"
#include "ports/repository.hpp"

namespace emend {

// Commit and patch together are the tree, without the files by which a repository gives orders to coding
// agents.
struct ShownTree {
  std::string commit;
  Patch patch;
};
[[nodiscard]] Result<ShownTree> tree_to_show(CommittedFiles& repository, const std::string& commit,
                                             const Patch& patch = {});

// The tree's patch and the file with the rest of a diff, where there is one.
[[nodiscard]] Patch with_rest(const ShownTree& tree, const std::string& rest_file, const std::string& rest);

// Clean and redacted.
[[nodiscard]] FileDiff file_diff(const RunContext& context, const FileChange& file);

// What is to be asked about it, with the rest of the diff as a file in the tree where it does not fit into
// the prompt. Who asks fills in role, name and schema.
[[nodiscard]] Result<AgentQuestion> question_about(const ShownTree& tree, const ChangePromptInput& input);

// Why what the agent said cannot count, whatever it is; empty = it can.
[[nodiscard]] std::string void_reason(const AskedRun& asked);

// Some name a file by where it lay in their workspace: the path it has in the change.
[[nodiscard]] std::string settled_path(std::string path, const std::vector<FileDiff>& files);

// A name as part of a file's: "acp:gemini --acp" is one, too.
[[nodiscard]] std::string plain_file_name(std::string name);

} // namespace emend
