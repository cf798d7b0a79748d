// The tree's own network, where it has one: nothing leads out of it.
#pragma once

namespace emend::exec {

// A new one has a loopback of its own, switched off. Returns errno, 0 = done.
[[nodiscard]] int switch_loopback_on();

// Did anybody in this network try to reach something outside? The kernel counts what it has no way for, so
// this holds for every program, whatever it prints or keeps to itself.
[[nodiscard]] bool tried_to_leave();

} // namespace emend::exec
