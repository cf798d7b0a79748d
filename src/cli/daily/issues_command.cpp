#include "base/strings.hpp"
#include "cli/ci/publish_action.hpp"
#include "cli/ci/sync_action.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/daily/issue_stream.hpp"
#include "cli/daily/open_test_action.hpp"
#include "cli/daily/reproducer_action.hpp"
#include "cli/findings_input.hpp"
#include "cli/findings_output.hpp"
#include "cli/output_target.hpp"
#include "cli/report_text.hpp"
#include "engine/fix/wanted_tests.hpp"
#include "engine/forge/comments.hpp"

namespace emend {

namespace {

struct IssuesOptions {
  std::string code, note, reason, of, text;                                                  // one issue
  std::string statuses, file_glob, session;                                                  // list
  std::string file, severity = "medium", title, description, suggestion, category, findings; // add
  std::optional<int> limit, line;
  std::vector<std::string> formats;
  bool fresh = false, regressed = false;
};

Result<std::vector<IssueStatus>> parse_statuses(const std::string& text) {
  std::vector<IssueStatus> statuses;
  for (const std::string& word : split(text, ',')) {
    if (trim(word).empty()) continue;
    const auto status = parse_issue_status(trim(word));
    if (!status) {
      return fail(ErrorCode::usage, "--status: \"" + word + "\" is not a status",
                  "statuses: open, in_progress, resolved, failed, merged, ignored, duplicate");
    }
    statuses.push_back(*status);
  }
  return statuses;
}

std::string issues_json(const std::vector<Issue>& issues) {
  Json data = Json::array();
  for (const Issue& issue : issues) data.push_back(to_json(issue));
  return dump_json({{"schema", "emend.issues/v1"}, {"data", std::move(data)}, {"next_cursor", nullptr}}, 2) +
         "\n";
}

Result<ExitStatus> print_issues(CommandContext& context, const std::vector<Issue>& issues) {
  context.print(context.global().json ? issues_json(issues) : issues_text(issues, context.palette()));
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> print_issue(CommandContext& context, const Issue& issue) {
  if (context.global().json) {
    context.print_json("issue", to_json(issue));
  } else {
    context.print(issue_text(issue, context.palette()));
  }
  return context.finish(ExitStatus::done);
}

Result<IssueFilter> filter_of(CommandContext& context, const IssuesOptions& options) {
  IssueFilter filter;
  TRY_ASSIGN(filter.statuses, parse_statuses(options.statuses));
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  filter.repository_id = repository->id();
  filter.file_glob = options.file_glob;
  filter.limit = static_cast<std::size_t>(options.limit.value_or(0));
  if (!options.session.empty()) {
    TRY_ASSIGN(const Session session, store->session(options.session));
    filter.session_id = session.id;
  }
  if (options.fresh && options.regressed)
    return fail(ErrorCode::usage, "--new and --regressed cannot be used together");
  if (options.fresh) filter.trend = IssueTrend::fresh;
  if (options.regressed) filter.trend = IssueTrend::regressed;
  return filter;
}

// In formats that are one thing per issue, any number of issues needs the memory of a page.
bool can_stream(const std::vector<OutputTarget>& targets) {
  if (targets.size() != 1 || !targets.front().path.empty()) return false;
  const std::string& format = targets.front().format;
  return format == "json" || format == "text" || format == "concise" || format == "jsonl" ||
         format == "rdjsonl";
}

Status stream_as(CommandContext& context, const std::string& format, const IssueFilter& filter,
                 Store& store) {
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const std::string head, repository->resolve("HEAD"));
  constexpr std::size_t kPage = 2'000;
  const bool whole = format == "json" || format == "text";
  IssueStream stream(context, format == "json");
  std::vector<Issue> page;
  const auto flush = [&] {
    if (!page.empty()) context.print(render_issues(context, format, page, *repository, head));
    page.clear();
  };
  TRY(store.for_each_issue(filter, [&](Issue&& issue) -> Status {
    if (whole)
      stream.add(std::move(issue));
    else
      page.push_back(std::move(issue));
    if (page.size() >= kPage) flush();
    return {};
  }));
  if (whole)
    stream.finish();
  else
    flush();
  return {};
}

Result<ExitStatus> print_as(CommandContext& context, const IssuesOptions& options,
                            const std::string& fallback) {
  TRY_ASSIGN(const std::vector<OutputTarget> targets, output_targets(options.formats, context, fallback));
  TRY_ASSIGN(const IssueFilter filter, filter_of(context, options));
  TRY_ASSIGN(Store * store, context.store());
  if (can_stream(targets)) {
    TRY(stream_as(context, targets.front().format, filter, *store));
    return context.finish(ExitStatus::done);
  }
  TRY_ASSIGN(const std::vector<Issue> issues, store->issues(filter));
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const std::string head, repository->resolve("HEAD"));
  TRY(write_targets(context, targets, [&](const OutputTarget& target) {
    if (target.format == "json") return issues_json(issues);
    if (target.format == "text")
      return issues_text(issues, target.path.empty() ? context.palette() : Palette{});
    return render_issues(context, target.format, issues, *repository, head);
  }));
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> list(CommandContext& context, const IssuesOptions& options) {
  return print_as(context, options, "text");
}

Result<ExitStatus> export_issues(CommandContext& context, const IssuesOptions& options) {
  return print_as(context, options, "json");
}

Result<ExitStatus> show(CommandContext& context, const IssuesOptions& options) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const Issue issue, store->issue(repository->id(), options.code));
  TRY_ASSIGN(const auto comments, store->comments(issue.id, ""));
  TRY_ASSIGN(const auto withdrawals, store->withdrawals(issue.id, ""));
  TRY_ASSIGN(const TestDecisions tests, test_decisions(*store, issue));
  if (!context.global().json) {
    context.print(issue_text(issue, context.palette()) + said_text(comments, withdrawals) +
                  tests_text(issue, tests));
    return context.finish(ExitStatus::done);
  }
  Json data = to_json(issue);
  data["comments"] = Json::array();
  data["withdrawals"] = Json::array();
  for (const Comment& comment : comments) data["comments"].push_back(to_json(comment));
  for (const Withdrawal& one : withdrawals) data["withdrawals"].push_back(to_json(one));
  data["tests"] = to_json(tests);
  context.print_json("issue", std::move(data));
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> comment(CommandContext& context, const IssuesOptions& options) {
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY_ASSIGN(const Config config, context.config());
  const CommentOrder order{options.code, options.session,          options.text,
                           options.file, options.line.value_or(0), {}};
  TRY_ASSIGN(const Comment said, add_comment(ports, config.policy(), {}, order));
  if (context.global().json)
    context.print_json("comment", to_json(said));
  else
    context.print("comment added: the next fixer of " + one_line(options.code) + " sees it\n");
  return context.finish(ExitStatus::done);
}

Result<Finding> finding_of(const IssuesOptions& options) {
  if (options.file.empty() || trim(options.title).empty()) {
    return fail(ErrorCode::usage, "say what is wrong and where",
                "  emend issues add --file src/a.c --line 12 --severity high --title \"off by one\"\n  emend "
                "issues add --findings FILE");
  }
  const auto severity = parse_severity(options.severity);
  if (!severity) {
    return fail(ErrorCode::usage,
                "--severity: \"" + options.severity + "\" is not one of critical, high, medium, low, info");
  }
  Finding finding;
  finding.file = options.file;
  finding.line = options.line.value_or(0);
  finding.severity = *severity;
  finding.title = options.title;
  finding.description = options.description;
  finding.suggestion = options.suggestion;
  finding.category = options.category;
  finding.agent = "person";
  return finding;
}

Result<ExitStatus> add(CommandContext& context, const IssuesOptions& options) {
  std::vector<Finding> findings;
  if (options.findings.empty()) {
    TRY_ASSIGN(Finding finding, finding_of(options));
    findings.push_back(std::move(finding));
  } else {
    TRY_ASSIGN(findings, read_findings(options.findings));
  }
  std::vector<Issue> issues;
  if (!findings.empty()) {
    TRY_ASSIGN(SessionManager * manager, context.manager());
    TRY_ASSIGN(issues, manager->add_findings(findings, "HEAD"));
  }
  return print_issues(context, issues);
}

Result<ExitStatus> reopen(CommandContext& context, const IssuesOptions& options) {
  TRY_ASSIGN(SessionManager * manager, context.manager());
  TRY_ASSIGN(const Issue issue, manager->reopen(options.code, options.note));
  return print_issue(context, issue);
}

Result<ExitStatus> ignore(CommandContext& context, const IssuesOptions& options) {
  TRY_ASSIGN(SessionManager * manager, context.manager());
  TRY_ASSIGN(const Issue issue, manager->ignore(options.code, options.reason, options.note));
  return print_issue(context, issue);
}

Result<ExitStatus> duplicate(CommandContext& context, const IssuesOptions& options) {
  TRY_ASSIGN(SessionManager * manager, context.manager());
  TRY_ASSIGN(const Issue issue, manager->mark_duplicate(options.code, options.of));
  return print_issue(context, issue);
}

std::vector<Option> list_options(IssuesOptions& o) {
  return {
      {"--status", &o.statuses, "only these, comma separated", "STATUS"},
      {"--file", &o.file_glob, "only files that match", "GLOB"},
      {"--new", &o.fresh, "only new issues (first seen in the latest review)"},
      {"--regressed", &o.regressed, "only issues that were fixed before and came back"},
      {"--session", &o.session, "only issues this session worked on", "ID"},
      {"--limit", NumberTarget{&o.limit, 0, 1'000'000}, "at most N issues; 0 = all", "N"},
      format_option(&o.formats),
  };
}

std::vector<Option> add_options(IssuesOptions& o) {
  return {
      {"--findings", &o.findings, "add every finding of this JSON file (- for stdin)", "FILE"},
      {"--file", &o.file, "file, relative to the repository", "FILE"},
      {"--line", NumberTarget{&o.line, 1, 100'000'000}, "line, from 1", "N"},
      {"--severity", &o.severity, "critical, high, medium, low or info", "LEVEL"},
      {"--title", &o.title, "one line", "TEXT"},
      {"--description", &o.description, "what is wrong", "TEXT"},
      {"--suggestion", &o.suggestion, "how to fix it", "TEXT"},
      {"--category", &o.category, "bug, security, ...", "NAME"},
  };
}

Option code_option(IssuesOptions& o) { return {"CODE", &o.code, "the issue's code", "CODE", {}, true}; }
Option note_option(IssuesOptions& o) { return {"--note", &o.note, "why, for the record", "TEXT"}; }

using Action = Result<ExitStatus> (*)(CommandContext&, const IssuesOptions&);

Command action(std::string name, std::string summary, std::vector<Option> flags, Action run,
               const std::shared_ptr<IssuesOptions>& options) {
  Command command;
  command.name = std::move(name);
  command.summary = std::move(summary);
  command.options = std::move(flags);
  command.run = [run, options](CommandContext& context) { return run(context, *options); };
  command.storage = options;
  return command;
}

} // namespace

Command issues_command() {
  const auto options = std::make_shared<IssuesOptions>();
  IssuesOptions& o = *options;
  Command command = action("issues", "list, show, add and triage issues", list_options(o), list, options);
  command.examples =
      "  emend issues --status open,failed\n  emend issues show BE-001\n"
      "  emend issues export --format sarif:issues.sarif\n"
      "  emend issues ignore BE-004 --reason false_positive --note \"validated by the router\"\n";
  const std::vector<std::string> reasons = {"false_positive", "wont_fix", "by_design", "out_of_scope"};
  command.subcommands = {
      action("list", "list issues (default)", list_options(o), list, options),
      action("export", "write issues in a format for other tools (default json)", list_options(o),
             export_issues, options),
      action("show", "show one issue in full", {code_option(o)}, show, options),
      action("add", "add an issue, or the findings of a file", add_options(o), add, options),
      action("reopen", "make an issue OPEN again", {code_option(o), note_option(o)}, reopen, options),
      action("ignore", "mark an issue as not to be fixed",
             {code_option(o), {"--reason", &o.reason, "why", "REASON", reasons, true}, note_option(o)},
             ignore, options),
      action("duplicate", "mark an issue as a duplicate of another",
             {code_option(o), {"--of", &o.of, "the other issue", "CODE", {}, true}}, duplicate, options),
      action("comment", "add a comment that the next fixer of an issue sees",
             {code_option(o),
              {"TEXT", &o.text, "the comment", "TEXT", {}, true},
              {"--session", &o.session, "the comment is about this session's change", "ID"},
              {"--file", &o.file, "the comment is about this file", "FILE"},
              {"--line", NumberTarget{&o.line, 1, 100'000'000}, "and this line, from 1", "N"}},
             comment, options),
      reproducer_action(),
      open_test_action(),
      sync_action(),
      publish_action(),
  };
  return command;
}

} // namespace emend
