// Which file an agent's command is: decided once, before anything runs, and never a file the repository
// brought along by itself.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace emend {

// A bare name is looked up in search_path (a PATH value); entries that are not absolute and files inside
// repository_root are passed over. An absolute path is taken wherever it lies: whoever wrote the
// configuration named that very file. ErrorCode::agent with a remedy when there is no such program,
// ErrorCode::config for a relative path.
[[nodiscard]] Result<std::string> resolve_command(const std::string& command, std::string_view search_path,
                                                  const std::string& repository_root);

} // namespace emend
