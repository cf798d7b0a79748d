// A digest taken piece by piece, for what does not fit into memory.
#pragma once

#include <string>
#include <string_view>

namespace emend {

class Sha256 {
public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  void add(std::string_view bytes);
  [[nodiscard]] std::string hex(); // once, at the end

private:
  void* context_;
};

} // namespace emend
