// Where artifacts go besides the local folder: a store of objects by key, and whoever sees to it that they
// get there.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace emend {

struct StoredObject {
  std::string key;
  std::uint64_t size = 0;
  std::optional<std::int64_t> modified_ms; // nullopt = the store did not say it in a way that can be read
};

struct ObjectPage {
  std::vector<StoredObject> objects;
  std::string next; // give it back to go on; empty = there are no further ones
};

// Every call blocks for a bounded time and ends soon after `stop` fires (ErrorCode::cancelled). Errors: auth
// = refused; usage = this object cannot be stored, others can; anything else = not now. Safe to use from many
// threads, one call at a time.
class ObjectStore {
public:
  virtual ~ObjectStore() = default;
  [[nodiscard]] virtual Status put(const std::string& key, std::string_view bytes,
                                   std::stop_token stop) = 0; // replaces
  [[nodiscard]] virtual Result<ObjectPage> list(const std::string& prefix, const std::string& from,
                                                std::stop_token stop) = 0;
  [[nodiscard]] virtual Status remove(const std::string& key, std::stop_token stop) = 0; // missing is fine
};

// Is told that a session's folder gets something new, before it does and when it has it: who dies in between
// has said where it belongs. Never waits, never fails. Any thread.
class ArtifactSink {
public:
  virtual ~ArtifactSink() = default;
  virtual void will_keep(const std::string& session_id) = 0;
  virtual void kept(const std::string& session_id) = 0;
};

} // namespace emend
