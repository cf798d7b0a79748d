#include "model/spoken_values.hpp"

#include <algorithm>
#include <set>

#include "base/strings.hpp"
#include "model/json_fields.hpp"

namespace emend {

namespace {

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The first word and the rest, without the blanks around them.
std::pair<std::string, std::string> first_word(std::string_view line) {
  line = trim(line);
  const auto blank = line.find_first_of(" \t");
  if (blank == std::string_view::npos) return {std::string(line), {}};
  return {std::string(line.substr(0, blank)), std::string(trim(line.substr(blank)))};
}

// Null when it was not said, or not clearly.
const std::string* clear_value(const SpokenValues& said, const std::string& name) {
  const auto found = said.by_name.find(name);
  return found == said.by_name.end() || has(said.unclear, name) ? nullptr : &found->second;
}

} // namespace

SpokenValues spoken_values(std::string_view output, std::string_view nonce) {
  SpokenValues said;
  if (nonce.empty()) return said;
  std::set<std::string> twice;
  for (const std::string_view line : lines_of(output)) {
    if (!line.starts_with(nonce) || line.size() == nonce.size() || line[nonce.size()] != ' ') continue;
    auto [name, value] = first_word(line.substr(nonce.size()));
    if (name.empty()) continue;
    if (!said.by_name.emplace(name, std::move(value)).second) twice.insert(name);
  }
  said.unclear.assign(twice.begin(), twice.end());
  return said;
}

void SpokenValues::join(const SpokenValues& run) {
  std::set<std::string> differing(unclear.begin(), unclear.end());
  differing.insert(run.unclear.begin(), run.unclear.end());
  for (const auto& [name, value] : run.by_name) {
    const auto [known, fresh] = by_name.emplace(name, value);
    if (fresh || known->second != value) differing.insert(name);
  }
  for (const auto& [name, value] : by_name)
    if (!run.by_name.contains(name)) differing.insert(name);
  unclear.assign(differing.begin(), differing.end());
}

template <typename Visitor, Of<SpokenValues> Record>
void fields(Visitor& visit, Record& values) {
  visit("by_name", values.by_name);
  visit("unclear", values.unclear);
}

Json to_json(const SpokenValues& values) { return write_fields(values); }
SpokenValues spoken_values_from_json(const Json& json) { return read_fields<SpokenValues>(json); }

template <typename Visitor, Of<ExpectedValue> Record>
void fields(Visitor& visit, Record& expected) {
  visit("name", expected.name);
  visit("value", expected.value);
  visit("near", expected.near);
  visit("unknown", expected.unknown);
}

Json to_json(const std::vector<ExpectedValue>& expected) {
  Json list = Json::array();
  for (const ExpectedValue& one : expected) list.push_back(write_fields(one));
  return list;
}

// An agent writes no member for a value it does not know.
std::vector<ExpectedValue> expected_values_from_json(const Json& json) {
  std::vector<ExpectedValue> expected;
  if (!json.is_array()) return expected;
  for (const Json& item : json) {
    if (!item.is_object()) continue;
    ExpectedValue one = read_fields<ExpectedValue>(item);
    const Json* value = find_member(item, "value");
    one.unknown = one.unknown || value == nullptr || value->is_null();
    if (value != nullptr && (value->is_number() || value->is_boolean())) one.value = value->dump();
    one.value = trim(one.value);
    expected.push_back(std::move(one));
  }
  return expected;
}

std::vector<ExpectedValue> parse_expected_values(std::string_view lines) {
  std::vector<ExpectedValue> expected;
  for (const std::string_view line : lines_of(lines)) {
    auto [name, value] = first_word(line);
    if (name.empty()) continue;
    const bool unknown = value.empty();
    expected.push_back({std::move(name), std::move(value), unknown, unknown});
  }
  return expected;
}

std::string fault_of(const std::vector<ExpectedValue>& expected) {
  std::set<std::string> names;
  bool known = false;
  for (const ExpectedValue& one : expected) {
    if (one.name.empty() || first_word(one.name).first != one.name)
      return "a name of a value is not one word";
    if (!names.insert(one.name).second) return "it expects two values of the same name";
    if (one.value.find('\n') != std::string::npos) return "an expected value is longer than a line";
    known = known || !one.unknown;
  }
  return known ? "" : "it expects no value that is known";
}

std::vector<std::string> wrong_values(const std::vector<ExpectedValue>& expected, const SpokenValues& said) {
  std::vector<std::string> wrong;
  for (const ExpectedValue& one : expected) {
    if (one.unknown) continue;
    const std::string* value = clear_value(said, one.name);
    if (value == nullptr || *value != one.value) wrong.push_back(one.name);
  }
  return wrong;
}

std::vector<std::string> unmoved_values(const std::vector<ExpectedValue>& expected, const SpokenValues& base,
                                        const SpokenValues& patched) {
  std::vector<std::string> unmoved;
  for (const ExpectedValue& one : expected) {
    if (!one.near || !one.unknown) continue;
    const std::string *before = clear_value(base, one.name), *after = clear_value(patched, one.name);
    if (before != nullptr && after != nullptr && *before == *after) unmoved.push_back(one.name);
  }
  return unmoved;
}

} // namespace emend
