#include "ports/forge_team.hpp"

namespace emend {

std::string_view to_string(Right right) {
  switch (right) {
    case Right::none: return "none";
    case Right::read: return "read";
    case Right::write: return "write";
  }
  return "none";
}

} // namespace emend
