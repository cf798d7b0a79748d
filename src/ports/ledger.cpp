#include "ports/ledger.hpp"

namespace emend {

std::optional<IssueOrder> parse_issue_order(std::string_view text) {
  if (text == "found") return IssueOrder::found;
  if (text == "worst") return IssueOrder::worst;
  if (text == "newest") return IssueOrder::newest;
  if (text == "file") return IssueOrder::file;
  if (text == "rule") return IssueOrder::rule;
  return std::nullopt;
}

} // namespace emend
