// Leaves out one clause of the gate or one rule of construction, in a build made for nothing else
// (EMEND_MUTANTS), to show that the adversary suite notices. In the product every question is answered "no"
// by the compiler.
#pragma once

#include <string_view>

namespace emend {

#ifdef EMEND_MUTANTS
[[nodiscard]] bool without(std::string_view part); // named in EMEND_GATE_WITHOUT: P1 to P10, R1 to R7
#else
[[nodiscard]] constexpr bool without(std::string_view) { return false; }
#endif

} // namespace emend
