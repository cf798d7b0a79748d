#include "adapters/agents/driver.hpp"

namespace emend {

const std::vector<const Driver*>& all_drivers() {
  static const std::vector<const Driver*> drivers{&claude_driver(), &codex_driver(), &gemini_driver(),
                                                  &opencode_driver(), &qwen_driver()};
  return drivers;
}

const Driver* find_driver(std::string_view engine) {
  for (const Driver* driver : all_drivers())
    if (driver->engine == engine) return driver;
  return nullptr;
}

std::string_view effort_of(int thinking_budget) {
  if (thinking_budget <= 0) return "";
  if (thinking_budget < 4'000) return "low";
  return thinking_budget < 16'000 ? "medium" : "high";
}

} // namespace emend
