// What `emend pr` can do; one file each.
#pragma once

#include "cli/command.hpp"

namespace emend {

[[nodiscard]] Command pr_review_action();
[[nodiscard]] Command pr_create_action();
[[nodiscard]] Command pr_status_action();
[[nodiscard]] Command pr_comments_action();
[[nodiscard]] Command pr_sync_action();
[[nodiscard]] Command pr_fix_action();
[[nodiscard]] Command pr_land_action();
[[nodiscard]] Command pr_command_action();
[[nodiscard]] Command pr_watch_action();
[[nodiscard]] Command pr_follow_action();
[[nodiscard]] Command pr_queue_action();
[[nodiscard]] Command pr_tidy_action();
[[nodiscard]] Command pr_check_action();
[[nodiscard]] Command pr_press_action();

} // namespace emend
