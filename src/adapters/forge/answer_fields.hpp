// Reading what forges answer: members that may be missing, null or of another type than documented.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "ports/forge.hpp"

namespace emend {

[[nodiscard]] const Json& object_in(const Json& answer,
                                    std::string_view key);                 // an empty object when it is none
[[nodiscard]] int int_in(const Json& answer, std::string_view key);        // 0 when it is none
[[nodiscard]] std::string id_in(const Json& answer, std::string_view key); // a number as text, too
[[nodiscard]] bool flag_in(const Json& answer, std::string_view key);
[[nodiscard]] const Json& list_in(const Json& answer, std::string_view key); // empty when it is no list
// Milliseconds of "2026-01-31T09:30:00Z" and its like; 0 when it cannot be read.
[[nodiscard]] std::int64_t time_in(const Json& answer, std::string_view key);
[[nodiscard]] std::string short_text(std::string text, std::size_t max_bytes); // cut between characters
// Of a list of texts, or of objects that have a `name`.
[[nodiscard]] std::vector<std::string> names_in(const Json& answer, std::string_view key);
// Is there one whose `body` is this? An answer that got lost leaves a comment we do not know of.
[[nodiscard]] bool says(const std::vector<Json>& comments, std::string_view body);

// The new side of a file's diff as a forge gives it: which lines can be commented on. Takes "@@ -1,3 +1,4 @@
// ..." and the lines below; what is no hunk is passed over.
[[nodiscard]] std::vector<std::vector<DiffLine>> parse_hunks(std::string_view diff);

} // namespace emend
