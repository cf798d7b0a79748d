// Which change `emend check` looks at, and the check of it with the configuration of the commit it starts
// from; for the command line, hooks, agents, editors and the server.
#pragma once

#include <stop_token>
#include <string>

#include "engine/session/check_change.hpp"
#include "service/workbench.hpp"

namespace emend {

// Which change, in a person's words. By default what is not committed.
struct CheckWords {
  std::string issue = {}, commit = {}, range = {}, base = {};
  bool has_diff = false; // `diff` is the change
  std::string diff = {};
  bool staged = false, judge = false;
};

// The order without its policy; `store` is asked only for an issue. Its base is empty when there is no commit
// to compare the change with.
[[nodiscard]] Result<CheckOrder> find_change(Repository& repository, const OpenStore& store,
                                             const CheckWords& words);

// The repository's checks run only if a person has allowed them: else ErrorCode::needs_input. What the change
// itself does to the configuration does not count.
[[nodiscard]] Result<ChangeCheck> check_on(Workbench& bench, const Dependencies& dependencies,
                                           CheckOrder order, std::stop_token stop);

// ErrorCode::usage: a change that starts from no commit cannot be checked.
[[nodiscard]] Error no_commit_to_compare();

} // namespace emend
