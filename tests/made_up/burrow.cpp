// A forge that does not exist, added to the program as one row and what speaks its API, which is GitHub's.
#include "adapters/forge/forges.hpp"

namespace emend {

namespace {

std::unique_ptr<Forge> make_burrow(ForgePlace place, RestSettings settings, const ForgeToken& token,
                                   const Clock& clock) {
  return make_github(std::move(place), std::move(settings), token, clock);
}

// The tables are not const behind their functions, so that this is allowed.
const bool kAdded = [] {
  const_cast<std::deque<ForgeKind>&>(forge_kinds())
      .push_back({.name = "burrow",
                  .product = "Burrow",
                  .hosts = {"burrow.example"},
                  .host_variables = {"BURROW_HOST"},
                  .server_variable = "BURROW_HOST",
                  .api_variable = "BURROW_API_URL",
                  .api = "https://{host}/api",
                  .token_variables = {"BURROW_TOKEN"},
                  .token_advice = "of a badger",
                  .permalink = "/at/",
                  .pull_pages = {"/tunnel/"},
                  .ci_files = {".burrow/**"}});
  const_cast<std::map<std::string, MakeForge>&>(forge_makers()).emplace("burrow", make_burrow);
  return true;
}();

} // namespace

} // namespace emend
