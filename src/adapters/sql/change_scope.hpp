// Which writers a change has to wait for.
#pragma once

#include <optional>
#include <string>

#include "ports/store.hpp"

namespace emend {

// The session whose rows alone a change writes: changes of other sessions may be made beside it. nullopt =
// it writes what others write as well (issues, people, the audit log), or rows of several sessions.
[[nodiscard]] std::optional<std::string> session_scope(const Change& change);

} // namespace emend
