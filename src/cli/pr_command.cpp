#include <fmt/format.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/agent_files.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/findings_output.hpp"
#include "cli/output_target.hpp"
#include "cli/pr_text.hpp"
#include "cli/terminal.hpp"
#include "cli/trust_check.hpp"
#include "engine/pr_review.hpp"
#include "engine/review_scope.hpp"
#include "service/pr_setup.hpp"

namespace emend {

namespace {

struct PrOptions {
  std::string what, range, base, voters;
  std::optional<int> threshold;
  std::vector<std::string> formats;
  bool exit_zero = false;
};

// What people type for a pull request on a forge: "42", "#42", "!42", an address.
bool names_a_forge(const std::string& word) {
  const std::string number = word.starts_with('#') || word.starts_with('!') ? word.substr(1) : word;
  return parse_unsigned(number).has_value() || contains(word, "://") || word.starts_with("www.") || word.starts_with("github.com/") ||
         word.starts_with("gitlab.com/");
}

struct Refs {
  std::string base, head;
};

Result<std::string> base_of(Repository& repository, const PrOptions& options) {
  if (!options.base.empty()) return options.base;
  TRY_ASSIGN(const auto named, repository.default_branch());
  if (named) return *named;
  return fail(ErrorCode::usage, "this repository has no default branch to compare with (origin/HEAD, main, master or trunk)",
              "name it: --base REF, or --range BASE..HEAD");
}

Result<Refs> refs_of(Repository& repository, const PrOptions& options) {
  if (!options.range.empty()) {
    if (!options.what.empty() || !options.base.empty())
      return fail(ErrorCode::usage, "--range names both sides; leave out " + std::string(options.what.empty() ? "--base" : "the branch"));
    TRY_ASSIGN(const ReviewScope scope, parse_range(options.range));
    return Refs{scope.from, scope.ref};
  }
  if (names_a_forge(options.what)) {
    const auto tip = repository.branch_tip(options.what); // an address is no name of a branch at all
    if (!tip || !*tip)
      return fail(ErrorCode::usage, "pull requests cannot be named by number or address yet: \"" + one_line(options.what) + "\"",
                  "fetch its commits and name them, for example:\n  git fetch origin pull/42/head\n  emend pr review --range "
                  "origin/main..FETCH_HEAD");
  }
  TRY_ASSIGN(std::string base, base_of(repository, options));
  return Refs{std::move(base), options.what.empty() ? "HEAD" : options.what};
}

std::vector<ConfigOverride> overrides_of(const PrOptions& options) {
  std::vector<ConfigOverride> flags;
  if (!options.voters.empty()) flags.push_back({"pr.voters", options.voters, "--voters"});
  if (options.threshold) flags.push_back({"pr.approve_threshold", std::to_string(*options.threshold), "--approve-threshold"});
  return flags;
}

// What steers the review is the base's: whoever wrote the change must not set the bar for it.
Result<Config> config_of(CommandContext& context, const PrOptions& options, const PrChange& change) {
  TRY(context.take_configuration_from(change.base, change.head));
  auto config = trusted_config(context, overrides_of(options));
  if (config || config.error().code != ErrorCode::needs_input || context.may_ask()) return config;
  return fail(ErrorCode::needs_input, config.error().message,
              "the configuration of " + one_line(change.base_ref) + " counts here: check it out, look at it, then allow it with: emend trust");
}

std::string names_of(const std::vector<AgentBinding>& voters) {
  std::vector<std::string> names;
  for (const AgentBinding& voter : voters) names.push_back(one_line(voter.name, 60));
  return join(names, ", ");
}

std::function<void(const Event&)> progress(CommandContext& context) {
  return [&context](const Event& event) {
    if (event.type != "pr_vote") return;
    const Json* score = find_member(event.data, "score");
    const bool voted = score != nullptr && score->is_number();
    context.hint(one_line(string_or(event.data, "voter"), 60) + " has " +
                 (voted ? "voted" : "no vote: " + one_line(string_or(event.data, "problem"), 200)));
  };
}

Json votes_json(const PrReview& review) {
  Json votes = Json::array();
  for (const PrVote& vote : review.votes)
    votes.push_back({{"voter", vote.voter},
                     {"model", vote.model},
                     {"score", vote.score ? Json(*vote.score) : Json()},
                     {"summary", vote.summary},
                     {"feedback", vote.feedback},
                     {"problem", vote.problem}});
  return {{"emend/pr_review",
           {{"decision", to_string(review.count.decision)},
            {"average", review.count.average ? Json(*review.count.average) : Json()},
            {"threshold", review.threshold},
            {"votes", std::move(votes)}}}};
}

std::string render(CommandContext& context, Repository& repository, const PrReview& review, const OutputTarget& target) {
  const SourceReader source = [&](const std::string& file) -> std::optional<std::string> {
    auto content = repository.read(review.change.head, file);
    return content ? std::optional<std::string>(*std::move(content)) : std::nullopt;
  };
  if (target.format == "json") return dump_json({{"schema", "emend.pr_review/v1"}, {"data", to_json(review)}}, 2) + "\n";
  if (target.format == "text") return pr_review_text(review, source, target.path.empty() ? context.palette() : Palette{});
  const OutputFormat format = parse_output_format(target.format).value_or(OutputFormat::concise);
  RunInfo run = run_info(context, review.change.head);
  run.session_id = review.session_id;
  run.profile = "pr";
  run.end_ms = context.dependencies().clock->wall_ms();
  run.start_ms = run.end_ms - review.duration_ms;
  run.success = review.count.decision != PrDecision::not_enough_votes;
  run.properties = votes_json(review);
  for (const PrVote& vote : review.votes)
    if (!vote.model.empty()) run.tools[vote.voter].version = vote.model;
  const std::string head = format == OutputFormat::markdown ? pr_review_markdown(review) : "";
  return head + render_findings(context, format, output_findings(review.findings, source), run);
}

ExitStatus status_of(const PrReview& review, const PrOptions& options) {
  switch (review.count.decision) {
    case PrDecision::approved: return ExitStatus::done;
    case PrDecision::not_approved: return options.exit_zero ? ExitStatus::done : ExitStatus::unresolved;
    case PrDecision::not_enough_votes: return ExitStatus::agents_failed;
  }
  return ExitStatus::agents_failed;
}

Result<ExitStatus> run_review(CommandContext& context, const PrOptions& options) {
  TRY_ASSIGN(const std::vector<OutputTarget> targets, output_targets(options.formats, context, "text"));
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const Refs refs, refs_of(*repository, options));
  PrReviewRequest request;
  TRY_ASSIGN(request.change, look_up_change(*repository, refs.base, refs.head));
  TRY_ASSIGN(const Config config, config_of(context, options, request.change));
  TRY_ASSIGN(request.voters, config.voters());
  TRY(check_voters(request.voters, repository->root()));
  TRY_ASSIGN(request.policy, policy_with_agent_files(context, config, request.change.base));
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY_ASSIGN(const std::string home, context.home());
  context.hint(fmt::format("{} review {} into {}, each alone; this takes minutes, nothing is posted", names_of(request.voters),
                           one_line(refs.head), one_line(refs.base)));
  TRY_ASSIGN(const PrReview review, review_change(ports, home, progress(context), request, context.dependencies().stop));
  TRY(write_targets(context, targets, [&](const OutputTarget& target) { return render(context, *repository, review, target); }));
  const bool told = std::any_of(targets.begin(), targets.end(), [](const OutputTarget& t) { return t.path.empty() && t.format == "text"; });
  if (!told) {
    context.hint(decision_line(review));
    for (const std::string& note : decision_notes(review)) context.hint(note);
  }
  context.hint("kept as session " + review.session_id + " in " + home + "/sessions");
  return context.finish(status_of(review, options));
}

} // namespace

Command pr_command() {
  const auto options = std::make_shared<PrOptions>();
  Command review = action("review", "let two agents review a branch, each alone, and vote on it",
                          {{"BRANCH", &options->what, "branch or commit to review (default: what is checked out)", "BRANCH"},
                           {"--range", &options->range, "the change from the merge base of A and B to B", "A..B"},
                           {"--base", &options->base, "what it is to be merged into (default: the default branch)", "REF"},
                           {"--voters", &options->voters, "agents that vote, comma separated (pr.voters)", "LIST"},
                           {"--approve-threshold", NumberTarget{&options->threshold, 0, 100},
                            "average that approves (pr.approve_threshold, 80)", "N"},
                           format_option(&options->formats),
                           {"--exit-zero", &options->exit_zero, "exit 0 even when it is not approved"}},
                          [options](CommandContext& context) { return run_review(context, *options); });
  review.examples = "Only commits are looked at. Exit 0: approved, 1: not approved, 5: fewer than two votes.\n"
                    "  emend pr review                                 what is checked out, against the default branch\n"
                    "  emend pr review --range main..feature --voters claude,gemini\n"
                    "  emend pr review feature --format sarif:votes.sarif --json\n";
  Command command;
  command.name = "pr";
  command.summary = "review a pull request with two votes";
  command.examples = "  emend pr review --range main..feature\n";
  command.subcommands = {std::move(review)};
  command.storage = options;
  return command;
}

} // namespace emend
