// One named part of a file of tests; see test_units.hpp.
#pragma once

#include <cstddef>
#include <string>

namespace emend {

struct TestUnit {
  std::string name; // "test_limit", "Suite::test_limit", "Suite.Limit" as gtest writes it
  std::string
      context; // the headers of the blocks it stands in, as written, conditions of the preprocessor too
  std::size_t begin = 0; // its lines [begin, end), counted from 0; decorators and attributes are part of it
  std::size_t end = 0;
};

} // namespace emend
