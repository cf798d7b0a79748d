// What good work is, for those who fix and review: engineering_principles, dev_be and dev_fe of the agent
// files. Pure.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "model/policy.hpp"

namespace emend {

// For somebody who will change these files: the principles, then the guidelines of each side a file is on
// (none named: backend). Paragraphs that begin with names of languages ("Java, Kotlin: ...") are given only
// for files written in one of them.
[[nodiscard]] Result<std::string> guidelines_for_fixing(const Policy& policy,
                                                        const std::vector<std::string>& files);
// For somebody who only judges: the principles.
[[nodiscard]] Result<std::string> guidelines_for_reviewing(const Policy& policy);

} // namespace emend
