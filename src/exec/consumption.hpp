// What the tree takes of the machine, looked at every now and then by its guardian.
#pragma once

#include <optional>
#include <string>

#include "exec/options.hpp"

namespace emend::exec {

class Consumption {
public:
  explicit Consumption(const Options& options);

  [[nodiscard]] bool watched() const { return limits_.watched(); }
  // The first limit the calling process's descendants are over.
  [[nodiscard]] std::optional<exec_protocol::Limit> over() const;

private:
  Limits limits_;
  std::string place_; // on the file system that must not fill up
};

} // namespace emend::exec
