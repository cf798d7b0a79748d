// Asking a person one question after the other: numbered suggestions, free words, skip, back, leave.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "cli/text_table.hpp"
#include "engine/plan/clarify.hpp"

namespace emend {

struct InterviewQuestion {
  std::string heading; // "BE-001  src/a.c:3  Off by one"
  std::string code;    // the lines in question; may be empty
  Clarification question;
};

// How the interview reaches the person; tests bring their own.
struct Interviewer {
  std::function<void(std::string_view)> show;
  std::function<Result<std::optional<std::string>>(std::string_view prompt)>
      read;                                       // nullopt = the keyboard is closed
  std::function<Status(const GivenAnswer&)> keep; // called for each answer at once, so none is lost
};

// True when every question was answered or skipped; false when the person left before.
[[nodiscard]] Result<bool> interview(const std::vector<InterviewQuestion>& questions,
                                     const Interviewer& interviewer, const Palette& palette);

} // namespace emend
