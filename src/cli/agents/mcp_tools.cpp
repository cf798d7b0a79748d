#include "cli/agents/mcp_tools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "cli/background_work.hpp"
#include "cli/daily/check_action.hpp"
#include "cli/daily/review_options.hpp"
#include "cli/report_text.hpp"
#include "cli/trust_check.hpp"
#include "engine/review/review.hpp"

namespace emend {
namespace {

using mcp::Answer;
using mcp::Call;

constexpr std::size_t kPage = 25;
constexpr int kMostFixesAtOnce = 3;

constexpr const char* kInstructions =
    "emend tells you whether a code change really fixes what it claims: it runs the project's own checks "
    "before "
    "and after in a sandbox, and notices weakened tests. Call `check` before you report a fix as done. "
    "`findings` lists known problems, `review` finds new ones, `fix` lets emend fix some by itself. Nothing "
    "here "
    "commits to your branch or pushes.";

constexpr const char* kGuide =
    "# emend for coding agents\n\n"
    "1. Make your change. Do not change existing tests to make them pass.\n"
    "2. Add a test that fails without your change.\n"
    "3. Call `check`. PROVEN and VERIFIED: you are done. RED and CHEAT: fix the cause, call `check` again.\n"
    "   UNPROVABLE: no check can tell; say so to the person.\n"
    "4. `findings` and `show` tell what is known. `fix` works in a copy and takes minutes: call `wait`.\n"
    "5. `apply` writes a proven fix of emend's into the working tree. Deciding, pushing and trusting are the "
    "person's.\n";

Json text(const char* description) { return {{"type", "string"}, {"description", description}}; }
Json number(const char* description, int most) {
  return {{"type", "integer"}, {"description", description}, {"minimum", 0}, {"maximum", most}};
}
Json choice(const char* description, const std::vector<std::string>& words) {
  return {{"type", "string"}, {"description", description}, {"enum", words}};
}
Json texts(const char* description) {
  return {{"type", "array"}, {"items", {{"type", "string"}}}, {"description", description}};
}

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
  McpTools(const CliDependencies& dependencies, GlobalOptions global, McpJobs& jobs)
      : dependencies_(dependencies), global_(std::move(global)), jobs_(jobs) {
    global_.no_input = true;
  }

  [[nodiscard]] Answer check(const Call& call) {
    const std::string issue = string_or(call.arguments, "issue"), base = string_or(call.arguments, "base");
    const std::string id =
        jobs_.start("chk", [this, issue, base](std::stop_token stop, const McpJobs::Tell& tell) {
          tell("running the project's checks");
          return as_answer(check_now(issue, base, stop));
        });
    return *jobs_.wait(id, seconds_of(call.arguments), call);
  }

  [[nodiscard]] Answer review(const Call& call) {
    const std::string id = jobs_.start(
        "rev", [this, arguments = call.arguments](std::stop_token stop, const McpJobs::Tell& tell) {
          tell("running the analyzers");
          return as_answer(review_now(arguments, stop));
        });
    return *jobs_.wait(id, seconds_of(call.arguments), call);
  }

  [[nodiscard]] Result<std::string> findings(const Call& call) {
    CommandContext context(dependencies_, global_);
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

  [[nodiscard]] Result<std::string> show(const Call& call) {
    CommandContext context(dependencies_, global_);
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
    CommandContext context(dependencies_, global_);
    const auto codes = call.arguments.at("issues").get<std::vector<std::string>>();
    if (codes.empty() || codes.size() > 10) return fail(ErrorCode::usage, "name 1 to 10 issues");
    TRY_ASSIGN(const Config config, trusted_config(context));
    TRY_ASSIGN(Store * store, context.store());
    TRY_ASSIGN(Repository * repository, context.repository());
    for (const std::string& code : codes) TRY(store->issue(repository->id(), code));
    TRY_ASSIGN(const int at_once, running_sessions(*store, repository->id()));
    if (at_once >= kMostFixesAtOnce)
      return fail(ErrorCode::conflict, "three fixes are running in this repository", "wait for one of them");
    std::vector<std::string> words = {"fix"};
    words.insert(words.end(), codes.begin(), codes.end());
    const std::int64_t begun = dependencies_.clock->wall_ms();
    TRY(BackgroundWork(context).start("mcp-fix", words));
    return begun_text(*store, repository->id(), begun, call);
  }

  [[nodiscard]] Answer wait(const Call& call) {
    const std::string id = string_or(call.arguments, "id");
    if (auto answer = jobs_.wait(id, seconds_of(call.arguments), call)) return *std::move(answer);
    return as_answer(wait_for_session(id, call));
  }

  [[nodiscard]] Result<std::string> apply(const Call& call);
  [[nodiscard]] Result<std::string> answer(const Call& call);

private:
  [[nodiscard]] Result<std::string> check_now(const std::string& issue, const std::string& base,
                                              std::stop_token stop) {
    CommandContext context(dependencies_, global_);
    CheckWords words;
    words.issue = issue;
    words.base = base;
    TRY_ASSIGN(CheckOrder order, order_of(context, words));
    TRY_ASSIGN(const ChangeCheck check, check_here(context, std::move(order), stop));
    return check_text(check, Palette{});
  }

  [[nodiscard]] Result<std::string> review_now(const Json& arguments, std::stop_token stop) {
    CommandContext context(dependencies_, global_);
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

  static Result<int> running_sessions(Store& store, const std::string& repository_id) {
    TRY_ASSIGN(const std::vector<Session> sessions, store.sessions(repository_id, 20));
    return static_cast<int>(std::count_if(sessions.begin(), sessions.end(), [](const Session& session) {
      return session.status == SessionStatus::running;
    }));
  }

  // The session appears in the store a moment after its process began.
  Result<std::string> begun_text(Store& store, const std::string& repository_id, std::int64_t begun,
                                 const Call& call) {
    for (int i = 0; i < 100 && !call.stop.stop_requested(); ++i) {
      TRY_ASSIGN(const std::vector<Session> sessions, store.sessions(repository_id, 20));
      for (const Session& session : sessions)
        if (session.started_ms >= begun)
          return fmt::format(
              "RUNNING {}: emend fixes in a copy; nothing in your checkout changes\n"
              "next: call wait with id {}\n",
              session.id, session.id);
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return fail(ErrorCode::agent, "the session did not begin", "run `emend fix` by hand to see why");
  }

  Result<std::string> wait_for_session(const std::string& id, const Call& call) {
    CommandContext context(dependencies_, global_);
    TRY_ASSIGN(Store * store, context.store());
    TRY_ASSIGN(SessionManager * manager, context.manager());
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(seconds_of(call.arguments));
    for (;;) {
      TRY_ASSIGN(const Session session, store->session(id));
      if (session.status != SessionStatus::running) {
        TRY_ASSIGN(const FixReport report, manager->report(id));
        return fix_result_text(report, Palette{});
      }
      if (call.stop.stop_requested() || std::chrono::steady_clock::now() >= until)
        return fmt::format("RUNNING {}\nnext: call wait again\n", id);
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
  }

  const CliDependencies& dependencies_;
  GlobalOptions global_;
  McpJobs& jobs_;
};

// Every file must be as the fix found it: nothing a person did meanwhile is lost.
std::string apply_problem(const std::string& root, const Patch& patch) {
  for (const FileChange& change : patch.changes) {
    const fs::path place = fs::path(root) / change.path;
    const bool made = change.old_id.empty();
    std::error_code problem;
    const auto kind = fs::symlink_status(place, problem).type();
    if (made && kind != fs::file_type::not_found) return change.path + " exists already";
    if (made) continue;
    const auto bytes = read_file_nofollow(place);
    if (kind != fs::file_type::regular || !bytes || *bytes != change.old_content)
      return change.path + " is not as the fix found it";
  }
  return "";
}

Status write_change(const std::string& root, const FileChange& change) {
  const fs::path place = fs::path(root) / change.path;
  if (change.new_id.empty()) {
    std::error_code problem;
    fs::remove(place, problem);
    return problem ? Status(fail(ErrorCode::io, "cannot remove " + change.path)) : Status{};
  }
  TRY(make_directories(place.parent_path().string(), 0777));
  return write_file(place, change.new_content, change.new_mode == kModeExecutable ? 0755 : 0644);
}

// Only what the gate has taken, and only where every file is as the fix found it.
Result<std::string> McpTools::apply(const Call& call) {
  CommandContext context(dependencies_, global_);
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const Issue issue, store->issue(repository->id(), string_or(call.arguments, "id")));
  if (issue.status != IssueStatus::resolved)
    return fail(ErrorCode::conflict,
                fmt::format("{} is {}: only a RESOLVED fix is applied", issue.code, to_string(issue.status)));
  TRY_ASSIGN(const std::vector<CommitRecord> commits, store->commits(issue.session_id));
  const auto commit = std::find_if(commits.begin(), commits.end(),
                                   [&](const CommitRecord& one) { return one.sha == issue.commit; });
  if (commit == commits.end()) return fail(ErrorCode::not_found, "the commit of the fix is not known");
  TRY_ASSIGN(const Patch patch, repository->published_diff(commit->parent, commit->sha));
  if (const std::string problem = apply_problem(repository->root(), patch); !problem.empty())
    return fail(
        ErrorCode::conflict, problem,
        "nothing was written; a person can take it with: git cherry-pick " + issue.commit.substr(0, 12));
  const bool dry = call.arguments.value("dry_run", false);
  std::string said = dry ? "would write:\n" : "written:\n";
  for (const FileChange& change : patch.changes) {
    if (!dry) TRY(write_change(repository->root(), change));
    said += "  " + clean_text(change.path) + "\n";
  }
  return said + (dry ? "next: call apply without dry_run\n" : "next: check, then the person commits\n");
}

// Nobody can see from here whether a person spoke: it is kept as a proposal, and a person confirms it.
Result<std::string> McpTools::answer(const Call& call) {
  CommandContext context(dependencies_, global_);
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  const std::string question = string_or(call.arguments, "question");
  const std::string code = question.substr(0, question.rfind("-q"));
  TRY_ASSIGN(const Issue issue, store->issue(repository->id(), code));
  Comment comment;
  comment.id = new_uuid();
  comment.issue_id = issue.id;
  comment.text = fmt::format("proposed answer to {}, passed on by a coding agent: {}", one_line(question, 60),
                             first_line(clean_text(string_or(call.arguments, "answer")), 2'000));
  comment.created_ms = dependencies_.clock->wall_ms();
  Change change;
  change.comments.push_back(std::move(comment));
  TRY(store->apply(change, dependencies_.clock->wall_ms()));
  return "kept as a proposal\nnext: the person answers with: emend clarify " + issue.code + "\n";
}

using Method = Result<std::string> (McpTools::*)(const Call&);

mcp::Served served(const std::shared_ptr<McpTools>& tools, mcp::Tool tool, Method method) {
  return {std::move(tool), [tools, method](const Call& call) { return as_answer(((*tools).*method)(call)); }};
}

std::vector<mcp::Served> reading_tools(const std::shared_ptr<McpTools>& tools) {
  const Json wait = number("how long to wait for the result, in seconds (default 45)", 240);
  mcp::Tool check{
      "check",
      "Check my change",
      "Is my uncommitted change really a fix, and does it break anything? Call this before you say "
      "you are done. Runs the project's checks before and after, in a copy.",
      {{"issue", text("code of the issue the change should fix, for example BE-001")},
       {"base", text("compare with the merge base with this commit instead of HEAD")},
       {"wait_s", wait}}};
  check.always_load = true;
  mcp::Tool findings{"findings",
                     "Known issues",
                     "What is known and open, worst first.",
                     {{"need", choice("whose turn it is", {"me", "agent", "all"})},
                      {"file", text("only issues in files that match this glob")},
                      {"page", number("which page (default 1)", 10'000)}}};
  findings.always_load = true;
  const mcp::Tool review{
      "review",
      "Find issues",
      "Find problems in my uncommitted change, or in more, with the installed analyzers.",
      {{"scope", choice("what to look at (default uncommitted)", {"uncommitted", "staged", "branch", "all"})},
       {"paths", texts("only these files, directories or globs")},
       {"min_severity",
        choice("leave out what is less severe", {"info", "low", "medium", "high", "critical"})},
       {"wait_s", wait}}};
  const mcp::Tool show{"show",
                       "Show an issue or session",
                       "One issue or session in full: why it was refused, its evidence, the diff of its fix.",
                       {{"id", text("an issue's code or a session's id")},
                        {"part", choice("what of it (default summary)", {"summary", "diff"})}},
                       {"id"}};
  const mcp::Tool waits{"wait",
                        "Wait",
                        "Wait for a check, review or fix.",
                        {{"id", text("what RUNNING named")}, {"wait_s", wait}},
                        {"id"}};
  return {{check, [tools](const Call& call) { return tools->check(call); }},
          {review, [tools](const Call& call) { return tools->review(call); }},
          served(tools, findings, &McpTools::findings),
          served(tools, show, &McpTools::show),
          {waits, [tools](const Call& call) { return tools->wait(call); }}};
}

std::vector<mcp::Served> acting_tools(const std::shared_ptr<McpTools>& tools) {
  mcp::Tool fix{"fix",
                "Have emend fix issues",
                "Have emend fix issues in a copy and prove it. Takes minutes, and money if agents are used. "
                "Nothing in my checkout changes; cancelling a call does not stop it.",
                {{"issues", texts("1 to 10 codes")}},
                {"issues"}};
  mcp::Tool apply{
      "apply",
      "Apply a proven fix",
      "Write the proven fix of an issue into my working tree. Only if every file is as the fix found "
      "it.",
      {{"id", text("code of a RESOLVED issue")},
       {"dry_run", {{"type", "boolean"}, {"description", "only say what would be written"}}}},
      {"id"}};
  mcp::Tool answer{"answer",
                   "Pass on an answer",
                   "Pass on the PERSON'S answer to an open question. It is kept as a proposal.",
                   {{"question", text("id of the question, for example BE-001-q1")},
                    {"answer", text("what the person said")}},
                   {"question", "answer"}};
  fix.reads_only = apply.reads_only = answer.reads_only = false;
  fix.idempotent = answer.idempotent = false;
  return {served(tools, fix, &McpTools::fix), served(tools, apply, &McpTools::apply),
          served(tools, answer, &McpTools::answer)};
}

} // namespace

mcp::Offer mcp_offer(const CliDependencies& dependencies, const GlobalOptions& global, McpJobs& jobs,
                     bool read_only) {
  const auto tools = std::make_shared<McpTools>(dependencies, global, jobs);
  mcp::Offer offer;
  offer.own = {dependencies.version, kInstructions};
  offer.tools = reading_tools(tools);
  if (!read_only)
    for (mcp::Served& one : acting_tools(tools)) offer.tools.push_back(std::move(one));
  offer.prompts = {{"review", "Review my change", "Find problems in what is not committed",
                    "Call the emend tool `review`, then explain what it found and fix what is right."},
                   {"prove", "Prove my fix", "Show that the change fixes something",
                    "Call the emend tool `check`. If it does not say PROVEN, add a test that fails without "
                    "the change, and "
                    "call it again."},
                   {"inbox", "What needs me", "Open issues, worst first",
                    "Call the emend tool `findings` and tell me what needs my decision."}};
  offer.resources = {{"emend://guide", "guide", "How to use these tools", [] { return Answer{kGuide}; }},
                     {"emend://inbox", "inbox", "Open issues, worst first", [tools] {
                        return as_answer(tools->findings({Json::object(), [](const std::string&) {}, {}}));
                      }}};
  return offer;
}

} // namespace emend
