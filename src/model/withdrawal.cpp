#include "model/withdrawal.hpp"

#include "base/strings.hpp"
#include "model/enum_names.hpp"

namespace emend {
namespace {

constexpr EnumName<WithdrawalKind> kKinds[] = {{WithdrawalKind::rejected, "rejected"},
                                               {WithdrawalKind::discarded, "discarded"}};

constexpr EnumName<BranchChange> kChanges[] = {{BranchChange::none, "none"},
                                               {BranchChange::pending, "pending"},
                                               {BranchChange::done, "done"},
                                               {BranchChange::kept, "kept"}};

} // namespace

std::string_view to_string(WithdrawalKind kind) { return name_of(kKinds, kind); }

std::optional<WithdrawalKind> parse_withdrawal_kind(std::string_view text) { return value_of(kKinds, text); }

std::string_view to_string(BranchChange change) { return name_of(kChanges, change); }

std::optional<BranchChange> parse_branch_change(std::string_view text) { return value_of(kChanges, text); }

Json to_json(const Withdrawal& withdrawal) {
  const bool undone = withdrawal.branch == BranchChange::done && !withdrawal.branch_to.empty();
  return {{"session_id", withdrawal.session_id},
          {"kind", to_string(withdrawal.kind)},
          {"reason", withdrawal.reason},
          {"commit", withdrawal.commit},
          {"branch", to_string(withdrawal.branch)},
          {"undone_by", undone ? Json(withdrawal.branch_to) : Json(nullptr)},
          {"by", withdrawal.by},
          {"at", rfc3339_utc(withdrawal.created_ms)}};
}

Json to_json(const Comment& comment) {
  const auto given = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  return {{"id", comment.id},
          {"session_id", given(comment.session_id)},
          {"text", comment.text},
          {"file", given(comment.file)},
          {"line", comment.line == 0 ? Json(nullptr) : Json(comment.line)},
          {"side", given(comment.side)},
          {"by", comment.by},
          {"at", rfc3339_utc(comment.created_ms)}};
}

} // namespace emend
