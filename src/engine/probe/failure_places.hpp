// Where a runner says that tests failed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace emend {

struct Place {
  std::string file; // as it is written in `paths`
  int line = 0;
  bool operator==(const Place&) const = default;
};

// The places a runner printed for files of `paths` (relative, '/' separated), each once; the failing
// assertions first, then the frames that led to them. A printed path belongs to the longest of `paths` that
// it ends with, or to the only one with that file name where the runner prints no folders.
[[nodiscard]] std::vector<Place> failure_places(std::string_view output,
                                                const std::vector<std::string>& paths);

} // namespace emend
