// What somebody may do: roles, for one repository or for all of them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emend {

// Each includes the ones before it.
enum class Role {
  read,       // look
  decide,     // and comment, answer, ignore, accept, reject, approve
  run,        // and start, stop and resume sessions and reviews
  administer, // and allow commands, add repositories, give roles
};
[[nodiscard]] std::string_view to_string(Role role);
[[nodiscard]] std::optional<Role> parse_role(std::string_view text);

// The name of all repositories, those to come included, and of what belongs to none.
inline constexpr std::string_view kEverywhere = "*";

struct Grant {
  std::string account_id;
  std::string repository_id; // or kEverywhere
  Role role = Role::read;
};

// Immutable and cheap to copy.
class Rights {
public:
  Rights() = default; // none
  explicit Rights(const std::vector<Grant>& grants);
  [[nodiscard]] static Rights all();

  [[nodiscard]] bool may(Role role, std::string_view repository_id) const; // kEverywhere = everywhere
  // The repositories somebody with this role only sees; nullopt = all.
  [[nodiscard]] std::optional<std::vector<std::string>> repositories(Role role = Role::read) const;

private:
  std::map<std::string, Role, std::less<>> roles_;
};

} // namespace emend
