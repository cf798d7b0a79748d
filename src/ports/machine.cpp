#include "ports/machine.hpp"

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "ports/process.hpp"

namespace emend {

namespace {

constexpr char kMachineMark = '@';

// Containers often have no machine-id, but a name of their own.
std::string machine() {
  const std::string id(trim(read_file("/etc/machine-id").value_or("")));
  return sha256_hex(id.empty() ? trim(read_file("/proc/sys/kernel/hostname").value_or("")) : id)
      .substr(0, 16);
}

} // namespace

bool is_shared(const Store& store) { return dynamic_cast<const SharedStore*>(&store) != nullptr; }

std::string boot_and_machine() { return boot_id() + kMachineMark + machine(); }

bool is_of_another_machine(std::string_view boot_and_machine) {
  const std::size_t mark = boot_and_machine.rfind(kMachineMark);
  return mark != std::string_view::npos && boot_and_machine.substr(mark + 1) != machine();
}

} // namespace emend
