#include "service/database_place.hpp"

#include "base/environment.hpp"
#include "base/log.hpp"
#include "base/strings.hpp"

namespace emend {

std::string database_address(const std::vector<std::string>& environment, const std::string& home) {
  std::string given = variable(environment, "EMEND_DATABASE");
  if (given.empty()) return home + "/emend.db";
  if (contains(given, "password") || contains(given, "@")) hide_in_log(given);
  return given;
}

} // namespace emend
