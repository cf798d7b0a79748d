// A session as a trace of OpenTelemetry: one span for the session, each issue, each run of an agent, each run
// of checks and each decision of the gate. Pure: made of what is stored, so it is the same whoever makes it
// and when.
#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "model/agent_run_record.hpp"
#include "model/event.hpp"
#include "model/session.hpp"
#include "model/verification.hpp"

namespace emend {

struct TraceSource {
  Session session;
  std::vector<Event> events; // of the session, in order
  std::vector<AgentRunRecord> agent_runs;
  std::vector<Verification> verifications;
  std::vector<std::pair<std::string, std::string>> issue_codes; // id, code
};

struct TraceResource {
  std::string service_name = "emend", version;
  std::vector<std::pair<std::string, std::string>> attributes; // further ones
};

// The body of an export by OTLP over HTTP, in JSON. No code, no prompt and no text of an agent is in it.
[[nodiscard]] Json session_trace(const TraceSource& source, const TraceResource& resource);

} // namespace emend
