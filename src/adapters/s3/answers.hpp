// What an S3 server says: lists of objects and the codes of errors. It may be anybody's server, so nothing of
// it is believed or printed as it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ports/artifacts.hpp"

namespace emend {

// ListObjectsV2. ErrorCode::io for anything that is not a whole list, or says that it goes on without saying
// how.
[[nodiscard]] Result<ObjectPage> read_object_list(std::string_view xml);
// "NoSuchBucket": letters and digits, 64 at most; "" when there is none. The message beside it may quote our
// request, so nobody reads it.
[[nodiscard]] std::string error_code_in(std::string_view xml);
// "2009-10-12T17:50:30.000Z" -> Unix time in milliseconds.
[[nodiscard]] std::optional<std::int64_t> parse_utc_time(std::string_view text);
[[nodiscard]] std::optional<std::string> uri_decoded(std::string_view text);

} // namespace emend
