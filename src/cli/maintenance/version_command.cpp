#include "cli/commands.hpp"
#include "cli/context.hpp"

namespace emend {

Command version_command() {
  Command command;
  command.name = "version";
  command.summary = "print the version";
  command.run = [](CommandContext& context) {
    const std::string& version = context.dependencies().version;
    if (context.global().json) {
      context.print_json("version", {{"version", version}});
    } else {
      context.print("emend " + version + "\n");
    }
    return context.finish(ExitStatus::done);
  };
  return command;
}

} // namespace emend
