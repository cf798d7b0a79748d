#include "cli/server/forge_errands.hpp"

#include "cli/ci/own_program.hpp"

namespace emend {

namespace {

using Words = std::vector<std::string>;

Words words_of(const ForgeErrand& errand) {
  switch (errand.kind) {
    case ErrandKind::command: {
      Words words = {"pr", "command", std::to_string(errand.pull), errand.comment};
      if (errand.inline_comment) words.emplace_back("--inline");
      return words;
    }
    case ErrandKind::queue: return {"pr", "queue", "--review", errand.ref};
    case ErrandKind::pipeline: return {"ci", "fix", "--run", errand.run};
    case ErrandKind::head: return {"pr", "review", std::to_string(errand.pull), "--post", "both", "--once"};
    case ErrandKind::label: return {"pr", "follow", std::to_string(errand.pull)};
    case ErrandKind::press: return {"pr", "press", errand.run, "--by=" + errand.by};
    case ErrandKind::tidy: return {"pr", "tidy"};
    case ErrandKind::none: break;
  }
  return {};
}

} // namespace

RunErrand forge_errands(CommandContext& context) {
  return
      [&context](const std::string& directory, const ForgeErrand& errand, std::stop_token) -> Result<Json> {
        CommandContext there(context.dependencies(), context.global(), directory);
        TRY_ASSIGN(const OwnRun run, run_own_program(there, words_of(errand)));
        if (!run.data.is_object()) return fail(ErrorCode::io, "the command failed: " + run.problem);
        return run.data;
      };
}

} // namespace emend
