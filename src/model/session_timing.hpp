// Where the time of a session went, in one pure fold of its events: what each issue waited for, and how much
// of it nobody worked for.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "model/events.hpp"

namespace emend {

// What somebody was waited for.
enum class Waited { agent, check, engine };

struct TimeSpan {
  Waited on = Waited::engine;
  std::string what; // "fixer claude", "alone: unit, lint"
  std::int64_t begin_ms = 0, end_ms = 0;
};

struct IssueTiming {
  std::string code;
  std::int64_t begin_ms = 0, end_ms = 0; // from its start to its last round's end
  std::vector<TimeSpan> spans;           // of agents and checks, in the order they began

  // While an agent or a check ran for it; spans that lie over each other count once.
  [[nodiscard]] std::int64_t worked_ms() const;
};

struct SessionTiming {
  std::int64_t begin_ms = 0, end_ms = 0;
  std::vector<IssueTiming> issues; // in the order they began
  std::vector<TimeSpan> shared;    // checks of the base and of all fixes together

  [[nodiscard]] std::int64_t worked_ms() const; // of all issues
  // No schedule is shorter: what the agents and checks of all issues took, so many at a time, or the longest
  // issue; and what ran for all of them before the first began and after the last had ended.
  [[nodiscard]] std::int64_t bound_ms(std::size_t slots) const;
  [[nodiscard]] std::int64_t before_ms() const; // the first issue began
  [[nodiscard]] std::int64_t after_ms() const;  // the last issue's work had ended
};

// `events` of one session, in their order; those of a run that was interrupted before count as well.
class TimingFold {
public:
  void take(const Event& event);
  [[nodiscard]] SessionTiming result() const;

private:
  struct Open {
    std::string code;
    TimeSpan span;
  };
  [[nodiscard]] IssueTiming& issue_of(const std::string& code, std::int64_t at_ms);
  void check_started(const std::string& code, const std::string& kind, TimeSpan span);
  void check_ended(const std::string& code, const std::string& kind, std::int64_t at_ms);
  void end_checks(const std::string& code, std::int64_t at_ms);
  void open(const std::string& key, const std::string& code, TimeSpan span);
  void close(const std::string& key, std::int64_t at_ms);
  void keep(const std::string& code, TimeSpan span);

  SessionTiming timing_;
  std::map<std::string, std::size_t> places_; // of the issues, by code
  std::multimap<std::string, Open> open_;     // what began first is what ends first
};

[[nodiscard]] Json to_json(const SessionTiming& timing, std::size_t slots);

} // namespace emend
