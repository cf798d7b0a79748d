#include "engine/prompts/change_prompt.hpp"

#include <fmt/format.h>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/prompts/template.hpp"

namespace emend {

namespace {

constexpr std::size_t kSlack = 256; // fences, and the words around the diff

std::string shown_path(const std::string& path) { return first_line(clean_text(path), 500); }

// One line a file, as far as `room` allows.
std::string files_text(const std::vector<FileDiff>& files, std::size_t room) {
  std::string text;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const FileDiff& file = files[i];
    const std::string size =
        file.binary ? "binary, not shown" : fmt::format("+{} -{}", file.stat.insertions, file.stat.deletions);
    text += fmt::format("- {} ({})\n", shown_path(file.path), size);
    if (text.size() <= room || i + 1 == files.size()) continue;
    return fenced(text + fmt::format("- and {} more\n", files.size() - i - 1), "text");
  }
  return fenced(text, "text");
}

Result<std::string> render(const ChangePromptInput& input, const std::string& files,
                           const std::string& conventions, const std::string& diff, bool has_rest) {
  const std::string nothing = "(all of it is in the file named below)\n";
  std::map<std::string, std::string> values = input.values;
  values.try_emplace("dismissed", ""); // only a review of a pull request knows of any
  values["files"] = files;
  values["conventions"] = conventions.empty() ? "" : fenced(conventions, "text");
  values["diff"] = diff.empty() ? nothing : fenced(diff, "diff");
  values["rest"] = has_rest ? input.rest_file : "";
  values["token"] = has_rest ? "" : input.token;
  values["problem"] = input.problem.empty() ? "" : fenced(input.problem, "text");
  return render_template(input.template_body, values);
}

} // namespace

std::string new_rest_file() { return fmt::format("rest-of-the-diff-{}.txt", random_hex(4)); }

std::string end_of_diff(const std::string& token) {
  return fmt::format("\nEnd of the diff. The review token is {}\n", token);
}

Result<ChangePrompt> build_change_prompt(const ChangePromptInput& input) {
  const std::string files = files_text(input.files, input.max_bytes / 8);
  const std::string conventions = trim_middle(input.conventions, input.max_bytes / 8);
  TRY_ASSIGN(const std::string frame, render(input, files, conventions, "", true));
  const std::size_t taken = frame.size() + input.token.size() + kSlack;
  std::size_t room = input.max_bytes > taken ? input.max_bytes - taken : 0;
  ChangePrompt prompt;
  std::string diff;
  for (const FileDiff& file : input.files) {
    const bool fits = file.text.size() <= room;
    (fits ? diff : prompt.rest) += file.text;
    if (fits) room -= file.text.size();
  }
  if (!prompt.rest.empty()) prompt.rest += end_of_diff(input.token);
  TRY_ASSIGN(prompt.text, render(input, files, conventions, diff, !prompt.rest.empty()));
  return prompt;
}

} // namespace emend
