// What waits for a person, in this repository or in all that are known, as the dashboard's inbox and the
// terminal's show it.
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>

#include "api/issue_json.hpp"
#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "cli/text_table.hpp"
#include "service/database_place.hpp"
#include "service/needs.hpp"
#include "tui/model.hpp"

namespace emend {
namespace {

// One thing that waits: what it is, why it is here, and the command that is the next step.
struct Row {
  std::string what, why, next;
};

class InboxText {
public:
  explicit InboxText(const Palette& palette) : palette_(palette) {}

  // Nothing where there are no rows.
  void section(std::string_view title, const std::vector<Row>& rows) {
    if (rows.empty()) return;
    text_ += "\n" + palette_.paint(title, Tone::strong) + "\n";
    for (const Row& row : rows)
      text_ +=
          "  " + row.what + "  " + row.why + "\n" + palette_.paint("      " + row.next, Tone::dim) + "\n";
  }
  void line(const std::string& text) { text_ += text + "\n"; }

  [[nodiscard]] const std::string& text() const { return text_; }

private:
  const Palette& palette_;
  std::string text_;
};

// Where the repositories are; empty = only this one is asked for, and nothing needs to be said about it.
using Places = std::map<std::string, ServedRepository>;

// "BE-001", or "BE-001 in shop" where it is one of several.
std::string named(const Places& places, const std::string& repository_id, const std::string& what) {
  const auto place = places.find(repository_id);
  return place == places.end() ? what : what + " in " + one_line(place->second.name);
}

// "emend", or how it is run there.
std::string run_in(const Places& places, const std::string& repository_id, const std::string& program) {
  const auto place = places.find(repository_id);
  return place == places.end() ? program : program + " -C " + one_line(shell_quote(place->second.root));
}

std::string severity_of(const Issue& issue) { return std::string(to_string(issue.finding.severity)); }

std::vector<Row> questions(const Needs& needs, const Places& places) {
  std::vector<Row> rows;
  for (const Issue& issue : needs.asked)
    for (const Clarification& asked : issue.clarifications)
      if (asked.state == ClarificationState::asked)
        rows.push_back({named(places, issue.repository_id, issue.code), one_line(asked.question, 200),
                        run_in(places, issue.repository_id, "emend") + " clarify --answer " +
                            asked.question_id + "=\"...\""});
  return rows;
}

std::string branch_of(const Session& session) {
  return one_line(session.branch.empty() ? session.id : session.branch);
}

std::vector<Row> decisions(const Needs& needs, const Places& places) {
  std::vector<Row> rows;
  for (const Session& plan : needs.plans)
    rows.push_back({named(places, plan.repository_id, branch_of(plan)), "starts when you approve its plan",
                    run_in(places, plan.repository_id, "emend") + " sessions approve " + plan.id});
  for (const auto& [issue, by, number] : needs.dismissals)
    rows.push_back({named(places, issue.repository_id, issue.code),
                    fmt::format("{} closed its thread on pull request {} without a fix: {}", one_line(by, 60),
                                number, one_line(issue.finding.title)),
                    fmt::format("{1} issues ignore {0}, or {1} fix {0}", issue.code,
                                run_in(places, issue.repository_id, "emend"))});
  for (const Needs::Branch& branch : needs.ready)
    for (const Issue& issue : branch.fixes)
      rows.push_back(
          {named(places, issue.repository_id, issue.code),
           fmt::format("{}: {} on {}", one_line(issue.finding.title),
                       issue.evidence.empty() ? "fixed" : issue.evidence, branch_of(branch.session)),
           fmt::format("{2} explain {0}, then {2} sessions accept {1} {0}", issue.code, branch.session.id,
                       run_in(places, issue.repository_id, "emend"))});
  return rows;
}

std::vector<Row> failures(const Needs& needs, const Places& places) {
  std::vector<Row> rows;
  for (const Session& stopped : needs.stopped)
    rows.push_back({named(places, stopped.repository_id, branch_of(stopped)), "stopped before it was done",
                    run_in(places, stopped.repository_id, "emend") + " sessions resume " + stopped.id});
  for (const Issue& issue : needs.failed)
    rows.push_back({named(places, issue.repository_id, issue.code),
                    fmt::format("{}, {}: {}", severity_of(issue), failure_words(issue.reason),
                                one_line(issue.finding.title)),
                    fmt::format("{1} explain {0}, then {1} fix {0}", issue.code,
                                run_in(places, issue.repository_id, "emend"))});
  return rows;
}

std::vector<Row> branches(const Needs& needs, const Places& places) {
  std::vector<Row> rows;
  for (const Needs::Branch& branch : needs.taken)
    rows.push_back(
        {named(places, branch.session.repository_id, branch_of(branch.session)),
         branch.fixes.size() == 1 ? "1 accepted fix" : fmt::format("{} accepted fixes", branch.fixes.size()),
         run_in(places, branch.session.repository_id, "git") + " merge " +
             one_line(shell_quote(branch.session.branch))});
  return rows;
}

std::string text_of(const Needs& needs, const Places& places, const Palette& palette) {
  if (needs.total() == 0) return "Nothing needs you.\n";
  InboxText text(palette);
  text.line(needs.total() == 1 ? "1 thing needs you" : fmt::format("{} things need you", needs.total()));
  text.section("Waiting for your answer", questions(needs, places));
  text.section("For you to decide", decisions(needs, places));
  text.section("Could not be fixed", failures(needs, places));
  const std::int64_t more = needs.failed_total - static_cast<std::int64_t>(needs.failed.size());
  if (more > 0) text.line(fmt::format("  and {} more: emend issues --status failed", more));
  text.section("Ready to take", branches(needs, places));
  if (needs.older_branches > 0)
    text.line(fmt::format("\n{} more with fixes: emend sessions list",
                          needs.older_branches == 1
                              ? "1 older branch"
                              : fmt::format("{} older branches", needs.older_branches)));
  return text.text();
}

Json branches_json(const std::vector<Needs::Branch>& branches) {
  Json rows = Json::array();
  for (const Needs::Branch& branch : branches) {
    Json fixes = Json::array();
    for (const Issue& issue : branch.fixes) fixes.push_back(issue.code);
    rows.push_back({{"session", api_session(branch.session)}, {"fixes", std::move(fixes)}});
  }
  return rows;
}

Json json_of(const Needs& needs) {
  Json questions = Json::array(), plans = Json::array(), stopped = Json::array(), failed = Json::array();
  for (const Issue& issue : needs.asked)
    for (const Clarification& asked : issue.clarifications)
      if (asked.state == ClarificationState::asked) questions.push_back(api_question(issue, asked));
  for (const Session& session : needs.plans) plans.push_back(api_session(session));
  for (const Session& session : needs.stopped) stopped.push_back(api_session(session));
  for (const Issue& issue : needs.failed) failed.push_back(api_issue(issue));
  Json dismissals = Json::array();
  for (const auto& [issue, by, number] : needs.dismissals)
    dismissals.push_back({{"issue", api_issue(issue)}, {"by", by}, {"pull_request", number}});
  return {{"total", needs.total()},
          {"dismissals", std::move(dismissals)},
          {"questions", std::move(questions)},
          {"plans", std::move(plans)},
          {"ready", branches_json(needs.ready)},
          {"stopped", std::move(stopped)},
          {"failed", std::move(failed)},
          {"failed_total", needs.failed_total},
          {"older_branches", needs.older_branches},
          {"taken", branches_json(needs.taken)}};
}

// All repositories that a server was ever told of, and the one this is run in, if it is run in one.
Result<Places> known_places(CommandContext& context, Ledger& ledger) {
  Places places;
  TRY_ASSIGN(const auto served, ledger.repositories());
  for (const ServedRepository& one : served) places[one.id] = one;
  if (const auto here = context.repository(); here && !places.contains((*here)->id()))
    places[(*here)->id()] = {(*here)->id(), (*here)->root(), fs::path((*here)->root()).filename().string(),
                             0};
  return places;
}

Result<ExitStatus> run_inbox(CommandContext& context, bool all) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(const std::unique_ptr<Ledger> ledger,
             context.dependencies().open_ledger(database_address(context.environment(), home)));
  Places places;
  std::vector<std::string> ids;
  if (all) {
    TRY_ASSIGN(places, known_places(context, *ledger));
    for (const auto& [id, place] : places) ids.push_back(id);
  } else {
    TRY_ASSIGN(Repository * repository, context.repository());
    ids.push_back(repository->id());
  }
  Needs needs;
  for (const std::string& id : ids) {
    TRY_ASSIGN(Needs found, needs_of(*store, *ledger, id));
    add_needs(needs, std::move(found));
  }
  if (context.global().json)
    context.print_json("inbox", json_of(needs));
  else
    context.print(text_of(needs, places, context.palette()));
  return context.finish(ExitStatus::done);
}

} // namespace

Command inbox_command() {
  const auto all = std::make_shared<bool>(false);
  Command command = action("inbox",
                           "show what waits for you here: questions, plans, fixes to decide about, failures, "
                           "branches to take",
                           {{"--all", all.get(), "of all repositories that are known, the worst first"}},
                           [all](CommandContext& context) { return run_inbox(context, *all); });
  command.storage = all;
  command.examples = "  emend inbox\n  emend inbox --all\n  emend inbox --json | jq .data.total\n";
  return command;
}

} // namespace emend
