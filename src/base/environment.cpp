#include "base/environment.hpp"

namespace emend {

std::string variable(const std::vector<std::string>& environment, std::string_view name) {
  for (const std::string& assignment : environment) {
    if (assignment.size() > name.size() && assignment[name.size()] == '=' &&
        assignment.compare(0, name.size(), name) == 0) {
      return assignment.substr(name.size() + 1);
    }
  }
  return {};
}

} // namespace emend
