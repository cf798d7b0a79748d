#include "engine/context/check_environment.hpp"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/files.hpp"
#include "base/mutant.hpp"
#include "engine/context/offline.hpp"

namespace emend {
namespace {

using Environment = std::vector<std::string>;

bool sets(const Environment& env, std::string_view name) {
  return std::any_of(env.begin(), env.end(), [&](const std::string& pair) {
    return pair.size() > name.size() && pair.starts_with(name) && pair[name.size()] == '=';
  });
}

void set(Environment& env, const std::string& name, const std::string& value) {
  std::erase_if(env, [&](const std::string& pair) { return pair.starts_with(name + "="); });
  env.push_back(name + "=" + value);
}

// What a person set holds.
void add_missing(Environment& env, const Environment& pairs) {
  for (const std::string& pair : pairs)
    if (!sets(env, std::string_view(pair).substr(0, pair.find('=')))) env.push_back(pair);
}

// Every login has these; a service that starts the engine may not.
void add_person(Environment& env) {
  static const std::string name = [] {
    const passwd* person = ::getpwuid(::getuid());
    return std::string(person == nullptr || person->pw_name == nullptr ? "" : person->pw_name);
  }();
  if (!name.empty()) add_missing(env, {"USER=" + name, "LOGNAME=" + name});
}

Status empty_directory(const std::string& path) {
  std::error_code problem;
  std::vector<fs::path> inside;
  for (fs::directory_iterator item(path, problem), end; !problem && item != end; item.increment(problem))
    inside.push_back(item->path());
  for (const fs::path& item : inside) TRY(remove_tree(item));
  return {};
}

} // namespace

Environment check_environment(const Policy& policy, const CheckPlace& place, Look look, bool help) {
  Environment env;
  Environment names = policy.pass_env;
  names.insert(names.end(), {"TERM", "SHELL"});
  for (const std::string& name : names) {
    if (name.starts_with("EMEND")) continue; // code under test must not be able to tell that it is checked
    if (const char* value = std::getenv(name.c_str())) set(env, name, value);
  }
  add_person(env);
  if (place.temp != "/tmp" || std::getenv("TMPDIR") != nullptr) set(env, "TMPDIR", place.temp);
  set(env, "PWD", place.path);
  if (!place.home.empty()) set(env, "HOME", place.home);
  if (!place.has_git) set(env, "GIT_CEILING_DIRECTORIES", fs::path(place.path).parent_path().string());
  const bool second = look == Look::second;
  if (second) {
    for (const char* name : {"USER", "LOGNAME"}) set(env, name, "builder");
    set(env, "TERM", "dumb");
    set(env, "LANG", "C.UTF-8");
  }
  for (const std::string& pair : policy.verify_env)
    set(env, pair.substr(0, pair.find('=')), pair.substr(pair.find('=') + 1));
  if (!help && !second && !without("neutral_look")) return env;
  add_missing(env, {"CI=1"});
  if (commands_are_offline(policy)) add_missing(env, offline_environment());
  return env;
}

Status forget_beside(const CheckPlace& place, const Workspace& workspace) {
  if (without("layers")) return {};
  for (const PrivateLayer& layer : place.mount.layers)
    if (layer.below.empty()) TRY(empty_directory(layer.upper));
  return empty_directory(workspace.temp_dir());
}

} // namespace emend
