// The filter of the list of issues: plain words, and "status:open severity:>=high file:src/net rule:...
// tool:... is:regressed".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/issue.hpp"

namespace emend {

class Filter {
public:
  explicit Filter(std::string_view text);
  [[nodiscard]] bool passes(const Issue& issue) const; // every word must
  [[nodiscard]] const std::string& problem() const {
    return problem_;
  } // a word that means nothing; it lets nothing pass

private:
  struct Term {
    std::string key, value; // key empty = a plain word
  };
  [[nodiscard]] static bool passes(const Term& term, const Issue& issue);
  void check(const Term& term);

  std::vector<Term> terms_;
  std::string problem_;
};

// Without its last word; empty stays empty.
[[nodiscard]] std::string without_last_word(std::string_view filter);

} // namespace emend
