// Which rules of different tools are the same fact under names of their own.
#pragma once

#include <string>
#include <string_view>

namespace emend {

// One name for the rule, for fingerprints: what is stored holds them, so what it says of a name never
// changes. Only what is known to be the same rule; any other name is its own.
[[nodiscard]] std::string canonical_rule(std::string_view rule);

// One name for what the rule reports, for joining what several tools say of one line: knows more names.
[[nodiscard]] std::string meaning_of_rule(std::string_view rule);

// Whether a comment that silences `name` silences the rule of emend's own, too: the same fact, or a wider
// one.
[[nodiscard]] bool silences_rule(std::string_view own, const std::string& name);

} // namespace emend
