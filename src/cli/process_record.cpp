#include "cli/process_record.hpp"

#include <unistd.h>

#include "base/files.hpp"
#include "ports/machine.hpp"
#include "ports/process.hpp"

namespace emend {

Json process_record() {
  return {{"pid", ::getpid()},
          {"ticks", process_start_ticks(::getpid()).value_or(0)},
          {"boot", boot_and_machine()}};
}

bool still_runs(const Json& record) {
  const Json *pid = find_member(record, "pid"), *ticks = find_member(record, "ticks");
  if (pid == nullptr || !pid->is_number_integer() || ticks == nullptr || !ticks->is_number_integer())
    return false;
  return string_or(record, "boot") == boot_and_machine() &&
         process_start_ticks(pid->get<int>()) == ticks->get<std::int64_t>();
}

Json running_server(const std::string& home) {
  const auto text = read_file_nofollow(home + "/server/address.json", 10'000);
  auto record = text ? parse_json(*text) : Result<Json>(fail(text.error()));
  return record && still_runs(*record) ? *std::move(record) : Json();
}

} // namespace emend
