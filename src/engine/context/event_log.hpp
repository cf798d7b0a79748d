// The one stream: state changes and the events that tell of them, stored together, then announced.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/redact.hpp"
#include "base/result.hpp"
#include "ports/clock.hpp"
#include "ports/store.hpp"

namespace emend {

struct SessionTiming; // model/session_timing.hpp
struct SessionView;   // model/session_view.hpp

// Thread-safe.
class EventLog {
public:
  // fence: the claim every change is made under, where others share the work.
  EventLog(Journal& store, const Clock& clock, std::function<void(const Event&)> doorbell,
           std::optional<Fence> fence = std::nullopt);

  // One transaction; the doorbell rings once per event afterwards, on this thread.
  [[nodiscard]] Status apply(Change change);
  // An event without a state change.
  [[nodiscard]] Status publish(Event event);

private:
  Journal& store_;
  const Clock& clock_;
  std::function<void(const Event&)> doorbell_;
  const std::optional<Fence> fence_;
};

// What a stored session's events amount to, without what agents print.
[[nodiscard]] Result<SessionView> session_view(Journal& store, const std::string& session_id);
// Where its time went until now.
[[nodiscard]] Result<SessionTiming> session_timing(Journal& store, const std::string& session_id);

} // namespace emend
