#include "model/reproducer.hpp"

#include <algorithm>

#include "base/hash.hpp"
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

} // namespace

std::string_view to_string(ReproducerState state) { return name_of(kStates, state); }

std::optional<ReproducerState> parse_reproducer_state(std::string_view text) {
  return value_of(kStates, text);
}

std::string Reproducer::sha256() const {
  return sha256_hex(dump_json({{"files", files.sha256()}, {"command", command}, {"marker", marker}}));
}

bool Reproducer::red(const CommandRun& run) const {
  return run.result == CommandResult::failed && run.runs > 0 && run.passes == 0 &&
         (marker.empty() || says(run.output, marker));
}

bool Reproducer::green(const CommandRun& run) const {
  return run.passed() && run.runs > 0 && run.passes == run.runs &&
         (marker.empty() || !says(run.output, marker));
}

Json to_json(const Reproducer& reproducer) {
  return {{"id", reproducer.id},
          {"issue_id", reproducer.issue_id},
          {"session_id", reproducer.session_id},
          {"agent", reproducer.agent},
          {"model", reproducer.model},
          {"family", reproducer.family},
          {"files", to_json(reproducer.files)},
          {"command", reproducer.command},
          {"marker", reproducer.marker},
          {"explanation", reproducer.explanation},
          {"base", reproducer.base},
          {"state", to_string(reproducer.state)},
          {"reason", reproducer.reason},
          {"created_ms", reproducer.created_ms}};
}

Reproducer reproducer_from_json(const Json& json) {
  Reproducer reproducer;
  reproducer.id = string_or(json, "id");
  reproducer.issue_id = string_or(json, "issue_id");
  reproducer.session_id = string_or(json, "session_id");
  reproducer.agent = string_or(json, "agent");
  reproducer.model = string_or(json, "model");
  reproducer.family = string_or(json, "family");
  if (const Json* files = find_member(json, "files")) reproducer.files = patch_from_json(*files);
  reproducer.command = string_or(json, "command");
  reproducer.marker = string_or(json, "marker");
  reproducer.explanation = string_or(json, "explanation");
  reproducer.base = string_or(json, "base");
  reproducer.state = parse_reproducer_state(string_or(json, "state")).value_or(ReproducerState::discarded);
  reproducer.reason = string_or(json, "reason");
  reproducer.created_ms = int64_field(json, "created_ms");
  return reproducer;
}

} // namespace emend
