// What another process does to a store: this test program, started again with a role.
#pragma once

#include <sys/types.h>

#include <string>

#include "ports/store.hpp"

namespace emend::testing_support {

inline constexpr const char* kChildFlag = "--store-child"; // then the role and the address of the database
inline constexpr int kEventsPerProcess = 150;

// Roles: open, apply (resolves the one issue), add_issues (two), put_intent ("new"), finish_intent ("old"),
// write_events. 0 = done.
[[nodiscard]] int run_store_child(const std::string& role, const std::string& address);

// Starts this program again in a role. crash_at: the number of the place where it ends, see
// base/crash_point.hpp.
[[nodiscard]] pid_t start_child(const std::string& role, const std::string& address,
                                const std::string& crash_at = "");
[[nodiscard]] int end_of(pid_t pid); // its wait status
[[nodiscard]] bool was_killed(int status);
[[nodiscard]] bool was_fine(int status);

[[nodiscard]] std::string only_issue_id(Store& store);
[[nodiscard]] Change one_event(const std::string& type);

} // namespace emend::testing_support
