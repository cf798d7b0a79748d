// Which of many things make a check fail, found with few runs of it, several at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "base/result.hpp"

namespace emend {

using Group = std::vector<std::size_t>; // numbers of things, rising

enum class GroupEnd { passed, failed, stopped };

// Called from several threads at once.
using GroupCheck = std::function<Result<GroupEnd>(const Group& group)>;

struct Culprits {
  Group alone; // each fails without any other
  // When nothing fails alone: a group that fails although all its parts pass. Its first `passing` do.
  Group together;
  std::size_t passing = 0;
  bool stopped = false;
};

// All of 0 .. count - 1 together are known to fail. Those that something speaks against are tried first, one
// by one; the others in parts, as large as the share of bad ones seen so far suggests.
[[nodiscard]] Result<Culprits> find_culprits(std::size_t count, const Group& suspects, std::size_t slots,
                                             const GroupCheck& check);

} // namespace emend
