// Which machine a process belongs to, for stores that several machines work on at once.
#pragma once

#include <string>
#include <string_view>

#include "ports/store.hpp"

namespace emend {

// A store that engines on other machines may work on at the same time: there, a process that is not on this
// machine is not a dead one.
class SharedStore {
public:
  virtual ~SharedStore() = default;
};
[[nodiscard]] bool is_shared(const Store& store);

// boot_id() with the machine it is a boot of, as identities of processes keep it: a process of another boot
// of this machine is dead, of one on another machine nothing is known here.
[[nodiscard]] std::string boot_and_machine();
[[nodiscard]] bool is_of_another_machine(
    std::string_view boot_and_machine); // false for those that name no machine

} // namespace emend
