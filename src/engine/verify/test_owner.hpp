// Which issue a test belongs to, by its name. Pure.
#pragma once

#include <string>
#include <string_view>

namespace emend {

// Does the id of a test name this source file? Compares words, not letters: "tests.test_slug.SlugTest.test_x"
// and "SlugTest.trims" name src/slug.py, "test_slugger" does not.
[[nodiscard]] bool names_file(std::string_view id, std::string_view file);

// Does this text speak of the test: by its whole id, its own name, or the file or group it is in?
[[nodiscard]] bool mentions_test(std::string_view text, std::string_view id);

} // namespace emend
