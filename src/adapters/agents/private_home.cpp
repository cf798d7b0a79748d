#include "adapters/agents/private_home.hpp"

#include <cstdlib>

#include "base/files.hpp"
#include "base/log.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::uint64_t kMostLoginBytes = 256'000;
constexpr std::uint64_t kMostFileBytes = 64'000'000;
constexpr std::uint64_t kMostKeptBytes = 256'000'000;
constexpr int kMostFiles = 2'000;
constexpr const char* kPlace = "place"; // which workspace and home the kept conversations speak of

std::string user_path(const std::string& user_home, const LoginFile& file) {
  return file.path(user_home, std::getenv(file.variable.c_str()));
}

bool same_shape(const std::string& before, const std::string& after) {
  const auto old_json = parse_json(before), new_json = parse_json(after);
  if (!old_json || !new_json || !old_json->is_object() || !new_json->is_object() ||
      old_json->size() != new_json->size())
    return false;
  for (const auto& [key, value] : old_json->items())
    if (find_member(*new_json, key) == nullptr) return false;
  return true;
}

// Directory names and contents alike: Claude names a conversation's directory after the working directory.
struct Renaming {
  std::string old_workspace, new_workspace, old_home, new_home;

  [[nodiscard]] static std::string dashed(const std::string& path) {
    std::string name = path;
    for (char& c : name) {
      const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!plain) c = '-';
    }
    return name;
  }
  [[nodiscard]] std::string in_text(std::string text) const {
    text = replace_all(std::move(text), old_workspace, new_workspace);
    return replace_all(std::move(text), old_home, new_home);
  }
  [[nodiscard]] std::string in_path(std::string path) const {
    return replace_all(std::move(path), dashed(old_workspace), dashed(new_workspace));
  }
};

bool is_text(const fs::path& path) {
  const std::string ending = path.extension();
  return ending == ".json" || ending == ".jsonl" || ending == ".md" || ending == ".txt" ||
         ending == ".toml" || ending.empty();
}

bool is_login(const Driver& driver, const std::string& below_home) {
  for (const LoginFile& login : driver.cli.logins)
    if (login.target == below_home) return true;
  return false;
}

// Regular files only: whatever links the agent left are not followed.
Status copy_files(const Driver& driver, const fs::path& from, const fs::path& to, const std::string& below,
                  const Renaming* renaming) {
  std::error_code problem;
  std::uint64_t total = 0;
  int files = 0;
  const fs::path start = from / below;
  if (!fs::is_directory(fs::symlink_status(start, problem))) return {};
  for (fs::recursive_directory_iterator it(start, problem), end; it != end; it.increment(problem)) {
    if (problem) break;
    if (!fs::is_regular_file(it->symlink_status(problem))) continue;
    const std::string name = fs::path(below) / it->path().lexically_relative(start);
    if (is_login(driver, name)) continue;
    auto bytes = read_file_nofollow(it->path(), kMostFileBytes);
    if (!bytes) continue; // gone or huge: a conversation without it cannot be resumed, which is noticed then
    total += bytes->size();
    if (total > kMostKeptBytes || ++files > kMostFiles)
      return fail(ErrorCode::io, "the conversation is too large to keep");
    const bool rename = renaming != nullptr && is_text(it->path());
    TRY(make_directories((to / (renaming != nullptr ? renaming->in_path(name) : name)).parent_path(), 0700));
    TRY(write_scratch_file(to / (renaming != nullptr ? renaming->in_path(name) : name),
                           rename ? renaming->in_text(*bytes) : *bytes, 0600));
  }
  return {};
}

} // namespace

Status PrivateHome::log_in(const Driver& driver) {
  for (const LoginFile& login : driver.cli.logins) {
    const std::string from = user_path(user_home_, login);
    auto bytes =
        from.empty() ? Result<std::string>(fail(ErrorCode::not_found, "")) : read_file(from, kMostLoginBytes);
    if (!bytes) continue; // no login of that kind: the agent says so itself
    TRY(make_directories(fs::path(home_ + "/" + login.target).parent_path(), 0700));
    TRY(write_scratch_file(home_ + "/" + login.target, *bytes, 0600));
    copied_[login.target] = *std::move(bytes);
  }
  return {};
}

std::string PrivateHome::user_file(const std::string& variable, const std::string& directory,
                                   const std::string& name) const {
  const std::string path = user_path(user_home_, {variable, directory, name, ""});
  return path.empty() ? std::string() : read_file(path, kMostLoginBytes).value_or("");
}

Status PrivateHome::write(const std::vector<HomeFile>& files) const {
  for (const HomeFile& file : files) {
    TRY(make_directories(fs::path(home_ + "/" + file.path).parent_path(), 0700));
    TRY(write_scratch_file(home_ + "/" + file.path, file.text, 0600));
  }
  return {};
}

void PrivateHome::hand_back(const Driver& driver) const {
  for (const LoginFile& login : driver.cli.logins) {
    const auto before = copied_.find(login.target);
    if (before == copied_.end()) continue;
    const auto after = read_file_nofollow(home_ + "/" + login.target, kMostLoginBytes);
    if (!after || *after == before->second || !same_shape(before->second, *after)) continue;
    std::error_code problem;
    const fs::path own = fs::weakly_canonical(user_path(user_home_, login), problem);
    const auto now = read_file(own, kMostLoginBytes);
    if (!now || *now != before->second) continue;
    if (auto written = write_file(own, *after, 0600); !written)
      log(LogLevel::warn,
          "a renewed login could not be kept in " + own.string() + ": " + written.error().message);
  }
}

Status PrivateHome::restore_conversations(const Driver& driver, const std::string& store,
                                          const std::string& workspace) const {
  const fs::path from = fs::path(store) / driver.cli.name;
  const auto place = split(read_file(from / kPlace, 10'000).value_or(""), '\n');
  if (place.size() < 2) return {};
  const Renaming renaming{place[0], workspace, place[1], home_};
  for (const std::string& directory : driver.conversations)
    TRY(copy_files(driver, from, home_, directory, &renaming));
  return {};
}

Status PrivateHome::keep_conversations(const Driver& driver, const std::string& store,
                                       const std::string& workspace) const {
  const fs::path to = fs::path(store) / driver.cli.name;
  TRY(remove_tree(to));
  TRY(make_directories(to, 0700));
  for (const std::string& directory : driver.conversations)
    TRY(copy_files(driver, home_, to, directory, nullptr));
  return write_scratch_file(to / kPlace, workspace + "\n" + home_ + "\n", 0600);
}

std::vector<std::string> PrivateHome::logins_of(const Driver& driver, const std::string& user_home) {
  std::vector<std::string> result;
  std::error_code problem;
  for (const LoginFile& login : driver.cli.logins) {
    const std::string path = user_path(user_home, login);
    if (!path.empty() && fs::is_regular_file(path, problem)) result.push_back(path);
  }
  return result;
}

} // namespace emend
