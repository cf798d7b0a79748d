// Did a check execute the lines that a patch added? Asked of a coverage report; never a reason to refuse.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/patch.hpp"

namespace emend {

struct ExecutedLines {
  struct Line {
    std::string file;
    int number = 0;
    bool operator==(const Line&) const = default;
  };
  std::vector<Line> executed, missed;    // added lines that hold code, by file and number
  std::vector<std::string> not_measured; // files with added lines of which the report says nothing
};

// Empty when the report is in no format we know, or damaged. The report has to be made on the tree with the
// patch. Its paths may be absolute, relative, URLs or begin with the name of a module.
[[nodiscard]] std::optional<ExecutedLines> executed_lines(std::string_view report, const Patch& patch);

} // namespace emend
