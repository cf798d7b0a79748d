// Writes one setting into a configuration file, as the person who asks for it would with an editor.
#pragma once

#include <optional>
#include <string>

#include "service/workbench.hpp"

namespace emend {

enum class SettingPlace {
  project, // emend.toml of the repository, which everybody shares
  own,     // the file of the person (or of the server's user), for all repositories
};

struct SettingOrder {
  std::string key;
  std::optional<std::string> value; // as `--set KEY=VALUE` takes it; nullopt = take the setting out
  SettingPlace place = SettingPlace::project;
  // Whoever asks may also allow commands: a file whose commands were all allowed stays allowed with this
  // setting in it. Without it, a changed file has to be allowed again.
  bool may_trust = false;
};

struct WrittenSetting {
  std::string file;
  int line = 0;             // 0 = taken out
  bool needs_trust = false; // the file's commands do not count until somebody allows them
  std::string stronger;     // where another value comes from that counts instead; empty = this one counts
};

// Only this setting changes; the rest of the file stays byte for byte. ErrorCode::usage for an unknown key or
// a value it does not take; ErrorCode::conflict when the file cannot be changed by a program. A file after
// which the configuration could not be read is put back. `ports.actor` is written into the audit log.
[[nodiscard]] Result<WrittenSetting> write_setting(Workbench& bench, const Ports& ports,
                                                   const SettingOrder& order);

} // namespace emend
