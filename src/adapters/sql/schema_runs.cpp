// What is kept of runs: of agents, of checks, and of the journal that shows them.
#include "adapters/sql/schema_steps.hpp"

namespace emend {

namespace {

// What each run of an agent consumed. Not tied to a row of sessions: reviews and questions have runs as well.
constexpr const char* kAgentRuns = R"(
create table agent_runs (
  n {numbering},
  id text not null unique,
  repository_id text not null,
  session_id text not null,
  role text not null,
  agent text not null,
  started_ms bigint not null,
  data text not null
);
create index agent_runs_by_session on agent_runs (session_id, n);
create index agent_runs_by_repository on agent_runs (repository_id, n);
)";

std::vector<Rule> agent_run_rules() {
  return {
      {"agent_runs_update", "agent_runs", RuleEvent::update, "", "runs of agents never change"},
  };
}

// Each event carries a digest over itself and its session's events before it; reproducers are kept apart from
// all that agents see.
constexpr const char* kProofs = R"(
alter table events add column digest text not null default '';
create table reproducers (
  n {numbering},
  id text not null unique,
  issue_id text not null references issues (id),
  session_id text not null,
  data text not null
);
create index reproducers_by_issue on reproducers (issue_id, n);
)";

std::vector<Rule> reproducer_rules() {
  return {
      {"reproducers_update", "reproducers", RuleEvent::update, "", "reproducers never change"},
      {"reproducers_delete", "reproducers", RuleEvent::removal, "", "reproducers are never deleted"},
  };
}

// Where each run of an agent writes, from its beginning on; and how many issues there are of each kind,
// without reading them.
constexpr const char* kRunStarts = R"(
create table agent_run_starts (
  n {numbering},
  id text not null unique,
  repository_id text not null,
  session_id text not null,
  started_ms bigint not null,
  data text not null
);
create index agent_run_starts_by_session on agent_run_starts (session_id, n);
)";

std::vector<Rule> run_start_rules() {
  return {
      {"agent_run_starts_update", "agent_run_starts", RuleEvent::update, "", "runs of agents never change"},
  };
}

// Days and months are summed up before each run.
constexpr const char* kRunTimes = "create index agent_runs_by_start on agent_runs (started_ms);\n";

} // namespace

Migration agent_runs_step(int number) {
  return {number, "what agents consumed", kAgentRuns, agent_run_rules(), ""};
}

Migration proofs_step(int number) {
  return {number, "a journal whose changed bytes are found, and reproducers", kProofs, reproducer_rules(),
          ""};
}

Migration run_starts_step(int number) {
  return {number, "where runs of agents write", kRunStarts, run_start_rules(), ""};
}

Migration run_times_step(int number) {
  Migration step;
  step.number = number;
  step.name = "runs of agents are found by their time";
  step.sql = kRunTimes;
  step.oldest = number - 1; // an index alone
  return step;
}

} // namespace emend
