#include "model/session.hpp"

#include "model/enum_names.hpp"

namespace emend {

namespace {

constexpr EnumName<SessionStatus> kSessions[] = {{SessionStatus::planned, "planned"},
                                                 {SessionStatus::running, "running"},
                                                 {SessionStatus::interrupted, "interrupted"},
                                                 {SessionStatus::passed, "passed"},
                                                 {SessionStatus::partial, "partial"},
                                                 {SessionStatus::failed, "failed"},
                                                 {SessionStatus::cancelled, "cancelled"},
                                                 {SessionStatus::stopped, "stopped"},
                                                 {SessionStatus::error, "error"}};

constexpr EnumName<UnitStatus> kUnits[] = {{UnitStatus::pending, "pending"},
                                           {UnitStatus::running, "running"},
                                           {UnitStatus::accepted, "accepted"},
                                           {UnitStatus::committed, "committed"},
                                           {UnitStatus::finished, "finished"}};

} // namespace

std::string_view to_string(SessionStatus status) { return name_of(kSessions, status); }

std::optional<SessionStatus> parse_session_status(std::string_view text) { return value_of(kSessions, text); }

bool is_final(SessionStatus status) {
  switch (status) {
    case SessionStatus::passed:
    case SessionStatus::partial:
    case SessionStatus::failed:
    case SessionStatus::stopped:
    case SessionStatus::cancelled: return true;
    case SessionStatus::planned:
    case SessionStatus::running:
    case SessionStatus::interrupted:
    case SessionStatus::error: return false;
  }
  return false;
}

std::string_view to_string(UnitStatus status) { return name_of(kUnits, status); }

std::optional<UnitStatus> parse_unit_status(std::string_view text) { return value_of(kUnits, text); }

} // namespace emend
