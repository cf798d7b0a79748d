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

template <typename Visitor, Of<ResourceLimits> Record>
void fields(Visitor& visit, Record& limits) {
  visit("memory_bytes", limits.memory_bytes);
  visit("processes", limits.processes);
  visit("file_bytes", limits.file_bytes);
  visit("cpu_seconds", limits.cpu_seconds);
  visit("free_disk_bytes", limits.free_disk_bytes);
}

Json to_json(const ResourceLimits& limits) { return write_fields(limits); }
ResourceLimits resource_limits_from_json(const Json& json) { return read_fields<ResourceLimits>(json); }

template <typename Visitor, Of<SandboxPolicy> Record>
void fields(Visitor& visit, Record& policy) {
  visit("mode", policy.mode, parse_sandbox_mode);
  visit("kind", policy.kind, parse_sandbox_kind);
  visit("command_network", policy.command_network, parse_network_access);
  visit("command_limits", policy.command_limits, resource_limits_from_json);
}

Json to_json(const SandboxPolicy& policy) { return write_fields(policy); }
SandboxPolicy sandbox_policy_from_json(const Json& json) { return read_fields<SandboxPolicy>(json); }

} // namespace emend
