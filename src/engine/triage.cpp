#include "engine/triage.hpp"

#include <filesystem>

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
std::string context_of(std::string_view content, int line) {
  const auto lines = lines_of(content);
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

Status check_location(Finding& finding, Repository& repository, const std::string& base, std::string& content) {
  if (finding.file.empty()) {
    annotate(finding, kNoFile);
    return {};
  }
  const std::string path = relative_path(finding.file, repository.root());
  if (path.empty()) {
    annotate(finding, kOutside);
    return {};
  }
  finding.file = path;
  auto bytes = repository.read(base, path);
  if (!bytes) {
    if (bytes.error().code != ErrorCode::not_found) return fail(std::move(bytes).error());
    annotate(finding, kFileMissing);
    return {};
  }
  content = *std::move(bytes);
  if (finding.line > static_cast<int>(lines_of(content).size())) annotate(finding, kLinePastEnd);
  return {};
}

} // namespace

std::string fingerprint(const Finding& finding, std::string_view file_content) {
  const std::string what = finding.rule.empty() ? to_lower(squeeze(finding.category + finding.description)) : finding.rule;
  return sha256_hex(what + '\0' + finding.file + '\0' + context_of(file_content, finding.line)).substr(0, 32);
}

Result<std::vector<Issue>> triage(const std::vector<Finding>& findings, Repository& repository, const std::string& base) {
  std::vector<Issue> issues;
  issues.reserve(findings.size());
  for (Finding finding : findings) {
    std::string content;
    TRY(check_location(finding, repository, base, content));
    for (std::string& related : finding.related_files) related = relative_path(related, repository.root());
    std::erase(finding.related_files, std::string{});
    Issue issue;
    issue.repository_id = repository.id();
    issue.fingerprint = fingerprint(finding, content);
    issue.finding = std::move(finding);
    issues.push_back(std::move(issue));
  }
  return issues;
}

} // namespace emend
