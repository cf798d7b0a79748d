#include "cli/agents/mcp_tools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/strings.hpp"
#include "cli/agents/agent_session.hpp"
#include "cli/agents/mcp_schemas.hpp"
#include "cli/agents/taken_fix.hpp"
#include "cli/daily/check_action.hpp"
#include "cli/daily/review_options.hpp"
#include "cli/report_text.hpp"
#include "engine/context/audit.hpp"
#include "engine/plan/clarify.hpp"
#include "engine/review/review.hpp"

namespace emend {
namespace {

using mcp::Answer;
using mcp::Call;

constexpr std::size_t kPage = 25;

int seconds_of(const Json& arguments) {
  const Json* given = find_member(arguments, "wait_s");
  return given == nullptr ? 45
                          : static_cast<int>(std::clamp<std::int64_t>(given->get<std::int64_t>(), 0, 240));
}

std::size_t page_of(const Json& arguments) {
  const Json* given = find_member(arguments, "page");
  return given == nullptr
             ? 1
             : static_cast<std::size_t>(std::clamp<std::int64_t>(given->get<std::int64_t>(), 1, 10'000));
}

Answer failure(const Error& error) {
  if (error.code == ErrorCode::needs_input) // an agent could read "emend trust" as an order
    return {"NOT TRUSTED: " + error.message +
                "\nnext: nothing was run. Ask the person to read this and to run `emend trust` here",
            true};
  std::string said = error.message;
  if (!error.remedy.empty()) said += "\nnext: " + error.remedy;
  return {said, true};
}

Answer as_answer(Result<std::string> made) { return made ? Answer{*std::move(made)} : failure(made.error()); }

std::string line_of(const Issue& issue) {
  const Finding& finding = issue.finding;
  return fmt::format("{} {} {} {} {}{}\n", issue.code, to_string(finding.severity), to_string(issue.status),
                     place_of(finding), one_line(finding.title, 160),
                     finding.rule.empty() ? "" : " [" + one_line(finding.rule, 60) + "]");
}

std::string page_text(std::vector<Issue> issues, std::size_t page, const std::string& none) {
  if (issues.empty()) return none;
  std::stable_sort(issues.begin(), issues.end(),
                   [](const Issue& a, const Issue& b) { return a.finding.severity > b.finding.severity; });
  const std::size_t begin = std::min(issues.size(), (page - 1) * kPage),
                    end = std::min(issues.size(), begin + kPage);
  std::string made = fmt::format("{} issues, worst first\n", issues.size());
  for (std::size_t i = begin; i < end; ++i) made += line_of(issues[i]);
  if (end < issues.size()) made += fmt::format("{} more: findings page={}\n", issues.size() - end, page + 1);
  return made + "next: show one by its code, or fix some of them\n";
}

// A fresh look for each call: a person edits configuration and files while the agent works.
class McpTools {
public:
  McpTools(const CliDependencies& dependencies, McpPlace place, McpJobs& jobs)
      : dependencies_(dependencies),
        global_(std::move(place.global)),
        directory_(std::move(place.directory)),
        caller_(std::move(place.caller)),
        read_only_(place.read_only),
        jobs_(jobs) {
    global_.no_input = true;
  }

  [[nodiscard]] Answer check(const Call& call) {
    const std::string issue = string_or(call.arguments, "issue"), base = string_or(call.arguments, "base");
    const std::string id =
        jobs_.start("chk", directory_, [this, issue, base](std::stop_token stop, const McpJobs::Tell& tell) {
          tell("running the project's checks");
          return as_answer(check_now(issue, base, stop));
        });
    return *jobs_.wait(id, directory_, seconds_of(call.arguments), call);
  }

  [[nodiscard]] Answer review(const Call& call) {
    const std::string id =
        jobs_.start("rev", directory_,
                    [this, arguments = call.arguments](std::stop_token stop, const McpJobs::Tell& tell) {
                      tell("running the analyzers");
                      return as_answer(review_now(arguments, stop));
                    });
    return *jobs_.wait(id, directory_, seconds_of(call.arguments), call);
  }

  [[nodiscard]] Result<std::string> findings(const Call& call) {
    CommandContext context(dependencies_, global_, directory_);
    TRY_ASSIGN(Store * store, context.store());
    TRY_ASSIGN(Repository * repository, context.repository());
    IssueFilter filter;
    filter.repository_id = repository->id();
    filter.file_glob = string_or(call.arguments, "file");
    filter.statuses = {IssueStatus::open, IssueStatus::failed};
    const std::string need = string_or(call.arguments, "need", "all");
    if (need == "agent") filter.statuses = {IssueStatus::open};
    if (need == "me") filter.statuses = {IssueStatus::failed};
    TRY_ASSIGN(std::vector<Issue> issues, store->issues(filter));
    return page_text(std::move(issues), page_of(call.arguments),
                     "no open issues\nnext: review looks for new ones\n");
  }

  // What a check or a review said is shown again for a day.
  [[nodiscard]] Answer show(const Call& call) {
    if (auto answer = jobs_.wait(string_or(call.arguments, "id"), directory_, 0, call))
      return *std::move(answer);
    return with_questions(as_answer(shown(call)), call);
  }

  [[nodiscard]] Result<std::string> shown(const Call& call) {
    CommandContext context(dependencies_, global_, directory_);
    const std::string id = string_or(call.arguments, "id"),
                      part = string_or(call.arguments, "part", "summary");
    TRY_ASSIGN(SessionManager * manager, context.manager());
    TRY_ASSIGN(Store * store, context.store());
    TRY_ASSIGN(Repository * repository, context.repository());
    const auto issue = store->issue(repository->id(), id);
    if (!issue) {
      TRY_ASSIGN(const FixReport report, manager->report(id));
      return session_text(report, Palette{});
    }
    if (part == "diff") return diff_of(*store, *issue);
    TRY_ASSIGN(const Explanation explanation, manager->explain(id));
    return explanation_text(explanation, Palette{});
  }

  [[nodiscard]] Result<std::string> fix(const Call& call) {
    CommandContext context(dependencies_, global_, directory_);
    act_for(context, call);
    TRY_ASSIGN(
        const std::string id,
        begin_session(context, call.arguments.at("issues").get<std::vector<std::string>>(), call.stop));
    return fmt::format(
        "RUNNING {}: emend fixes in a copy; nothing in your checkout changes\n"
        "next: call wait with id {}\n",
        id, id);
  }

  [[nodiscard]] Answer wait(const Call& call) {
    const std::string id = string_or(call.arguments, "id");
    if (auto answer = jobs_.wait(id, directory_, seconds_of(call.arguments), call)) return *std::move(answer);
    return with_questions(as_answer(session_so_far(id, call)), call);
  }

  // What the person said to questions of an issue is kept; what is open yet stands below the answer.
  [[nodiscard]] Answer with_questions(Answer answer, const Call& call);
  [[nodiscard]] Result<std::vector<mcp::Question>> open_questions(CommandContext& context,
                                                                  const std::string& id);
  [[nodiscard]] Status keep_answer(CommandContext& context, const std::string& question_id,
                                   std::string_view text);

  [[nodiscard]] Result<std::string> apply(const Call& call);
  [[nodiscard]] Result<std::string> answer(const Call& call);

private:
  // Whatever is begun or written here is this agent's doing, in the audit log and with the issue.
  void act_for(CommandContext& context, const Call& call) const {
    context.act_through(call.client.empty() ? caller_ : call.client);
  }

  [[nodiscard]] Result<std::string> check_now(const std::string& issue, const std::string& base,
                                              std::stop_token stop) {
    CommandContext context(dependencies_, global_, directory_);
    CheckWords words;
    words.issue = issue;
    words.base = base;
    TRY_ASSIGN(CheckOrder order, order_of(context, words));
    TRY_ASSIGN(const ChangeCheck check, check_here(context, std::move(order), stop));
    return check_text(check, Palette{});
  }

  [[nodiscard]] Result<std::string> review_now(const Json& arguments, std::stop_token stop) {
    CommandContext context(dependencies_, global_, directory_);
    ReviewRequest request;
    const std::string scope = string_or(arguments, "scope", "uncommitted");
    request.scope.kind = scope == "staged"   ? ScopeKind::staged
                         : scope == "branch" ? ScopeKind::branch
                         : scope == "all"    ? ScopeKind::all
                                             : ScopeKind::uncommitted;
    if (const Json* paths = find_member(arguments, "paths"))
      request.paths = paths->get<std::vector<std::string>>();
    const Severity least =
        parse_severity(string_or(arguments, "min_severity", "info")).value_or(Severity::info);
    TRY_ASSIGN(SessionManager * manager, context.manager());
    TRY_ASSIGN(const Analyzers analyzers, configured_analyzers(context, Kept::yes));
    TRY_ASSIGN(const Config config, context.config());
    request.rules = config.review_rules();
    TRY_ASSIGN(Review review, manager->review(analyzers, request, stop));
    std::erase_if(review.issues, [&](const Issue& issue) { return issue.finding.severity < least; });
    return page_text(std::move(review.issues), 1,
                     "no issues in what was looked at\nnext: check your change\n");
  }

  static Result<std::string> diff_of(Store& store, const Issue& issue) {
    if (issue.session_id.empty()) return std::string("no fix was tried yet\nnext: fix it\n");
    TRY_ASSIGN(const std::vector<Attempt> attempts, store.attempts_of_session(issue.session_id));
    const Attempt* last = nullptr;
    for (const Attempt& attempt : attempts)
      if (attempt.issue_id == issue.id && !attempt.patch.empty()) last = &attempt;
    if (last == nullptr) return std::string("no attempt changed anything\n");
    return fmt::format("{} ({})\n{}", to_string(last->result), one_line(last->detail, 300),
                       unified_diff(last->patch));
  }

  Result<std::string> session_so_far(const std::string& id, const Call& call) {
    CommandContext context(dependencies_, global_, directory_);
    TRY_ASSIGN(const auto report,
               wait_for_session(context, id, std::chrono::seconds(seconds_of(call.arguments)), call.stop,
                                call.progress));
    if (report) return fix_result_text(*report, Palette{});
    return fmt::format("RUNNING {}\nnext: call wait again\n", id);
  }

  const CliDependencies& dependencies_;
  GlobalOptions global_;
  const std::string directory_, caller_;
  const bool read_only_;
  McpJobs& jobs_;
};

// Files of a person were written: the audit log says which, and through whom.
Status note_applied(CommandContext& context, const std::string& code, const Patch& patch) {
  TRY_ASSIGN(const Ports ports, context.ports());
  Json files = Json::array();
  for (const FileChange& change : patch.changes) files.push_back(change.path);
  Change change;
  note_audit(change, ports, "fix.applied", code, {}, {{"files", std::move(files)}});
  TRY(ports.store.apply(change, ports.clock.wall_ms()));
  return {};
}

// Only what the gate has taken, and only where every file is as the fix found it.
Result<std::string> McpTools::apply(const Call& call) {
  CommandContext context(dependencies_, global_, directory_);
  act_for(context, call);
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const TakenFix fix, taken_fix(*store, *repository, string_or(call.arguments, "id")));
  const bool dry = call.arguments.value("dry_run", false);
  TRY_ASSIGN(const std::string said, write_fix(repository->root(), fix, dry));
  if (!dry) TRY(note_applied(context, string_or(call.arguments, "id"), fix.patch));
  return said + (dry ? "next: call apply without dry_run\n" : "next: check, then the person commits\n");
}

// Nobody can see from here whether a person spoke. So it says where it came from, and what a person answered
// before stays.
Status McpTools::keep_answer(CommandContext& context, const std::string& question_id, std::string_view text) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  const std::string said(trim(clean_text(text)));
  if (said.empty()) return fail(ErrorCode::usage, "the answer is empty");
  TRY_ASSIGN(const Issue issue, store->issue(repository->id(), issue_of_question(question_id)));
  const auto question =
      std::find_if(issue.clarifications.begin(), issue.clarifications.end(),
                   [&](const Clarification& one) { return one.question_id == question_id; });
  if (question == issue.clarifications.end())
    return fail(ErrorCode::not_found, "there is no question " + first_line(clean_text(question_id), 60),
                "show with the issue's code lists its questions");
  if (question->state != ClarificationState::asked)
    return fail(ErrorCode::conflict, question_id + " is answered already",
                "a person can change the answer: emend clarify --answer " + question_id + "=...");
  GivenAnswer given{question_id, trim_middle(said, 2'000) + " (passed on by " + caller_ + ")"};
  TRY_ASSIGN(const Config config, context.config());
  TRY_ASSIGN(const Ports ports, context.ports());
  return record_answers(ports, config.policy(), {}, {std::move(given)});
}

Result<std::string> McpTools::answer(const Call& call) {
  CommandContext context(dependencies_, global_, directory_);
  act_for(context, call);
  const std::string question = string_or(call.arguments, "question");
  TRY(keep_answer(context, question, string_or(call.arguments, "answer")));
  return "answered " + question +
         "\nnext: tell the person what you answered; they can change it with: emend clarify --answer " +
         question + "=...\n";
}

// Of one issue, or of all issues of a session.
Result<std::vector<mcp::Question>> McpTools::open_questions(CommandContext& context, const std::string& id) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  std::vector<std::string> ids = {id};
  if (const auto session = store->session(id)) ids = session->issue_ids;
  std::vector<mcp::Question> open;
  for (const std::string& one : ids) {
    const auto issue = store->issue(repository->id(), one);
    if (!issue) continue;
    for (const Clarification& asked : issue->clarifications)
      if (asked.state == ClarificationState::asked)
        open.push_back({asked.question_id, one_line(asked.question, 400), asked.suggestions});
  }
  return open;
}

Answer McpTools::with_questions(Answer answer, const Call& call) {
  if (answer.failed) return answer;
  CommandContext context(dependencies_, global_, directory_);
  act_for(context, call);
  const std::string id = string_or(call.arguments, "id");
  const auto open = open_questions(context, id);
  if (!open) return answer; // no issue and no session
  for (const mcp::Question& question : *open) {
    const auto said = call.replies ? call.replies->find(question.id) : mcp::Replies::const_iterator{};
    if (call.replies && said != call.replies->end()) {
      if (const Status kept = keep_answer(context, question.id, said->second); !kept)
        return failure(kept.error());
      answer.text += "answered by the person: " + question.id + "\n";
      continue;
    }
    answer.text += "open question " + question.id + ": " + question.text +
                   "\nnext: ask the person, then call answer; or the person runs: emend clarify " +
                   issue_of_question(question.id) + "\n";
    if (!read_only_) answer.questions.push_back(question);
  }
  return answer;
}

using Method = Result<std::string> (McpTools::*)(const Call&);

mcp::Served served(const std::shared_ptr<McpTools>& tools, mcp::Tool tool, Method method) {
  return {std::move(tool), [tools, method](const Call& call) { return as_answer(((*tools).*method)(call)); }};
}

} // namespace

mcp::Offer mcp_offer(const CliDependencies& dependencies, McpPlace place, McpJobs& jobs) {
  const bool read_only = place.read_only;
  mcp::Offer offer;
  offer.key = place.key;
  const auto tools = std::make_shared<McpTools>(dependencies, std::move(place), jobs);
  const McpSchemas schemas = mcp_schemas();
  offer.own = {dependencies.version, kMcpInstructions};
  offer.tools = {{schemas.check, [tools](const Call& call) { return tools->check(call); }},
                 {schemas.review, [tools](const Call& call) { return tools->review(call); }},
                 served(tools, schemas.findings, &McpTools::findings),
                 {schemas.show, [tools](const Call& call) { return tools->show(call); }},
                 {schemas.wait, [tools](const Call& call) { return tools->wait(call); }}};
  if (!read_only)
    for (const mcp::Served& one :
         {served(tools, schemas.fix, &McpTools::fix), served(tools, schemas.apply, &McpTools::apply),
          served(tools, schemas.answer, &McpTools::answer)})
      offer.tools.push_back(one);
  offer.prompts = mcp_prompts();
  offer.resources = {{"emend://guide", "guide", "How to use these tools", [] { return Answer{kMcpGuide}; }},
                     {"emend://inbox", "inbox", "Open issues, worst first", [tools] {
                        return as_answer(tools->findings({Json::object(), [](const std::string&) {}, {}}));
                      }}};
  return offer;
}

} // namespace emend
