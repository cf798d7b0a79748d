#include "adapters/agents/driver.hpp"

namespace emend {

const std::vector<const Driver*>& all_drivers() {
  // Not const: a test program adds a made-up one.
  static std::vector<const Driver*> drivers = {
#define CODING_CLI(NAME, ...) &NAME##_driver(),
#include "model/coding_clis.def"
#undef CODING_CLI
  };
  return drivers;
}

const Driver* find_driver(std::string_view engine) {
  for (const Driver* driver : all_drivers())
    if (driver->cli.name == engine) return driver;
  return nullptr;
}

std::string_view effort_of(int thinking_budget) {
  if (thinking_budget <= 0) return "";
  if (thinking_budget < 4'000) return "low";
  return thinking_budget < 16'000 ? "medium" : "high";
}

} // namespace emend
