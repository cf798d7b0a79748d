#include "adapters/analyzers/result_cache.hpp"

#include <chrono>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::uint64_t kLargest = 64'000'000;
constexpr auto kDay = std::chrono::hours(24);
constexpr auto kUnused = 14 * kDay;
constexpr std::string_view kRoot = "/emend-tree-root";

bool older_than(const fs::path& path, std::chrono::hours age) {
  std::error_code problem;
  const auto changed = fs::last_write_time(path, problem);
  return !problem && fs::file_time_type::clock::now() - changed > age;
}

void touch(const fs::path& path) {
  std::error_code ignored;
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
}

} // namespace

ResultCache::ResultCache(std::string directory) : directory_(std::move(directory)) {
  if (directory_.empty()) return;
  std::error_code problem;
  fs::create_directories(directory_, problem);
  const fs::path tidied = fs::path(directory_) / ".tidied";
  if (fs::exists(tidied, problem) && !older_than(tidied, kDay)) return;
  if (write_file(tidied, "", 0600)) touch(tidied);
  for (fs::directory_iterator at(directory_, problem), end; !problem && at != end; at.increment(problem)) {
    std::error_code gone;
    if (older_than(at->path(), kUnused)) fs::remove_all(at->path(), gone);
  }
}

std::optional<Json> ResultCache::find(const std::string& key, const std::string& root) const {
  if (!on()) return std::nullopt;
  const fs::path path = fs::path(directory_) / key;
  const auto bytes = read_file_nofollow(path.string(), kLargest);
  if (!bytes) return std::nullopt;
  auto json = parse_json(replace_all(*bytes, kRoot, root));
  if (!json || !json->is_object()) return std::nullopt;
  if (older_than(path, kDay)) touch(path);
  return *std::move(json);
}

// In JSON, so bytes that are no UTF-8 cannot be kept.
void ResultCache::keep(const std::string& key, const std::string& root, const Json& result) const {
  if (!on()) return;
  std::string text = dump_json(result);
  if (!is_valid_utf8(text) || contains(text, kRoot)) return;
  if (root != "/") text = replace_all(text, root, kRoot);
  const fs::path path = fs::path(directory_) / key, fresh = path.string() + "." + random_hex(8);
  std::error_code problem;
  if (write_file(fresh, text, 0600)) fs::rename(fresh, path, problem);
}

} // namespace emend
