#include "model/reproducer.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "base/mutant.hpp"
#include "base/strings.hpp"
#include "model/enum_names.hpp"
#include "model/json_fields.hpp"

namespace emend {

namespace {

constexpr EnumName<ReproducerState> kStates[] = {{ReproducerState::given, "given"},
                                                 {ReproducerState::withdrawn, "withdrawn"},
                                                 {ReproducerState::accepted, "accepted"},
                                                 {ReproducerState::discarded, "discarded"}};

// A whole line: the marker also stands in the check's own source, which a syntax error or a traceback may
// quote.
bool says(const std::string& output, const std::string& marker) {
  const auto lines = lines_of(output);
  return std::any_of(lines.begin(), lines.end(), [&](std::string_view line) { return trim(line) == marker; });
}

// To an end of its own, whichever.
bool ran(const CommandRun& run) {
  return run.runs > 0 && run.result != CommandResult::timed_out && run.result != CommandResult::not_started &&
         run.result != CommandResult::cancelled;
}

} // namespace

std::string_view to_string(ReproducerState state) { return name_of(kStates, state); }

std::optional<ReproducerState> parse_reproducer_state(std::string_view text) {
  return value_of(kStates, text);
}

std::string Reproducer::sha256() const {
  Json told{{"files", files.sha256()}, {"command", command}, {"marker", marker}};
  if (independent()) told["expected"] = to_json(expected);
  return sha256_hex(dump_json(told));
}

bool Reproducer::red(const CommandRun& run) const {
  if (independent() && !without("outside"))
    return ran(run) && !run.values.empty() && !wrong_values(expected, run.values).empty();
  return run.result == CommandResult::failed && run.runs > 0 && run.passes == 0 &&
         (marker.empty() || says(run.output, marker));
}

bool Reproducer::green(const CommandRun& run) const {
  if (independent() && !without("outside")) return ran(run) && wrong_values(expected, run.values).empty();
  return run.passed() && run.runs > 0 && run.passes == run.runs &&
         (marker.empty() || !says(run.output, marker));
}

template <typename Visitor, Of<Reproducer> Record>
void fields(Visitor& visit, Record& reproducer) {
  visit("id", reproducer.id);
  visit("issue_id", reproducer.issue_id);
  visit("session_id", reproducer.session_id);
  visit("agent", reproducer.agent);
  visit("model", reproducer.model);
  visit("family", reproducer.family);
  visit("files", reproducer.files, patch_from_json);
  visit("command", reproducer.command);
  visit("marker", reproducer.marker);
  visit.some("expected", reproducer.expected, expected_values_from_json);
  visit("explanation", reproducer.explanation);
  visit("base", reproducer.base);
  visit("state", reproducer.state, parse_reproducer_state, ReproducerState::discarded);
  visit("reason", reproducer.reason);
  visit("created_ms", reproducer.created_ms);
}

Json to_json(const Reproducer& reproducer) { return write_fields(reproducer); }
Reproducer reproducer_from_json(const Json& json) { return read_fields<Reproducer>(json); }

} // namespace emend
