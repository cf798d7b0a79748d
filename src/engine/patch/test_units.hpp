// A file of tests cut into its named parts: test functions, methods and blocks, and the helpers between them.
// Lexical, by the manner of the language: def test_x, TEST(A, b), test("x"), it("x"), func TestX, #[test] fn,
// @Test void, @test "x".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/patch/test_unit.hpp"

namespace emend {

// In the order of the file. What is inside a unit is part of it. Empty for data and unknown languages.
[[nodiscard]] std::vector<TestUnit> test_units(std::string_view path, std::string_view text);

} // namespace emend
