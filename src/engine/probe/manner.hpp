// The manners in which test files hold their tests: what a further, failing test looks like and where it
// goes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/probe/source.hpp"

namespace emend::probe {

struct Addition {
  std::size_t at = 0; // byte of the source, the beginning of a line or the end of the text
  std::string text;   // whole lines, "\n" at their ends
  int fails_in = 1;   // which of these lines fails, 1-based
};

// A test in a framework's form. Empty: the file uses none we know.
[[nodiscard]] std::optional<Addition> framework_test(const Source& source, std::string_view name);
// The same for classes: unittest, JUnit, PHPUnit, minitest.
[[nodiscard]] std::optional<Addition> method_test(const Source& source, std::string_view name);
// The file's last assertion once more, so that it fails and names `name`.
[[nodiscard]] std::optional<Addition> repeated_assertion(const Source& source, std::string_view name);
[[nodiscard]] std::optional<Addition> shell_test(const Source& source, std::string_view name);

// Where the next line begins.
[[nodiscard]] std::size_t next_line(std::string_view text, std::size_t offset);
[[nodiscard]] std::string indentation_at(std::string_view text, std::size_t offset);
// The last token that `what` is, followed by `next` (if given); size() = none.
[[nodiscard]] std::size_t last_of(const Source& source, std::string_view what, std::string_view next = {});

} // namespace emend::probe
