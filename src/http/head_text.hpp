// The head of an answer as bytes, up to where its own last lines come.
#pragma once

#include <string>
#include <vector>

#include "http/message.hpp"

namespace emend {

// Status line and headers, with those that every answer has; the empty line is the caller's.
[[nodiscard]] std::string head_text(int status, const std::string& request_id,
                                    const std::vector<HttpHeader>& headers);

} // namespace emend
