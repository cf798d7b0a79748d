// What became of the fixes of this repository, and what people said about them.
#include <fmt/format.h>

#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "cli/context.hpp"
#include "engine/fix/standing_notes.hpp"

namespace emend {

namespace {

struct InsightsOptions {
  std::string by = "agent", branch;
  bool list = false, notes = false, autonomy = false;
};

std::string number(int count) { return count == 0 ? "-" : std::to_string(count); }

std::string counts_table(const std::vector<OutcomeCounts>& rows, const std::string& by,
                         const Palette& palette) {
  TextTable table({by, "fixes", "merged", "edited", "rejected", "discarded", "reverted", "changed again",
                   "back", "waiting", "kept"});
  for (const OutcomeCounts& row : rows) {
    const auto kept = row.kept_percent();
    table.add({{row.key.empty() ? "(none)" : one_line(row.key, 60)},
               {std::to_string(row.fixes)},
               {number(row.merged)},
               {number(row.edited)},
               {number(row.rejected)},
               {number(row.discarded)},
               {number(row.reverted), row.reverted > 0 ? Tone::bad : Tone::plain},
               {number(row.changed_again)},
               {number(row.back)},
               {number(row.waiting)},
               {kept ? std::to_string(*kept) + "%" : "-"}});
  }
  return table.render(palette);
}

std::string fixes_table(const std::vector<FixOutcome>& outcomes, const Palette& palette) {
  TextTable table({"code", "session", "fate", "agent", "rule", "evidence", "why"});
  for (const FixOutcome& one : outcomes) {
    std::string why = one.reason.empty() ? one.commit.substr(0, 12) : one.reason;
    if (one.changed_again) why += why.empty() ? "its lines changed again" : ", its lines changed again";
    if (one.back) why += why.empty() ? "the finding is back" : ", the finding is back";
    table.add({{one.code},
               {one.session_id},
               {std::string(to_string(one.fate)), one.fate == FixFate::reverted ? Tone::bad : Tone::plain},
               {one_line(one.agent, 40)},
               {one_line(one.rule, 40)},
               {one.evidence},
               {one_line(why, 200)}});
  }
  return table.render(palette);
}

// Who may go on without a person's approval of the plan, and who is on the way to it.
std::string autonomy_table(const std::vector<EarnedTrust>& rows, const Palette& palette) {
  if (rows.empty()) return "No fix was merged yet.\n";
  TextTable table({"agent", "rule", "merged", "reverted", "autonomy"});
  for (const EarnedTrust& row : rows)
    table.add({{row.agent.empty() ? "(none)" : one_line(row.agent, 40)},
               {row.rule.empty() ? "(none)" : one_line(row.rule, 60)},
               {number(row.merged)},
               {number(row.reverted), row.reverted > 0 ? Tone::bad : Tone::plain},
               {earned_text(row), row.earned ? Tone::good : Tone::plain}});
  return table.render(palette);
}

Result<ExitStatus> show_notes(CommandContext& context) {
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(const std::string text, collect_standing_notes(ports, home));
  const std::string file = standing_notes_file(home, ports.repository.id());
  if (context.global().json) {
    context.print_json("notes", {{"file", file}, {"text", text}});
  } else {
    context.print(text.empty()
                      ? "No notes yet. `emend issues comment` and `emend sessions reject` add them.\n"
                      : harmless_text(text));
    if (!text.empty()) context.hint("fixers read this file; edit it: " + file);
  }
  return context.finish(ExitStatus::done);
}

Result<ExitStatus> run(CommandContext& context, const InsightsOptions& options) {
  if (options.notes) return show_notes(context);
  TRY_ASSIGN(SessionManager * manager, context.manager());
  TRY_ASSIGN(const std::vector<FixOutcome> outcomes,
             manager->outcomes(options.branch, context.dependencies().stop));
  const std::vector<OutcomeCounts> rows = count_outcomes(outcomes, options.by);
  if (context.global().json) {
    Json groups = Json::array(), fixes = Json::array(), autonomy = Json::array();
    for (const EarnedTrust& row : earned_trust(outcomes)) autonomy.push_back(to_json(row));
    for (const OutcomeCounts& row : rows) groups.push_back(to_json(row));
    for (const FixOutcome& one : outcomes) fixes.push_back(to_json(one));
    context.print_json("insights", {{"by", options.by},
                                    {"groups", std::move(groups)},
                                    {"fixes", std::move(fixes)},
                                    {"autonomy", std::move(autonomy)}});
  } else if (options.autonomy) {
    context.print(autonomy_table(earned_trust(outcomes), context.palette()));
    context.hint(
        "earned counts with fix.autonomy = \"earned\": `emend fix --approve plan` does not wait then");
  } else if (outcomes.empty()) {
    context.print("No fix has been made in this repository yet.\n");
  } else {
    context.print(options.list ? fixes_table(outcomes, context.palette())
                               : counts_table(rows, options.by, context.palette()));
  }
  return context.finish(ExitStatus::done);
}

} // namespace

Command insights_command() {
  const auto options = std::make_shared<InsightsOptions>();
  Command command;
  command.name = "insights";
  command.summary = "show what became of the fixes: merged, edited, rejected, reverted";
  command.examples =
      "  emend insights --by rule\n  emend insights --list\n  emend insights --autonomy\n"
      "  emend insights --notes\n";
  command.options = {
      {"--by", &options->by, "group fixes by this", "GROUP", outcome_groups()},
      {"--list", &options->list, "show each fix"},
      {"--branch", &options->branch, "branch that fixes are merged into; default: the default branch",
       "NAME"},
      {"--autonomy", &options->autonomy, "show which agents have earned autonomy, rule by rule"},
      {"--notes", &options->notes, "show what people said about fixes, which every later fixer reads"},
  };
  command.run = [options](CommandContext& context) { return run(context, *options); };
  command.storage = options;
  return command;
}

} // namespace emend
