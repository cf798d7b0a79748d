#include "adapters/process/program_path.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>

namespace emend {

namespace {

std::string_view path_variable(const ProcessSpec& spec) {
  for (const std::string& variable : spec.env) {
    if (variable.starts_with("PATH=")) return std::string_view(variable).substr(5);
  }
  return "/usr/local/bin:/usr/bin:/bin";
}

bool is_regular_file(const std::string& path) {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

std::string describe_exec_failure(const ProcessSpec& spec, int error_number) {
  const std::string& name = spec.argv.front();
  switch (error_number) {
    case ENOENT:
      if (!spec.overlay.mounted() && name.starts_with('/') && ::access(name.c_str(), F_OK) == 0)
        return name + ": the program named in its first line does not exist";
      return name + ": not found";
    case EACCES: return name + ": not executable";
    case ENOEXEC: return name + ": not a program this machine can run (a script needs a #! line)";
    case E2BIG: return name + ": the arguments and environment are too long";
    default: return name + ": " + std::generic_category().message(error_number);
  }
}

} // namespace

ProgramPath find_program(const ProcessSpec& spec) {
  const std::string& name = spec.argv.front();
  if (name.find('/') != std::string::npos) return {name, {}};
  if (name.empty()) return {{}, "the command is empty"};
  std::string_view path = path_variable(spec);
  std::string not_executable;
  while (!path.empty()) {
    const std::string_view directory = path.substr(0, path.find(':'));
    path.remove_prefix(std::min(path.size(), directory.size() + 1));
    if (!directory.starts_with('/')) continue;
    std::string candidate = std::string(directory) + "/" + name;
    if (!is_regular_file(candidate)) continue;
    if (::access(candidate.c_str(), X_OK) == 0) return {std::move(candidate), {}};
    if (not_executable.empty()) not_executable = std::move(candidate);
  }
  if (!not_executable.empty()) return {{}, name + ": " + not_executable + " is not executable"};
  return {{}, name + ": not found in PATH"};
}

std::string describe_start_failure(const ProcessSpec& spec, exec_protocol::Stage stage, int error_number) {
  using exec_protocol::Stage;
  const std::string reason = std::generic_category().message(error_number);
  switch (stage) {
    case Stage::options:
      return "emend-exec did not understand its options; it belongs to another version of emend";
    case Stage::isolation: return "the kernel refused the namespaces: " + reason;
    case Stage::proc: return "/proc could not be mounted for the process tree: " + reason;
    case Stage::overlay:
      return "the private file tree could not be mounted at " + spec.overlay.target + ": " + reason;
    case Stage::contain: return "the process tree could not be limited to its workspace: " + reason;
    case Stage::hide: return "a directory could not be hidden from the process tree: " + reason;
    case Stage::fork: return "no process could be started: " + reason;
    case Stage::cwd: return "working directory " + spec.cwd + ": " + reason;
    case Stage::exec: return describe_exec_failure(spec, error_number);
  }
  return reason;
}

} // namespace emend
