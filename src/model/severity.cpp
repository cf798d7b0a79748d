#include "model/severity.hpp"

#include "base/strings.hpp"
#include "model/enum_names.hpp"

namespace emend {

namespace {

constexpr EnumName<Severity> kNames[] = {{Severity::info, "info"},
                                         {Severity::low, "low"},
                                         {Severity::medium, "medium"},
                                         {Severity::high, "high"},
                                         {Severity::critical, "critical"}};

// Words other tools use for the same five.
constexpr EnumName<Severity> kOtherWords[] = {
    {Severity::high, "major"},        {Severity::low, "minor"},        {Severity::high, "error"},
    {Severity::medium, "warning"},    {Severity::info, "note"},        {Severity::info, "none"},
    {Severity::medium, "moderate"},   {Severity::critical, "blocker"}, {Severity::medium, "warn"},
    {Severity::info, "informational"}};

} // namespace

std::string_view to_string(Severity severity) { return name_of(kNames, severity); }

std::optional<Severity> parse_severity(std::string_view text) {
  const std::string word = to_lower(trim(text));
  const auto known = value_of(kNames, std::string_view(word));
  return known ? known : value_of(kOtherWords, std::string_view(word));
}

} // namespace emend
