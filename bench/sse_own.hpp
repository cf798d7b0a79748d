// The server of bench_sse that is ours: the same edge, admission, log and frames as `emend serve`, and a
// source of events on stdin.
#pragma once

#include <string>

namespace emend::bench {

// "port N TOKEN" on stdout when it listens; "emit COUNT MICROSECONDS" on stdin; "emitted" when that is done.
// Ends with stdin.
int serve_events(const std::string& directory, std::size_t max_streams);

} // namespace emend::bench
