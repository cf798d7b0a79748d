#include "model/strategy.hpp"

#include "model/enum_names.hpp"

namespace emend {

namespace {

constexpr EnumName<Strategy> kStrategies[] = {
    {Strategy::per_issue, "per-issue"}, {Strategy::batched, "batched"}, {Strategy::one_call, "one-call"}};

} // namespace

std::string_view to_string(Strategy strategy) { return name_of(kStrategies, strategy); }
std::optional<Strategy> parse_strategy(std::string_view text) { return value_of(kStrategies, text); }

} // namespace emend
