// Other repositories, through the person's own git (its credentials and proxies), and only because a person
// asked: what a ref is there, bringing it here, moving a branch of ours on there. No ref, file or object of
// the person's repository changes.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace emend {

struct NamedRemote {
  std::string name;
  std::string url;     // as git would use it
  std::string written; // as the person wrote it: url.*.insteadOf may make something else of it
};

// A branch of another repository, moved from where it is known to be to a commit of ours.
struct PushRequest {
  std::string url;      // as the person wrote it
  std::string branch;   // without refs/heads/
  std::string tip;      // a commit of the person's repository
  std::string expected; // what the branch points at there now; empty = it does not exist
};

// Calls are bounded in time and end soon after `stop` fires. ErrorCode::auth, io when the other side refuses
// or is away.
class Remotes {
public:
  virtual ~Remotes() = default;
  [[nodiscard]] virtual Result<std::vector<NamedRemote>> list() = 0; // nothing is asked of them
  // The commit a full ref of that repository points at; nullopt = it has no such ref.
  [[nodiscard]] virtual Result<std::optional<std::string>> tip(const std::string& url, const std::string& ref,
                                                               std::stop_token stop) = 0;
  // The same, with everything the commit is made of brought into the engine's own store.
  // ErrorCode::not_found: there is no such ref.
  [[nodiscard]] virtual Result<std::string> fetch(const std::string& url, const std::string& ref,
                                                  std::stop_token stop) = 0;
  // Forward only: ErrorCode::conflict, and nothing has changed, when the branch is not where it is expected
  // to be or holds commits that the tip does not come after.
  [[nodiscard]] virtual Status push(const PushRequest& request, std::stop_token stop) = 0;
};

} // namespace emend
