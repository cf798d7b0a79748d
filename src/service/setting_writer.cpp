#include "service/setting_writer.hpp"

#include <sys/stat.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "config/config_edit.hpp"
#include "config/config_value.hpp"
#include "engine/context/audit.hpp"
#include "service/trusting.hpp"

namespace emend {

namespace {

constexpr const char* kProjectFiles[] = {"emend.toml", ".emend.toml", ".config/emend.toml"};
constexpr std::uint64_t kMaxFileBytes = 1'000'000;

// A link, of the file or of its directory, may lead to a file that is not the project's.
Result<std::string> project_file(const std::string& root) {
  std::error_code unknown;
  if (!fs::exists(fs::path(root) / ".git", unknown))
    return fail(ErrorCode::conflict, root + " has no checkout; its settings are those of its last commit",
                "change emend.toml in a commit");
  for (const char* name : kProjectFiles) {
    const fs::path path = fs::path(root) / name;
    std::error_code problem;
    if (!fs::exists(fs::symlink_status(path, problem))) continue;
    if (fs::is_symlink(fs::symlink_status(path, problem)) ||
        fs::is_symlink(fs::symlink_status(path.parent_path(), problem)))
      return fail(ErrorCode::conflict, path.string() + " is a symbolic link; emend writes no file through it",
                  "change the file it leads to by hand");
    return path.string();
  }
  return (fs::path(root) / kProjectFiles[0]).string();
}

Result<std::string> file_of(const Workbench& bench, Repository& repository, SettingPlace place) {
  if (place == SettingPlace::project) return project_file(repository.root());
  const std::string& own = bench.user_file();
  if (own.empty())
    return fail(ErrorCode::usage,
                "there is no place for a configuration file of your own here: HOME is not set");
  return own;
}

std::optional<std::string> text_of(const std::string& path, Error& problem) {
  std::error_code missing;
  if (!fs::exists(path, missing)) return std::string();
  auto text = read_file(path, kMaxFileBytes);
  if (text) return *std::move(text);
  problem = text.error();
  return std::nullopt;
}

unsigned mode_of(const std::string& path) {
  struct stat there {};
  return ::stat(path.c_str(), &there) == 0 ? there.st_mode & 0777U : 0644U;
}

Result<std::optional<Json>> wished_value(const SettingOrder& order, const ConfigKey& key) {
  if (!order.value) return std::optional<Json>();
  auto value = value_from_text(key, *order.value);
  if (!value) return fail(ErrorCode::usage, order.key + ": " + value.error().message);
  return std::optional<Json>(*std::move(value));
}

const CommandFile* commands_in(const std::vector<CommandFile>& files, const std::string& path) {
  std::error_code problem;
  const std::string real = fs::weakly_canonical(path, problem).string();
  const auto found =
      std::find_if(files.begin(), files.end(), [&](const CommandFile& file) { return file.path == real; });
  return found == files.end() ? nullptr : &*found;
}

Status note_written(const Ports& ports, const SettingOrder& order, const std::string& path) {
  Change change;
  Json detail = {{"file", path}};
  if (order.value && !contains(order.key, ".env.")) detail["value"] = *order.value;
  note_audit(change, ports, order.value ? "setting.written" : "setting.removed", order.key, {},
             std::move(detail));
  TRY(ports.store.apply(change, ports.clock.wall_ms()));
  return {};
}

} // namespace

Result<WrittenSetting> write_setting(Workbench& bench, const Ports& ports, const SettingOrder& order) {
  const ConfigKey* key = find_config_key(order.key);
  if (key == nullptr) {
    const auto near = suggest_config_key(order.key);
    return fail(ErrorCode::usage, "there is no setting \"" + order.key + "\"",
                near ? "did you mean " + *near + "?" : "emend config show lists all settings");
  }
  SettingOrder wanted = order;
  if (!key->alias_of.empty()) wanted.key = key->alias_of;
  TRY_ASSIGN(const auto value, wished_value(wanted, *key));
  // Also what only the whole configuration can say: two values that do not fit.
  if (wanted.value) TRY(bench.config({{wanted.key, *wanted.value, "the new value"}}));

  TRY_ASSIGN(const std::string path, file_of(bench, ports.repository, wanted.place));
  TRY_ASSIGN(const Config before, bench.config());
  const CommandFile* known = commands_in(before.command_files(), path);
  const bool was_fine = known == nullptr || known->trusted;
  Error problem;
  const auto old = text_of(path, problem);
  if (!old) return fail(problem);
  TRY_ASSIGN(const ConfigEdit edit, edit_config(*old, path, wanted.key, value));
  const bool existed = fs::exists(path);
  TRY(write_file(path, edit.text, mode_of(path)));

  auto after = bench.config();
  if (!after) {
    if (existed) {
      TRY(write_file(path, *old, mode_of(path)));
    } else {
      std::error_code ignored;
      fs::remove(path, ignored);
    }
    return fail(ErrorCode::usage, "nothing was changed: " + after.error().message, after.error().remedy);
  }
  TRY(note_written(ports, wanted, path));
  const CommandFile* now = commands_in(after->command_files(), path);
  if (now != nullptr && !now->trusted && was_fine && wanted.may_trust) {
    TRY(allow_files(ports, {*now}));
    TRY_ASSIGN(after, bench.config());
    now = commands_in(after->command_files(), path);
  }
  WrittenSetting written{path, edit.line, now != nullptr && !now->trusted, {}};
  const auto counts = after->settings().find(wanted.key);
  if (wanted.value && !written.needs_trust && counts != after->settings().end()) {
    const ConfigOrigin& origin = counts->second.origin;
    std::error_code ignored;
    const bool here = origin.kind == ConfigOrigin::Kind::file && fs::equivalent(origin.name, path, ignored);
    if (!here && origin.kind != ConfigOrigin::Kind::builtin) written.stronger = to_string(origin);
  }
  return written;
}

} // namespace emend
