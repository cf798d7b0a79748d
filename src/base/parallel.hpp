// Runs jobs on a few threads and waits for all of them.
#pragma once

#include <cstddef>
#include <functional>

namespace emend {

// Calls job(0) .. job(count - 1), at most `threads` at a time, in index order of starting; threads = 0 or 1
// runs them inline, so tests are deterministic. An exception from a job is rethrown here after all started
// jobs have ended.
void parallel_for(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& job);

} // namespace emend
