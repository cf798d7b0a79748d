#include "engine/agents/read_proof.hpp"

#include <re2/re2.h>

#include <optional>

#include "base/hash.hpp"
#include "base/json_scan.hpp"

namespace emend {

namespace {

bool holds(const Json& object, std::string_view token) {
  return !token.empty() && string_or(object, kReadTokenKey) == token;
}

// How often the text gives the token as a member, in whatever came of the object around it.
std::size_t times_given(std::string_view text, std::string_view token) {
  const RE2 member("\"" + std::string(kReadTokenKey) + "\"\\s*:\\s*\"" + RE2::QuoteMeta(std::string(token)) +
                   "\"");
  re2::StringPiece rest(text.data(), text.size());
  std::size_t count = 0;
  while (RE2::FindAndConsume(&rest, member)) ++count;
  return count;
}

// Two answers to one question are none, also when one of them is broken.
bool contradicts_itself(std::string_view text, std::string_view token) {
  std::optional<Json> seen;
  std::size_t whole = 0;
  for (auto start = text.find('{'); start != std::string_view::npos;) {
    const ObjectScan scan = scan_object(text, start);
    if (scan.how != ObjectScan::End::complete) {
      start = text.find('{', start + 1);
      continue;
    }
    auto json = parse_json(text.substr(start, scan.end - start));
    if (json && holds(*json, token)) {
      if (seen && *seen != *json) return true;
      seen = *std::move(json);
      ++whole;
    }
    start = text.find('{', scan.end);
  }
  return times_given(text, token) > whole;
}

} // namespace

std::string new_read_token() { return random_hex(8); }

Result<Json> answer_with_token(std::string_view text, std::string_view token) {
  TRY_ASSIGN(Json json, last_json_object(text));
  if (!holds(json, token))
    return fail(ErrorCode::agent,
                "the answer does not contain the review token: the agent did not read the whole change");
  if (contradicts_itself(text, token))
    return fail(ErrorCode::agent, "the answer contains two different results, or a broken one");
  return json;
}

} // namespace emend
