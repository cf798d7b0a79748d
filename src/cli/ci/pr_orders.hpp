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

// Reads the comment, does what it says if that may be done, and answers. One line for people.
[[nodiscard]] Result<Obeyed> obey(CommandContext& context, ForgeAccess& access, const NamedRemark& named);
[[nodiscard]] std::string line_of(const Obeyed& obeyed);
[[nodiscard]] Json to_json(const Obeyed& obeyed);

// Before anything is taken: statuses and commands of an emend that died are closed, and that is said.
[[nodiscard]] Status close_what_died(CommandContext& context, Forge& forge);

} // namespace emend
