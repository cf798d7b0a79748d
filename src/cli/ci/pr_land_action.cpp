// emend pr land: proposes what `emend pr fix --prepare` made in another place, with a token that may write
// and without an agent.
#include <fmt/format.h>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/ci/pr_actions.hpp"
#include "cli/ci/pull_fix.hpp"
#include "engine/forge/forge_text.hpp"
#include "engine/patch/protected_paths.hpp"

namespace emend {

namespace {

constexpr std::uint64_t kLargest = 1'000'000;

struct LandOptions {
  std::string file, remote;
};

// All of it comes from a place that an agent worked in: only names and text are taken, and each is checked.
struct Prepared {
  int number = 0;
  std::string head, branch, tip, title, body;
};

bool is_commit(const std::string& text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

Result<Prepared> read_prepared(const std::string& file) {
  TRY_ASSIGN(const std::string text, read_file(file, kLargest));
  TRY_ASSIGN(const Json json, parse_json(text));
  Prepared made;
  const Json* number = find_member(json, "number");
  made.number = number == nullptr ? 0 : static_cast<int>(exact_int(*number, 1, 2'000'000'000).value_or(0));
  made.head = string_or(json, "head");
  made.branch = string_or(json, "branch");
  made.tip = string_or(json, "tip");
  made.title = harmless_line(string_or(json, "title"), 200);
  made.body = string_or(json, "body");
  const bool plain_branch = made.branch.starts_with("fix/") && made.branch.size() < 200 &&
                            made.branch.find_first_not_of(
                                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789/-_.") == std::string::npos &&
                            !contains(made.branch, "..");
  if (made.number == 0 || !is_commit(made.head) || !is_commit(made.tip) || !plain_branch ||
      made.title.empty() || made.body.size() > 65'000)
    return fail(ErrorCode::usage, one_line(file, 200) + " is not what emend pr fix --prepare writes");
  return made;
}

// What the gate keeps a fixer from, looked for once more: the place the fix was made in is not believed.
bool is_never_landed(const std::string& path) {
  const std::string_view kind = judging_kind(path);
  return kind == "CI" || kind == "agent configuration" || kind == "emend configuration" ||
         kind == "git configuration";
}

// Every commit that is proposed comes after the head, in this clone, and none changes what must not change.
Status check_commits(CommandContext& context, const Prepared& made) {
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const bool after, repository->is_ancestor(made.head, made.tip));
  if (!after || made.head == made.tip)
    return fail(ErrorCode::conflict, "the commits do not come after the head of the pull request",
                "fetch them first: git fetch fix.bundle BRANCH:BRANCH");
  TRY_ASSIGN(const auto branch, repository->branch_tip(made.branch));
  if (!branch || *branch != made.tip)
    return fail(ErrorCode::conflict, "branch " + made.branch + " is not where the fix is said to end");
  TRY_ASSIGN(const Patch patch, repository->diff(made.head, made.tip));
  for (const FileChange& change : patch.changes)
    if (is_never_landed(change.path))
      return fail(ErrorCode::conflict,
                  one_line(change.path, 200) +
                      " steers what runs with secrets: a fix that changes it is not proposed from elsewhere");
  return {};
}

Result<ExitStatus> run_land(CommandContext& context, const LandOptions& options) {
  TRY_ASSIGN(const Prepared made, read_prepared(options.file));
  TRY_ASSIGN(const PullPlace place,
             fetch_pull(context, std::to_string(made.number), options.remote, made.head));
  if (to_lower(place.pull.head_project) != to_lower(place.at.forge->place().project))
    return fail(ErrorCode::usage, "the pull request comes from a fork: nothing is proposed into it");
  TRY(check_may_push(place.at));
  TRY(check_commits(context, made));
  const LandOrder order{place.pull, made.head, made.branch, made.tip, {made.title, made.body}, false};
  TRY_ASSIGN(const Landed landed,
             land(*place.at.forge, *place.at.remotes, order, context.dependencies().stop));
  if (context.global().json)
    context.print_json("pr_land",
                       {{"pull_request", landed.number}, {"url", landed.url}, {"line", landed.line}});
  else
    context.print(one_line(landed.line, 300) + "\n");
  return context.finish(ExitStatus::done);
}

} // namespace

Command pr_land_action() {
  const auto options = std::make_shared<LandOptions>();
  Command command =
      action("land", "propose what `emend pr fix --prepare` made elsewhere, without an agent",
             {{"FILE", &options->file, "its landing.json", "FILE", {}, true},
              {"--remote", &options->remote, "remote of the pull request (default: origin)", "NAME"}},
             [options](CommandContext& context) { return run_land(context, *options); });
  command.examples =
      "Its commits must be in this clone. Needs forge.allow_push.\n"
      "  git fetch out/fix.bundle 'refs/heads/fix/*:refs/heads/fix/*' && emend pr land out/landing.json\n";
  command.storage = options;
  return command;
}

} // namespace emend
