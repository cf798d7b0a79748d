// What becomes of the files a fix creates: junk is left out and named, tests land with the fix, anything else
// must be used by the change.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "model/issue.hpp"
#include "model/patch.hpp"

namespace emend {

// Notes of an attempt that begin so name a new file that is not part of its patch, and why.
inline constexpr std::string_view kLeftOutNote = "left out: ";

// Why a new file is a by-product of working rather than part of a change ("cache", "editor backup", "compiled
// output"); empty = it is not. Only these and what the project's own ignore rules name may be left out of a
// patch.
[[nodiscard]] std::string_view junk_kind(const FileChange& change);

// Paths of new files that the rest of the patch uses, directly or through other new files: by a path or name
// in an added line that loads or names a file, or by a name they define that the user did not know before or
// no longer defines itself. Comments use nothing. Lexical, for any language.
[[nodiscard]] std::set<std::string, std::less<>> used_new_files(const Patch& patch);

} // namespace emend
