// Compares the two sides of a changed test: does the new one still ask as much as the old one?
#pragma once

#include <string>
#include <vector>

#include "model/finding.hpp"
#include "model/patch.hpp"

namespace emend {

// One sentence per way the tests in this file became weaker: fewer assertions, exact ones that became loose,
// approximate or always true, wider tolerances, any error where one kind was expected, a rest that is never
// reached. Empty for files without tests. Knows the usual words of C and C++, Python, JavaScript and
// TypeScript, Go, Rust, Java, Ruby and shell.
[[nodiscard]] std::vector<std::string> weakened_tests(const FileChange& change, const Finding& finding);

} // namespace emend
