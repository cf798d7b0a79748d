// What runners head the story of a test with. Pure.
#pragma once

#include <string>
#include <string_view>

namespace emend {

// "tests/test_a.py::Suite::test_b[1]" -> "test_b"; the id itself where that says too little.
[[nodiscard]] std::string short_test_name(const std::string& id);

// The name stands in the line as a word of its own.
[[nodiscard]] bool names_test(std::string_view line, std::string_view name);

} // namespace emend
