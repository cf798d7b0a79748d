#include "cli/issue_choice.hpp"

#include <set>

#include "cli/report_text.hpp"

namespace emend {

namespace {

bool is_settled(IssueStatus status) {
  return status == IssueStatus::resolved || status == IssueStatus::merged || status == IssueStatus::ignored ||
         status == IssueStatus::duplicate;
}

} // namespace

Result<std::vector<Issue>> choose_issues(CommandContext& context, const std::vector<std::string>& codes,
                                         bool all_open) {
  TRY_ASSIGN(Store * store, context.store());
  TRY_ASSIGN(Repository * repository, context.repository());
  std::vector<Issue> found;
  for (const std::string& code : codes) {
    TRY_ASSIGN(Issue issue, store->issue(repository->id(), code));
    found.push_back(std::move(issue));
  }
  if (all_open) {
    IssueFilter filter;
    filter.repository_id = repository->id();
    filter.statuses = {IssueStatus::open};
    TRY_ASSIGN(auto open, store->issues(filter));
    found.insert(found.end(), std::make_move_iterator(open.begin()), std::make_move_iterator(open.end()));
  }
  return without_settled(context, std::move(found));
}

std::vector<Issue> without_settled(CommandContext& context, std::vector<Issue> issues) {
  std::vector<Issue> left;
  std::set<std::string> seen;
  for (Issue& issue : issues) {
    if (!seen.insert(issue.id).second) {
      context.hint("another finding is the same as " + one_line(issue.code) + ": it counts once");
    } else if (is_settled(issue.status)) {
      const std::string why = why_text(issue);
      context.hint("skipped " + one_line(issue.code) + ": it is " + std::string(to_string(issue.status)) +
                   (why.empty() ? "" : " (" + one_line(why) + ")"));
    } else {
      left.push_back(std::move(issue));
    }
  }
  return left;
}

} // namespace emend
