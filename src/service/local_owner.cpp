#include "service/local_owner.hpp"

#include <pwd.h>
#include <unistd.h>

#include <array>

#include "base/environment.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::string_view kNobody = "emend@localhost"; // what identity() answers when git knows no name

// Full name, else login name.
std::string system_name() {
  std::array<char, 4'096> memory{};
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(::getuid(), &entry, memory.data(), memory.size(), &found) != 0 || found == nullptr)
    return {};
  const std::string full = split(found->pw_gecos == nullptr ? "" : found->pw_gecos, ',').front();
  return full.empty() ? std::string(found->pw_name) : full;
}

std::string git_name(RepositoryPlace* repository) {
  if (repository == nullptr) return {};
  const auto identity = repository->identity();
  return identity && identity->email != kNobody ? identity->name : std::string();
}

} // namespace

Actor local_owner(RepositoryPlace* repository, const std::vector<std::string>& environment) {
  Actor owner{ActorKind::owner, {}, {}, clean_name(variable(environment, std::string(kThroughVariable)))};
  for (const std::string& name : {git_name(repository), system_name(), variable(environment, "LOGNAME"),
                                  variable(environment, "USER"), std::string("owner")})
    if (owner.name.empty()) owner.name = clean_name(name);
  return owner;
}

} // namespace emend
