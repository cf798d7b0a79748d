#include "model/sandbox.hpp"

#include "model/enum_names.hpp"
#include "model/json_fields.hpp"

namespace emend {

namespace {

constexpr EnumName<SandboxMode> kModes[] = {
    {SandboxMode::automatic, "auto"}, {SandboxMode::required, "required"}, {SandboxMode::off, "off"}};
constexpr EnumName<SandboxKind> kKinds[] = {
    {SandboxKind::full, "full"}, {SandboxKind::landlock, "landlock"}, {SandboxKind::none, "none"}};
constexpr EnumName<NetworkAccess> kAccesses[] = {
    {NetworkAccess::all, "all"}, {NetworkAccess::loopback, "loopback"}, {NetworkAccess::none, "none"}};

} // namespace

std::string_view to_string(SandboxMode mode) { return name_of(kModes, mode); }
std::optional<SandboxMode> parse_sandbox_mode(std::string_view text) { return value_of(kModes, text); }
std::string_view to_string(SandboxKind kind) { return name_of(kKinds, kind); }
std::optional<SandboxKind> parse_sandbox_kind(std::string_view text) { return value_of(kKinds, text); }
std::string_view to_string(NetworkAccess access) { return name_of(kAccesses, access); }
std::optional<NetworkAccess> parse_network_access(std::string_view text) { return value_of(kAccesses, text); }

std::string_view describe(SandboxKind kind) {
  switch (kind) {
    case SandboxKind::full:
      return "agents and commands write to their workspace only, do not see your home, and have processes of "
             "their own";
    case SandboxKind::landlock:
      return "agents and commands write to their workspace only and cannot read your home; they share your "
             "processes and your network";
    case SandboxKind::none:
      return "agents and commands can read and write whatever you can; changes in your checkout and home are "
             "noticed afterwards";
  }
  return "";
}

Json to_json(const ResourceLimits& limits) {
  return {{"memory_bytes", limits.memory_bytes},
          {"processes", limits.processes},
          {"file_bytes", limits.file_bytes},
          {"cpu_seconds", limits.cpu_seconds},
          {"free_disk_bytes", limits.free_disk_bytes}};
}

ResourceLimits resource_limits_from_json(const Json& json) {
  return {int64_field(json, "memory_bytes"), int64_field(json, "processes"), int64_field(json, "file_bytes"),
          int64_field(json, "cpu_seconds"), int64_field(json, "free_disk_bytes")};
}

Json to_json(const SandboxPolicy& policy) {
  return {{"mode", to_string(policy.mode)},
          {"kind", to_string(policy.kind)},
          {"command_network", to_string(policy.command_network)},
          {"command_limits", to_json(policy.command_limits)}};
}

SandboxPolicy sandbox_policy_from_json(const Json& json) {
  SandboxPolicy policy;
  policy.mode = parse_sandbox_mode(string_or(json, "mode")).value_or(policy.mode);
  policy.kind = parse_sandbox_kind(string_or(json, "kind")).value_or(policy.kind);
  policy.command_network =
      parse_network_access(string_or(json, "command_network")).value_or(policy.command_network);
  if (const Json* limits = find_member(json, "command_limits"))
    policy.command_limits = resource_limits_from_json(*limits);
  return policy;
}

} // namespace emend
