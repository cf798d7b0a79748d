// CODEOWNERS: whom a project wants to ask about which files. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace emend {

// Where a project may keep it; the first one that is there counts.
inline constexpr const char* kCodeownersPlaces[] = {".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS",
                                                    ".gitlab/CODEOWNERS"};

// Of all the paths together, each once, in the order they come up, without "@". Of the lines that match a
// path the last one counts; addresses of mail are nobody a forge could ask.
[[nodiscard]] std::vector<std::string> owners_of(std::string_view codeowners,
                                                 const std::vector<std::string>& paths);

} // namespace emend
