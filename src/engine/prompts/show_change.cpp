#include "engine/prompts/show_change.hpp"

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/patch/judge_tree.hpp"

namespace emend {

namespace {

Patch with_file(Patch patch, const std::string& path, const std::string& text, bool sha256_names) {
  FileChange file;
  file.path = path;
  file.new_mode = kModeFile;
  file.new_content = text;
  file.new_id = git_blob_id(text, sha256_names ? "sha256" : "sha1");
  patch.changes.push_back(std::move(file));
  patch.sort();
  return patch;
}

} // namespace

Result<ShownTree> tree_to_show(CommittedFiles& repository, const std::string& commit, const Patch& patch) {
  TRY_ASSIGN(Patch without, without_agent_files(repository, commit, patch));
  return ShownTree{commit, std::move(without)};
}

Patch with_rest(const ShownTree& tree, const std::string& rest_file, const std::string& rest) {
  return rest.empty() ? tree.patch : with_file(tree.patch, rest_file, rest, tree.commit.size() == 64);
}

FileDiff file_diff(const RunContext& context, const FileChange& file) {
  const Patch alone{{file}};
  return {file.path, diff_stat(alone), file.binary(), context.redactor.redact(shown_diff(alone))};
}

Result<AgentQuestion> question_about(const ShownTree& tree, const ChangePromptInput& input) {
  TRY_ASSIGN(ChangePrompt prompt, build_change_prompt(input));
  AgentQuestion question;
  question.prompt = std::move(prompt.text);
  question.commit = tree.commit;
  question.patch = with_rest(tree, input.rest_file, prompt.rest);
  return question;
}

std::string void_reason(const AskedRun& asked) {
  if (asked.changed_files) return "it changed files, although its role only reads";
  const AgentState& state = asked.run.state;
  if (state.ok()) return {};
  const std::string words = first_line(clean_text(state.text), 300);
  return std::string(to_string(state.status)) + (words.empty() ? "" : ": " + words);
}

std::string settled_path(std::string path, const std::vector<FileDiff>& files) {
  if (!path.starts_with('/')) return path;
  for (const FileDiff& file : files)
    if (path.ends_with("/" + file.path)) return file.path;
  return path;
}

std::string plain_file_name(std::string name) {
  for (char& c : name)
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-')) c = '_';
  return name.substr(0, 80);
}

} // namespace emend
