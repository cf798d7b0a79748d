// A clause of the gate as it came out, in one word.
#pragma once

#include <string>
#include <utility>

#include "model/evidence.hpp"

namespace emend {

[[nodiscard]] inline Clause passed(const char* id, const char* name, std::string detail) {
  return {id, name, ClauseState::passed, std::move(detail)};
}
[[nodiscard]] inline Clause failed(const char* id, const char* name, std::string detail) {
  return {id, name, ClauseState::failed, std::move(detail)};
}
[[nodiscard]] inline Clause unknown(const char* id, const char* name, std::string detail) {
  return {id, name, ClauseState::unknown, std::move(detail)};
}
[[nodiscard]] inline Clause spared(const char* id, const char* name, std::string detail) {
  return {id, name, ClauseState::not_required, std::move(detail)};
}

} // namespace emend
