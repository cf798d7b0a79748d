#include "cli/ci/pr_orders.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"
#include "cli/ci/head_anew.hpp"
#include "cli/ci/own_program.hpp"
#include "cli/ci/pr_head.hpp"
#include "config/forge_config.hpp"
#include "engine/forge/head_report.hpp"

namespace emend {

namespace {

using Words = std::vector<std::string>;

CommandEnd failed(const std::string& line) { return {"failed", first_line(clean_text(line), 400)}; }

CommandEnd review(const OwnRun& run) {
  if (!run.data.is_object()) return failed(run.problem.empty() ? "the review failed" : run.problem);
  if (run.data.contains("skipped")) return {"done", "not reviewed: " + string_or(run.data, "skipped")};
  if (run.exit_code > 1 && run.exit_code != 5) return failed(run.problem);
  const Json* findings = find_member(run.data, "findings");
  const std::size_t count = findings != nullptr && findings->is_array() ? findings->size() : 0;
  return {"done", fmt::format("{}, {}: {}", replace_all(string_or(run.data, "decision"), "_", " "),
                              string_or(run.data, "head").substr(0, 12), plural(count, "finding"))};
}

CommandEnd check(const OwnRun& run) {
  if (!run.data.is_object()) return failed(run.problem.empty() ? "the check failed" : run.problem);
  return {"done", string_or(run.data, "verdict") + ": " + string_or(run.data, "reason")};
}

CommandEnd fix(const OwnRun& run) {
  if (!run.data.is_object()) return failed(run.problem.empty() ? "no fix was made" : run.problem);
  return {"done", string_or(run.data, "line")};
}

// What was found by a run that left nothing here stands in emend's threads.
Status know_finding(CommandContext& context, ForgeAccess& access, const Admission& asked) {
  TRY_ASSIGN(const Ports ports, context.ports());
  if (ports.store.issue(ports.repository.id(), asked.command.codes.front())) return {};
  const std::stop_token stop = context.dependencies().stop;
  Forge& forge = *access.forge;
  TRY_ASSIGN(const std::string head,
             access.remotes->fetch(forge.place().git_url, forge.pull_ref(asked.named.number), stop));
  TRY_ASSIGN(const auto threads, forge.threads(asked.named.number, stop));
  return learn_from_threads(context, threads, head);
}

Result<CommandEnd> explain(CommandContext& context, ForgeAccess& access, const Admission& asked) {
  TRY(know_finding(context, access, asked));
  TRY_ASSIGN(const Ports ports, context.ports());
  auto issue = ports.store.issue(ports.repository.id(), asked.command.codes.front());
  if (!issue) return failed(issue.error().message);
  const Finding& finding = issue->finding;
  std::string line = fmt::format("{}: {} {}:{} {}; {}, {}", issue->code, to_string(finding.severity),
                                 finding.file, finding.line, finding.title, to_string(issue->status),
                                 plural(static_cast<std::size_t>(issue->attempts), "attempt"));
  if (!issue->reason.empty()) line += ", " + issue->reason;
  if (!issue->detail.empty()) line += ": " + issue->detail;
  if (!finding.description.empty()) line += ". " + finding.description;
  return CommandEnd{"done", line};
}

Result<CommandEnd> dismiss(CommandContext& context, ForgeAccess& access, const Admission& asked) {
  TRY(know_finding(context, access, asked));
  TRY_ASSIGN(SessionManager * manager, context.manager());
  const std::string code = asked.command.codes.front();
  auto issue = manager->ignore(code, "wont_fix",
                               fmt::format("{} on pull request {}: {}", asked.remark.author,
                                           asked.named.number, asked.command.because));
  if (!issue) return failed(issue.error().message);
  return CommandEnd{"done", code + " is dismissed, and not reported again"};
}

Result<CommandEnd> carry_out(CommandContext& context, ForgeAccess& access, const Admission& asked) {
  const std::string number = std::to_string(asked.named.number), &head = asked.pull.head_sha;
  switch (asked.command.verb) {
    case PrVerb::review: {
      TRY_ASSIGN(const OwnRun run,
                 run_own_program(context, {"pr", "review", number, "--head", head, "--post", "both"}));
      return review(run);
    }
    case PrVerb::check: {
      Words words = {"pr", "check", number, "--head", head};
      if (!asked.command.codes.empty()) words.insert(words.end(), {"--issue", asked.command.codes.front()});
      TRY_ASSIGN(const OwnRun run, run_own_program(context, words));
      return check(run);
    }
    case PrVerb::fix: {
      Words words = {"pr", "fix", number, "--head", head, "--asked-by=" + asked.remark.author};
      words.insert(words.end(), asked.command.codes.begin(), asked.command.codes.end());
      if (asked.command.stacked) words.insert(words.end(), {"--to", "stacked"});
      TRY_ASSIGN(const OwnRun run, run_own_program(context, words));
      return fix(run);
    }
    case PrVerb::explain: return explain(context, access, asked);
    case PrVerb::dismiss: return dismiss(context, access, asked);
    case PrVerb::stop: return CommandEnd{"done", "nothing is done here until somebody asks again"};
    case PrVerb::help: return CommandEnd{"done", "the commands are listed below"};
  }
  return failed("");
}

// What was dismissed or checked changes how the head stands, and which threads are over.
Status see_what_follows(CommandContext& context, ForgeAccess& access, const Obeyed& obeyed) {
  const PullRequest& pull = obeyed.asked.pull;
  TRY_ASSIGN(const std::string head,
             access.remotes->fetch(access.forge->place().git_url, access.forge->pull_ref(pull.number),
                                   context.dependencies().stop));
  return head == pull.head_sha ? bring_up_to_date(context, access, pull) : Status();
}

bool is_work(PrVerb verb) { return verb == PrVerb::review || verb == PrVerb::check || verb == PrVerb::fix; }

Result<CommandEnd> end_of(CommandContext& context, ForgeAccess& access, const Admission& asked,
                          const ObeyManner& manner) {
  const PrVerb verb = asked.command.verb;
  if (!manner.done.empty()) return CommandEnd{"done", manner.done};
  if (manner.answer_only && is_work(verb)) return failed("it is not carried out here");
  if (manner.answer_only && verb == PrVerb::stop)
    return CommandEnd{"done",
                      "nothing is kept between the runs of this workflow; to end its reviews here put the "
                      "label emend-skip on the pull request"};
  return carry_out(context, access, asked);
}

bool has_consequences(const Obeyed& obeyed) {
  const PrVerb verb = obeyed.asked.command.verb;
  return obeyed.end.result == "done" && (verb == PrVerb::dismiss || verb == PrVerb::check);
}

Result<Obeyed> obey_admitted(CommandContext& context, ForgeAccess& access, Admission asked,
                             const ObeyManner& manner) {
  Obeyed obeyed;
  obeyed.asked = std::move(asked);
  if (obeyed.asked.what != Admission::What::taken) return obeyed;
  TRY_ASSIGN(const Ports ports, context.ports());
  context.hint(fmt::format("#{}: {} asks: {}", obeyed.asked.named.number,
                           one_line(obeyed.asked.remark.author, 60), to_string(obeyed.asked.command)));
  auto end = end_of(context, access, obeyed.asked, manner);
  obeyed.end = end ? *std::move(end) : failed(end.error().message);
  // What was done is said even when the work was stopped.
  TRY(end_command(ports, *access.forge, obeyed.asked, obeyed.end, std::stop_token()));
  if (!end && end.error().code == ErrorCode::cancelled) return fail(end.error());
  if (!manner.done.empty() || !has_consequences(obeyed)) return obeyed;
  if (const Status seen = see_what_follows(context, access, obeyed); !seen)
    context.hint("note: threads and status are as they were: " + one_line(seen.error().message, 300));
  return obeyed;
}

} // namespace

Result<Obeyed> obey(CommandContext& context, ForgeAccess& access, const NamedRemark& named,
                    const ObeyManner& manner) {
  const std::stop_token stop = context.dependencies().stop;
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY_ASSIGN(const Config config, context.config());
  TRY_ASSIGN(Admission asked,
             admit(ports, *access.forge, {team_settings(config).allow_bots}, named, false, stop));
  return obey_admitted(context, access, std::move(asked), manner);
}

Result<Obeyed> obey_press(CommandContext& context, ForgeAccess& access, const NamedPress& press) {
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY_ASSIGN(const Config config, context.config());
  TRY_ASSIGN(Admission asked, admit_press(ports, *access.forge, {team_settings(config).allow_bots}, press,
                                          context.dependencies().stop));
  return obey_admitted(context, access, std::move(asked), {});
}

std::string line_of(const Obeyed& obeyed) {
  const Admission& asked = obeyed.asked;
  const std::string where = fmt::format("#{} comment {}: ", asked.named.number, one_line(asked.named.id, 40));
  if (asked.what == Admission::What::taken)
    return where + to_string(asked.command) + ": " + obeyed.end.result + ": " +
           one_line(obeyed.end.line, 400);
  return where + std::string(to_string(asked.what)) + ": " + one_line(asked.why, 300);
}

Json to_json(const Obeyed& obeyed) {
  const Admission& asked = obeyed.asked;
  return {{"pull_request", asked.named.number},
          {"comment", asked.named.id},
          {"what", to_string(asked.what)},
          {"why", asked.why},
          {"by", asked.remark.author},
          {"command", asked.what == Admission::What::taken ? Json(to_string(asked.command)) : Json()},
          {"head", asked.pull.head_sha},
          {"result", obeyed.end.result},
          {"line", obeyed.end.line}};
}

Result<int> close_what_died(CommandContext& context, Forge& forge) {
  TRY_ASSIGN(const Ports ports, context.ports());
  const std::stop_token stop = context.dependencies().stop;
  TRY_ASSIGN(const int statuses, close_left_open(ports, forge, stop));
  TRY_ASSIGN(const int commands, close_interrupted(ports, forge, stop));
  if (statuses + commands > 0)
    context.hint(fmt::format("closed what an interrupted emend left open: {} status(es), {} command(s)",
                             statuses, commands));
  return statuses + commands;
}

} // namespace emend
