// What deliveries of forges say: which repository one is about, and what it is a reason for. Pure.
#pragma once

#include <string>
#include <vector>

#include "api/forge_errand.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "http/message.hpp"

namespace emend {

struct ForgeDelivery {
  std::vector<std::string> ids; // of the delivery: the same when it is sent again, and one of them signed
                                // where the forge signs any
  std::string event;            // "push", "Merge Request Hook"
  std::string full_name;        // "team/app"; empty = about nothing we look at
  bool reason_to_look = false;  // something may have been merged
  ForgeErrand errand;           // what else there is to do
};

// What is used must be as documented, what is not used may be anything. ErrorCode::usage says what is wrong.
// Gitea and Forgejo send theirs in GitHub's form as well.
[[nodiscard]] Result<ForgeDelivery> read_github(const HttpRequest& request, const Json& body);
[[nodiscard]] Result<ForgeDelivery> read_gitlab(const HttpRequest& request, const Json& body);

} // namespace emend
