// Objects in a bucket of Amazon S3 or of any server that speaks its protocol.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/artifact_settings.hpp"
#include "ports/artifacts.hpp"
#include "ports/clock.hpp"

namespace emend {

// The keys come from AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN of `environment`
// (NAME=VALUE) and stay in memory; AWS_CA_BUNDLE names further certificates. ErrorCode::auth when there are
// none. The clock outlives it.
[[nodiscard]] Result<std::unique_ptr<ObjectStore>> open_s3_store(const ArtifactSettings& settings,
                                                                 const std::vector<std::string>& environment,
                                                                 const Clock& clock);

} // namespace emend
