// The steps of the schema. A released step is never edited; what changes becomes a new step at the end.
#include "adapters/sql/issue_kinds.hpp"
#include "adapters/sql/issue_texts.hpp"
#include "adapters/sql/schema_steps.hpp"

namespace emend {

const std::vector<Migration>& schema_migrations() {
  static const std::vector<Migration> steps = {
      first_step(1),         sightings_step(2),     clarifications_step(3), agent_runs_step(4),
      server_step(5),        proofs_step(6),        run_starts_step(7),     decisions_step(8),
      severity_step(9),      shared_work_step(10),  search_step(11),        claim_leases_step(12),
      levels_step(13),       opened_tests_step(14), fix_outcomes_step(15),  issue_kinds_step(16),
      people_step(17),       judged_tests_step(18), issue_texts_step(19),   run_times_step(20),
      lists_of_all_step(21), jumps_step(22),
  };
  return steps;
}

} // namespace emend
