#include "cli/trust_check.hpp"

#include "base/strings.hpp"
#include "cli/terminal.hpp"
#include "service/trusting.hpp"

namespace emend {

std::string command_files_text(const std::vector<CommandFile>& files) {
  std::string text;
  for (const CommandFile& file : files) {
    text += one_line(file.path, 400);
    if (file.trusted) text += "  (trusted)";
    if (!file.trusted) text += file.trusted_before ? "  (changed since you trusted it)" : "  (not trusted)";
    text += "\n";
    for (const std::string& wish : file.wants) text += indented(wish, "  ");
  }
  return text;
}

Status trust_files(CommandContext& context, const std::vector<CommandFile>& files) {
  // What the context keeps open is made of the configuration, and it is not trusted yet.
  TRY_ASSIGN(const auto bench, context.open_bench());
  return allow_files(bench->ports(context.actor_at(&bench->repository())), files);
}

Status ask_for_trust(CommandContext& context, const std::vector<CommandFile>& files,
                     const std::string& what) {
  const std::string shown = command_files_text(files);
  if (!context.may_ask())
    return fail(ErrorCode::needs_input, what + ", which you have not allowed:\n" + shown,
                "read it, then allow it with: emend trust");
  write_stderr(what + ":\n" + shown);
  TRY_ASSIGN(const bool yes, ask_yes_no("trust this version?", context.dependencies().stop));
  if (!yes) return fail(ErrorCode::needs_input, "not allowed, so nothing ran");
  return trust_files(context, files);
}

Result<Config> trusted_config(CommandContext& context, const std::vector<ConfigOverride>& flags) {
  TRY_ASSIGN(Config config, context.config(flags));
  const auto untrusted = config.untrusted();
  if (untrusted.empty()) return config;
  TRY(ask_for_trust(context, untrusted,
                    "this repository's configuration sets commands to run or how fixes are judged"));
  TRY_ASSIGN(Config again, context.config(flags));
  // The bytes that were shown were trusted; a file swapped meanwhile is not what the person said yes to.
  if (!again.untrusted().empty())
    return fail(ErrorCode::needs_input, "the configuration changed while you were reading it",
                "read it again: emend trust --show");
  return again;
}

} // namespace emend
