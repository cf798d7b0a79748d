#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/agents/agent_files.hpp"
#include "cli/ci/forge_access.hpp"
#include "cli/ci/new_head.hpp"
#include "cli/ci/pr_actions.hpp"
#include "cli/ci/pr_head.hpp"
#include "cli/ci/pr_text.hpp"
#include "cli/context.hpp"
#include "cli/findings_output.hpp"
#include "cli/output_target.hpp"
#include "cli/terminal.hpp"
#include "cli/trust_check.hpp"
#include "config/forge_config.hpp"
#include "engine/forge/claims.hpp"
#include "engine/forge/forge_log.hpp"
#include "engine/forge/forge_text.hpp"
#include "engine/forge/pr_post.hpp"
#include "engine/intake/review_scope.hpp"
#include "engine/review/pr_review.hpp"
#include "service/pr_setup.hpp"

namespace emend {

namespace {

struct PrOptions {
  std::string what, range, base, voters, post, remote, status, gate, queue, head, prepare, from;
  std::optional<int> threshold;
  std::vector<std::string> formats;
  bool exit_zero = false, suggest = false, once = false;
};

struct Refs {
  std::string base, head;
};

Result<std::string> base_of(Repository& repository, const PrOptions& options) {
  if (!options.base.empty()) return options.base;
  TRY_ASSIGN(const auto named, repository.default_branch());
  if (named) return *named;
  return fail(ErrorCode::usage,
              "this repository has no default branch to compare with (origin/HEAD, main, master or trunk)",
              "give it with --base REF or --range BASE..HEAD");
}

Result<Refs> refs_of(Repository& repository, const PrOptions& options) {
  if (!options.range.empty()) {
    if (!options.what.empty() || !options.base.empty())
      return fail(ErrorCode::usage, "--range names both sides; leave out " +
                                        std::string(options.what.empty() ? "--base" : "the branch"));
    TRY_ASSIGN(const ReviewScope scope, parse_range(options.range));
    return Refs{scope.from, scope.ref};
  }
  TRY_ASSIGN(std::string base, base_of(repository, options));
  return Refs{std::move(base), options.what.empty() ? "HEAD" : options.what};
}

std::vector<ConfigOverride> overrides_of(const PrOptions& options) {
  std::vector<ConfigOverride> flags;
  if (!options.voters.empty()) flags.push_back({"pr.voters", options.voters, "--voters"});
  if (options.threshold)
    flags.push_back({"pr.approve_threshold", std::to_string(*options.threshold), "--approve-threshold"});
  if (!options.post.empty()) flags.push_back({"pr.post", options.post, "--post"});
  if (!options.status.empty()) flags.push_back({"forge.status", options.status, "--status"});
  if (!options.gate.empty()) flags.push_back({"forge.gate", options.gate, "--gate"});
  if (options.suggest) flags.push_back({"pr.suggest", "true", "--suggest"});
  return flags;
}

// A branch of that name is a branch.
Result<std::optional<PullName>> named_pull(Repository& repository, const PrOptions& options) {
  const auto name = parse_pull_name(options.what);
  if (!name) {
    if (contains(options.what, "://"))
      return fail(ErrorCode::usage, "not the URL of a pull request: " + one_line(options.what, 200),
                  "give its number, or its URL: https://HOST/OWNER/NAME/pull/42");
    return std::nullopt;
  }
  const auto tip = repository.branch_tip(options.what); // an address is no name of a branch at all
  if (tip && *tip) return std::nullopt;
  if (!options.range.empty() || !options.base.empty())
    return fail(ErrorCode::usage, "a pull request has its own base; leave out --range and --base");
  return name;
}

// What is reviewed, and where it is on a forge.
struct Subject {
  PrChange change;
  ForgeAccess at; // without a forge: only commits
  PullRequest pull;
};

// Both sides come into the engine's own store: no ref of the person's is made or moved.
Result<Subject> pull_subject(CommandContext& context, Repository& repository, const PrOptions& options,
                             const PullName& name) {
  const std::stop_token stop = context.dependencies().stop;
  Subject subject;
  TRY_ASSIGN(subject.at, access_forge(context, {options.remote, name.at}));
  Forge& forge = *subject.at.forge;
  TRY_ASSIGN(subject.pull, forge.pull_request(name.number, stop));
  if (!options.head.empty() && options.head != subject.pull.head_sha)
    return fail(ErrorCode::conflict,
                fmt::format("the head of pull request {} is {}, not {}", name.number,
                            subject.pull.head_sha.substr(0, 12), one_line(options.head, 12)));
  const std::string& url = forge.place().git_url;
  context.hint(fmt::format("#{} {} ({}): fetching {} and {}", name.number, one_line(subject.pull.title, 100),
                           one_line(subject.pull.url, 200), subject.pull.head_sha.substr(0, 12),
                           one_line(subject.pull.base_branch, 100)));
  TRY_ASSIGN(const std::string head, subject.at.remotes->fetch(url, forge.pull_ref(name.number), stop));
  if (head != subject.pull.head_sha)
    return fail(ErrorCode::conflict,
                fmt::format("pull request {} got new commits while it was fetched", name.number),
                "run the command again");
  TRY_ASSIGN(const std::string base,
             subject.at.remotes->fetch(url, "refs/heads/" + subject.pull.base_branch, stop));
  TRY_ASSIGN(subject.change, look_up_change(repository, base, head));
  subject.change.base_ref = subject.pull.base_branch;
  subject.change.head_ref = fmt::format("#{}", name.number);
  return subject;
}

// What a merge queue puts together: "refs/heads/gh-readonly-queue/BASE/pr-42-0123abcd". It is no pull
// request, so only its status is set.
Result<Subject> queue_subject(CommandContext& context, Repository& repository, const PrOptions& options) {
  constexpr std::string_view kQueue = "refs/heads/gh-readonly-queue/";
  const std::size_t end = options.queue.rfind("/pr-");
  if (!options.queue.starts_with(kQueue) || end == std::string::npos || end <= kQueue.size())
    return fail(ErrorCode::usage, "not the ref of a merge queue: " + one_line(options.queue, 200),
                "for example refs/heads/gh-readonly-queue/main/pr-42-0123abcd");
  const std::stop_token stop = context.dependencies().stop;
  Subject subject;
  TRY_ASSIGN(subject.at, access_forge(context, {options.remote, std::nullopt}));
  const std::string& url = subject.at.forge->place().git_url;
  subject.pull.base_branch = options.queue.substr(kQueue.size(), end - kQueue.size());
  TRY_ASSIGN(subject.pull.head_sha, subject.at.remotes->fetch(url, options.queue, stop));
  TRY_ASSIGN(const std::string base,
             subject.at.remotes->fetch(url, "refs/heads/" + subject.pull.base_branch, stop));
  TRY_ASSIGN(subject.change, look_up_change(repository, base, subject.pull.head_sha));
  subject.change.base_ref = subject.pull.base_branch;
  subject.change.head_ref = options.queue.substr(end + 1);
  return subject;
}

Result<Subject> subject_of(CommandContext& context, Repository& repository, const PrOptions& options) {
  if (!options.queue.empty()) return queue_subject(context, repository, options);
  TRY_ASSIGN(const auto name, named_pull(repository, options));
  if (name) return pull_subject(context, repository, options, *name);
  if (!options.post.empty() && options.post != "none")
    return fail(ErrorCode::usage, "--post needs a pull request to post to",
                "give its number or URL: emend pr review 42 --post " + options.post);
  TRY_ASSIGN(const Refs refs, refs_of(repository, options));
  Subject subject;
  TRY_ASSIGN(subject.change, look_up_change(repository, refs.base, refs.head));
  return subject;
}

// What steers the review is the base's: whoever wrote the change must not set the bar for it.
Result<Config> config_of(CommandContext& context, const PrOptions& options, const PrChange& change) {
  TRY(context.take_configuration_from(change.base, change.head));
  auto config = trusted_config(context, overrides_of(options));
  if (config || config.error().code != ErrorCode::needs_input || context.may_ask()) return config;
  return fail(ErrorCode::needs_input, config.error().message,
              "the configuration of " + one_line(change.base_ref) +
                  " is used here. Check it out, read it, then allow it: emend trust");
}

std::string names_of(const std::vector<AgentBinding>& voters) {
  std::vector<std::string> names;
  for (const AgentBinding& voter : voters) names.push_back(one_line(voter.name, 60));
  return join(names, ", ");
}

std::function<void(const Event&)> progress(CommandContext& context) {
  return [&context](const Event& event) {
    if (const auto vote = event_as<PrVoted>(event))
      context.hint(one_line(vote->voter, 60) + " has " +
                   (vote->score ? "voted" : "no vote: " + one_line(vote->problem, 200)));
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

// Where the review is read from, and what of it was posted.
struct Told {
  const Subject& subject;
  std::optional<Posted> posted;
  Json status = {}; // what was said of the head
};

Json data_of(const PrReview& review, const Told& told) {
  Json data = to_json(review);
  if (told.subject.at.forge) {
    const PullRequest& pull = told.subject.pull;
    data["pull_request"] = {{"number", pull.number},
                            {"url", pull.url},
                            {"title", pull.title},
                            {"author", pull.author},
                            {"head_project", pull.head_project}};
    data["posted"] = told.posted ? to_json(*told.posted) : Json();
    data["status"] = told.status;
  }
  return data;
}

std::string render(CommandContext& context, Repository& repository, const PrReview& review,
                   const OutputTarget& target, const Told& told) {
  const SourceReader source = [&](const std::string& file) -> std::optional<std::string> {
    auto content = repository.read(review.change.head, file);
    return content ? std::optional<std::string>(*std::move(content)) : std::nullopt;
  };
  if (target.format == "json")
    return dump_json({{"schema", "emend.pr_review/v1"}, {"data", data_of(review, told)}}, 2) + "\n";
  if (target.format == "text")
    return pr_review_text(review, source, target.path.empty() ? context.palette() : Palette{});
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

Result<ExitStatus> say_skipped(CommandContext& context, const PullRequest& pull, const std::string& reason) {
  if (context.global().json)
    context.print_json("pr_review",
                       {{"skipped", reason}, {"pull_request", {{"number", pull.number}, {"url", pull.url}}}});
  else
    context.print(fmt::format("#{} was not reviewed: {}\n", pull.number, one_line(reason)));
  return context.finish(ExitStatus::done);
}

std::string posted_line(const Posted& posted) {
  const PostPlan& plan = posted.plan;
  if (plan.empty()) return "nothing new to post: the earlier comments are up to date";
  return fmt::format("posted: {}, {} updated, {} unchanged, {} in the review's text",
                     plural(static_cast<std::size_t>(plan.inline_new), "new comment"), plan.edits.size(),
                     plan.unchanged, plan.in_text);
}

Result<Posted> post(CommandContext& context, Repository& repository, const Subject& subject,
                    const PrReview& review, const PostingSettings& settings) {
  const HeadFile head_file = [&](const std::string& path) -> std::optional<std::string> {
    auto content = repository.read(review.change.head, path);
    return content ? std::optional<std::string>(*std::move(content)) : std::nullopt;
  };
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY_ASSIGN(const auto claims, claims_of(ports, subject.at.forge->place(), subject.pull));
  TRY_ASSIGN(Posted posted, post_review(*subject.at.forge, subject.pull.number, review, settings, head_file,
                                        claims_text(claims), context.dependencies().stop));
  TRY(note_forge_event(
      ports, PrReviewPosted{subject.pull.number, subject.pull.url, review.change.head, review.session_id}));
  return posted;
}

// A review about to begin.
struct Ready {
  const PrOptions& options;
  const std::vector<OutputTarget>& targets;
  Repository& repository;
  const Subject& subject;
  PrReviewRequest request;
  PostingSettings posting;
  TeamSettings team;

  [[nodiscard]] bool posts() const { return subject.pull.number > 0 && posting.any(); }
  [[nodiscard]] bool speaks() const { return posts() || (subject.at.forge && team.status != StatusWay::off); }
};

Result<ExitStatus> tell(CommandContext& context, const Ready& ready, const PrReview& review,
                        const Told& told) {
  TRY(write_targets(context, ready.targets, [&](const OutputTarget& target) {
    return render(context, ready.repository, review, target, told);
  }));
  const bool shown = std::any_of(ready.targets.begin(), ready.targets.end(),
                                 [](const OutputTarget& t) { return t.path.empty() && t.format == "text"; });
  if (!shown) {
    context.hint(decision_line(review));
    for (const std::string& note : decision_notes(review)) context.hint(note);
  }
  TRY_ASSIGN(const std::string home, context.home());
  context.hint("stored as session " + review.session_id + " in " + home + "/sessions");
  return status_of(review, ready.options);
}

// A place that keeps nothing gives no code a second time, and knows what was dismissed.
Status learn_what_was_told(CommandContext& context, const Subject& subject,
                           const std::vector<Remark>& remarks) {
  TRY_ASSIGN(const Ports ports, context.ports());
  IssueFilter filter;
  filter.repository_id = ports.repository.id();
  std::set<std::string> known;
  TRY(ports.store.for_each_issue(filter, [&](Issue&& issue) -> Status {
    known.insert(issue.fingerprint);
    return {};
  }));
  const bool unknown = std::any_of(remarks.begin(), remarks.end(), [&](const Remark& remark) {
    const bool begins = remark.own && remark.kind == RemarkKind::inline_comment && !remark.reply;
    const auto mark = begins ? mark_in(remark.body) : std::nullopt;
    return mark && !known.contains(mark->fingerprint);
  });
  if (!unknown) return {};
  TRY_ASSIGN(const auto threads, subject.at.forge->threads(subject.pull.number, context.dependencies().stop));
  return learn_from_threads(context, threads, subject.pull.head_sha);
}

// What is said at the forge, in the order in which it helps: comments, threads that are over, the verdict.
Status speak(CommandContext& context, const Ready& ready, PrReview& review, ReviewedHead& head, Told& told) {
  std::vector<Remark> remarks;
  if (ready.subject.pull.number > 0) {
    TRY_ASSIGN(remarks,
               ready.subject.at.forge->remarks(ready.subject.pull.number, context.dependencies().stop));
  }
  TRY(learn_what_was_told(context, ready.subject, remarks));
  TRY(keep_findings(context, review, remarks));
  if (ready.posts()) {
    TRY_ASSIGN(told.posted, post(context, ready.repository, ready.subject, review, ready.posting));
    TRY(follow_pull(context, ready.subject.at, ready.subject.pull, &review));
  }
  TRY(head.end(review));
  told.status = head.to_json();
  return {};
}

constexpr std::uint64_t kLargestReview = 8'000'000;

// By the agents, or as it was made where nothing can be posted.
Result<PrReview> review_of(CommandContext& context, const Ready& ready) {
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY_ASSIGN(const std::string home, context.home());
  if (ready.options.from.empty())
    return review_change(ports, home, progress(context), ready.request, context.dependencies().stop);
  TRY_ASSIGN(const std::string text, read_file(ready.options.from, kLargestReview));
  TRY_ASSIGN(const Json written, parse_json(text));
  return read_review(ports, written, ready.request.change, ready.request.policy.approve_threshold);
}

Status prepare_posting(const PrReview& review, const std::string& directory) {
  if (directory.empty()) return {};
  TRY(make_directories(directory, 0755));
  return write_file(fs::path(directory) / "review.json", dump_json(to_json(review), 2) + "\n", 0644);
}

Result<ExitStatus> review_it(CommandContext& context, const Ready& ready) {
  std::optional<ReviewedHead> head;
  if (ready.speaks()) {
    head.emplace(context, *ready.subject.at.forge, ready.subject.pull, ready.team);
    TRY(head->begin());
  }
  auto review = review_of(context, ready);
  if (!review) {
    if (head) head->fail(review.error());
    return fail(review.error());
  }
  TRY(prepare_posting(*review, ready.options.prepare));
  Told told{ready.subject, std::nullopt};
  Status spoken; // what was found is told even when it cannot be posted
  if (head) spoken = speak(context, ready, *review, *head, told);
  if (!spoken) head->fail(spoken.error());
  TRY_ASSIGN(const ExitStatus status, tell(context, ready, *review, told));
  TRY(spoken);
  if (told.posted) {
    context.hint(posted_line(*told.posted));
    for (const std::string& note : told.posted->notes) context.hint("note: " + one_line(note, 400));
  }
  return context.finish(status);
}

Result<ExitStatus> run_review(CommandContext& context, const PrOptions& options) {
  TRY_ASSIGN(const std::vector<OutputTarget> targets, output_targets(options.formats, context, "text"));
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const Subject subject, subject_of(context, *repository, options));
  Ready ready{options, targets, *repository, subject, {}, {}, {}};
  ready.request.change = subject.change;
  TRY_ASSIGN(const Config config, config_of(context, options, subject.change));
  ready.posting = posting_settings(config);
  ready.team = team_settings(config);
  if (!options.prepare.empty()) { // another place posts it
    ready.posting.summary = ready.posting.inline_comments = false;
    ready.team.status = StatusWay::off;
  }
  if (subject.pull.number > 0)
    if (const std::string reason = reason_to_skip(subject.pull, ready.posting); !reason.empty())
      return say_skipped(context, subject.pull, reason);
  if (options.once && subject.pull.number > 0) {
    TRY_ASSIGN(const Ports ports, context.ports());
    TRY_ASSIGN(const std::string reason,
               reason_to_leave(ports, subject.at.forge->place().web(), subject.pull));
    if (!reason.empty()) return say_skipped(context, subject.pull, reason);
  }
  if (!options.from.empty()) {
    ready.request.policy = config.policy();
    return review_it(context, ready);
  }
  TRY_ASSIGN(ready.request.voters, config.voters());
  TRY(check_voters(ready.request.voters, repository->root()));
  TRY_ASSIGN(ready.request.policy, policy_with_agent_files(context, config, subject.change.base));
  context.hint(fmt::format("{} review {} into {}, independently; this takes minutes, {}",
                           names_of(ready.request.voters), one_line(subject.change.head_ref),
                           one_line(subject.change.base_ref),
                           ready.posts() ? "then the result is posted" : "nothing is posted"));
  return review_it(context, ready);
}

} // namespace

Command pr_review_action() {
  const auto options = std::make_shared<PrOptions>();
  Command review = action(
      "review", "let two agents review a branch or a pull request independently, and vote on it",
      {{"WHAT", &options->what, "branch, commit, or number or URL of a pull request (default: HEAD)", "WHAT"},
       {"--range", &options->range, "the change from the merge base of A and B to B", "A..B"},
       {"--base", &options->base, "the branch to merge into (default: the default branch)", "REF"},
       {"--voters", &options->voters, "agents that vote, comma separated (pr.voters)", "LIST"},
       {"--approve-threshold", NumberTarget{&options->threshold, 0, 100},
        "lowest average score that approves (pr.approve_threshold, 80)", "N"},
       {"--post",
        &options->post,
        "what to post to the pull request (pr.post, none)",
        "WHAT",
        {"none", "summary", "inline", "both"}},
       {"--status",
        &options->status,
        "say how its head stands, as a commit status or a check run (forge.status, off)",
        "WAY",
        {"off", "status", "check", "auto"}},
       {"--gate",
        &options->gate,
        "when that is a failure (forge.gate, never)",
        "MODE",
        {"never", "findings", "proof"}},
       {"--suggest", &options->suggest, "add suggestions that can be applied, where they fit (pr.suggest)"},
       {"--queue", &options->queue,
        "what a merge queue put together, by its ref: only its status is set (see emend pr queue)", "REF"},
       {"--head", &options->head, "do it only if this commit is the head of the pull request", "COMMIT"},
       {"--prepare", &options->prepare, "post nothing: write what --from reads elsewhere into this directory",
        "DIR"},
       {"--from", &options->from, "ask no agent: post what --prepare wrote elsewhere, its review.json",
        "FILE"},
       {"--once", &options->once,
        "leave it alone if this head was reviewed before or somebody wrote /emend stop there"},
       {"--remote", &options->remote, "remote of the pull request (default: origin)", "NAME"},
       format_option(&options->formats),
       {"--exit-zero", &options->exit_zero, "exit 0 even if it is not approved"}},
      [options](CommandContext& context) { return run_review(context, *options); });
  review.examples =
      "Only commits are read; no code of the change is run. Exit 0: approved, 1: not approved, 5: fewer "
      "than two votes.\n"
      "  emend pr review                                 HEAD against the default branch\n"
      "  emend pr review --range main..feature --voters claude,gemini\n"
      "  emend pr review 42                              a pull request at a forge; posts nothing\n"
      "  emend pr review 42 --post both --suggest\n"
      "  emend pr review feature --format sarif:votes.sarif --json\n";
  review.storage = options;
  return review;
}

} // namespace emend
