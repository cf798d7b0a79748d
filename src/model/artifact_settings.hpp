// Where the artifacts of sessions (TODO files, prompts, transcripts, reports, proofs) are kept besides the
// local folder, and for how long.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace emend {

struct ArtifactSettings {
  std::string bucket;   // empty = only the local folder
  std::string prefix;   // of every key in the bucket: empty, or ends with '/'
  std::string endpoint; // "https://host:port" without a path; empty = Amazon's for the region
  std::string region = "us-east-1";
  bool bucket_in_path = false; // https://host/bucket/key instead of https://bucket.host/key
  int retention_days = 10;     // 0 = for ever

  [[nodiscard]] bool remote() const { return !bucket.empty(); }
  [[nodiscard]] std::string address() const; // "s3://bucket/prefix", for people
  [[nodiscard]] std::string place() const;   // tells two stores apart
  [[nodiscard]] std::string root() const {
    return prefix + "fix-todos/";
  } // everything of ours is below; nothing else is ever touched
  [[nodiscard]] std::string key(const std::string& session_id, const std::string& name) const {
    return root() + session_id + "/" + name;
  }
  [[nodiscard]] std::int64_t retention_ms() const { return std::int64_t{retention_days} * 24 * 3600 * 1000; }
};

// Takes "s3://bucket/prefix"; "" leaves it local.
[[nodiscard]] Status set_address(ArtifactSettings& settings, const std::string& address);
// Takes "https://host[:port]"; without TLS only a server on this machine.
[[nodiscard]] Status set_endpoint(ArtifactSettings& settings, const std::string& endpoint);

} // namespace emend
