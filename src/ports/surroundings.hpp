// How an entry of Surroundings (ports/repository.hpp) says that only rights are watched.
#pragma once

#include <string_view>

namespace emend {

// The third word of such an entry, after mode and owner; the fourth one is the inode. What it stands for may
// be made, replaced and removed by anybody.
inline constexpr std::string_view kAnySize = "-";

} // namespace emend
