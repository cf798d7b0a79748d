#include "engine/forge/owner.hpp"

#include <unistd.h>

#include "engine/forge/forge_log.hpp"
#include "ports/machine.hpp"
#include "ports/process.hpp"

namespace emend {

Json owner_of_this() {
  return {{"pid", ::getpid()},
          {"ticks", process_start_ticks(::getpid()).value_or(0)},
          {"boot", boot_and_machine()}};
}

bool is_at_work(const Json& owner) {
  const std::string boot = string_or(owner, "boot");
  if (boot != boot_and_machine()) return is_of_another_machine(boot);
  const Json* pid = find_member(owner, "pid");
  const auto number = pid != nullptr ? exact_int(*pid, 1, 1 << 30) : std::nullopt;
  const auto ticks = number ? process_start_ticks(static_cast<int>(*number)) : std::nullopt;
  const Json* known = find_member(owner, "ticks");
  return ticks && known != nullptr && *known == Json(*ticks);
}

Result<std::vector<Intent>> left_open(const Ports& ports, std::string_view kind, const std::string& project) {
  TRY_ASSIGN(std::vector<Intent> open, ports.store.open_intents(forge_stream(ports)));
  std::erase_if(open, [&](const Intent& intent) {
    return intent.kind != kind || string_or(intent.data, "project") != project ||
           is_at_work(intent.data.value("owner", Json()));
  });
  return open;
}

Result<int> close_each(const Ports& ports, std::string_view kind, const std::string& project,
                       const std::function<Status(const Intent&)>& close) {
  TRY_ASSIGN(const std::vector<Intent> open, left_open(ports, kind, project));
  for (const Intent& intent : open) TRY(close(intent));
  return static_cast<int>(open.size());
}

} // namespace emend
