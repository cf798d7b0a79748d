// Values as the API shows them. docs/http-api.md describes the shapes; api/openapi.yaml is their contract.
#pragma once

#include "base/json.hpp"
#include "model/event.hpp"
#include "model/issue.hpp"
#include "model/session.hpp"

namespace emend {

[[nodiscard]] Json api_issue(const Issue& issue);
[[nodiscard]] Json api_session(const Session& session);
[[nodiscard]] Json api_question(const Issue& issue, const Clarification& question);
[[nodiscard]] Json api_event(const Event& event);

} // namespace emend
