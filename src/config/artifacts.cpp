#include <algorithm>

#include "base/environment.hpp"
#include "config/config.hpp"

namespace emend {

Result<ArtifactSettings> Config::artifacts(const std::vector<std::string>& environment) const {
  ArtifactSettings settings;
  TRY(set_address(settings, text("artifacts.store")));
  TRY(set_endpoint(settings, text("artifacts.endpoint")));
  settings.region = text("artifacts.region");
  for (const char* name : {"AWS_REGION", "AWS_DEFAULT_REGION"})
    if (settings.region.empty()) settings.region = variable(environment, name);
  if (settings.region.empty()) settings.region = "us-east-1";
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  if (settings.region.size() > 64 || !std::all_of(settings.region.begin(), settings.region.end(), plain))
    return fail(ErrorCode::config, "artifacts.region: not the name of a region", "for example eu-central-1");
  const std::string addressing = text("artifacts.addressing");
  settings.bucket_in_path = addressing == "path" ||
                            (addressing != "host" &&
                             (!settings.endpoint.empty() || settings.bucket.find('.') != std::string::npos));
  settings.retention_days = number("artifacts.retention_days");
  return settings;
}

} // namespace emend
