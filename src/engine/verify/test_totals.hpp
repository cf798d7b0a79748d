// Reads the totals test runners print at their end.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "model/verification.hpp"

namespace emend {

// Several lines (several programs) add up.
class TestTotals {
public:
  // True when the line was understood.
  bool read(const std::string& line);

  // How many tests passed according to the totals of this very runner; nullopt = it said nothing.
  [[nodiscard]] std::optional<int> passed(const std::string& runner) const;

  // Failures the runners counted themselves in the lines they end with; plain: lines of counts of nobody in
  // particular, too.
  [[nodiscard]] int own_failures(bool plain) const;

  TestReport report; // recognised and the counts; no ids

private:
  bool found(const char* runner);
  bool unittest(const std::string& line);
  bool node(const std::string& line);
  bool mocha(const std::string& line);
  bool summary(const std::string& line);
  bool counted(const std::string& line);
  bool nothing_ran(const std::string& line);

  std::map<std::string, int> passed_;
  int own_failures_ = 0, plain_failures_ = 0;
};

} // namespace emend
