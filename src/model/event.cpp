#include "model/event.hpp"

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "model/json_fields.hpp"

namespace emend {

Json to_json(const Event& event) {
  return {{"seq", event.seq},
          {"time", rfc3339_utc(event.time_ms)},
          {"session_id", event.session_id},
          {"type", event.type},
          {"issue_code", null_if_empty(event.issue_code)},
          {"data", event.data}};
}

std::string chained_digest(const Event& before, const Event& event) {
  return sha256_hex(dump_json(Json::array({before.digest, before.seq, event.time_ms, event.session_id,
                                           event.type, event.issue_code, event.data})));
}

} // namespace emend
