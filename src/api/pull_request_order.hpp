// What is to be proposed at the forge from the dashboard, and how the server has it done.
#pragma once

#include <functional>
#include <string>

#include "base/json.hpp"
#include "base/result.hpp"

namespace emend {

struct PullRequestOrder {
  std::string session_id;
  std::string base, title; // empty = as emend chooses
  bool ready = false;      // else a draft
  bool push = false;       // else nothing leaves the machine: what would be done is answered
  bool allow_push = false; // this once, where forge.allow_push is false
};

// In the repository of this directory. Answers what `emend pr create --json` does; an error says in words
// what went wrong.
using ProposeSession =
    std::function<Result<Json>(const std::string& directory, const PullRequestOrder& order)>;

} // namespace emend
