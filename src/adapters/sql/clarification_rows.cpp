#include "adapters/sql/clarification_rows.hpp"

#include <map>

#include "adapters/sql/record_tables.hpp"

namespace emend {

Status attach_clarifications(Database& database, std::vector<Issue>& issues) {
  if (issues.empty()) return {};
  // One issue is asked for by its id; for a list, reading the small table once is cheaper than asking issue
  // by issue.
  const bool one = issues.size() == 1;
  TRY_ASSIGN(auto found,
             select_rows<Clarification>(database, one ? "issue_id = $1 order by n" : "1 = 1 order by n",
                                        one ? Values{issues.front().id} : Values{}));
  std::map<std::string, std::vector<Clarification>> by_issue;
  for (Clarification& clarification : found)
    by_issue[clarification.issue_id].push_back(std::move(clarification));
  for (Issue& issue : issues)
    if (const auto own = by_issue.find(issue.id); own != by_issue.end()) issue.clarifications = own->second;
  return {};
}

} // namespace emend
