// The report stage: a session's FixReport from durable state alone.
#pragma once

#include <string>

#include "engine/session_manager.hpp"

namespace emend {

[[nodiscard]] Result<FixReport> make_report(const Ports& ports, const std::string& session_id);
[[nodiscard]] Result<SessionManager::Explanation> make_explanation(const Ports& ports, const Issue& issue);

} // namespace emend
