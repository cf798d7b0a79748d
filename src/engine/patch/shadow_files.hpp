// New files that would be taken in place of what a language or a test framework brings along.
#pragma once

#include <string_view>

#include "ports/repository.hpp"

namespace emend {

// unittest.py, jest.js, json.py, stdio.h. A module inside a Python package of the base (a directory with
// __init__.py) has a name of its own and shadows nothing.
[[nodiscard]] bool shadows_a_module(std::string_view path, const Tree& base);

} // namespace emend
