// A fix that holds only where the developer runs the checks holds nowhere: the whole is checked once more in
// the second look, as on a build server. A forgery that ends where it could be found out fails there.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/verify/verify.hpp"

namespace emend {

// What passes in `here` and fails in `there`, one sentence each. A command that `there` lacks says nothing.
// Pure.
[[nodiscard]] std::vector<std::string> fails_elsewhere(const Verification& here, const Verification& there);

// A tree and what its checks said in the first look.
struct SeenTree {
  const std::string& base;
  const Patch& patch;
  const Verification& here;
};

// Draws other values for both sides of what the tests of a tree compare: a change of test files.
using DrawValues = std::function<Result<Patch>()>;

// The same commands in the second look, stored; known ones are not run again. A command that the base itself
// does not bear there is left out, and what fails is seen twice before it counts. Two draws of values must
// fail, and the base bear each of them. draw: null = from the test files, see Wording::scaled.
[[nodiscard]] Result<Verification> run_elsewhere(RunContext& context, Verifier& verifier,
                                                 const SeenTree& tree,
                                                 const std::vector<VerifyCommand>& commands,
                                                 std::stop_token stop, DrawValues draw = {});

} // namespace emend
