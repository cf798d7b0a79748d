#include "adapters/process/overlay_probe.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "adapters/process/supervised_runner.hpp"
#include "base/abandoned.hpp"
#include "base/files.hpp"

namespace emend {

namespace {

constexpr const char* kProbe = "overlay-probe-";

bool is_whiteout(const fs::path& path) {
  struct stat info;
  return ::lstat(path.c_str(), &info) == 0 && S_ISCHR(info.st_mode) && info.st_rdev == 0;
}

bool try_in(ProcessRunner& runner, const fs::path& directory) {
  std::error_code problem;
  for (const char* name :
       {"lower", "upper", "work", "area/mine/target", "area/other", "hidden", "read-only", "outside"}) {
    if (!fs::create_directories(directory / name, problem)) return false;
  }
  std::ofstream(directory / "lower/kept") << "base";
  std::ofstream(directory / "lower/removed") << "base";
  std::ofstream(directory / "hidden/secret") << "secret";
  ProcessSpec spec;
  spec.argv = {"/bin/sh", "-c",
               "test -f kept && echo changed >kept && rm removed && echo new >made && test ! -e "
               "../../../hidden/secret && test ! -e ../../other && "
               "echo own >../own && ! echo x 2>/dev/null >../../../read-only/x && ! echo x 2>/dev/null "
               ">../../../outside/x"};
  spec.env = {"PATH=/usr/local/bin:/usr/bin:/bin"};
  spec.cwd = directory / "area/mine/target";
  spec.wall_limit_ms = 20'000;
  spec.network = NetworkAccess::loopback;
  spec.overlay = {
      directory / "lower",    directory / "upper",       directory / "work", directory / "area/mine/target",
      {directory / "hidden"}, {directory / "read-only"}, directory / "area", directory / "area/mine"};
  const auto result = runner.run(spec, {});
  return result && result->ok() && fs::file_size(directory / "lower/kept", problem) == 4 &&
         fs::exists(directory / "lower/removed") && fs::is_regular_file(directory / "upper/made") &&
         is_whiteout(directory / "upper/removed");
}

} // namespace

bool overlay_supported(ProcessRunner& runner, const std::string& scratch_dir) {
  remove_abandoned(scratch_dir, kProbe);
  std::string name = scratch_dir + "/" + kProbe + "XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) return false;
  const bool supported = try_in(runner, name);
  remove_or_abandon(name);
  return supported;
}

bool overlay_supported(const std::string& helper_path, const std::string& scratch_dir) {
  SupervisedRunner runner(helper_path);
  return overlay_supported(runner, scratch_dir);
}

} // namespace emend
