#include "model/reproducer.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "base/strings.hpp"
#include "model/enum_names.hpp"
#include "model/json_fields.hpp"

namespace emend {

namespace {

constexpr EnumName<ReproducerState> kStates[] = {
    {ReproducerState::given, "given"},       {ReproducerState::withdrawn, "withdrawn"},
    {ReproducerState::accepted, "accepted"}, {ReproducerState::discarded, "discarded"},
    {ReproducerState::proposed, "proposed"}, {ReproducerState::required, "required"}};

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

bool all_end(const TestReport& tests, const std::vector<std::string>& ids, std::string_view state) {
  return std::all_of(ids.begin(), ids.end(), [&](const std::string& id) {
    const auto test = tests.by_id.find(id);
    return test != tests.by_id.end() && test->second == state;
  });
}

bool end_as_asked(const Reproducer& check, const TestReport& tests) {
  return all_end(tests, check.must_pass, "passed") && all_end(tests, check.must_fail, "failed");
}

} // namespace

std::string_view to_string(ReproducerState state) { return name_of(kStates, state); }

std::optional<ReproducerState> parse_reproducer_state(std::string_view text) {
  return value_of(kStates, text);
}

std::string Reproducer::sha256() const {
  Json told{{"files", files.sha256()}, {"command", command}, {"marker", marker}};
  if (independent()) told["expected"] = to_json(expected);
  if (by_name()) told["tests"] = {must_pass, must_fail};
  return sha256_hex(dump_json(told));
}

bool Reproducer::red(const CommandRun& run) const {
  if (independent()) return ran(run) && !run.values.empty() && !wrong_values(expected, run.values).empty();
  if (by_name()) return ran(run) && !run.tests.by_id.empty() && !end_as_asked(*this, run.tests);
  return run.result == CommandResult::failed && run.runs > 0 && run.passes == 0 &&
         (marker.empty() || says(run.output, marker));
}

bool Reproducer::green(const CommandRun& run) const {
  if (independent()) return ran(run) && wrong_values(expected, run.values).empty();
  if (by_name()) return ran(run) && end_as_asked(*this, run.tests);
  return run.passed() && run.runs > 0 && run.passes == run.runs &&
         (marker.empty() || !says(run.output, marker));
}

std::string Reproducer::title() const {
  if (!question_id.empty()) return "the check chosen in the answer to " + question_id;
  return by_person() ? "a person's reproducer" : "the reproducer of " + agent;
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
  visit.some("question_id", reproducer.question_id);
  visit.some("must_pass", reproducer.must_pass);
  visit.some("must_fail", reproducer.must_fail);
  visit("state", reproducer.state, parse_reproducer_state, ReproducerState::discarded);
  visit("reason", reproducer.reason);
  visit("created_ms", reproducer.created_ms);
}

Json to_json(const Reproducer& reproducer) { return write_fields(reproducer); }
Reproducer reproducer_from_json(const Json& json) { return read_fields<Reproducer>(json); }

} // namespace emend
