#include "cli/ci/own_program.hpp"

#include <algorithm>

#include "base/files.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

std::vector<std::string> words_before(const CommandContext& context) {
  std::error_code problem;
  std::vector<std::string> words = {fs::read_symlink("/proc/self/exe", problem).string(), "--json",
                                    "--no-input"};
  const GlobalOptions& global = context.global();
  if (!global.config_file.empty())
    words.insert(words.end(), {"--config", fs::absolute(global.config_file).string()});
  if (global.isolated) words.emplace_back("--isolated");
  for (const std::string& setting : global.set) words.insert(words.end(), {"--set", setting});
  return words;
}

// "emend: ..." is how the program says what went wrong.
std::string problem_in(const std::string& said) {
  constexpr std::string_view kOurs = "emend: ";
  for (const std::string_view line : lines_of(said))
    if (line.starts_with(kOurs)) return first_line(clean_text(line.substr(kOurs.size())), 300);
  const auto lines = lines_of(said);
  return lines.empty() ? std::string() : first_line(clean_text(lines.back()), 300);
}

} // namespace

Result<OwnRun> run_own_program(CommandContext& context, std::vector<std::string> words,
                               const std::vector<std::string>& without) {
  ProcessSpec spec;
  spec.argv = words_before(context);
  spec.argv.insert(spec.argv.end(), words.begin(), words.end());
  TRY_ASSIGN(Repository * repository, context.repository());
  spec.cwd = repository->root();
  spec.supervise = false; // it guards what it starts itself
  spec.term_grace_ms = 30'000;
  for (const std::string& variable : context.environment())
    if (std::none_of(without.begin(), without.end(),
                     [&](const std::string& name) { return variable.starts_with(name + "="); }))
      spec.env.push_back(variable);
  TRY_ASSIGN(const ProcessResult done,
             context.dependencies().processes->run(spec, context.dependencies().stop));
  if (done.ending == Ending::cancelled) return fail(ErrorCode::cancelled, "stopped");
  OwnRun run;
  run.exit_code = done.ending == Ending::exited ? done.exit_code : 3;
  const auto answer = parse_json(done.out);
  if (answer && answer->is_object() && answer->contains("data")) run.data = answer->at("data");
  if (run.exit_code != 0 && run.exit_code != 1) run.problem = problem_in(done.err);
  return run;
}

} // namespace emend
