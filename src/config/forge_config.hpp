// [forge], [pr] and [tracker] as the values that steer what is done on forges.
#pragma once

#include "base/result.hpp"
#include "config/config.hpp"
#include "model/forge_place.hpp"
#include "model/posting.hpp"

namespace emend {

// ErrorCode::config for an invalid address, and for unknown words.
[[nodiscard]] Result<ForgeSettings> forge_settings(const Config& config);
[[nodiscard]] PostingSettings posting_settings(const Config& config);
[[nodiscard]] TeamSettings team_settings(const Config& config);
[[nodiscard]] Result<TrackerSettings> tracker_settings(const Config& config);

} // namespace emend
