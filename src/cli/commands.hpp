// Every command there is. A new one is a file in the folder of its group, a line here and one in
// all_commands().
#pragma once

#include <vector>

#include "cli/command.hpp"

namespace emend {

[[nodiscard]] Command agents_command();
[[nodiscard]] Command analyzers_command();
[[nodiscard]] Command apply_command();
[[nodiscard]] Command artifacts_command();
[[nodiscard]] Command audit_command();
[[nodiscard]] Command backup_command();
[[nodiscard]] Command baseline_command();
[[nodiscard]] Command check_command();
[[nodiscard]] Command ci_command();
[[nodiscard]] Command clarify_command();
[[nodiscard]] Command config_command();
[[nodiscard]] Command doctor_command();
[[nodiscard]] Command explain_command();
[[nodiscard]] Command fix_command();
[[nodiscard]] Command gc_command();
[[nodiscard]] Command hook_command();
[[nodiscard]] Command import_command();
[[nodiscard]] Command inbox_command();
[[nodiscard]] Command init_command();
[[nodiscard]] Command insights_command();
[[nodiscard]] Command issues_command();
[[nodiscard]] Command lsp_command();
[[nodiscard]] Command mcp_command();
[[nodiscard]] Command people_command();
[[nodiscard]] Command plan_command();
[[nodiscard]] Command pr_command();
[[nodiscard]] Command prove_command();
[[nodiscard]] Command report_command();
[[nodiscard]] Command restore_command();
[[nodiscard]] Command review_command();
[[nodiscard]] Command serve_command();
[[nodiscard]] Command sessions_command();
[[nodiscard]] Command tokens_command();
[[nodiscard]] Command notify_command();
[[nodiscard]] Command trust_command();
[[nodiscard]] Command verify_command();
[[nodiscard]] Command version_command();
[[nodiscard]] Command worker_command();

[[nodiscard]] std::vector<Command> all_commands(); // in the order of the help text

} // namespace emend
