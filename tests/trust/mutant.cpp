// What the mutants' program asks before a rule counts: see mutations.py. No part of the product.
#include <cstdlib>
#include <string_view>

namespace emend {

// Named in EMEND_GATE_WITHOUT: P1 to P10, R1 to R7, or an experiment.
bool without(std::string_view part);

bool without(std::string_view part) {
  const char* left_out = std::getenv("EMEND_GATE_WITHOUT");
  return left_out != nullptr && part == left_out;
}

} // namespace emend
