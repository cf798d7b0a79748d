// What another process does to a store: this test program, started again with a role.
#pragma once

#include <string>

#include "ports/store.hpp"

namespace emend::testing {

inline constexpr const char* kChildFlag = "--store-child"; // then the role and the database file
inline constexpr int kEventsPerProcess = 150;

// Roles: open, apply (resolves the one issue), add_issues (two), put_intent ("new"), finish_intent ("old"), write_events. 0 = done.
[[nodiscard]] int run_store_child(const std::string& role, const std::string& path);

[[nodiscard]] std::string only_issue_id(Store& store);
[[nodiscard]] Change one_event(const std::string& type);

} // namespace emend::testing
