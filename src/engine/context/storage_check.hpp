// Whether state can be stored now: the disk below EMEND_HOME is really written to. And which failures are the
// storage's, not the work's.
#pragma once

#include <string>

#include "base/result.hpp"

namespace emend {

// ErrorCode::io with the reason while there is no room, or the file system cannot be written to.
[[nodiscard]] Status check_disk(const std::string& home);

// The same work may succeed later although nobody changes it: the database or the disk failed, or the disk is
// full whatever the error says.
[[nodiscard]] bool may_pass(const Error& error, const std::string& home);

} // namespace emend
