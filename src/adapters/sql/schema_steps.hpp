// The steps of the schema, each in the file of its subject; schema.cpp numbers them.
#pragma once

#include "adapters/sql/migrations.hpp"

namespace emend {

[[nodiscard]] Migration first_step(int number);
[[nodiscard]] Migration sightings_step(int number);
[[nodiscard]] Migration clarifications_step(int number);
[[nodiscard]] Migration agent_runs_step(int number);
[[nodiscard]] Migration server_step(int number);
[[nodiscard]] Migration proofs_step(int number);
[[nodiscard]] Migration run_starts_step(int number);
[[nodiscard]] Migration decisions_step(int number);
[[nodiscard]] Migration severity_step(int number);
[[nodiscard]] Migration shared_work_step(int number);
[[nodiscard]] Migration search_step(int number);
[[nodiscard]] Migration claim_leases_step(int number);
[[nodiscard]] Migration levels_step(int number);
[[nodiscard]] Migration opened_tests_step(int number);
[[nodiscard]] Migration fix_outcomes_step(int number);
[[nodiscard]] Migration people_step(int number);
[[nodiscard]] Migration judged_tests_step(int number);
[[nodiscard]] Migration run_times_step(int number);
[[nodiscard]] Migration lists_of_all_step(int number);
[[nodiscard]] Migration jumps_step(int number);

// Of the first step.
[[nodiscard]] std::vector<Rule> first_rules();

} // namespace emend
