// Which directory of a person's home belongs to a program that lies there: the whole installation, and never
// the home itself.
#pragma once

#include <string>

namespace emend {

// Of a program's real path: what holds its "bin" directory ("~/.cargo/bin/cargo" -> "~/.cargo"), else the
// directory it lies in. Where that would be the home or a directory all programs share (~/.local, ~/.config,
// ...), it is the "bin" directory, or the program alone. Empty when the program does not lie below `home`.
[[nodiscard]] std::string tool_root(const std::string& program, const std::string& home);

} // namespace emend
