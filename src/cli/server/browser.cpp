#include "cli/server/browser.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include "base/environment.hpp"
#include "base/files.hpp"
#include "cli/spawn_attributes.hpp"

extern char** environ;

namespace emend {

bool has_desktop(const CommandContext& context) {
  const auto is_set = [&](const char* name) { return !variable(context.environment(), name).empty(); };
  return context.output_is_terminal() && context.may_ask() &&
         (is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")) && !is_set("SSH_CONNECTION") && !is_set("SSH_TTY");
}

Status open_in_browser(const std::string& home, const std::string& link) {
  std::string page = home + "/server/open.html";
  TRY(write_file(
      page,
      "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>emend</title>"
      "<meta name=\"referrer\" content=\"no-referrer\"><meta http-equiv=\"refresh\" content=\"0; url=" +
          link + "\"></html>\n",
      0600));
  posix_spawn_file_actions_t quiet;
  ::posix_spawn_file_actions_init(&quiet);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_addopen(&quiet, fd, "/dev/null", O_RDWR, 0);
  std::string program = "xdg-open";
  char* const argv[] = {program.data(), page.data(), nullptr};
  const SpawnAttributes attributes(POSIX_SPAWN_SETSID); // a browser that it starts outlives this terminal
  pid_t child = 0;
  const int problem = ::posix_spawnp(&child, argv[0], &quiet, attributes.get(), argv, environ);
  ::posix_spawn_file_actions_destroy(&quiet);
  if (problem != 0) return fail(ErrorCode::not_found, "xdg-open is not installed");
  return {};
}

} // namespace emend
