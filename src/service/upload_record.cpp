#include "service/upload_record.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>

#include "base/json.hpp"
#include "base/owned_fd.hpp"
#include "base/strings.hpp"

namespace emend {

UploadRecord UploadRecord::read(const fs::path& session_folder) {
  constexpr std::uint64_t kMaxBytes = 100'000'000;
  UploadRecord record(session_folder / "uploaded.jsonl");
  const std::string text = read_file_nofollow(record.file_, kMaxBytes).value_or("");
  for (const std::string_view line : lines_of(text)) record.take_line(line);
  return record;
}

void UploadRecord::take_line(std::string_view line) {
  if (trim(line).empty()) return;
  const auto json = parse_json(line);
  if (!json || !json->is_object()) return;
  const std::string place = string_or(*json, "to"), name = string_or(*json, "name");
  if (place.empty()) return;
  auto& sent = places_[place];
  const Json *size = find_member(*json, "size"), *modified = find_member(*json, "modified_ns");
  if (name.empty() || size == nullptr || modified == nullptr) return;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const auto bytes = exact_int(*size, 0, kMost), time = exact_int(*modified, 0, kMost);
  if (bytes && time) sent[name] = {static_cast<std::uint64_t>(*bytes), *time};
}

bool UploadRecord::has(const std::string& place, const Artifact& artifact) const {
  const auto known = places_.find(place);
  if (known == places_.end()) return false;
  const auto sent = known->second.find(artifact.name);
  return sent != known->second.end() && sent->second.size == artifact.size &&
         sent->second.modified_ns == artifact.modified_ns;
}

Status UploadRecord::want(const std::string& place) {
  if (wanted(place)) return {};
  TRY(make_directories(file_.parent_path()));
  TRY(append({{"to", place}}));
  places_[place];
  return {};
}

Status UploadRecord::add(const std::string& place, const Artifact& artifact) {
  TRY(append({{"to", place},
              {"name", artifact.name},
              {"size", artifact.size},
              {"modified_ns", artifact.modified_ns}}));
  places_[place][artifact.name] = {artifact.size, artifact.modified_ns};
  return {};
}

// In one write, and on a line of its own even after one that was cut off.
Status UploadRecord::append(const Json& line) const {
  const OwnedFd fd(::open(file_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  const std::string text = "\n" + dump_json(line) + "\n";
  if (!fd || ::write(fd.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    return fail(ErrorCode::io, "cannot write " + file_.string() + ": " + std::strerror(errno));
  return {};
}

} // namespace emend
