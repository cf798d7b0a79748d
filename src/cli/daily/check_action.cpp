#include "cli/daily/check_action.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"
#include "cli/findings_input.hpp"
#include "cli/trust_check.hpp"
#include "engine/intake/review_scope.hpp"

namespace emend {
namespace {

constexpr std::size_t kLargestDiff = 64'000'000;

Result<ReviewScope> scope_of(const CheckWords& o) {
  std::vector<std::string> given;
  for (const auto& [name, is_given] : {std::pair{"--staged", o.staged},
                                       {"--commit", !o.commit.empty()},
                                       {"--range", !o.range.empty()},
                                       {"--patch", !o.patch.empty()}})
    if (is_given) given.emplace_back(name);
  if (!o.base.empty() && o.patch.empty()) given.emplace_back("--base");
  if (given.size() > 1)
    return fail(ErrorCode::usage, join(given, " and ") + " cannot be used together",
                "each of them selects what to check: choose one");
  if (o.staged) return ReviewScope{ScopeKind::staged};
  if (!o.commit.empty()) return ReviewScope{ScopeKind::commit, o.commit};
  if (!o.range.empty()) return parse_range(o.range);
  if (!o.base.empty() && o.patch.empty()) return ReviewScope{ScopeKind::base, "HEAD", o.base};
  return ReviewScope{ScopeKind::uncommitted};
}

// The commit the change starts from, and the change.
Status find_change(Repository& repository, const CheckWords& words, CheckOrder& order) {
  TRY_ASSIGN(const ReviewScope scope, scope_of(words));
  if (!words.patch.empty()) {
    TRY_ASSIGN(order.base, repository.resolve(words.base.empty() ? "HEAD" : words.base));
    TRY_ASSIGN(const std::string diff, read_input(words.patch, kLargestDiff));
    if (trim(diff).empty()) return {};
    TRY_ASSIGN(order.patch, repository.apply_diff(order.base, diff));
    return {};
  }
  TRY_ASSIGN(order.base, rules_commit(repository, scope));
  if (order.base.empty())
    return fail(ErrorCode::usage, "there is no commit to compare the change with",
                "commit the state before the change, then check again");
  TRY_ASSIGN(ScopedTree tree, look_up(repository, scope));
  if (tree.diff) order.patch = *std::move(tree.diff);
  return {};
}

std::string checks_table(const ChangeCheck& check, const Palette& palette) {
  if (!check.run) return "";
  TextTable table({"check", "before", "with the change"});
  for (const CommandRun& run : check.run->commands) {
    const CommandRun* before = check.base ? check.base->find(run.name) : nullptr;
    const auto cell = [](const CommandRun* one) -> Cell {
      if (one == nullptr) return {"not run"};
      return {std::string(to_string(one->result)), one->passed() ? Tone::good : Tone::bad};
    };
    table.add({{run.name}, cell(before), cell(&run)});
  }
  return table.render(palette, "  ");
}

Tone tone_of(const ChangeCheck& check) {
  if (check.holds()) return Tone::good;
  const bool bad = check.verdict == CheckVerdict::red || check.verdict == CheckVerdict::cheat;
  return bad ? Tone::bad : Tone::warn;
}

} // namespace

Result<CheckOrder> order_of(CommandContext& context, const CheckWords& words) {
  TRY_ASSIGN(Repository * repository, context.repository());
  CheckOrder order;
  order.judge = words.judge;
  TRY(find_change(*repository, words, order));
  if (words.issue.empty()) return order;
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(order.issue, store->issue(repository->id(), words.issue));
  return order;
}

Result<ChangeCheck> check_here(CommandContext& context, CheckOrder order, std::stop_token stop) {
  if (!order.patch.empty()) {
    TRY(context.take_configuration_from(order.base, order.base));
    TRY_ASSIGN(const Config config, trusted_config(context));
    order.policy = config.policy();
  }
  TRY_ASSIGN(const Ports ports, context.ports());
  TRY_ASSIGN(const std::string home, context.home());
  TRY_ASSIGN(const std::unique_ptr<Store> records, context.dependencies().open_store(":memory:"));
  return check_change(ports, *records, home, order, stop);
}

std::string check_text(const ChangeCheck& check, const Palette& palette) {
  std::string text =
      palette.paint(std::string(to_string(check.verdict)), tone_of(check)) + ": " + check.reason + "\n";
  text += checks_table(check, palette);
  if (check.score) text += fmt::format("  the judge scored it {} of 100\n", *check.score);
  for (const std::string& note : check.notes) text += "  note: " + one_line(note, 400) + "\n";
  if (!check.failure.empty()) {
    text += "\n";
    for (const std::string& line : split(trim_middle(check.failure, 4'000), '\n')) text += "  " + line + "\n";
    text += "\n";
  }
  return text + "next: " + next_step(check) + "\n";
}

} // namespace emend
