// What the hooks remember of one conversation with a coding agent in one repository: how everything was when
// it began, and what the agent was told since.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "base/json.hpp"
#include "cli/context.hpp"
#include "service/checked_change.hpp"

namespace emend {

struct Conversation {
  // As it began; an empty commit = nobody saw it begin.
  std::string began_at;        // HEAD
  std::int64_t began_time = 0; // Unix time, seconds

  std::string settled;           // the state of the files about which nothing more is said
  std::string checked;           // the one that was checked last,
  std::string reason, topic;     // why the agent may not stop with it, and what may be said once only
  std::vector<std::string> said; // these topics were
  int blocks = 0;                // how often in a row it was held back
  bool let_go = false;           // that row has ended
  int timeouts = 0;              // checks that did not end in time
};

// Where it is kept; by the agent's name for it and the repository that is the current directory's.
[[nodiscard]] Result<fs::path> conversation_file(CommandContext& context, const Json& event);
// A new one where nothing is stored yet, or what is stored cannot be read.
[[nodiscard]] Conversation read_conversation(const fs::path& file);
[[nodiscard]] Status keep_conversation(const fs::path& file, const Conversation& talk);

// What was changed since it began, committed or not; else what is not committed. Looks at the repository
// alone: neither settings nor database are opened for the many times when there is nothing to say.
[[nodiscard]] Result<CheckOrder> change_in(CommandContext& context, const Conversation& talk);
// The same files are the same state, whether they were committed since or not.
[[nodiscard]] std::string state_of(const CheckOrder& order);

} // namespace emend
