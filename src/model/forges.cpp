#include "model/forges.hpp"

#include <algorithm>

namespace emend {

#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wmissing-field-initializers"
const std::deque<ForgeKind>& forge_kinds() {
  // Not const: a test program adds a made-up one before main().
  static std::deque<ForgeKind> rows = {
#define FORGE(NAME, ...) ForgeKind{.name = #NAME, __VA_ARGS__},
#include "model/forges.def"
#undef FORGE
  };
  return rows;
}
#pragma GCC diagnostic pop

bool ForgeKind::has_host(std::string_view host) const {
  return std::any_of(hosts.begin(), hosts.end(), [&](const std::string& own) {
    return own.starts_with('.') ? host.ends_with(own) : host == own;
  });
}

const ForgeKind* find_forge_kind(std::string_view name) {
  for (const ForgeKind& kind : forge_kinds())
    if (kind.name == name) return &kind;
  return nullptr;
}

std::vector<std::string> forge_names() {
  std::vector<std::string> names;
  for (const ForgeKind& kind : forge_kinds()) names.push_back(kind.name);
  return names;
}

} // namespace emend
