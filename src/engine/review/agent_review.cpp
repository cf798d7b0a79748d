#include "engine/review/agent_review.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "base/hash.hpp"
#include "base/parallel.hpp"
#include "base/strings.hpp"
#include "engine/agents/agent_file.hpp"
#include "engine/agents/guidelines.hpp"
#include "engine/agents/read_proof.hpp"
#include "engine/context/run_context.hpp"
#include "engine/prompts/ask_agent.hpp"
#include "engine/prompts/conventions.hpp"
#include "engine/prompts/prompt.hpp"
#include "engine/prompts/show_change.hpp"
#include "engine/review/reviewer_answer.hpp"
#include "model/events.hpp"
#include "model/issue.hpp"

namespace emend {

namespace {

constexpr const char* kUnified = "unified_reviewer";
constexpr std::size_t kMostBytes = 3'000'000; // of a change; nobody reads more than that to its end

// Which side of the project a reviewer looks at; nullopt = all of it.
std::optional<Side> side_for(const std::string& file) {
  if (file.starts_with("reviewer_be_")) return Side::backend;
  if (file.starts_with("reviewer_fe_")) return Side::frontend;
  return std::nullopt;
}

// Without a diff, files are shown as if they were all new.
Result<Patch> whole_files(CommittedFiles& repository, const ReviewedChange& change) {
  Patch patch;
  std::size_t bytes = 0;
  for (const std::string& file : change.files) {
    FileChange made;
    made.path = file;
    made.new_mode = kModeFile;
    TRY_ASSIGN(made.new_content, read_from(repository, change.tree, file));
    if (!made.binary()) bytes += made.new_content.size();
    patch.changes.push_back(std::move(made));
    if (bytes > kMostBytes) break; // too much anyway: see ReviewerRun
  }
  return patch;
}

Result<Patch> shown_patch(CommittedFiles& repository, const ReviewedChange& change) {
  if (!change.tree.diff) return whole_files(repository, change);
  Patch patch = *change.tree.diff;
  const std::set<std::string> files(change.files.begin(), change.files.end());
  std::erase_if(patch.changes, [&](const FileChange& each) {
    return each.deleted() ? !change.removed_too : !files.contains(each.path);
  });
  return patch;
}

std::string scope_text(const ReviewedChange& change, std::size_t files) {
  if (!change.tree.diff)
    return fmt::format("The code of {} {} as it is: each is shown as if it were new.", files,
                       files == 1 ? "file" : "files");
  return "A change:\n" + fenced(first_line(clean_text(change.tree.words), 300), "text");
}

// What every reviewer of one review shares.
struct Bench {
  RunContext& context;
  const ReviewersOrder& order;
  const ReviewedChange& change;
  std::vector<FileDiff> files;
  std::string conventions, guidelines;
  std::string specs; // empty = there are none
  ShownTree tree;
};

// One reviewer at work, on a thread of its own.
class ReviewerRun {
public:
  ReviewerRun(Bench& bench, const Reviewer& reviewer)
      : bench_(bench), context_(bench.context), reviewer_(reviewer) {
    analysis_.analyzer = reviewer.name();
    analysis_.by_agent = true;
  }

  Analysis run(std::stop_token stop) {
    const std::int64_t start = context_.ports.clock.steady_ms();
    const Status done = work(std::move(stop));
    if (!done) {
      const bool cancelled = done.error().code == ErrorCode::cancelled;
      end(cancelled ? AnalysisState::cancelled : AnalysisState::failed, context_.safe(done.error().message));
    }
    analysis_.duration_ms = context_.ports.clock.steady_ms() - start;
    return std::move(analysis_);
  }

private:
  void end(AnalysisState state, std::string detail) {
    analysis_.state = state;
    analysis_.detail = std::move(detail);
  }

  Status work(std::stop_token stop) {
    ChangePromptInput input;
    TRY(prepare(input));
    if (input.files.empty()) {
      end(AnalysisState::skipped, "no files for it");
      return {};
    }
    std::size_t bytes = 0;
    for (const FileDiff& file : input.files) bytes += file.text.size();
    if (bytes > kMostBytes) {
      end(AnalysisState::failed,
          fmt::format("the change is too large to be read ({} MB): name paths, or a smaller range",
                      bytes / 1'000'000 + 1));
      return {};
    }
    analysis_.files = static_cast<int>(input.files.size());
    TRY_ASSIGN(const std::unique_ptr<Agent> agent, context_.ports.agents.make(reviewer_.agent));
    TRY(context_.publish("", ReviewAgentStarted{reviewer_.name(), analysis_.files}));
    for (int ask = 1; ask <= context_.policy().asks; ++ask) {
      TRY_ASSIGN(const bool again, ask_once(*agent, input, ask, stop));
      if (!again) break;
    }
    return context_.publish(
        "", ReviewAgentCompleted{reviewer_.name(), analysis_.version, to_string(analysis_.state),
                                 analysis_.detail, analysis_.findings.size(), to_json(usage_)});
  }

  Status prepare(ChangePromptInput& input) {
    TRY_ASSIGN(const AgentFile file, agent_file(context_.policy(), reviewer_.file));
    input.template_body = file.body;
    const auto side = side_for(reviewer_.file);
    for (const FileDiff& each : bench_.files)
      if (!side || side_of(each.path) == *side) input.files.push_back(each);
    input.conventions = bench_.conventions;
    input.values = {{"scope", scope_text(bench_.change, input.files.size())},
                    {"guidelines", bench_.guidelines}};
    input.max_bytes = static_cast<std::size_t>(context_.policy().prompt_max_bytes);
    if (reviewer_.file != kUnified) return {};
    TRY_ASSIGN(Experts experts, experts_for(context_.policy(), reviewer_.agent, bench_.specs));
    input.values["experts"] = experts.text;
    sub_agents_ = std::move(experts.sub_agents);
    return {};
  }

  // True when asking once more may help.
  Result<bool> ask_once(Agent& agent, ChangePromptInput input, int ask, std::stop_token stop) {
    input.token = new_read_token();
    input.problem = problem_;
    TRY_ASSIGN(AgentQuestion question, question_about(bench_.tree, input));
    question.role = reviewer_.file;
    question.ask = ask;
    question.name = plain_file_name(reviewer_.agent.name);
    question.schema = reviewer_schema();
    question.sub_agents = sub_agents_;
    question.on_event = [this](const AgentEvent& event) {
      if (event.kind == AgentEvent::Kind::sub_agent && event.text.starts_with("called"))
        experts_.insert(event.id);
    };
    TRY_ASSIGN(const AskedRun asked, run_question(context_, agent, question, std::move(stop)));
    usage_ += asked.run.usage;
    analysis_.version = first_line(clean_text(asked.run.model), 80);
    if (const std::string why = void_reason(asked); !why.empty()) {
      end(AnalysisState::failed, context_.safe(why));
      return false;
    }
    auto answer = parse_reviewer_answer(asked.run.answer, input.token);
    if (!answer) {
      problem_ = context_.safe(answer.error().message);
      end(AnalysisState::failed, problem_);
      return true;
    }
    take(*std::move(answer));
    return analysis_.state == AnalysisState::failed;
  }

  void take(ReviewerAnswer answer) {
    for (Finding& finding : answer.findings) {
      finding.agent = reviewer_.name();
      finding.file = settled_path(finding.file, bench_.files);
      for (std::string* text : {&finding.title, &finding.description, &finding.suggestion, &finding.group})
        *text = context_.redactor.redact(*text);
    }
    if (answer.problems.empty() || answer.findings.size() >= analysis_.findings.size())
      analysis_.findings = std::move(answer.findings);
    problem_ = first_line(context_.safe(join(answer.problems, "; ")), 500);
    if (!problem_.empty())
      return end(AnalysisState::failed, "some of its findings cannot be read: " + problem_);
    end(AnalysisState::done, done_text());
  }

  [[nodiscard]] std::string done_text() const {
    std::vector<std::string> parts;
    if (!experts_.empty())
      parts.push_back(fmt::format("{} asked", experts_.size() == 1
                                                  ? "an expert was"
                                                  : fmt::format("{} experts were", experts_.size())));
    if (usage_.cost_usd) parts.push_back(fmt::format("${:.4f}", *usage_.cost_usd));
    return join(parts, ", ");
  }

  Bench& bench_;
  RunContext& context_;
  const Reviewer& reviewer_;
  Analysis analysis_;
  Json sub_agents_;
  Usage usage_;
  std::string problem_;
  std::set<std::string> experts_; // sub-agents that were started, by id
};

bool has_folder(const Tree& tree, const std::string& folder) {
  const std::string prefix = folder + "/";
  const auto first = tree.lower_bound(prefix);
  return !folder.empty() && first != tree.end() && first->first.starts_with(prefix);
}

Status set_up(Bench& bench) {
  RunContext& context = bench.context;
  Repository& repository = context.ports.repository;
  TRY_ASSIGN(const Patch patch, shown_patch(repository, bench.change));
  for (const FileChange& file : patch.changes) bench.files.push_back(file_diff(context, file));
  if (!bench.order.rules_commit.empty())
    bench.conventions = conventions_text(context, bench.order.rules_commit);
  TRY_ASSIGN(bench.guidelines, guidelines_for_reviewing(context.policy()));
  TRY_ASSIGN(const Tree* tree, repository.tree(bench.change.tree.commit));
  if (has_folder(*tree, bench.order.specs)) bench.specs = bench.order.specs;
  TRY_ASSIGN(bench.tree, tree_to_show(repository, bench.change.tree.commit, bench.change.tree.patch));
  return {};
}

Result<std::vector<Analysis>> review_all(const Ports& ports, const ReviewersOrder& order,
                                         const ReviewedChange& change, std::stop_token stop) {
  Session session;
  session.id = new_session_id();
  session.repository_id = ports.repository.id();
  session.base = change.tree.commit;
  session.policy = order.policy;
  TRY_ASSIGN(Redactor redactor, Redactor::with_patterns(order.policy.redact_patterns));
  EventLog log(ports.store, ports.clock, order.on_event);
  RunContext context(ports, log, order.home, std::move(session), std::move(redactor));
  Bench bench{context, order, change, {}, {}, {}, {}, {}};
  TRY(set_up(bench));
  std::vector<Analysis> analyses(order.reviewers.size());
  parallel_for(order.reviewers.size(), static_cast<std::size_t>(std::max(1, order.parallel)),
               [&](std::size_t i) { analyses[i] = ReviewerRun(bench, order.reviewers[i]).run(stop); });
  return analyses;
}

bool overlap(const Finding& a, const Finding& b) {
  if (a.line == 0 || b.line == 0) return a.line == b.line;
  return a.line <= std::max(b.line, b.line_end) && b.line <= std::max(a.line, a.line_end);
}

} // namespace

std::vector<Analysis> run_reviewers(const Ports& ports, const ReviewersOrder& order,
                                    const ReviewedChange& change, std::stop_token stop) {
  auto analyses = review_all(ports, order, change, std::move(stop));
  if (analyses) return *std::move(analyses);
  std::vector<Analysis> failed;
  for (const Reviewer& reviewer : order.reviewers) {
    failed.emplace_back();
    failed.back().analyzer = reviewer.name();
    failed.back().by_agent = true;
    failed.back().state = AnalysisState::failed;
    failed.back().detail = analyses.error().message;
  }
  return failed;
}

std::vector<Finding> join_reviewers(const std::vector<Finding>& findings) {
  std::vector<Finding> joined;
  for (const Finding& finding : findings) {
    const auto same = std::find_if(joined.begin(), joined.end(), [&](const Finding& kept) {
      const bool own = kept.agent == finding.agent || std::find(kept.found_by.begin(), kept.found_by.end(),
                                                                finding.agent) != kept.found_by.end();
      return !own && kept.file == finding.file && kept.category == finding.category && overlap(kept, finding);
    });
    if (same == joined.end())
      joined.push_back(finding);
    else
      join_finding(*same, finding);
  }
  return joined;
}

} // namespace emend
