// Many files of one directory, written together.
#pragma once

#include <string>
#include <vector>

#include "base/files.hpp"

namespace emend {

struct NamedBytes {
  std::string name, bytes;
};

// Each as write_file() does it, below one directory by its name, and all durable when it returns. When one
// fails, those before it may be written already.
[[nodiscard]] Status write_files(const fs::path& directory, const std::vector<NamedBytes>& files,
                                 unsigned mode = 0600);

} // namespace emend
