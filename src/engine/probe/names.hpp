// Names of assertions: which words they are made of, and the name of the opposite.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/probe/language.hpp"

namespace emend::probe {

// "assertNotEqual", "assert_not_equal", "ASSERT_NOT_EQUAL" -> assert, not, equal.
[[nodiscard]] std::vector<std::string> words_of(std::string_view name);

// One of its words says that something is asserted: assert, expect, check, must ...
[[nodiscard]] bool names_assertion(std::string_view name, Tongue tongue);
// Nothing but such words: the call asserts that its argument is true.
[[nodiscard]] bool asserts_truth(std::string_view name, Tongue tongue);
// It says that two values are equal.
[[nodiscard]] bool names_equality(std::string_view name);
// Words with which programs say that something went wrong: fail, error, throw, abort ...
[[nodiscard]] bool names_failure(std::string_view name);

// assertEqual -> assertNotEqual, EXPECT_LT -> EXPECT_GE, notStrictEqual -> strictEqual, in the name's own
// style. Empty when the name has a word whose part in it is not certain.
[[nodiscard]] std::optional<std::string> opposite_name(std::string_view name, Tongue tongue);

} // namespace emend::probe
