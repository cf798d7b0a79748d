#include "engine/triage.hpp"

#include <filesystem>
#include <map>
#include <memory>

#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {
namespace {

void annotate(Finding& finding, std::string_view what) {
  const auto& present = finding.annotations;
  if (std::find(present.begin(), present.end(), what) == present.end()) finding.annotations.emplace_back(what);
}

// "./src/a.c", "src//a.c" and the absolute path of a file in the checkout name the same file. Empty = leaves the repository.
std::string relative_path(const std::string& file, const std::string& root) {
  std::filesystem::path path(file);
  if (path.is_absolute()) path = path.lexically_relative(root);
  const std::string normal = path.lexically_normal().generic_string();
  if (normal.empty() || normal == "." || normal == ".." || normal.starts_with("../") || normal.starts_with("/")) return {};
  return normal;
}

std::string squeeze(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') out.push_back(c);
  return out;
}

// The line and the nearest non-blank one on each side, without white space.
std::string context_of(const std::vector<std::string_view>& lines, int line) {
  const auto at = [&](int number) -> std::string {
    return number >= 1 && number <= static_cast<int>(lines.size()) ? squeeze(lines[static_cast<std::size_t>(number - 1)]) : std::string{};
  };
  const auto neighbour = [&](int step) {
    for (int n = line + step, tries = 0; tries < 20; n += step, ++tries)
      if (const std::string text = at(n); !text.empty()) return text;
    return std::string{};
  };
  return line < 1 ? std::string{} : neighbour(-1) + "\n" + at(line) + "\n" + neighbour(1);
}

std::string fingerprint_of(const Finding& finding, const std::vector<std::string_view>& lines) {
  const std::string what = finding.rule.empty() ? to_lower(squeeze(finding.category + finding.description)) : finding.rule;
  return sha256_hex(what + '\0' + finding.file + '\0' + context_of(lines, finding.line)).substr(0, 32);
}

// A file of the base, read and split once however many findings point into it.
struct BaseFile {
  bool exists = false;
  std::string content;
  std::vector<std::string_view> lines; // into content
};

class BaseFiles {
public:
  explicit BaseFiles(TreeReader read) : read_(std::move(read)) {}

  Result<const BaseFile*> get(const std::string& path) {
    if (const auto known = files_.find(path); known != files_.end()) return known->second.get();
    auto file = std::make_unique<BaseFile>();
    if (!path.empty()) {
      auto bytes = read_(path);
      if (!bytes && bytes.error().code != ErrorCode::not_found) return fail(std::move(bytes).error());
      file->exists = bytes.has_value();
      if (bytes) file->content = *std::move(bytes);
      file->lines = lines_of(file->content);
    }
    return files_.emplace(path, std::move(file)).first->second.get();
  }

private:
  TreeReader read_;
  std::map<std::string, std::unique_ptr<BaseFile>> files_;
};

// Fills in the normal path and what is odd about the place; the path to read, empty when there is none.
std::string settle_path(Finding& finding, const std::string& root) {
  if (finding.file.empty()) {
    annotate(finding, kNoFile);
    return {};
  }
  const std::string path = relative_path(finding.file, root);
  if (path.empty()) annotate(finding, kOutside);
  else finding.file = path;
  return path;
}

// Offsets mean something in exactly these bytes; a file that is not there gets no hash, and the fix-it is never applied.
Status pin_fixit(FixIt& fixit, BaseFiles& files) {
  fixit.sources.clear();
  for (const Edit& edit : fixit.edits) {
    if (fixit.sources.contains(edit.file)) continue;
    TRY_ASSIGN(const BaseFile* file, files.get(edit.file));
    if (file->exists) fixit.sources[edit.file] = sha256_hex(file->content);
  }
  return {};
}

// The same text may stand in a file twice with the same neighbours: that is two issues, told apart by their order.
class Repeats {
public:
  std::string distinguish(const std::string& fingerprint, int line) {
    auto& lines = seen_[fingerprint];
    const auto known = std::find(lines.begin(), lines.end(), line);
    const auto index = known - lines.begin();
    if (known == lines.end()) lines.push_back(line);
    return index == 0 ? fingerprint : sha256_hex(fingerprint + "#" + std::to_string(index)).substr(0, 32);
  }

private:
  std::map<std::string, std::vector<int>> seen_;
};

} // namespace

std::string fingerprint(const Finding& finding, std::string_view file_content) { return fingerprint_of(finding, lines_of(file_content)); }

Result<std::vector<Issue>> triage(const std::vector<Finding>& findings, Repository& repository, const std::string& base) {
  return triage(findings, repository, [&](const std::string& path) { return repository.read(base, path); });
}

Result<std::vector<Issue>> triage(const std::vector<Finding>& findings, const Repository& repository, TreeReader read) {
  std::vector<Issue> issues;
  issues.reserve(findings.size());
  BaseFiles files(std::move(read));
  Repeats repeats;
  for (Finding finding : findings) {
    const std::string path = settle_path(finding, repository.root());
    TRY_ASSIGN(const BaseFile* file, files.get(path));
    if (!path.empty() && !file->exists) annotate(finding, kFileMissing);
    if (file->exists && finding.line > static_cast<int>(file->lines.size())) annotate(finding, kLinePastEnd);
    for (std::string& related : finding.related_files) related = relative_path(related, repository.root());
    std::erase(finding.related_files, std::string{});
    if (finding.fixit) TRY(pin_fixit(*finding.fixit, files));
    Issue issue;
    issue.repository_id = repository.id();
    issue.fingerprint = repeats.distinguish(fingerprint_of(finding, file->lines), finding.line);
    issue.finding = std::move(finding);
    issues.push_back(std::move(issue));
  }
  return issues;
}

} // namespace emend
