#include "adapters/analyzers/source_tree.hpp"

#include <sys/stat.h>

#include <set>

#include "base/files.hpp"

namespace emend {

namespace {

constexpr std::uint64_t kLargestText = 4'000'000;
constexpr std::size_t kKeptTexts = 64;

std::string canonical(const std::string& path) {
  std::error_code problem;
  const fs::path real = fs::weakly_canonical(path, problem);
  return problem ? path : real.string();
}

std::string without_last_slash(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

} // namespace

SourceTree::SourceTree(const AnalysisRequest& request)
    : root_(without_last_slash(request.root)),
      real_root_(canonical(root_)),
      lower_(without_last_slash(request.overlay.lower)),
      upper_(without_last_slash(request.overlay.upper)),
      forms_({root_, real_root_, canonical(lower_), canonical(upper_)}) {}

std::optional<std::string> SourceTree::below(std::string_view path, std::string_view directory) const {
  if (directory.empty() || path.size() <= directory.size() + 1 || !path.starts_with(directory) ||
      path[directory.size()] != '/')
    return std::nullopt;
  return std::string(path.substr(directory.size() + 1));
}

std::optional<std::string> SourceTree::relative(std::string_view reported) const {
  std::string path = fs::path(reported).lexically_normal().string();
  if (path.starts_with('/')) {
    auto inside = below(path, root_);
    if (!inside) inside = below(path, real_root_);
    if (!inside) return std::nullopt;
    path = *std::move(inside);
  }
  if (path.empty() || path == "." || path == ".." || path.starts_with("../") ||
      path.find('\0') != std::string::npos)
    return std::nullopt;
  return path;
}

std::string SourceTree::on_disk(const std::string& file) const {
  if (lower_.empty()) return root_ + "/" + file;
  struct stat changed;
  const std::string upper = upper_ + "/" + file;
  return ::lstat(upper.c_str(), &changed) == 0 ? upper : lower_ + "/" + file;
}

bool SourceTree::exists(const std::string& file) const {
  std::error_code problem;
  const fs::file_status status = fs::status(on_disk(file), problem);
  return !problem && (fs::is_regular_file(status) || fs::is_directory(status));
}

std::shared_ptr<const SourceText> SourceTree::text(const std::string& file) {
  const auto known = texts_.find(file);
  if (known != texts_.end()) return known->second;
  auto bytes = read_file_nofollow(on_disk(file), kLargestText);
  auto text = bytes ? std::make_shared<const SourceText>(*std::move(bytes)) : nullptr;
  if (texts_.size() >= kKeptTexts) texts_.clear();
  return texts_[file] = std::move(text);
}

std::optional<std::vector<std::string>> SourceTree::files(std::size_t most) const {
  std::set<std::string> found;
  for (const std::string& directory :
       lower_.empty() ? std::vector<std::string>{root_} : std::vector<std::string>{lower_, upper_}) {
    std::error_code problem;
    auto entry =
        fs::recursive_directory_iterator(directory, fs::directory_options::skip_permission_denied, problem);
    for (; !problem && entry != fs::recursive_directory_iterator(); entry.increment(problem)) {
      std::error_code unknown;
      if (entry->path().filename() == ".git")
        entry.disable_recursion_pending();
      else if (entry->symlink_status(unknown).type() == fs::file_type::regular)
        found.insert(entry->path().string().substr(directory.size() + 1));
      if (found.size() > most) return std::nullopt;
    }
    if (problem) return std::nullopt;
  }
  return std::vector<std::string>(found.begin(), found.end());
}

bool SourceTree::holds(const std::string& path) const {
  for (const std::string& form : {fs::path(path).lexically_normal().string(), canonical(path)})
    for (const std::string& directory : forms_)
      if (form == directory || below(form, directory)) return true;
  return false;
}

} // namespace emend
