#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/fuzz.hpp"

namespace emend::fuzz {

std::map<std::string, Target>& targets() {
  static std::map<std::string, Target> all;
  return all;
}

void promise(bool holds, const char* sentence) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", sentence);
  std::abort();
}

} // namespace emend::fuzz
