// The person's browser, where there is a desktop to show one on.
#pragma once

#include <string>

#include "base/result.hpp"
#include "cli/context.hpp"

namespace emend {

// A person at a terminal of this machine's own desktop; over ssh the browser would open somewhere else.
[[nodiscard]] bool has_desktop(const CommandContext& context);

// By way of a page of the person's own in `home` that leads to the link: arguments of programs can be read by
// every user of the machine, and the link holds a code. Returns once the browser was asked;
// ErrorCode::not_found when no program here opens pages.
[[nodiscard]] Status open_in_browser(const std::string& home, const std::string& link);

} // namespace emend
