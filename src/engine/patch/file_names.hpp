// Names of files a fix may not create: those that deceive a reader, or that other tools and systems cannot
// handle.
#pragma once

#include <string>
#include <string_view>

#include "ports/repository.hpp"

namespace emend {

// What is wrong with the name of a new file ("ends in a space"); empty = nothing. Directories that the base
// has already are not looked at.
[[nodiscard]] std::string odd_file_name(std::string_view path, const Tree& base);

} // namespace emend
