#include "model/next_step.hpp"

#include <fmt/format.h>

namespace emend {

std::string next_step(const std::string& reason, const std::string& code) {
  if (reason == "claimed_false_positive")
    return fmt::format(
        "If it is right: emend issues ignore {0} --reason false_positive. If not, say why and "
        "try again: emend issues comment {0} TEXT, then emend fix {0}",
        code);
  if (reason == "needs_decision")
    return fmt::format("Answer it: emend clarify {0}, then emend fix {0}", code);
  if (reason == "blocked")
    return fmt::format("Decide what is asked, then: emend issues comment {0} TEXT, and emend fix {0}", code);
  return {};
}

std::string with_next_step(const std::string& detail, const std::string& reason, const std::string& code) {
  const std::string step = next_step(reason, code);
  return step.empty() ? detail : detail + ". " + step;
}

std::string detail_alone(const Issue& issue) {
  const std::string end = with_next_step("", issue.reason, issue.code);
  if (end.empty() || !issue.detail.ends_with(end)) return issue.detail;
  return issue.detail.substr(0, issue.detail.size() - end.size());
}

} // namespace emend
