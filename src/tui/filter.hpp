// The filter of the list of issues: plain words, and "status:open severity:>=high file:src/net rule:...
// tool:... category:... is:regressed". The dashboard reads the same.
#pragma once

#include <string>
#include <string_view>

#include "ports/ledger.hpp"

namespace emend {

class Filter {
public:
  explicit Filter(std::string_view text);
  [[nodiscard]] const IssueSearch& search() const { return search_; }
  [[nodiscard]] const std::string& problem() const {
    return problem_;
  } // a word that means nothing; it lets nothing pass

private:
  [[nodiscard]] bool take(std::string_view key, const std::string& value); // false = there is no such key

  IssueSearch search_;
  std::string problem_;
};

// Without its last word; empty stays empty.
[[nodiscard]] std::string without_last_word(std::string_view filter);

} // namespace emend
