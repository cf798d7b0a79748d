#include "cli/ci/baseline_file.hpp"

#include "base/files.hpp"
#include "cli/text_table.hpp"

namespace emend {

namespace {

constexpr std::uint64_t kLargest = 1ULL << 30;

Result<std::optional<Baseline>> parsed(const std::string& text, const std::string& name) {
  auto baseline = parse_baseline(text);
  if (!baseline) return fail(std::move(baseline.error()).with_context(one_line(name, 400)));
  return std::optional<Baseline>(*std::move(baseline));
}

} // namespace

std::string baseline_path(const RepositoryPlace& repository, const std::string& given) {
  return given.empty() ? (fs::path(repository.root()) / kBaselineFile).string() : given;
}

Result<std::optional<Baseline>> find_baseline(Repository& repository, const std::string& given,
                                              const std::string& commit) {
  const std::string path = baseline_path(repository, given);
  std::error_code ignored;
  if (fs::exists(path, ignored)) {
    auto text = read_file(path, kLargest);
    if (!text)
      return fail(ErrorCode::usage, "cannot read " + one_line(path, 400) + ": " + text.error().message);
    return parsed(*text, path);
  }
  if (!given.empty())
    return fail(ErrorCode::usage, "there is no file " + one_line(given, 400),
                "create it with `emend baseline create --baseline FILE`");
  if (commit.empty()) return std::optional<Baseline>();
  const auto committed = repository.read(commit, kBaselineFile);
  if (!committed) return std::optional<Baseline>();
  return parsed(*committed, std::string(kBaselineFile) + " of " + commit.substr(0, 12));
}

} // namespace emend
