#include "service/checked_change.hpp"

#include "base/strings.hpp"
#include "engine/intake/review_scope.hpp"

namespace emend {
namespace {

Result<ReviewScope> scope_of(const CheckWords& words) {
  std::vector<std::string> given;
  for (const auto& [name, is_given] : {std::pair{"--staged", words.staged},
                                       {"--commit", !words.commit.empty()},
                                       {"--range", !words.range.empty()},
                                       {"--patch", words.has_diff}})
    if (is_given) given.emplace_back(name);
  const bool since = !words.base.empty() && !words.has_diff;
  if (since) given.emplace_back("--base");
  if (given.size() > 1)
    return fail(ErrorCode::usage, join(given, " and ") + " cannot be used together",
                "each of them selects what to check: choose one");
  if (words.staged) return ReviewScope{ScopeKind::staged};
  if (!words.commit.empty()) return ReviewScope{ScopeKind::commit, words.commit};
  if (!words.range.empty()) return parse_range(words.range);
  if (since) return ReviewScope{ScopeKind::base, "HEAD", words.base};
  return ReviewScope{ScopeKind::uncommitted};
}

} // namespace

Error no_commit_to_compare() {
  return {ErrorCode::usage, "there is no commit to compare the change with",
          "commit the state before the change, then check again"};
}

Result<CheckOrder> find_change(Repository& repository, const OpenStore& store, const CheckWords& words) {
  TRY_ASSIGN(const ReviewScope scope, scope_of(words));
  CheckOrder order;
  order.judge = words.judge;
  if (!words.issue.empty()) {
    TRY_ASSIGN(Store * known, store());
    TRY_ASSIGN(order.issue, known->issue(repository.id(), words.issue));
  }
  if (words.has_diff) {
    TRY_ASSIGN(order.base, repository.resolve(words.base.empty() ? "HEAD" : words.base));
    if (trim(words.diff).empty()) return order;
    TRY_ASSIGN(order.patch, repository.apply_diff(order.base, words.diff));
    return order;
  }
  TRY_ASSIGN(order.base, rules_commit(repository, scope));
  if (order.base.empty()) return order;
  TRY_ASSIGN(ScopedTree tree, look_up(repository, scope));
  if (tree.diff) order.patch = *std::move(tree.diff);
  return order;
}

Result<ChangeCheck> check_on(Workbench& bench, const Dependencies& dependencies, CheckOrder order,
                             std::stop_token stop) {
  if (order.base.empty()) return fail(no_commit_to_compare());
  if (!order.patch.empty()) {
    TRY_ASSIGN(order.policy, bench.trusted_policy_of(order.base));
  }
  TRY_ASSIGN(const std::unique_ptr<Store> records, dependencies.open_store(":memory:"));
  return check_change(bench.ports(Actor{}), *records, bench.home(), order, stop);
}

} // namespace emend
