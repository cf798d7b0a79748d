// What a finding is recognised by when the code around it moves: never line numbers, never prose where there
// is a rule.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/finding.hpp"

namespace emend {

struct Fingerprints {
  std::string content;  // the rule and the text that follows its place, as far as formatters leave text alone
  std::string line_key; // the rule and the text of its line; empty when that is blank or unknown
};

// A file as fingerprints see it: without white space and what formatters add or take away (quotes' kind,
// parentheses, semicolons, trailing commas, line continuations).
class FingerprintText {
public:
  FingerprintText() = default; // a file that is not there
  explicit FingerprintText(std::string_view content);

  [[nodiscard]] int lines() const { return static_cast<int>(lines_.size()); }
  [[nodiscard]] Fingerprints fingerprints(const Finding& finding) const;

private:
  struct Line {
    std::size_t offset = 0, length = 0; // bytes
    std::size_t significant = 0;        // characters that count before it
  };
  [[nodiscard]] std::size_t significant_at(const Line& line, int column) const;

  std::vector<Line> lines_;
  std::vector<bool> counts_; // per byte of the file
  std::string significant_;
};

// Tells equal content in one file apart by its order: the same statement twice is two issues.
class FingerprintGiver {
public:
  [[nodiscard]] std::string give(const std::string& content, const Finding& finding);

private:
  using Place = std::pair<int, int>; // line and column
  struct Places {
    Place first; // nearly always the only one, and there may be a million of these
    std::unique_ptr<std::map<Place, int>> others; // in the order they came
  };
  std::unordered_map<std::size_t, Places> places_; // by hash of content and file
};

} // namespace emend
