// Proof that an agent read to the end: a random word placed behind what it is to read, which its answer must
// hold. Nothing that was written before the question was asked can hold it, so an answer quoted out of a diff
// or a file never counts.
#pragma once

#include <string>
#include <string_view>

#include "base/json.hpp"
#include "base/result.hpp"

namespace emend {

inline constexpr const char* kReadTokenKey = "review_token"; // member of the answer

[[nodiscard]] std::string new_read_token();

// The last JSON object of the answer, which must hold the token. ErrorCode::agent when there is none, when it
// does not hold the token (what was to be read was not read to its end, or somebody else's words were
// quoted), and when the token is given a second time: by an object that differs, that is broken, or inside of
// another one.
[[nodiscard]] Result<Json> answer_with_token(std::string_view text, std::string_view token);

} // namespace emend
