// Which role each operation needs, and how a request to it names the repository it is about: one row each.
#pragma once

#include <string_view>
#include <vector>

#include "model/rights.hpp"

namespace emend {

// Where the repository of a request is found.
enum class Reach {
  open,      // nowhere: anybody may ask
  caller,    // nowhere: it is about the caller, who is known
  server,    // nowhere: it is about all of them, so the role is needed everywhere
  listed,    // the answer holds only what the caller may see; ?repository_id= narrows it
  query,     // ?repository_id=; the only one there is, without
  body,      // "repository_id" of the body; likewise
  path,      // {id} is the repository
  session,   // {id} is a session
  job,       // {id} is a job
  run,       // {id} is a run of an agent
  of_session // ?session=
};
[[nodiscard]] std::string_view to_string(Reach scope);

struct NeededRight {
  std::string_view operation;
  Role role = Role::administer;
  Reach scope = Reach::server;
};

[[nodiscard]] const std::vector<NeededRight>& needs();
[[nodiscard]] const NeededRight* need_of(std::string_view operation); // null = there is no row

} // namespace emend
