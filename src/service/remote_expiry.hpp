// Removes what is too old from the artifacts' store: objects of our own shape below our own prefix, and
// nothing else.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string_view>

#include "model/artifact_settings.hpp"
#include "ports/artifacts.hpp"

namespace emend {

struct RemoteExpiry {
  std::size_t objects = 0;
  std::uint64_t bytes = 0;
};

// "PREFIX/fix-todos/SESSION/NAME" with the names sessions give.
[[nodiscard]] bool is_artifact_key(const ArtifactSettings& settings, std::string_view key);

// What was stored before before_ms, by the store's own word; an object without a time that can be read stays.
// dry = only counts.
[[nodiscard]] Result<RemoteExpiry> expire_remote(ObjectStore& objects, const ArtifactSettings& settings,
                                                 std::int64_t before_ms, bool dry, std::stop_token stop);

} // namespace emend
