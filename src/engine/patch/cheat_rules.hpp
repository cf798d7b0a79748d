// What a single added line must not do: the words by which a patch silences its judges, in the usual
// languages.
#pragma once

#include <re2/re2.h>

#include <memory>
#include <string>
#include <vector>

namespace emend {

struct CheatRule {
  enum class Where {
    anywhere,
    product,
    tests
  }; // tests may use their framework; some words mean a skip only there
  const char* what;
  RE2 pattern;
  Where where;
};

[[nodiscard]] const std::vector<std::unique_ptr<CheatRule>>& cheat_rules();

} // namespace emend
