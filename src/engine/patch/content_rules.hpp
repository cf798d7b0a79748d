// What no patch may add to a file, whatever it is for: secrets, and text that a reader cannot read.
#pragma once

#include <string>
#include <vector>

#include "base/redact.hpp"
#include "model/patch.hpp"

namespace emend {

// One sentence for each problem with its file; empty = clause P3 holds. Text stays text: no control or
// invisible characters are added, and the encoding is not damaged.
[[nodiscard]] std::vector<std::string> content_problems(const Patch& patch, const Redactor& redactor);

} // namespace emend
