#include "engine/review/pr_review.hpp"
#include "engine/agents/agent_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/hash.hpp"
#include "base/parallel.hpp"
#include "base/strings.hpp"
#include "engine/agents/read_proof.hpp"
#include "engine/intake/triage.hpp"
#include "engine/prompts/ask_agent.hpp"
#include "engine/prompts/conventions.hpp"
#include "engine/prompts/prompt.hpp"
#include "engine/prompts/show_change.hpp"
#include "engine/prompts/template.hpp"
#include "engine/review/review.hpp"
#include "engine/review/suggestion.hpp"
#include "model/coding_clis.hpp"
#include "model/events.hpp"

namespace emend {

namespace {

constexpr const char* kRole = "pr_reviewer";

// What all voters are shown alike.
struct Exhibit {
  ChangePromptInput prompt; // without token and problem
  ShownTree tree;
};

std::string range_text(const PrChange& change) {
  const DiffStat stat = diff_stat(change.patch);
  return fenced(fmt::format("{} into {}", first_line(clean_text(change.head_ref), 200),
                            first_line(clean_text(change.base_ref), 200)),
                "text") +
         fmt::format("{} {} changed, {} lines added, {} removed.", stat.files,
                     stat.files == 1 ? "file" : "files", stat.insertions, stat.deletions);
}

constexpr std::size_t kMostDismissed = 40;

// What people decided about the files of the change, so that nobody is told of it twice.
Result<std::string> dismissed_text(RunContext& context, const PrChange& change) {
  std::set<std::string> files;
  for (const FileChange& file : change.patch.changes) files.insert(file.path);
  IssueFilter filter;
  filter.repository_id = context.ports.repository.id();
  filter.statuses = {IssueStatus::ignored};
  std::string text;
  std::size_t count = 0;
  TRY(context.ports.store.for_each_issue(filter, [&](Issue&& issue) -> Status {
    const Finding& finding = issue.finding;
    if (!files.contains(finding.file) || ++count > kMostDismissed) return {};
    text += fmt::format("- {}:{} {}{}\n", finding.file, finding.line, finding.title,
                        issue.detail.empty() ? "" : " (" + issue.detail + ")");
    return {};
  }));
  return text.empty() ? text : fenced(clean_text(context.redactor.redact(text)), "text");
}

Result<Exhibit> exhibit_of(RunContext& context, const PrChange& change) {
  Exhibit exhibit;
  TRY_ASSIGN(const AgentFile told, agent_file(context.policy(), kRole));
  exhibit.prompt.template_body = told.body;
  TRY_ASSIGN(const std::string dismissed, dismissed_text(context, change));
  exhibit.prompt.values = {{"range", range_text(change)}, {"dismissed", dismissed}};
  for (const FileChange& file : change.patch.changes)
    exhibit.prompt.files.push_back(file_diff(context, file));
  exhibit.prompt.conventions = conventions_text(context, change.base);
  exhibit.prompt.max_bytes = static_cast<std::size_t>(context.policy().prompt_max_bytes);
  TRY_ASSIGN(exhibit.tree, tree_to_show(context.ports.repository, change.head));
  return exhibit;
}

// One agent with one vote.
class Voter {
public:
  Voter(RunContext& context, const Exhibit& exhibit, Agent& agent, std::size_t number, std::string name)
      : context_(context),
        exhibit_(exhibit),
        agent_(agent),
        file_name_(plain_file_name(fmt::format("voter{}-{}", number, name))) {
    vote_.voter = std::move(name);
    vote_.model = agent.binding().model;
    vote_.family = agent.binding().family;
  }

  Result<PrVote> vote(std::stop_token stop) {
    const std::int64_t start = context_.ports.clock.steady_ms();
    while (vote_.asks < context_.policy().asks && !vote_.valid()) {
      TRY_ASSIGN(const bool again, ask(stop));
      if (!again) break;
    }
    vote_.duration_ms = context_.ports.clock.steady_ms() - start;
    return std::move(vote_);
  }

private:
  // True when asking once more may help.
  Result<bool> ask(std::stop_token stop) {
    ChangePromptInput input = exhibit_.prompt;
    input.token = new_read_token();
    input.problem = vote_.problem;
    TRY_ASSIGN(AgentQuestion question, question_about(exhibit_.tree, input));
    question.role = kRole;
    question.ask = ++vote_.asks;
    question.name = file_name_;
    question.schema = vote_schema();
    question.timeout_ms = context_.policy().vote_timeout_ms;
    const auto asked = run_question(context_, agent_, question, std::move(stop));
    if (!asked) {
      if (asked.error().code != ErrorCode::agent) return fail(asked.error());
      vote_.problem = asked.error().message;
      return false;
    }
    take_account(asked->run);
    vote_.problem = void_reason(*asked);
    if (!vote_.problem.empty()) return false;
    if (auto read = read_vote(asked->run.answer, input.token, vote_); !read)
      vote_.problem = read.error().message;
    redact();
    attach_replacements(context_.redactor.redact(asked->run.answer), vote_.findings,
                        [this](const std::string& file) {
                          return context_.ports.repository.read(exhibit_.tree.commit, file);
                        });
    return true;
  }

  void take_account(const AgentRun& run) {
    vote_.state = run.state;
    vote_.state.text = context_.safe(run.state.text);
    vote_.usage += run.usage;
    if (!run.model.empty()) vote_.model = run.model;
    if (run.model_reported) // who really answered counts, not whom the configuration names
      if (const std::string family = family_of("", run.model); !family.empty()) vote_.family = family;
    for (const std::string& note : run.notes) vote_.notes.push_back(context_.safe(note));
  }

  void redact() {
    for (std::string* text : {&vote_.problem, &vote_.summary, &vote_.feedback})
      *text = context_.redactor.redact(*text);
    for (Finding& finding : vote_.findings) {
      for (std::string* text : {&finding.title, &finding.description, &finding.suggestion})
        *text = context_.redactor.redact(*text);
      finding.file = settled_path(finding.file, exhibit_.prompt.files);
    }
  }

  RunContext& context_;
  const Exhibit& exhibit_;
  Agent& agent_;
  std::string file_name_;
  PrVote vote_;
};

// "claude", and "claude (2)" when it votes again.
std::vector<std::string> voter_names(const std::vector<AgentBinding>& voters) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < voters.size(); ++i) {
    const auto before =
        std::count_if(voters.begin(), voters.begin() + static_cast<std::ptrdiff_t>(i),
                      [&](const AgentBinding& other) { return other.name == voters[i].name; });
    names.push_back(before == 0 ? voters[i].name : fmt::format("{} ({})", voters[i].name, before + 1));
  }
  return names;
}

// Each voter on a thread of its own, none knowing of the others. An agent that cannot even be made has no
// vote.
Result<std::vector<PrVote>> collect_votes(RunContext& context, const PrReviewRequest& request,
                                          const Exhibit& exhibit, std::stop_token stop) {
  const std::vector<std::string> names = voter_names(request.voters);
  std::vector<PrVote> votes(names.size());
  std::vector<Status> results(names.size());
  parallel_for(names.size(), names.size(), [&](std::size_t i) {
    results[i] = [&]() -> Status {
      auto agent = context.ports.agents.make(request.voters[i]);
      if (!agent) {
        votes[i].voter = names[i];
        votes[i].family = request.voters[i].family;
        votes[i].problem = agent.error().message;
      } else {
        TRY_ASSIGN(votes[i], Voter(context, exhibit, **agent, i + 1, names[i]).vote(stop));
      }
      const PrVote& vote = votes[i];
      return context.publish("", PrVoted{vote.voter, vote.model, vote.valid(), vote.score, vote.problem,
                                         vote.summary, vote.feedback, vote.findings.size()});
    }();
  });
  for (const Status& result : results) TRY(result);
  return votes;
}

Result<std::vector<Issue>> merged_findings(const Ports& ports, const Redactor& redactor,
                                           const PrReview& review) {
  std::vector<Finding> findings;
  for (const PrVote& vote : review.votes)
    findings.insert(findings.end(), vote.findings.begin(), vote.findings.end());
  TRY_ASSIGN(std::vector<Issue> issues, triage(findings, ports.repository, review.change.head, redactor));
  issues = merge_duplicates(std::move(issues));
  std::stable_sort(issues.begin(), issues.end(), [](const Issue& a, const Issue& b) {
    return std::tie(a.finding.file, a.finding.line) < std::tie(b.finding.file, b.finding.line);
  });
  return issues;
}

Json json_of(const PrVote& vote) {
  Json findings = Json::array();
  for (const Finding& finding : vote.findings) findings.push_back(to_json(finding));
  return {{"voter", vote.voter},
          {"model", vote.model},
          {"family", vote.family},
          {"valid", vote.valid()},
          {"score", vote.score ? Json(*vote.score) : Json()},
          {"problem", vote.problem.empty() ? Json() : Json(vote.problem)},
          {"summary", vote.summary},
          {"feedback", vote.feedback},
          {"findings", std::move(findings)},
          {"notes", vote.notes},
          {"state", vote.asks == 0 ? Json() : to_json(vote.state)},
          {"usage", to_json(vote.usage)},
          {"asks", vote.asks},
          {"duration_ms", vote.duration_ms}};
}

} // namespace

Result<PrChange> look_up_change(History& repository, const std::string& base_ref,
                                const std::string& head_ref) {
  PrChange change{base_ref, head_ref, {}, {}, {}, {}};
  const auto commit = [&](const std::string& ref) -> Result<std::string> {
    auto found = repository.resolve(ref);
    if (!found) return fail(ErrorCode::usage, found.error().message, found.error().remedy);
    return found;
  };
  TRY_ASSIGN(change.base, commit(base_ref));
  TRY_ASSIGN(change.head, commit(head_ref));
  TRY_ASSIGN(const auto start, repository.merge_base(change.base, change.head));
  if (!start)
    return fail(
        ErrorCode::usage, "'" + base_ref + "' and '" + head_ref + "' have no commit in common",
        "in a shallow clone, fetch more history first (git fetch --unshallow; in CI: fetch-depth: 0)");
  change.start = *start;
  TRY_ASSIGN(change.patch, repository.diff(change.start, change.head));
  if (change.patch.empty())
    return fail(ErrorCode::usage,
                "nothing to review: '" + head_ref + "' changes nothing that '" + base_ref + "' does not have",
                "give the change with --range BASE..HEAD (check the order)");
  return change;
}

Result<PrReview> review_change(const Ports& ports, const std::string& home,
                               const std::function<void(const Event&)>& on_event,
                               const PrReviewRequest& request, std::stop_token stop) {
  const std::int64_t began = ports.clock.steady_ms();
  Session session;
  session.id = request.session_id.empty() ? new_session_id() : request.session_id;
  session.repository_id = ports.repository.id();
  session.base = request.change.base;
  session.policy = request.policy;
  TRY_ASSIGN(Redactor redactor, Redactor::with_patterns(request.policy.redact_patterns));
  EventLog log(ports.store, ports.clock, on_event);
  PrReview review{session.id, request.change, {}, {}, request.policy.approve_threshold, {}, {}, 0, 0};
  RunContext context(ports, log, home, std::move(session), std::move(redactor));
  TRY_ASSIGN(const Exhibit exhibit, exhibit_of(context, request.change));
  TRY(context.publish("",
                      PrReviewStarted{review.change.base, review.change.head, voter_names(request.voters)}));
  TRY_ASSIGN(const ChangePrompt shown, build_change_prompt(exhibit.prompt));
  review.rest_bytes = shown.rest.size();
  for (const FileDiff& file : exhibit.prompt.files)
    if (file.binary) review.unseen.push_back(file.path);
  TRY_ASSIGN(review.votes, collect_votes(context, request, exhibit, std::move(stop)));
  review.count = count_votes(review.votes, review.threshold);
  TRY_ASSIGN(review.findings, merged_findings(ports, context.redactor, review));
  review.duration_ms = ports.clock.steady_ms() - began;
  context.keep_artifact("pr_review.json", dump_json(to_json(review), 2) + "\n");
  const PrCount& count = review.count;
  TRY(context.publish("", PrReviewCompleted{to_string(count.decision), count.decision == PrDecision::approved,
                                            count.average, count.votes, review.threshold}));
  return review;
}

Json to_json(const PrReview& review) {
  const DiffStat stat = diff_stat(review.change.patch);
  Json votes = Json::array(), findings = Json::array();
  for (const PrVote& vote : review.votes) votes.push_back(json_of(vote));
  for (const Issue& issue : review.findings) findings.push_back(to_json(issue.finding));
  return {{"session_id", review.session_id},
          {"base_ref", review.change.base_ref},
          {"head_ref", review.change.head_ref},
          {"base", review.change.base},
          {"head", review.change.head},
          {"merge_base", review.change.start},
          {"files", stat.files},
          {"insertions", stat.insertions},
          {"deletions", stat.deletions},
          {"decision", to_string(review.count.decision)},
          {"approved", review.count.decision == PrDecision::approved},
          {"average", review.count.average ? Json(*review.count.average) : Json()},
          {"threshold", review.threshold},
          {"valid_votes", review.count.votes},
          {"one_vendor", review.count.one_vendor},
          {"votes", std::move(votes)},
          {"findings", std::move(findings)},
          {"not_shown", review.unseen},
          {"rest_bytes", review.rest_bytes},
          {"duration_ms", review.duration_ms}};
}

namespace {

PrVote vote_from(const Json& json) {
  PrVote vote;
  vote.voter = first_line(string_or(json, "voter"), 100);
  vote.model = first_line(string_or(json, "model"), 100);
  vote.family = first_line(string_or(json, "family"), 100);
  vote.problem = string_or(json, "problem");
  vote.summary = string_or(json, "summary");
  vote.feedback = string_or(json, "feedback");
  if (const Json* score = find_member(json, "score"))
    if (const auto number = exact_int(*score, 0, 100)) vote.score = static_cast<int>(*number);
  if (const Json* findings = find_member(json, "findings"); findings != nullptr && findings->is_array())
    for (const Json& finding : *findings) vote.findings.push_back(finding_from_json(finding));
  return vote;
}

bool is_session_id(const std::string& id) {
  return !id.empty() && id.size() <= 64 &&
         id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
}

} // namespace

Result<PrReview> read_review(const Ports& ports, const Json& written, const PrChange& change, int threshold) {
  PrReview review;
  review.session_id = string_or(written, "session_id");
  const Json* votes = find_member(written, "votes");
  if (!is_session_id(review.session_id) || votes == nullptr || !votes->is_array())
    return fail(ErrorCode::usage, "this is not a review that emend wrote");
  if (string_or(written, "head") != change.head)
    return fail(ErrorCode::usage, "the review is of another commit than " + change.head.substr(0, 12));
  review.change = change;
  review.threshold = threshold;
  for (const Json& vote : *votes) review.votes.push_back(vote_from(vote));
  review.count = count_votes(review.votes, threshold);
  TRY_ASSIGN(const Redactor redactor, ports.redactor());
  TRY_ASSIGN(review.findings, merged_findings(ports, redactor, review));
  return review;
}

} // namespace emend
