// Prompts that are written down with their sizes. To write them again after a change:
// EMEND_WRITE_GOLDEN=1 build/unit_engine --gtest_filter='Golden*'
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "tests/support/paths.hpp"

namespace emend {

// The text, and its size in a list of all of them: a prompt that grows is seen in a review.
inline void expect_golden(const std::string& role, const std::string& text) {
  const std::string folder = EMEND_TEST_DATA + "/prompts/", path = folder + role + ".md";
  const std::string line = role + " " + std::to_string(text.size()) + "\n";
  if (std::getenv("EMEND_WRITE_GOLDEN") != nullptr) {
    ASSERT_TRUE(write_file(path, text));
    const std::string before = read_file(folder + "sizes.txt").value_or("");
    std::string sizes;
    for (const std::string_view known : lines_of(before))
      if (!known.starts_with(role + " ") && !trim(known).empty()) sizes += std::string(trim(known)) + "\n";
    ASSERT_TRUE(write_file(folder + "sizes.txt", sizes + line));
  }
  EXPECT_EQ(read_file(path).value_or("(missing)"), text) << path;
  EXPECT_TRUE(contains(read_file(folder + "sizes.txt").value_or(""), line)) << line;
}

} // namespace emend
