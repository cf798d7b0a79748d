#include "adapters/git/known_place.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <optional>

#include "base/files.hpp"
#include "base/json.hpp"

namespace emend {

namespace {

// A git directory, told from every other one of its file system. born: 0 = nobody knows.
struct Birthmark {
  std::uint64_t inode = 0;
  std::int64_t born_ns = 0;
  [[nodiscard]] bool tells() const { return inode != 0 && born_ns != 0; }
  bool operator==(const Birthmark&) const = default;
};

struct KnownPlace {
  std::string root, git_dir;
  Birthmark mark;
  std::string same_as; // the repository that is known by another id
};

Birthmark birthmark(const std::string& git_dir) {
  struct statx info {};
  if (::statx(AT_FDCWD, git_dir.c_str(), 0, STATX_INO | STATX_BTIME, &info) != 0) return {};
  Birthmark mark;
  mark.inode = info.stx_ino;
  if ((info.stx_mask & STATX_BTIME) != 0)
    mark.born_ns = info.stx_btime.tv_sec * 1'000'000'000 + info.stx_btime.tv_nsec;
  return mark;
}

fs::path folder_of(const std::string& home, const std::string& id) {
  return fs::path(home) / "repositories" / id;
}

std::optional<KnownPlace> read_place(const fs::path& folder) {
  const auto text = read_file_nofollow(folder / "place.json", 100'000);
  if (!text) return std::nullopt;
  const auto json = parse_json(*text);
  if (!json || !json->is_object()) return std::nullopt;
  KnownPlace place;
  place.root = string_or(*json, "root");
  place.git_dir = string_or(*json, "git_dir");
  place.same_as = string_or(*json, "same_as");
  if (const Json* inode = find_member(*json, "inode"); inode != nullptr && inode->is_number_unsigned())
    place.mark.inode = inode->get<std::uint64_t>();
  if (const Json* born = find_member(*json, "born_ns"); born != nullptr && born->is_number_integer())
    place.mark.born_ns = born->get<std::int64_t>();
  return place;
}

Status write_place(const fs::path& folder, const KnownPlace& place) {
  Json json = {{"root", place.root},
               {"git_dir", place.git_dir},
               {"inode", place.mark.inode},
               {"born_ns", place.mark.born_ns}};
  if (!place.same_as.empty()) json["same_as"] = place.same_as;
  return write_file(folder / "place.json", dump_json(json) + "\n");
}

KnownPlace place_of(const UserRepository& repository) {
  return {repository.root, repository.git_dir, birthmark(repository.git_dir), ""};
}

// Copies and bind mounts: where two are there, each is one of its own.
bool is_still_there(const KnownPlace& place) { return birthmark(place.git_dir) == place.mark; }

// The one that was moved to where this one is now; "" = there is none.
std::string moved_here(const KnownPlace& now, const std::string& home) {
  if (!now.mark.tells()) return "";
  std::error_code problem;
  for (const auto& folder : fs::directory_iterator(fs::path(home) / "repositories", problem)) {
    const auto known = read_place(folder.path());
    if (!known || !known->same_as.empty() || known->mark != now.mark) continue;
    if (known->root == now.root || !is_still_there(*known)) return folder.path().filename().string();
  }
  return "";
}

} // namespace

Result<std::string> settled_id(const UserRepository& repository, const std::string& home) {
  const fs::path own = folder_of(home, repository.id);
  const KnownPlace now = place_of(repository);
  const auto known = read_place(own);
  if (known && known->root == now.root && known->mark == now.mark)
    return known->same_as.empty() ? repository.id : known->same_as;
  std::error_code problem;
  const bool opened_before = !known && fs::exists(own, problem); // by an emend that wrote no place
  std::string id = opened_before ? "" : moved_here(now, home);
  if (id.empty()) id = repository.id;
  TRY(make_directories(folder_of(home, id)));
  const auto noted = read_place(folder_of(home, id));
  if (!noted || noted->root != now.root || noted->mark != now.mark)
    TRY(write_place(folder_of(home, id), now));
  return id;
}

namespace {

// The id of what lay there; where two did, one after the other, that of the one which is known by its own.
std::string id_at(const std::string& home, const std::string& root) {
  std::error_code problem;
  for (const auto& folder : fs::directory_iterator(fs::path(home) / "repositories", problem))
    if (const auto known = read_place(folder.path());
        known && known->same_as.empty() && known->root == fs::path(root).lexically_normal().string())
      return folder.path().filename().string();
  return "";
}

} // namespace

Status adopt_id(const UserRepository& repository, const std::string& home, const std::string& old) {
  const std::string id = old.starts_with('/') ? id_at(home, old) : old;
  const bool plain = !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  });
  std::error_code problem;
  if (!plain || !fs::is_directory(folder_of(home, id), problem))
    return fail(ErrorCode::not_found, "no repository " + old + " was ever used with " + home);
  KnownPlace now = place_of(repository);
  const auto known = read_place(folder_of(home, id));
  if (known && known->root != now.root && is_still_there(*known))
    return fail(ErrorCode::conflict, "the repository " + id + " is still in " + known->root);
  TRY(write_place(folder_of(home, id), now));
  if (id == repository.id) return {};
  now.same_as = id;
  TRY(make_directories(folder_of(home, repository.id)));
  return write_place(folder_of(home, repository.id), now);
}

} // namespace emend
