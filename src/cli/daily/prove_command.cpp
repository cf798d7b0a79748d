#include <fmt/format.h>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/daily/proof_page.hpp"
#include "cli/report_text.hpp"
#include "engine/gate/prove.hpp"

namespace emend {

namespace {

constexpr std::uint64_t kLargestBundle = 512'000'000;

struct ProveOptions {
  std::string what, ref, export_to, html;
  bool all = false, rerun = false, trust_commands = false;
};

bool is_file(const std::string& what) {
  std::error_code problem;
  return std::string_view(what).ends_with(kProofEnding) || fs::is_regular_file(what, problem);
}

Json to_json(const ProofReport& report) {
  Json checks = Json::array();
  for (const ProofCheck& check : report.checks)
    checks.push_back({{"part", check.part}, {"holds", check.holds}, {"detail", check.detail}});
  return {{"issue", report.code},        {"session", report.session_id},   {"commit", report.commit},
          {"evidence", report.evidence}, {"marks", to_json(report.marks)}, {"root", report.root},
          {"holds", report.holds()},     {"checks", std::move(checks)}};
}

std::string text_of(const ProofReport& report, const Palette& palette) {
  const std::string verdict = palette.paint(report.holds() ? "the proof holds" : "the proof does NOT hold",
                                            report.holds() ? Tone::good : Tone::bad);
  std::string text = palette.paint(one_line(report.code.empty() ? "the change" : report.code), Tone::strong) +
                     "  " + verdict;
  if (!report.evidence.empty())
    text += "  (" + (report.commit.empty() ? "" : "commit " + one_line(report.commit.substr(0, 12)) + ", ") +
            "evidence " + one_line(evidence_text(report.evidence, report.marks)) + ")";
  text += "\n";
  TextTable table({});
  for (const ProofCheck& check : report.checks)
    table.add({{check.part},
               {check.holds ? "ok" : "BROKEN", check.holds ? Tone::good : Tone::bad},
               {one_line(check.detail, 300)}});
  return text + table.render(palette, "  ");
}

// A bundle is somebody's word until it is checked; its commands are run only if this repository's own
// configuration has them too.
Status allow_commands(CommandContext& context, const std::string& bytes, const ProveOptions& options,
                      ProveOrder& order) {
  if (!options.rerun) return {};
  TRY_ASSIGN(const Config config, context.config());
  order.environment = config.policy();
  if (options.trust_commands) return {};
  const auto bundle = open_bundle(bytes);
  if (!bundle) return {}; // the check says why
  const Policy asked = policy_from_json(bundle->json("policy.json"));
  std::vector<std::string> unknown;
  for (const VerifyCommand& command : asked.commands) {
    const auto& own = order.environment->commands;
    if (std::none_of(own.begin(), own.end(),
                     [&](const VerifyCommand& one) { return one.run == command.run; }))
      unknown.push_back(command.run);
  }
  if (bundle->parts.contains("reproducer.json"))
    unknown.push_back(string_or(bundle->json("reproducer.json"), "command"));
  if (unknown.empty()) return {};
  std::string list;
  for (const std::string& command : unknown) list += "\n  " + one_line(command, 300);
  return fail(ErrorCode::needs_input, "the bundle contains commands that are not configured here:" + list,
              "read them first; to allow them: --trust-commands");
}

Result<std::vector<ProofReport>> from_file(CommandContext& context, const ProveOptions& options,
                                           ProveOrder order) {
  TRY_ASSIGN(const std::string bytes, read_file(options.what, kLargestBundle));
  TRY(allow_commands(context, bytes, options, order));
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY_ASSIGN(ProofReport report, prove_bundle(ports, home, bytes, order, context.dependencies().stop));
  return std::vector<ProofReport>{std::move(report)};
}

Result<std::vector<Issue>> resolved_issues(CommandContext& context, const ProveOptions& options) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  const std::string& what = options.what;
  if (options.all) {
    IssueFilter filter;
    filter.repository_id = repository->id();
    filter.statuses = {IssueStatus::resolved, IssueStatus::merged};
    return store->issues(filter);
  }
  if (auto issue = store->issue(repository->id(), what);
      issue || issue.error().code != ErrorCode::not_found) {
    TRY_ASSIGN(Issue one, std::move(issue));
    return std::vector<Issue>{std::move(one)};
  }
  auto session = store->session(what);
  if (!session)
    return fail(
        ErrorCode::usage,
        "\"" + one_line(what, 80) + "\" is neither an issue nor a session of this repository, nor a file",
        "  emend prove BE-001\n  emend prove k3f9\n  emend prove BE-001.emend-proof");
  std::vector<Issue> issues;
  for (const std::string& id : session->issue_ids) {
    TRY_ASSIGN(Issue issue, store->issue(session->repository_id, id));
    if (issue.session_id == session->id &&
        (issue.status == IssueStatus::resolved || issue.status == IssueStatus::merged))
      issues.push_back(std::move(issue));
  }
  return issues;
}

Result<std::vector<ProofReport>> from_database(CommandContext& context, const ProveOptions& options,
                                               ProveOrder order) {
  TRY_ASSIGN(const std::vector<Issue> issues, resolved_issues(context, options));
  if (!options.export_to.empty() && issues.size() != 1)
    return fail(ErrorCode::usage, "--export takes one issue", "emend prove CODE --export FILE");
  if (!options.html.empty() && issues.size() != 1)
    return fail(ErrorCode::usage, "--html takes one issue", "emend prove CODE --html FILE");
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(const Ports ports, context.ports());
  std::vector<ProofReport> reports;
  for (const Issue& issue : issues) {
    if (options.rerun) {
      TRY_ASSIGN(const Session session, ports.store.session(issue.session_id));
      order.environment = session.policy;
    }
    TRY_ASSIGN(ProofReport report, prove_issue(ports, home, issue, order, context.dependencies().stop));
    reports.push_back(std::move(report));
  }
  return reports;
}

// Nothing is taken out on the way: a bundle holds no secret from its beginning, so the hashes stay what they
// are.
Status export_bundle(CommandContext& context, const ProveOptions& options, const ProofReport& report) {
  if (options.export_to.empty()) return {};
  if (!report.holds())
    return fail(ErrorCode::usage, "the proof does not hold, so it is not exported",
                "emend prove " + report.code);
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(const std::string bytes,
             read_file(bundle_path(home, report.session_id, report.code), kLargestBundle));
  TRY(write_file(options.export_to, bytes, 0644));
  context.hint("wrote " + one_line(options.export_to, 200) +
               "; to check it in a clone that has the commit: emend prove " +
               one_line(shell_quote(options.export_to), 200));
  return {};
}

// A proof that does not hold may be looked at, too: the page says so.
Status write_page(CommandContext& context, const ProveOptions& options, const ProofReport& report) {
  if (options.html.empty()) return {};
  TRY_ASSIGN(SessionManager * manager, context.manager());
  TRY_ASSIGN(const Explanation explanation, manager->explain(report.code));
  TRY(write_file(options.html, proof_page(explanation, report), 0644));
  context.hint("wrote " + one_line(options.html, 200) +
               ": one page without scripts, to link from a pull request");
  return {};
}

Result<ExitStatus> run_prove(CommandContext& context, const ProveOptions& options) {
  const ProveOrder order{options.ref, options.rerun, std::nullopt};
  if (options.all == !options.what.empty())
    return fail(ErrorCode::usage,
                options.all ? "--all takes no issue, session or file" : "what is to be proved?",
                "  emend prove BE-001\n  emend prove k3f9\n  emend prove --all");
  const bool file = !options.all && is_file(options.what);
  if (file && !options.export_to.empty())
    return fail(ErrorCode::usage, "--export is for an issue of this repository; a file is exported already");
  if (file && !options.html.empty())
    return fail(ErrorCode::usage, "--html is for an issue of this repository, not for a proof file",
                "emend prove CODE --html FILE");
  TRY_ASSIGN(const std::vector<ProofReport> reports,
             file ? from_file(context, options, order) : from_database(context, options, order));
  if (context.global().json) {
    Json list = Json::array();
    for (const ProofReport& report : reports) list.push_back(to_json(report));
    context.print_json_list("proofs", std::move(list));
  } else {
    for (const ProofReport& report : reports) context.print(text_of(report, context.palette()));
    if (reports.empty())
      context.hint(std::string(options.all ? "no issue of this repository is" : "the session") +
                   (options.all ? " RESOLVED, so there is nothing to prove"
                                : " resolved nothing, so there is nothing to prove"));
  }
  if (!reports.empty()) {
    TRY(export_bundle(context, options, reports.front()));
    TRY(write_page(context, options, reports.front()));
  }
  ExitStatus status = ExitStatus::done;
  for (const ProofReport& report : reports) {
    if (report.holds()) continue;
    if (!report.only_rerun_failed()) return context.finish(ExitStatus::unresolved);
    status = ExitStatus::verification_failed;
  }
  return context.finish(status);
}

} // namespace

Command prove_command() {
  const auto options = std::make_shared<ProveOptions>();
  Command command;
  command.name = "prove";
  command.summary = "check the proof of a resolved issue again, without an agent";
  command.examples =
      "  emend prove BE-001\n  emend prove k3f9 --rerun\n  emend prove --all\n  emend prove BE-001 --export "
      "BE-001.emend-proof\n  "
      "emend prove BE-001.emend-proof\n  emend prove BE-001 --html proof.html\n";
  command.options = {
      {"WHAT", &options->what, "an issue's code, a session (all issues it resolved), or a proof file",
       "CODE|SESSION|FILE"},
      {"--all", &options->all, "every RESOLVED or MERGED issue of this repository"},
      {"--rerun", &options->rerun, "run its commands again, on the base and with the patch"},
      {"--export", &options->export_to, "write the proof to this file", "FILE"},
      {"--html", &options->html, "write a page that shows the proof, without scripts", "FILE"},
      {"--ref", &options->ref,
       "the commit must be reachable from here (default: the session's branch, HEAD or the main branch)",
       "REF"},
      {"--trust-commands", &options->trust_commands,
       "with --rerun of a file: run its commands even if they are not configured here"},
  };
  command.run = [options](CommandContext& context) { return run_prove(context, *options); };
  command.storage = options;
  return command;
}

} // namespace emend
