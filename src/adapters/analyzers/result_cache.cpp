#include "adapters/analyzers/result_cache.hpp"

#include <chrono>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::uint64_t kLargest = 64'000'000;
constexpr auto kUnused = std::chrono::hours(14 * 24);
constexpr std::string_view kRoot = "/emend-tree-root";

// In JSON, so bytes that are no UTF-8 cannot be kept.
std::optional<std::string> text_in(const Json& json, std::string_view member, const std::string& root) {
  const Json* value = find_member(json, member);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return replace_all(value->get<std::string>(), kRoot, root);
}

} // namespace

ResultCache::ResultCache(std::string directory) : directory_(std::move(directory)) {
  if (directory_.empty()) return;
  std::error_code problem;
  fs::create_directories(directory_, problem);
  const auto now = fs::file_time_type::clock::now();
  for (fs::directory_iterator at(directory_, problem), end; !problem && at != end; at.increment(problem)) {
    std::error_code gone;
    const auto used = fs::last_write_time(at->path(), gone);
    if (!gone && now - used > kUnused) fs::remove(at->path(), gone);
  }
}

std::optional<KeptResult> ResultCache::find(const std::string& key, const std::string& root) const {
  if (!on()) return std::nullopt;
  const fs::path path = fs::path(directory_) / key;
  const auto bytes = read_file_nofollow(path.string(), kLargest);
  const auto json = bytes ? parse_json(*bytes) : Result<Json>(Json());
  if (!json || !json->is_object()) return std::nullopt;
  const auto out = text_in(*json, "out", root), err = text_in(*json, "err", root),
             report = text_in(*json, "report", root);
  const Json* code = find_member(*json, "exit_code");
  const auto exit_code = code == nullptr ? std::nullopt : exact_int(*code, 0, 255);
  if (!out || !err || !report || !exit_code) return std::nullopt;
  std::error_code ignored;
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
  return KeptResult{static_cast<int>(*exit_code), *out, *err, *report};
}

void ResultCache::keep(const std::string& key, const std::string& root, const KeptResult& result) const {
  if (!on()) return;
  Json json = {{"exit_code", result.exit_code}};
  for (const auto& [name, text] :
       {std::pair{"out", &result.out}, {"err", &result.err}, {"report", &result.report}}) {
    if (!is_valid_utf8(*text) || contains(*text, kRoot)) return;
    json[name] = root == "/" ? *text : replace_all(*text, root, kRoot);
  }
  const fs::path path = fs::path(directory_) / key, fresh = path.string() + "." + random_hex(8);
  std::error_code problem;
  if (write_file(fresh, dump_json(json), 0600)) fs::rename(fresh, path, problem);
}

} // namespace emend
