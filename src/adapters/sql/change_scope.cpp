#include "adapters/sql/change_scope.hpp"

namespace emend {

namespace {

// Rows that belong to no session, or that people and sessions change alike.
bool writes_what_is_shared(const Change& change) {
  return !change.reproducers.empty() || !change.clarifications.empty() || !change.comments.empty() ||
         !change.withdrawals.empty() || !change.opened_tests.empty() || !change.fix_outcomes.empty() ||
         !change.moves.empty() || !change.absences.empty() || !change.trusted.empty() ||
         !change.untrusted.empty() || !change.cancels.empty() || !change.accounts.empty() ||
         !change.tokens.empty() || !change.grants.empty() || !change.audit.empty();
}

// The one session that all of them name, so far.
class OneSession {
public:
  void sees(const std::string& id) {
    if (!id_) id_ = id;
    several_ = several_ || *id_ != id;
  }
  template <typename Record>
  void sees_all(const std::vector<Record>& records) {
    for (const Record& record : records) sees(record.session_id);
  }
  [[nodiscard]] std::optional<std::string> id() const { return several_ ? std::nullopt : id_; }

private:
  std::optional<std::string> id_;
  bool several_ = false;
};

} // namespace

std::optional<std::string> session_scope(const Change& change) {
  if (writes_what_is_shared(change)) return std::nullopt;
  OneSession session;
  for (const Session& one : change.sessions) session.sees(one.id);
  session.sees_all(change.units);
  session.sees_all(change.attempts);
  session.sees_all(change.verifications);
  session.sees_all(change.verdicts);
  session.sees_all(change.commits);
  session.sees_all(change.proofs);
  session.sees_all(change.agent_run_starts);
  session.sees_all(change.agent_runs);
  session.sees_all(change.intents);
  session.sees_all(change.events);
  return session.id();
}

} // namespace emend
