#include "engine/forge/check_verdict.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"
#include "engine/forge/forge_text.hpp"

namespace emend {

namespace {

constexpr std::string_view kOverridden = "; overridden by ";

// In the words of engine/session/check_change.hpp.
struct VerdictRow {
  std::string_view word;
  HeadState advice;    // where nothing is gated
  bool breaks = false; // fails by any gate
};
constexpr VerdictRow kVerdicts[] = {
    {"PROVEN", HeadState::success},           {"VERIFIED", HeadState::success},
    {"NOTHING TO CHECK", HeadState::neutral}, {"UNPROVABLE", HeadState::neutral},
    {"RED", HeadState::neutral, true},        {"CHEAT", HeadState::neutral, true},
};

constexpr std::size_t kLongestReason = 400;

const VerdictRow* row_of(std::string_view word) {
  for (const VerdictRow& row : kVerdicts)
    if (row.word == word) return &row;
  return nullptr;
}

} // namespace

HeadVerdict head_verdict(std::string_view word, std::string_view reason, std::string code) {
  return {std::string(word), harmless_line(reason, kLongestReason), std::move(code)};
}

HeadStatus conclude_check(const HeadVerdict& verdict, GateMode gate, const std::string& override_by) {
  HeadStatus status;
  const VerdictRow* row = row_of(verdict.word);
  if (row == nullptr) {
    status.state = HeadState::error;
    status.summary = "the check gave no verdict: nothing is known about this change";
    return status;
  }
  const bool unproven = gate == GateMode::proof && !verdict.code.empty() && verdict.word != "PROVEN";
  const bool failed = gate != GateMode::never && (row->breaks || unproven);
  status.state = failed ? HeadState::failure : row->advice;
  status.summary = std::string(row->word) + ": " + verdict.reason;
  if (failed && !override_by.empty()) {
    status.state = HeadState::neutral;
    status.summary += std::string(kOverridden) + harmless_line(override_by, 60);
  }
  status.text = status.summary + "\n";
  if (!verdict.code.empty()) status.text += fmt::format("\nHeld against {}.\n", verdict.code);
  if (status.state == HeadState::failure)
    status.text += "\nTo pass: push what is missing, then `/emend check` again.\n";
  return status;
}

HeadVerdict read_verdict(std::string_view summary) {
  if (const std::size_t end = summary.rfind(kOverridden); end != std::string_view::npos)
    summary = summary.substr(0, end);
  const std::size_t colon = summary.find(": ");
  if (colon == std::string_view::npos) return {std::string(summary), "", ""};
  return {std::string(summary.substr(0, colon)), std::string(summary.substr(colon + 2)), ""};
}

} // namespace emend
