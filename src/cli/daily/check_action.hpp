// Checks a change with the configuration of the commit it starts from; for the command line, hooks and
// agents.
#pragma once

#include <stop_token>
#include <string>

#include "cli/context.hpp"
#include "service/checked_change.hpp"

namespace emend {

// Without its policy.
[[nodiscard]] Result<CheckOrder> order_of(CommandContext& context, const CheckWords& words);

// The repository's checks run only if a person has allowed them: else ErrorCode::needs_input. What the change
// itself does to the configuration does not count.
[[nodiscard]] Result<ChangeCheck> check_here(CommandContext& context, CheckOrder order, std::stop_token stop);

// The verdict first, what to do last.
[[nodiscard]] std::string check_text(const ChangeCheck& check, const Palette& palette);

} // namespace emend
