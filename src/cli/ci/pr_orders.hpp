// Carrying out what a comment asks for.
#pragma once

#include "cli/ci/forge_access.hpp"
#include "cli/context.hpp"
#include "engine/forge/command_desk.hpp"

namespace emend {

struct Obeyed {
  Admission asked;
  CommandEnd end; // of one that was taken
};

// How much of a command is done here.
struct ObeyManner {
  bool answer_only =
      false;        // what needs no work: refusals, explain, dismiss, stop, help; nothing is kept here
  std::string done; // it was carried out elsewhere, and this came of it; empty = it was not
};
// Reads the comment, does what it says if that may be done, and answers. One line for people.
[[nodiscard]] Result<Obeyed> obey(CommandContext& context, ForgeAccess& access, const NamedRemark& named,
                                  const ObeyManner& manner = {});
// The same for a button in a check run.
[[nodiscard]] Result<Obeyed> obey_press(CommandContext& context, ForgeAccess& access,
                                        const NamedPress& press);
[[nodiscard]] std::string line_of(const Obeyed& obeyed);
[[nodiscard]] Json to_json(const Obeyed& obeyed);

// Before anything is taken: statuses and commands of an emend that died are closed, and that is said. How
// many.
[[nodiscard]] Result<int> close_what_died(CommandContext& context, Forge& forge);

} // namespace emend
