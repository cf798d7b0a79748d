#include "cli/agents/mcp_tools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/strings.hpp"
#include "cli/agents/agent_session.hpp"
#include "cli/agents/mcp_checks.hpp"
#include "cli/agents/mcp_schemas.hpp"
#include "cli/agents/mcp_shown.hpp"
#include "cli/agents/taken_fix.hpp"
#include "cli/agents/text_page.hpp"
#include "cli/report_text.hpp"
#include "config/config_files.hpp"
#include "engine/context/audit.hpp"
#include "engine/plan/clarify.hpp"

namespace emend {
namespace {

using mcp::Answer;

constexpr std::size_t kMostListed = 25;
constexpr std::size_t kMostQuestions = 3; // in an answer; a form has all of them

int seconds_of(const Json& arguments, int otherwise = 45) {
  const Json* given = find_member(arguments, "wait_s");
  return given == nullptr ? otherwise
                          : static_cast<int>(std::clamp<std::int64_t>(given->get<std::int64_t>(), 0, 240));
}

std::size_t page_in(const Json& arguments) {
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
  std::string said = one_line(error.message, 1'000); // it may name files
  if (!error.remedy.empty()) said += "\nnext: " + error.remedy;
  return {said, true};
}

Answer as_answer(Result<std::string> made) { return made ? Answer{*std::move(made)} : failure(made.error()); }

Answer cut(Answer answer, const TextPage& page) {
  answer.text = page_of(answer.text, page);
  return answer;
}

// Of what a job or a session said: the rest is shown by `show`, from its beginning.
TextPage beginning(std::size_t budget, const std::string& id) {
  return {budget, 1'000'000, 1, "show id=" + first_line(clean_text(id), 60), false};
}

enum class Said { by_person, passed_on };

// A fresh look for each call: a person edits configuration and files while the agent works.
class McpTools : public std::enable_shared_from_this<McpTools> {
public:
  McpTools(const CliDependencies& dependencies, McpPlace place, McpJobs& jobs)
      : dependencies_(dependencies),
        global_(std::move(place.global)),
        directory_(std::move(place.directory)),
        root_(find_repository_root(directory_)),
        caller_(std::move(place.caller)),
        read_only_(place.read_only),
        jobs_(jobs) {
    global_.no_input = true;
  }

  [[nodiscard]] Answer check(const mcp::Call& call) {
    AgentCheck wanted;
    wanted.words.issue = string_or(call.arguments, "issue");
    wanted.words.base = string_or(call.arguments, "base");
    wanted.words.judge = call.arguments.value("judge", false);
    wanted.paths = call.arguments.value("paths", std::vector<std::string>());
    return begin("chk", call, wanted.words.judge, kCheckBudget,
                 [wanted](CommandContext& context, const McpJobs::Run& run) {
                   run.tell("running the project's checks");
                   return check_for_agent(context, wanted, run.id, run.stop);
                 });
  }

  [[nodiscard]] Answer review(const mcp::Call& call) {
    return begin("rev", call, false, kReviewBudget,
                 [arguments = call.arguments](CommandContext& context, const McpJobs::Run& run) {
                   run.tell("running the analyzers");
                   return review_for_agent(context, arguments, run.id, run.stop);
                 });
  }

  [[nodiscard]] Answer findings(const mcp::Call& call) {
    const std::string need = string_or(call.arguments, "need", "all"),
                      file = string_or(call.arguments, "file");
    TextPage page{kFindingsBudget, kMostListed, page_in(call.arguments), "findings"};
    if (need != "all") page.rest += " need=" + need;
    if (!file.empty()) page.rest += " file=" + first_line(clean_text(file), 100);
    return cut(as_answer(need == "me" ? needs(call) : open_issues(call, file, need == "agent")), page);
  }

  // What a check or a review said is shown again for a day.
  [[nodiscard]] Answer show(const mcp::Call& call) {
    const std::string id = string_or(call.arguments, "id"),
                      part = string_or(call.arguments, "part", "summary");
    TextPage page{kShowBudget, 1'000'000, page_in(call.arguments),
                  "show id=" + first_line(clean_text(id), 60) + (part == "summary" ? "" : " part=" + part)};
    if (auto answer = jobs_.look(id, place())) return cut(*std::move(answer), page);
    CommandContext context = this->context(call);
    return with_questions(as_answer(shown_part(context, id, part)), page, call);
  }

  [[nodiscard]] Answer fix(const mcp::Call& call) {
    CommandContext context = this->context(call);
    const auto id =
        begin_session(context, call.arguments.at("issues").get<std::vector<std::string>>(), call.stop);
    if (!id) return cut(failure(id.error()), {kWaitBudget});
    const int seconds = seconds_of(call.arguments, 0);
    if (seconds > 0) return session_so_far(*id, seconds, call);
    return {
        fmt::format("RUNNING {}: emend fixes in a copy; nothing in your checkout changes\n"
                    "next: call wait with id {}\n",
                    *id, *id)};
  }

  [[nodiscard]] Answer wait(const mcp::Call& call) {
    const std::string id = string_or(call.arguments, "id");
    if (auto answer = jobs_.wait(id, place(), seconds_of(call.arguments), call))
      return cut(*std::move(answer), beginning(kWaitBudget, id));
    return session_so_far(id, seconds_of(call.arguments), call);
  }

  [[nodiscard]] Answer apply(const mcp::Call& call) {
    return cut(as_answer(written(call)), beginning(kApplyBudget, string_or(call.arguments, "id")));
  }
  [[nodiscard]] Answer answer(const mcp::Call& call) {
    return cut(as_answer(passed_on(call)), {kAnswerBudget});
  }

  [[nodiscard]] Answer inbox() { return cut(as_answer(needs(nobody())), {kFindingsBudget}); }
  [[nodiscard]] Answer part(const std::string& id, const std::string& part) {
    CommandContext context = this->context(nobody());
    return cut(as_answer(shown_part(context, id, part)),
               {kShowBudget, 1'000'000, 1, "show id=" + first_line(clean_text(id), 60) + " part=" + part});
  }

private:
  using Begun = std::function<Result<std::string>(CommandContext&, const McpJobs::Run&)>;

  static mcp::Call nobody() {
    return {Json::object(), [](const std::string&) {}, {}};
  }
  [[nodiscard]] std::string name_of(const mcp::Call& call) const {
    return first_line(clean_text(call.client.empty() ? caller_ : call.client), 60);
  }
  // What is begun, answered or written with it is this agent's doing, in the audit log and with the issue. A
  // client names itself; that it came this way is ours to say.
  [[nodiscard]] CommandContext context(const mcp::Call& call) const {
    CommandContext made(dependencies_, global_, directory_);
    made.act_through(name_of(call) + " over MCP");
    return made;
  }
  [[nodiscard]] const std::string& place() const { return root_.empty() ? directory_ : root_; }

  // The job may outlive the call, and at /mcp the server of the call.
  [[nodiscard]] Answer begin(const std::string& kind, const mcp::Call& call, bool costs, std::size_t budget,
                             Begun work) {
    CommandContext now = context(call);
    const auto config = now.config();
    if (!config) return failure(config.error());
    McpJobs::Order order{kind, place(), config->most_checks()};
    if (costs) order.most_an_hour = config->fixes_an_hour();
    const auto id = jobs_.start(order, [self = shared_from_this(), asked = mcp::Call{{}, {}, {}, call.client},
                                        work = std::move(work)](const McpJobs::Run& run) {
      CommandContext own = self->context(asked);
      return as_answer(work(own, run));
    });
    if (!id) return failure(id.error());
    return cut(*jobs_.wait(*id, place(), seconds_of(call.arguments), call), beginning(budget, *id));
  }

  [[nodiscard]] Result<std::string> needs(const mcp::Call& call) const {
    CommandContext now = context(call);
    return needs_for_agent(now);
  }

  [[nodiscard]] Result<std::string> open_issues(const mcp::Call& call, const std::string& file,
                                                bool for_agent) const {
    CommandContext now = context(call);
    TRY_ASSIGN(Store * store, now.store());
    TRY_ASSIGN(Repository * repository, now.repository());
    IssueFilter filter;
    filter.repository_id = repository->id();
    filter.file_glob = file;
    filter.statuses = {IssueStatus::open};
    if (!for_agent) filter.statuses.push_back(IssueStatus::failed);
    TRY_ASSIGN(std::vector<Issue> issues, store->issues(filter));
    return issues_for_agent(std::move(issues), "no open issues\nnext: review looks for new ones\n");
  }

  [[nodiscard]] Answer session_so_far(const std::string& id, int seconds, const mcp::Call& call) {
    return with_questions(as_answer(session_text_so_far(id, seconds, call)), beginning(kWaitBudget, id),
                          call);
  }
  [[nodiscard]] Result<std::string> session_text_so_far(const std::string& id, int seconds,
                                                        const mcp::Call& call);

  // What the person said to questions of an issue is kept; what is open yet stands below the answer.
  [[nodiscard]] Answer with_questions(Answer answer, TextPage page, const mcp::Call& call);
  [[nodiscard]] Result<std::vector<mcp::Question>> open_questions(CommandContext& context,
                                                                  const std::string& id);
  [[nodiscard]] Result<bool> keep_answer(CommandContext& context, const std::string& question_id,
                                         std::string_view text, Said said, const std::string& client);

  [[nodiscard]] Result<std::string> written(const mcp::Call& call);
  [[nodiscard]] Result<std::string> passed_on(const mcp::Call& call);

  const CliDependencies& dependencies_;
  GlobalOptions global_;
  const std::string directory_, root_, caller_;
  const bool read_only_;
  McpJobs& jobs_;
};

Result<std::string> McpTools::session_text_so_far(const std::string& id, int seconds, const mcp::Call& call) {
  if (id.empty()) return fail(ErrorCode::not_found, "there is nothing to wait for without a name");
  CommandContext now = context(call);
  std::string last;
  const auto tell = [&](const std::string& line) {
    last = one_line(line, 200);
    call.progress(line);
  };
  TRY_ASSIGN(const auto report, wait_for_session(now, id, std::chrono::seconds(seconds), call.stop, tell));
  if (report) return session_for_agent(*report);
  return fmt::format("RUNNING {}{}\nnext: call wait again\n", id, last.empty() ? "" : ": " + last);
}

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
Result<std::string> McpTools::written(const mcp::Call& call) {
  CommandContext now = context(call);
  TRY_ASSIGN(Store * store, now.store());
  TRY_ASSIGN(Repository * repository, now.repository());
  TRY_ASSIGN(const TakenFix fix, taken_fix(*store, *repository, string_or(call.arguments, "id")));
  const bool dry = call.arguments.value("dry_run", false);
  TRY_ASSIGN(const std::string said, write_fix(repository->root(), fix, dry));
  if (!dry) TRY(note_applied(now, string_or(call.arguments, "id"), fix.patch));
  return said + (dry ? "next: call apply without dry_run\n" : "next: check, then the person commits\n");
}

// A form is filled in by the person. Nobody can see from here whether one spoke when a model passes something
// on: then it is only proposed, unless clarify.accept_from says otherwise. False = it was proposed. What was
// answered before stays.
Result<bool> McpTools::keep_answer(CommandContext& context, const std::string& question_id,
                                   std::string_view text, Said said, const std::string& client) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  std::string words(trim(clean_text(text)));
  if (words.empty()) return fail(ErrorCode::usage, "the answer is empty");
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
  TRY_ASSIGN(const Config config, context.config());
  TRY_ASSIGN(const Ports ports, context.ports());
  words = trim_middle(words, 2'000);
  if (said == Said::passed_on && !config.takes_passed_on_answers()) {
    TRY(propose_answer(ports, config.policy(), {question_id, words}));
    return false;
  }
  if (said == Said::passed_on) words += " (passed on by " + client + ")";
  TRY(record_answers(ports, config.policy(), {}, {{question_id, words}}));
  return true;
}

Result<std::string> McpTools::passed_on(const mcp::Call& call) {
  CommandContext now = context(call);
  const std::string question = string_or(call.arguments, "question");
  TRY_ASSIGN(const bool counts,
             keep_answer(now, question, string_or(call.arguments, "answer"), Said::passed_on, name_of(call)));
  if (counts)
    return "answered " + question +
           "\nnext: tell the person what you answered; they can change it with: emend clarify --answer " +
           question + "=...\n";
  return "proposed an answer to " + question + "; it counts when the person confirms it\n" +
         "next: tell the person to choose it or another one: emend clarify " + issue_of_question(question) +
         "\n";
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

Answer McpTools::with_questions(Answer answer, TextPage page, const mcp::Call& call) {
  if (answer.failed) return cut(std::move(answer), page);
  CommandContext now = context(call);
  const auto open = open_questions(now, string_or(call.arguments, "id"));
  if (!open) return cut(std::move(answer), page); // no issue and no session
  std::string below;
  for (const mcp::Question& question : *open) {
    const auto said = call.replies ? call.replies->find(question.id) : mcp::Replies::const_iterator{};
    if (call.replies && said != call.replies->end()) {
      const auto kept = keep_answer(now, question.id, said->second, Said::by_person, name_of(call));
      if (!kept) return failure(kept.error());
      below += "answered by the person: " + question.id + "\n";
      continue;
    }
    answer.questions.push_back(question);
    if (answer.questions.size() > kMostQuestions) continue;
    below += "open question " + question.id + ": " + one_line(question.text, 200) +
             "\nnext: ask the person, then call answer; or the person runs: emend clarify " +
             issue_of_question(question.id) + "\n";
  }
  if (answer.questions.size() > kMostQuestions)
    below += fmt::format("and {} more open questions: findings need=me\n",
                         answer.questions.size() - kMostQuestions);
  if (read_only_) answer.questions.clear();
  page.budget -= std::min(page.budget / 2, below.size());
  answer = cut(std::move(answer), page);
  answer.text += below;
  return answer;
}

using Method = Answer (McpTools::*)(const mcp::Call&);

mcp::Served served(const std::shared_ptr<McpTools>& tools, mcp::Tool tool, Method method) {
  return {std::move(tool), [tools, method](const mcp::Call& call) { return ((*tools).*method)(call); }};
}

std::vector<mcp::ResourceTemplate> templates_of(const std::shared_ptr<McpTools>& tools) {
  return {{"emend://issue/{code}", "issue", "One issue in full, by its code",
           [tools](const std::string& code) { return tools->part(code, "summary"); }},
          {"emend://session/{id}/diff", "session diff", "What a session has committed, by its id",
           [tools](const std::string& id) { return tools->part(id, "diff"); }}};
}

} // namespace

mcp::Offer mcp_offer(const CliDependencies& dependencies, McpPlace place, McpJobs& jobs) {
  const bool read_only = place.read_only;
  mcp::Offer offer;
  offer.key = place.key;
  const auto tools = std::make_shared<McpTools>(dependencies, std::move(place), jobs);
  const McpSchemas schemas = mcp_schemas();
  offer.own = {dependencies.version, kMcpInstructions};
  offer.tools = {served(tools, schemas.check, &McpTools::check),
                 served(tools, schemas.review, &McpTools::review),
                 served(tools, schemas.findings, &McpTools::findings),
                 served(tools, schemas.show, &McpTools::show), served(tools, schemas.wait, &McpTools::wait)};
  if (!read_only)
    for (const mcp::Served& one :
         {served(tools, schemas.fix, &McpTools::fix), served(tools, schemas.apply, &McpTools::apply),
          served(tools, schemas.answer, &McpTools::answer)})
      offer.tools.push_back(one);
  offer.prompts = mcp_prompts();
  offer.resources = {{"emend://guide", "guide", "How to use these tools", [] { return Answer{kMcpGuide}; }},
                     {"emend://inbox", "inbox", "What needs the person", [tools] { return tools->inbox(); }}};
  offer.templates = templates_of(tools);
  return offer;
}

} // namespace emend
