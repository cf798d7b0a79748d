#include <algorithm>

#include "base/strings.hpp"
#include "cli/ci/publish_action.hpp"
#include "cli/ci/sync_action.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/daily/issue_selection.hpp"
#include "cli/daily/issue_stream.hpp"
#include "cli/daily/open_test_action.hpp"
#include "cli/daily/reproducer_action.hpp"
#include "cli/daily/review_text.hpp"
#include "cli/findings_input.hpp"
#include "cli/findings_output.hpp"
#include "cli/output_target.hpp"
#include "cli/report_text.hpp"
#include "engine/fix/wanted_tests.hpp"
#include "engine/forge/comments.hpp"
#include "engine/intake/review_scope.hpp"
#include "service/database_place.hpp"
#include "service/issue_history.hpp"

namespace emend {

namespace {

struct IssuesOptions {
  std::string code, note, reason, of, text;                                                  // one issue
  std::string statuses, session, sort;                                                       // list
  IssueWords words;                                                                          // list, ignore
  std::vector<std::string> codes;                                                            // ignore
  std::string file, severity = "medium", title, description, suggestion, category, findings; // add
  std::optional<int> limit, page, line;
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
                 const IssueSelection& selection, std::size_t most, IssueStore& store) {
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
  std::size_t taken = 0;
  TRY(store.for_each_issue(filter, [&](Issue&& issue) -> Status {
    if (!selection.takes(issue) || (most > 0 && taken >= most)) return {};
    ++taken;
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

bool is_read_by_a_person(const std::vector<OutputTarget>& targets) {
  return targets.size() == 1 && targets.front().path.empty() && targets.front().format == "text";
}

// One page of them; what to type for the rest, or nothing.
std::string cut_to_page(std::vector<Issue>& issues, const IssuesOptions& options, bool reading) {
  constexpr int kOnTerminal = 50;
  const auto size =
      static_cast<std::size_t>(options.limit.value_or(reading || options.page ? kOnTerminal : 0));
  if (size == 0) return {};
  const auto page = static_cast<std::size_t>(options.page.value_or(1));
  const std::size_t first = std::min((page - 1) * size, issues.size());
  const std::size_t last = std::min(first + size, issues.size()), all = issues.size();
  issues = std::vector<Issue>(std::make_move_iterator(issues.begin() + static_cast<std::ptrdiff_t>(first)),
                              std::make_move_iterator(issues.begin() + static_cast<std::ptrdiff_t>(last)));
  if (last == all) return {};
  return "and " + plural(all - last, "issue") + " more: --page " + std::to_string(page + 1) +
         ", or --limit 0 for all";
}

Result<ExitStatus> print_as(CommandContext& context, const IssuesOptions& options,
                            const std::string& fallback) {
  TRY_ASSIGN(const std::vector<OutputTarget> targets, output_targets(options.formats, context, fallback));
  TRY_ASSIGN(const IssueFilter filter, filter_of(context, options));
  TRY_ASSIGN(const IssueSelection selection, IssueSelection::of(options.words));
  TRY_ASSIGN(Store * store, context.store());
  const bool reading = context.output_is_terminal() && is_read_by_a_person(targets);
  const bool sorted = options.sort.empty() ? reading || options.page.has_value() : options.sort == "severity";
  if (can_stream(targets) && !sorted) {
    TRY(stream_as(context, targets.front().format, filter, selection,
                  static_cast<std::size_t>(options.limit.value_or(0)), *store));
    return context.finish(ExitStatus::done);
  }
  TRY_ASSIGN(std::vector<Issue> issues, store->issues(filter));
  std::erase_if(issues, [&](const Issue& issue) { return !selection.takes(issue); });
  if (sorted) sort_worst_first(issues);
  const std::string more = cut_to_page(issues, options, reading);
  TRY_ASSIGN(Repository * repository, context.repository());
  std::string head; // only some formats show the lines an issue is about
  if (std::any_of(targets.begin(), targets.end(), [](const OutputTarget& target) {
        return target.format != "json" && target.format != "text";
      })) {
    TRY_ASSIGN(head, repository->resolve("HEAD"));
  }
  TRY(write_targets(context, targets, [&](const OutputTarget& target) {
    if (target.format == "json") return issues_json(issues);
    if (target.format == "text")
      return issues_text(issues, target.path.empty() ? context.palette() : Palette{});
    return render_issues(context, target.format, issues, *repository, head);
  }));
  if (!more.empty()) context.hint(more);
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> list(CommandContext& context, const IssuesOptions& options) {
  return print_as(context, options, "text");
}

Result<ExitStatus> export_issues(CommandContext& context, const IssuesOptions& options) {
  return print_as(context, options, "json");
}

// The lines it speaks of, as they are in HEAD.
std::string excerpt(const Issue& issue, CommittedFiles& repository, const Palette& palette) {
  const auto head = repository.resolve("HEAD");
  if (!head || issue.finding.file.empty()) return {};
  ScopedTree tree;
  tree.commit = *head;
  const auto file = read_from(repository, tree, issue.finding.file);
  const std::string frame = file ? source_frame(issue.finding, *file, palette) : "";
  return frame.empty() ? "" : "\n" + frame;
}

Result<ExitStatus> show(CommandContext& context, const IssuesOptions& options) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const Issue issue, store->issue(repository->id(), options.code));
  TRY_ASSIGN(const auto comments, store->comments(issue.id, ""));
  TRY_ASSIGN(const auto withdrawals, store->withdrawals(issue.id, ""));
  TRY_ASSIGN(const TestDecisions tests, test_decisions(*store, issue));
  if (!context.global().json) {
    context.print(issue_text(issue, context.palette()) + excerpt(issue, *repository, context.palette()) +
                  said_text(comments, withdrawals) + tests_text(issue, tests));
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

// Events of sessions, and what people did outside of one, in the order of time.
Result<std::vector<Event>> history_of(CommandContext& context, const Issue& issue) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(const auto ledger,
             context.dependencies().open_ledger(database_address(context.environment(), home)));
  return issue_history(*store, *ledger, issue);
}

Result<ExitStatus> history(CommandContext& context, const IssuesOptions& options) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  TRY_ASSIGN(const Issue issue, store->issue(repository->id(), options.code));
  TRY_ASSIGN(const std::vector<Event> events, history_of(context, issue));
  if (context.global().json) {
    Json data = Json::array();
    for (const Event& event : events) data.push_back(to_json(event));
    context.print_json_list("history", std::move(data));
    return context.finish(ExitStatus::done);
  }
  for (const Event& event : events) {
    const std::string by = string_or(event.data, "by"), why = string_or(event.data, "reason");
    context.print(utc_time(event.time_ms) + "  " + event.type +
                  (by.empty() ? "" : "  by " + one_line(by, 120)) +
                  (why.empty() ? "" : "  (" + one_line(why, 200) + ")") + "\n");
  }
  if (events.empty()) context.print("Nothing happened to " + one_line(issue.code) + " yet.\n");
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

Result<std::vector<Issue>> all_issues(CommandContext& context) {
  IssueFilter filter;
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  filter.repository_id = repository->id();
  return store->issues(filter);
}

// Named ones, and open ones by what they are about.
Result<std::vector<std::string>> codes_to_ignore(CommandContext& context, const IssuesOptions& options) {
  if (options.codes.empty() && !options.words.any())
    return fail(ErrorCode::usage, "say which issues to ignore",
                "  emend issues ignore BE-004 --reason by_design\n  emend issues ignore --rule SC2016 --file "
                "'tests/**' --reason wont_fix");
  std::vector<std::string> codes = options.codes;
  if (!options.words.any()) return codes;
  TRY_ASSIGN(const IssueSelection selection, IssueSelection::of(options.words));
  TRY_ASSIGN(const std::vector<Issue> all, all_issues(context));
  for (const Issue& issue : all)
    if ((issue.status == IssueStatus::open || issue.status == IssueStatus::failed) &&
        selection.takes(issue) && std::find(codes.begin(), codes.end(), issue.code) == codes.end())
      codes.push_back(issue.code);
  return codes;
}

Result<ExitStatus> ignore(CommandContext& context, const IssuesOptions& options) {
  TRY_ASSIGN(SessionManager * manager, context.manager());
  TRY_ASSIGN(const std::vector<std::string> codes, codes_to_ignore(context, options));
  std::vector<Issue> ignored;
  for (const std::string& code : codes) {
    TRY_ASSIGN(Issue issue, manager->ignore(code, options.reason, options.note));
    ignored.push_back(std::move(issue));
  }
  std::vector<std::string> rules;
  for (const Issue& issue : ignored) rules.push_back(issue.finding.rule);
  TRY_ASSIGN(const std::vector<Issue> all, all_issues(context));
  for (const std::string& line : proposed_ignores(all, rules)) context.hint(line);
  if (ignored.size() == 1 && !options.words.any()) return print_issue(context, ignored.front());
  return print_issues(context, ignored);
}

Result<ExitStatus> duplicate(CommandContext& context, const IssuesOptions& options) {
  TRY_ASSIGN(SessionManager * manager, context.manager());
  TRY_ASSIGN(const Issue issue, manager->mark_duplicate(options.code, options.of));
  return print_issue(context, issue);
}

std::vector<Option> list_options(IssuesOptions& o) {
  std::vector<Option> options = selection_options(o.words);
  const std::vector<Option> more = {
      {"--status", &o.statuses, "only these, comma separated", "STATUS"},
      {"--new", &o.fresh, "only new issues (first seen in the latest review)"},
      {"--regressed", &o.regressed, "only issues that were fixed before and came back"},
      {"--session", &o.session, "only issues this session worked on", "ID"},
      {"--limit", NumberTarget{&o.limit, 0, 1'000'000},
       "at most N issues; 0 = all (default 50 on a terminal)", "N"},
      {"--page", NumberTarget{&o.page, 1, 1'000'000}, "the Nth page of so many", "N"},
      {"--sort", &o.sort, "order (default severity on a terminal, else code)", "KEY", {"severity", "code"}},
      format_option(&o.formats),
  };
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

std::vector<Option> ignore_options(IssuesOptions& o, const std::vector<std::string>& reasons) {
  std::vector<Option> options = {{"CODE", &o.codes, "the issues' codes", "CODE"}};
  for (Option& option : selection_options(o.words)) options.push_back(std::move(option));
  options.push_back({"--reason", &o.reason, "why", "REASON", reasons, true});
  options.push_back({"--note", &o.note, "why, for the record", "TEXT"});
  return options;
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
      "  emend issues ignore BE-004 --reason false_positive --note \"validated by the router\"\n"
      "  emend issues ignore --rule SC2016 --file 'tests/**' --reason wont_fix\n";
  const std::vector<std::string> reasons = {"false_positive", "wont_fix", "by_design", "out_of_scope"};
  command.subcommands = {
      action("list", "list issues (default)", list_options(o), list, options),
      action("export", "write issues in a format for other tools (default json)", list_options(o),
             export_issues, options),
      action("show", "show one issue in full", {code_option(o)}, show, options),
      action("history", "show what happened to an issue, and who did it", {code_option(o)}, history, options),
      action("add", "add an issue, or the findings of a file", add_options(o), add, options),
      action("reopen", "make an issue OPEN again", {code_option(o), note_option(o)}, reopen, options),
      action("ignore", "mark issues as not to be fixed: by code, rule, file or analyzer",
             ignore_options(o, reasons), ignore, options),
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
