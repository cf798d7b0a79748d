#include "model/rights.hpp"

#include <algorithm>

#include "model/enum_names.hpp"

namespace emend {

namespace {

constexpr EnumName<Role> kRoles[] = {
    {Role::read, "read"}, {Role::decide, "decide"}, {Role::run, "run"}, {Role::administer, "administer"}};

} // namespace

std::string_view to_string(Role role) { return name_of(kRoles, role); }
std::optional<Role> parse_role(std::string_view text) { return value_of(kRoles, text); }

Rights::Rights(const std::vector<Grant>& grants) {
  for (const Grant& grant : grants) {
    const auto [known, added] = roles_.emplace(grant.repository_id, grant.role);
    if (!added) known->second = std::max(known->second, grant.role);
  }
}

Rights Rights::all() { return Rights({{"", std::string(kEverywhere), Role::administer}}); }

bool Rights::may(Role role, std::string_view repository_id) const {
  const auto holds = [&](std::string_view where) {
    const auto found = roles_.find(where);
    return found != roles_.end() && found->second >= role;
  };
  return holds(kEverywhere) || holds(repository_id);
}

std::optional<std::vector<std::string>> Rights::repositories(Role role) const {
  if (may(role, kEverywhere)) return std::nullopt;
  std::vector<std::string> ids;
  for (const auto& [id, held] : roles_)
    if (held >= role) ids.push_back(id);
  return ids;
}

} // namespace emend
