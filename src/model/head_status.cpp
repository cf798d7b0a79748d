#include "model/head_status.hpp"

namespace emend {

std::string_view to_string(HeadState state) {
  switch (state) {
    case HeadState::pending: return "pending";
    case HeadState::success: return "success";
    case HeadState::neutral: return "neutral";
    case HeadState::failure: return "failure";
    case HeadState::error: return "error";
  }
  return "error";
}

} // namespace emend
