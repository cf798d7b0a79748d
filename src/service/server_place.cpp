#include "service/server_place.hpp"

#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr int kMostServers = 32;

fs::path place(const std::string& home, int number) {
  const std::string name = number == 1 ? "lock" : "lock." + std::to_string(number);
  return fs::path(home) / "server" / name;
}

} // namespace

Result<FileLock> take_server_place(const std::string& home, int number) {
  auto lock = FileLock::try_lock(place(home, number));
  if (!lock && lock.error().code == ErrorCode::conflict)
    return fail(ErrorCode::conflict, "a server is already running for " + home, "to open it: emend open");
  return lock;
}

Result<FileLock> take_free_server_place(const std::string& home, int number) {
  for (; number <= kMostServers; ++number) {
    auto lock = take_server_place(home, number);
    if (lock || lock.error().code != ErrorCode::conflict) return lock;
  }
  return fail(ErrorCode::conflict, std::to_string(kMostServers) + " servers are running for " + home,
              "stop one of them");
}

Result<std::vector<FileLock>> keep_servers_away(const std::string& home) {
  std::vector<FileLock> locks;
  std::error_code problem;
  for (int number = 1; number <= kMostServers; ++number) {
    if (number > 1 && !fs::exists(place(home, number), problem)) continue;
    auto lock = take_server_place(home, number);
    if (!lock && lock.error().code == ErrorCode::conflict)
      return fail(ErrorCode::conflict, "emend serve is running with this EMEND_HOME",
                  "stop it, then restore");
    TRY(lock);
    locks.push_back(*std::move(lock));
  }
  return locks;
}

Result<std::string> home_id(const std::string& home) {
  const fs::path path = fs::path(home) / "server" / "home-id";
  TRY(make_directories(path.parent_path(), 0700));
  std::error_code problem;
  if (!fs::exists(path, problem)) {
    // Two that begin together both write one; a link to the first stays.
    const fs::path fresh = path.string() + "." + new_uuid();
    TRY(write_file(fresh, new_uuid() + "\n", 0600));
    fs::create_hard_link(fresh, path, problem);
    fs::remove(fresh, problem);
  }
  TRY_ASSIGN(const std::string text, read_file_nofollow(path, 1'000));
  return std::string(trim(text));
}

} // namespace emend
