// How far agents and commands are kept from everything that is not their own: what was asked for, and what a
// machine gives.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"

namespace emend {

// What was asked for.
enum class SandboxMode {
  automatic, // the best this machine gives
  required,  // none is not good enough: nothing is run then
  off,
};
[[nodiscard]] std::string_view to_string(SandboxMode mode); // "auto", "required", "off"
[[nodiscard]] std::optional<SandboxMode> parse_sandbox_mode(std::string_view text);

// What a machine gives, strongest first.
enum class SandboxKind {
  full,     // mounts and processes of their own: what is not theirs is read-only or not there
  landlock, // the kernel refuses to write, and to read secrets; processes, loopback and file modes are the
            // machine's
  none,     // whatever the person may do
};
[[nodiscard]] std::string_view to_string(SandboxKind kind);
[[nodiscard]] std::optional<SandboxKind> parse_sandbox_kind(std::string_view text);
// One sentence for people.
[[nodiscard]] std::string_view describe(SandboxKind kind);

enum class NetworkAccess {
  all,
  loopback, // one of its own, on which a child can talk to itself
  none,
};
[[nodiscard]] std::string_view to_string(NetworkAccess access);
[[nodiscard]] std::optional<NetworkAccess> parse_network_access(std::string_view text);

// What one child tree may take; 0 = no limit.
struct ResourceLimits {
  std::int64_t memory_bytes = 0;    // of all its processes together, without what they share
  std::int64_t processes = 0;       // alive at the same time
  std::int64_t file_bytes = 0;      // of one file
  std::int64_t cpu_seconds = 0;     // of one process
  std::int64_t free_disk_bytes = 0; // that must stay free where it works

  friend bool operator==(const ResourceLimits&, const ResourceLimits&) = default;
};
[[nodiscard]] Json to_json(const ResourceLimits& limits);
[[nodiscard]] ResourceLimits resource_limits_from_json(const Json& json);

struct SandboxPolicy {
  SandboxMode mode = SandboxMode::automatic;
  SandboxKind kind = SandboxKind::none; // what the session found when it started
  NetworkAccess command_network = NetworkAccess::loopback;
  ResourceLimits command_limits;
};
[[nodiscard]] Json to_json(const SandboxPolicy& policy);
[[nodiscard]] SandboxPolicy sandbox_policy_from_json(const Json& json);

} // namespace emend
