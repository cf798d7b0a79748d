#include "cli/daily/check_action.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"
#include "cli/trust_check.hpp"

namespace emend {
namespace {

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
  return find_change(
      *repository, [&] { return context.store(); }, words);
}

Result<ChangeCheck> check_here(CommandContext& context, CheckOrder order, std::stop_token stop) {
  if (order.base.empty()) return fail(no_commit_to_compare());
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
  std::string text = palette.paint(std::string(to_string(check.verdict)), tone_of(check)) + ": " +
                     one_line(check.reason, 1'000) + "\n"; // it may name tests
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
