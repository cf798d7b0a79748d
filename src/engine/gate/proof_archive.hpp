// A proof as one file: a plain tar archive with nothing left to chance, so that ordinary tools read it and
// the same parts are the same bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace emend {

struct ProofPart {
  std::string name; // at most 100 bytes, no directories above it
  std::string bytes;
};

[[nodiscard]] std::string write_archive(const std::vector<ProofPart>& parts);
// Takes only what write_archive() writes, byte for byte. The error names the part in which the first other
// byte is.
[[nodiscard]] Result<std::vector<ProofPart>> read_archive(std::string_view bytes);

} // namespace emend
