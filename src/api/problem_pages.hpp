// What the API's error codes mean and what to do about them: the text behind a problem's "type".
#pragma once

#include <string_view>
#include <vector>

namespace emend {

struct ProblemPage {
  std::string_view code;
  int status;
  std::string_view meaning, remedy;
};

[[nodiscard]] const std::vector<ProblemPage>& problem_pages();

} // namespace emend
