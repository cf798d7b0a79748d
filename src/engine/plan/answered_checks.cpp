#include "engine/plan/answered_checks.hpp"

#include <algorithm>
#include <optional>

#include "base/hash.hpp"
#include "model/events.hpp"

namespace emend {
namespace {

// The newest one that a person gave; null = there is none, or it was taken back.
const Reproducer* given_now(const std::vector<Reproducer>& known) {
  const Reproducer* last = nullptr;
  for (const Reproducer& one : known) {
    if (!one.session_id.empty()) continue;
    if (one.state == ReproducerState::given) last = &one;
    if (one.state == ReproducerState::withdrawn) last = nullptr;
  }
  return last;
}

const Reproducer* chosen(const std::vector<Reproducer>& known, const Clarification& said) {
  if (said.state != ClarificationState::answered) return nullptr;
  for (const Reproducer& one : known)
    if (one.state == ReproducerState::proposed && one.question_id == said.question_id &&
        one.explanation == said.answer)
      return &one;
  return nullptr;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

// Both at once. Where their tests cannot stand in one tree the later answer counts.
Result<Reproducer> joined(PatchWork& repository, const Reproducer& first, Reproducer second) {
  if (!first.by_name() || !second.by_name()) return second;
  TRY_ASSIGN(std::optional<Patch> files, repository.merge(first.files, second.files));
  if (!files) return second;
  second.files = *std::move(files);
  if (first.command != second.command)
    second.command = "( " + first.command + " ); ( " + second.command + " )";
  append(second.must_pass, first.must_pass);
  append(second.must_fail, first.must_fail);
  second.explanation = first.explanation + "; " + second.explanation;
  return second;
}

} // namespace

bool has_check_of_its_own(const std::vector<Reproducer>& known) {
  const Reproducer* now = given_now(known);
  return now != nullptr && now->question_id.empty();
}

Status add_answered_check(const Ports& ports, const Issue& issue, Change& change) {
  TRY_ASSIGN(const std::vector<Reproducer> known, ports.store.reproducers(issue.id));
  if (has_check_of_its_own(known)) return {};
  std::optional<Reproducer> wanted;
  for (const Clarification& said : issue.clarifications) {
    const Reproducer* one = chosen(known, said);
    if (one == nullptr) continue;
    if (!wanted) {
      wanted = *one;
    } else {
      TRY_ASSIGN(wanted, joined(ports.repository, *wanted, *one));
    }
  }
  const Reproducer* now = given_now(known);
  if (!wanted && now == nullptr) return {};
  if (wanted && now != nullptr && wanted->sha256() == now->sha256()) return {};
  Reproducer check = wanted.value_or(Reproducer{});
  check.state = wanted ? ReproducerState::given : ReproducerState::withdrawn;
  check.id = new_uuid();
  check.issue_id = issue.id;
  check.agent.clear(); // a person's from now on
  check.created_ms = ports.clock.wall_ms();
  change.events.push_back(
      make_event("", issue.code, IssueReproducer{to_string(check.state), check.sha256()}));
  change.reproducers.push_back(std::move(check));
  return {};
}

} // namespace emend
