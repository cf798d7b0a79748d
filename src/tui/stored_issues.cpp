#include "tui/feed.hpp"

namespace emend {

IssueSource stored_issues(IssueStore& store, Ledger& ledger, const std::string& repository_id) {
  IssueSource source;
  source.count = [&ledger, repository_id](IssueSearch search) -> Result<std::size_t> {
    search.repository_id = repository_id;
    TRY_ASSIGN(const auto kinds, ledger.issue_kinds(search));
    std::size_t count = 0;
    for (const IssueKindCount& kind : kinds) count += static_cast<std::size_t>(kind.count);
    return count;
  };
  source.page = [&ledger, repository_id](IssueSearch search) -> Result<std::vector<Issue>> {
    search.repository_id = repository_id;
    TRY_ASSIGN(IssuePage page, ledger.issue_page(search, 0));
    return std::move(page.issues);
  };
  source.find = [&store, repository_id](const std::string& code) { return store.issue(repository_id, code); };
  return source;
}

} // namespace emend
