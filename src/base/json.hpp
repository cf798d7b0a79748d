// JSON as the product reads and writes it: strict in (no duplicate keys, bounded depth), valid UTF-8 out.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace emend {

using Json = nlohmann::ordered_json; // keeps the order we write, so output is stable

// One whole document. Refuses duplicate keys, depth > 64, trailing bytes, invalid UTF-8. A leading BOM is
// accepted. Lone surrogate escapes ("\ud83d") are repaired to U+FFFD first, because programs written for Node
// emit them.
[[nodiscard]] Result<Json> parse_json(std::string_view text);

// An agent's answer: the last complete JSON object in text, whether raw, fenced or between prose. Objects
// nested in a later complete object do not count. Duplicate keys anywhere inside it are an error, not a
// reason to look further. A last object that is cut off or broken (`{"key": oops`) is an error too: neither
// an earlier one nor one inside it is taken instead. Nothing found: ErrorCode::agent. Input is bounded by the
// caller.
[[nodiscard]] Result<Json> last_json_object(std::string_view text);

// Never throws: invalid UTF-8 becomes U+FFFD.
[[nodiscard]] std::string dump_json(const Json& value, int indent = -1);

// Exact integer in [low, high]; 95.0, "95", true, 4294967391 are refused.
[[nodiscard]] std::optional<std::int64_t> exact_int(const Json& value, std::int64_t low, std::int64_t high);

// Member access that never throws and never inserts.
[[nodiscard]] const Json* find_member(const Json& object, std::string_view key);
[[nodiscard]] std::string string_or(const Json& object, std::string_view key, std::string fallback = {});

} // namespace emend
