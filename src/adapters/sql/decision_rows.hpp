// What people said and decided about fixes, as rows: comments and withdrawals.
#pragma once

#include <string>
#include <vector>

#include "adapters/sql/database.hpp"
#include "model/comment.hpp"
#include "model/withdrawal.hpp"

namespace emend {

[[nodiscard]] Status insert_comment(Database& database, const Comment& comment);
[[nodiscard]] Result<std::vector<Comment>> select_comments(Database& database, const std::string& issue_id,
                                                           const std::string& session_id);

// A known one (by id) only learns what became of the branch.
[[nodiscard]] Status put_withdrawal(Database& database, const Withdrawal& withdrawal);
[[nodiscard]] Result<std::vector<Withdrawal>> select_withdrawals(Database& database,
                                                                 const std::string& issue_id,
                                                                 const std::string& session_id);

} // namespace emend
