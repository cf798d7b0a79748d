// A regular file that is read in parts, wherever they are in it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/owned_fd.hpp"
#include "base/result.hpp"

namespace emend {

class RegularFile {
public:
  // ErrorCode::limit when it is larger than max_bytes.
  [[nodiscard]] static Result<RegularFile> open(const std::filesystem::path& path, std::uint64_t max_bytes);

  // At most `size` bytes from `offset` on, in place of what `into` held; fewer only where the file ends.
  [[nodiscard]] Status read(std::uint64_t offset, std::size_t size, std::string& into) const;

private:
  RegularFile(OwnedFd fd, std::string name) : fd_(std::move(fd)), name_(std::move(name)) {}

  OwnedFd fd_;
  std::string name_;
};

} // namespace emend
