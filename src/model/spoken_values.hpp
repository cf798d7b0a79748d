// What a hidden check says, and what it should say. The check only prints; the comparison is made here, where
// no code under test runs.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace emend {

// Lines "<nonce> name value" of one command. The nonce is random for each run and known to the check alone.
struct SpokenValues {
  std::map<std::string, std::string> by_name;
  std::vector<std::string> unclear; // said twice in a run, or not the same in each run; sorted

  [[nodiscard]] bool empty() const { return by_name.empty() && unclear.empty(); }
  // Another run of the same check.
  void join(const SpokenValues& run);
  friend bool operator==(const SpokenValues&, const SpokenValues&) = default;
};
[[nodiscard]] SpokenValues spoken_values(std::string_view output, std::string_view nonce);
[[nodiscard]] Json to_json(const SpokenValues& values);
[[nodiscard]] SpokenValues spoken_values_from_json(const Json& json);

// Never laid into a tree.
struct ExpectedValue {
  std::string name, value;
  bool near = false;    // of an input near the reported one
  bool unknown = false; // nobody knows the right value: it is only compared with the base's

  friend bool operator==(const ExpectedValue&, const ExpectedValue&) = default;
};
[[nodiscard]] Json to_json(const std::vector<ExpectedValue>& expected);
[[nodiscard]] std::vector<ExpectedValue> expected_values_from_json(const Json& json);
// A line is "name value", or "name" alone: an input near the reported one whose right value nobody knows.
[[nodiscard]] std::vector<ExpectedValue> parse_expected_values(std::string_view lines);
// Why these cannot be compared with anything: a name twice, a name with a blank, no known value. Empty = they
// can.
[[nodiscard]] std::string fault_of(const std::vector<ExpectedValue>& expected);

// Names whose known value was not said, not said clearly, or is another one.
[[nodiscard]] std::vector<std::string> wrong_values(const std::vector<ExpectedValue>& expected,
                                                    const SpokenValues& said);
// Names of near inputs of unknown value on which the patched code answers what the base answers.
[[nodiscard]] std::vector<std::string> unmoved_values(const std::vector<ExpectedValue>& expected,
                                                      const SpokenValues& base, const SpokenValues& patched);

} // namespace emend
