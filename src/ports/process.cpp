#include "ports/process.hpp"

#include <algorithm>
#include <charconv>

#include "base/files.hpp"
#include "base/strings.hpp"

namespace emend {

std::string_view to_string(Ending ending) {
  switch (ending) {
    case Ending::exited: return "exited";
    case Ending::signalled: return "signalled";
    case Ending::wall_limit: return "wall_limit";
    case Ending::idle_limit: return "idle_limit";
    case Ending::output_limit: return "output_limit";
    case Ending::cancelled: return "cancelled";
    case Ending::resource_limit: return "resource_limit";
    case Ending::settled: return "settled";
    case Ending::not_started: return "not_started";
  }
  return "unknown";
}

std::optional<std::int64_t> process_start_ticks(int pid) {
  const std::string stat = read_file("/proc/" + std::to_string(pid) + "/stat").value_or("");
  // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
  const auto name_end = stat.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::size_t at = name_end + 1;
  for (int field = 3; field <= 22; ++field) {
    at = stat.find_first_not_of(' ', at);
    if (at == std::string::npos) return std::nullopt;
    const auto end = std::min(stat.find(' ', at), stat.size());
    if (field == 3 && (stat[at] == 'Z' || stat[at] == 'X'))
      return std::nullopt; // ended, only not yet collected by its parent
    if (field == 22) {
      std::int64_t ticks = 0;
      const auto parsed = std::from_chars(stat.data() + at, stat.data() + end, ticks);
      if (parsed.ec != std::errc() || parsed.ptr != stat.data() + end) return std::nullopt;
      return ticks;
    }
    at = end;
  }
  return std::nullopt;
}

std::string boot_id() { return std::string(trim(read_file("/proc/sys/kernel/random/boot_id").value_or(""))); }

} // namespace emend
