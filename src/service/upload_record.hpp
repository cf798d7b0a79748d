// Which artifacts of one session are in which store already: uploaded.jsonl in the session's folder, a line
// for each, only ever appended to.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "base/files.hpp"
#include "engine/session/artifacts.hpp"

namespace emend {

// What is to be sent is what lies in the folder and is not written down here, so nothing is forgotten when a
// program dies. A line that was cut off does not count: its artifact is sent once more, which changes
// nothing.
class UploadRecord {
public:
  [[nodiscard]] static UploadRecord read(const fs::path& session_folder);

  [[nodiscard]] bool wanted(const std::string& place) const { return places_.contains(place); }
  // These very bytes: a file that was written again since is not there yet.
  [[nodiscard]] bool has(const std::string& place, const Artifact& artifact) const;

  // This session's artifacts belong into that store.
  [[nodiscard]] Status want(const std::string& place);
  [[nodiscard]] Status add(const std::string& place, const Artifact& artifact);

private:
  struct Version {
    std::uint64_t size = 0;
    std::int64_t modified_ns = 0;
  };
  explicit UploadRecord(fs::path file) : file_(std::move(file)) {}
  void take_line(std::string_view line);
  [[nodiscard]] Status append(const Json& line) const;

  fs::path file_;
  std::map<std::string, std::map<std::string, Version>> places_; // place -> name -> what was sent
};

} // namespace emend
