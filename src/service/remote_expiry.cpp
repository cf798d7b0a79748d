#include "service/remote_expiry.hpp"

#include "engine/context/run_context.hpp"
#include "engine/session/artifacts.hpp"

namespace emend {

bool is_artifact_key(const ArtifactSettings& settings, std::string_view key) {
  const std::string root = settings.root();
  if (!key.starts_with(root)) return false;
  key.remove_prefix(root.size());
  const std::size_t slash = key.find('/');
  return slash != std::string_view::npos && is_session_id(key.substr(0, slash)) &&
         is_artifact_name(key.substr(slash + 1));
}

Result<RemoteExpiry> expire_remote(ObjectStore& objects, const ArtifactSettings& settings,
                                   std::int64_t before_ms, bool dry, std::stop_token stop) {
  constexpr int kMostPages = 100'000;
  RemoteExpiry sum;
  std::string from;
  for (int pages = 0; pages < kMostPages; ++pages) {
    TRY_ASSIGN(const ObjectPage page, objects.list(settings.root(), from, stop));
    for (const StoredObject& object : page.objects) {
      if (!is_artifact_key(settings, object.key) || !object.modified_ms || *object.modified_ms >= before_ms)
        continue;
      if (!dry) TRY(objects.remove(object.key, stop));
      ++sum.objects;
      sum.bytes += object.size;
    }
    if (page.next.empty()) return sum;
    if (page.next == from)
      return fail(ErrorCode::io, settings.address() + " lists the same objects repeatedly");
    from = page.next;
  }
  return fail(ErrorCode::limit, settings.address() + " lists objects without end");
}

} // namespace emend
