// A repository of another machine, as far as work on it needs it: some commits' files in a bare repository of
// ours, without their history.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "adapters/git/git_program.hpp"
#include "adapters/git/git_repository.hpp"

namespace emend {

// Brings the pack of a commit, as Repository::export_commit() made it.
using FetchPack = std::function<Result<std::string>(const std::string& commit)>;

struct MirrorOrder {
  std::string repository_id;
  std::string commit;
  std::string url; // where the repository is cloned from, by the person's own git; empty = the commit comes
                   // by `fetch` alone
};

// Below <home>/mirrors. Makes what is missing; `fetch` is asked only for a commit that is not there and does
// not come from the url. The repository has the id it has on its own machine. Safe against other processes of
// this home.
[[nodiscard]] Result<std::unique_ptr<Repository>> open_mirror(const MirrorOrder& order,
                                                              const FetchPack& fetch,
                                                              ProcessRunner& processes, GitOptions options);

} // namespace emend
