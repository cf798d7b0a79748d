#include "cli/server/pull_requests.hpp"

#include "cli/ci/own_program.hpp"

namespace emend {

namespace {

std::vector<std::string> words_of(const PullRequestOrder& order) {
  std::vector<std::string> words = {"pr", "create", "--session", order.session_id};
  if (!order.base.empty()) words.push_back("--base=" + order.base);
  if (!order.title.empty()) words.push_back("--title=" + order.title);
  if (order.ready) words.emplace_back("--ready");
  if (order.push) words.emplace_back("--push");
  if (order.allow_push) words.insert(words.end(), {"--set", "forge.allow_push=true"});
  return words;
}

} // namespace

ProposeSession pull_requests(CommandContext& context) {
  return [&context](const std::string& directory, const PullRequestOrder& order) -> Result<Json> {
    CommandContext there(context.dependencies(), context.global(), directory);
    TRY_ASSIGN(const OwnRun run, run_own_program(there, words_of(order)));
    if (!run.data.is_object())
      return fail(ErrorCode::conflict,
                  run.problem.empty() ? "the pull request could not be created" : run.problem);
    return run.data;
  };
}

} // namespace emend
