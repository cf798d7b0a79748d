// Asking the person through the agent's program ("elicitation"): the form, what came back, and the state that
// a client of the stateless era hands back with it. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/json.hpp"

namespace emend::mcp {

struct Question {
  std::string id, text;
  std::vector<std::string> suggestions = {}; // another answer is welcome, too
};
using Replies = std::map<std::string, std::string>; // by question; without what was left empty

// Whether a client with these capabilities shows forms to its person.
[[nodiscard]] bool shows_forms(const Json& capabilities);
// The params of elicitation/create: one field a question, and a second one where answers are suggested.
[[nodiscard]] Json form_of(const std::vector<Question>& questions);
// What the person said. Empty when they declined, or when the answer cannot be read.
[[nodiscard]] Replies replies_in(const std::vector<Question>& questions, const Json& result);

// A call that waits for a person: it holds for ten minutes, and only for this tool with these arguments.
struct AskedCall {
  std::string tool;
  Json arguments;
};
[[nodiscard]] std::string seal(const AskedCall& call, const std::string& key, std::int64_t now_ms);
[[nodiscard]] bool is_sealed(const std::string& state, const AskedCall& call, const std::string& key,
                             std::int64_t now_ms);

} // namespace emend::mcp
