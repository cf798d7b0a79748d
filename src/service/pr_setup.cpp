#include "service/pr_setup.hpp"

#include "base/files.hpp"
#include "base/strings.hpp"
#include "model/patch.hpp"

namespace emend {

namespace {

// A file on disk, unless a link leads there: whoever wrote the checked-out tree may have made the link.
Result<std::optional<std::string>> own_file(const fs::path& path) {
  constexpr std::uint64_t kMaxBytes = 1'000'000;
  std::error_code problem;
  if (fs::canonical(path, problem) != path || problem) return std::optional<std::string>();
  TRY_ASSIGN(std::string bytes, read_file(path, kMaxBytes));
  return std::optional<std::string>(std::move(bytes));
}

Result<std::optional<std::string>> file_as_of(Repository& repository, const std::string& base,
                                              const std::vector<std::string>& others,
                                              const std::string& path) {
  TRY_ASSIGN(const Tree* tree, repository.tree(base));
  if (const auto entry = tree->find(path); entry != tree->end()) {
    if (entry->second.mode != kModeFile && entry->second.mode != kModeExecutable)
      return fail(ErrorCode::config, path + " is not a regular file in " + base.substr(0, 12));
    TRY_ASSIGN(std::string bytes, repository.read(base, path));
    return std::optional<std::string>(std::move(bytes));
  }
  for (const std::string& other : others) {
    TRY_ASSIGN(const Tree* known, repository.tree(other));
    if (known->contains(path)) return std::optional<std::string>();
  }
  return own_file(fs::path(repository.root()) / path);
}

} // namespace

TreeFileReader configuration_of_base(Repository& repository, const std::string& base,
                                     const std::string& head) {
  std::vector<std::string> others{head};
  if (auto checked_out = repository.resolve("HEAD")) others.push_back(*std::move(checked_out));
  return [&repository, base, others](const std::string& path) {
    return file_as_of(repository, base, others, path);
  };
}

TreeFileReader configuration_of_head(Repository& repository) {
  return [&repository](const std::string& path) -> Result<std::optional<std::string>> {
    TRY_ASSIGN(const std::string head, repository.resolve("HEAD"));
    TRY_ASSIGN(const Tree* tree, repository.tree(head));
    if (!tree->contains(path)) return std::optional<std::string>();
    return file_as_of(repository, head, {}, path);
  };
}

Status check_voters(const std::vector<AgentBinding>& voters, const std::string& root) {
  for (const AgentBinding& voter : voters) {
    const fs::path script = fs::path(voter.script).lexically_relative(root);
    if (!voter.script.empty() && !script.empty() && *script.begin() != "..")
      return fail(ErrorCode::config,
                  "voter " + first_line(clean_text(voter.name), 200) +
                      " uses a script from the repository it should review",
                  "put the script outside the repository");
  }
  return {};
}

} // namespace emend
