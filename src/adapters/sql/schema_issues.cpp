// What was added to issues: what recognises, orders, finds and grades them.
#include "adapters/sql/issue_kinds.hpp"
#include "adapters/sql/issue_search.hpp"
#include "adapters/sql/schema_steps.hpp"

namespace emend {

namespace {

// What recognises an issue when its code moves, and what the last look at the tree said of it.
constexpr const char* kSightings = R"(
alter table issues add column content_fingerprint text not null default '';
alter table issues add column line_key text not null default '';
alter table issues add column file text not null default '';
alter table issues add column trend text not null default 'ongoing' check (trend in ('new', 'ongoing', 'regressed'));
alter table issues add column seen_look text not null default '';
alter table issues add column seen_commit text not null default '';
alter table issues add column absent_commit text not null default '';
create index issues_by_file on issues (repository_id, file);
)";

constexpr const char* kFileFromFinding =
    "update issues set file = coalesce(json_extract(finding, '$.file'), '')";

// What is counted without reading the findings.
constexpr const char* kSeverity = R"(
alter table issues add column severity text not null default '';
create index issues_by_kind on issues (status, severity);
)";

constexpr const char* kSeverityFromFinding =
    "update issues set severity = coalesce(json_extract(finding, '$.severity'), '')";

// What issues are chosen by, beside the finding it comes from. search_text is in lower case, so that `like`
// means the same everywhere.
constexpr const char* kSearch = R"(
alter table issues add column rule text not null default '';
alter table issues add column category text not null default '';
alter table issues add column tool text not null default '';
alter table issues add column search_text text not null default '';
)";

// Proofs keep the words they were made with; their format says which those are.
constexpr const char* kLevels = R"(
alter table issues add column marks text not null default '';
update issues set marks = 'rescanned' where evidence = 'rescanned';
update issues set evidence = 'unbroken' where evidence in ('verified', 'rescanned');
update issues set evidence = 'repaired' where evidence = 'proven';
)";

// Lists of all repositories: the ids at the end are there to be filtered by without a look at the issue.
std::string indexes_over_all() {
  return "create index issues_worst_of_all on issues ((" + worst_first_sql() +
         "), n, repository_id);\n"
         "create index issues_files_of_all on issues (file, n, repository_id);\n"
         "create index issues_rules_of_all on issues (rule, n, repository_id);\n";
}

// A jump into a list walks an index, not the issues themselves.
constexpr const char* kJumps = R"(
create index issues_found_of_all on issues (n, repository_id);
create index issues_status_of_all on issues (status, n, repository_id);
)";

// PostgreSQL looks at each issue on the way unless its index has every column that is named, also those
// inside of an expression; and its indexes do not end with n by themselves.
std::string jumps_of_postgres() {
  return "drop index issues_by_worst, issues_worst_of_all, issues_by_file;\n"
         "create index issues_by_worst on issues (repository_id, (" +
         worst_first_sql() +
         "), n) include (severity);\n"
         "create index issues_worst_of_all on issues ((" +
         worst_first_sql() +
         "), n, repository_id) include (severity);\n"
         "create index issues_by_file on issues (repository_id, file, n);\n";
}

} // namespace

Migration sightings_step(int number) {
  return {number, "issues are recognised when they move", kSightings, {}, kFileFromFinding};
}

Migration severity_step(int number) {
  return {number, "issues are counted by severity", kSeverity, {}, kSeverityFromFinding};
}

Migration search_step(int number) {
  return {number, "issues are searched", kSearch, {}, "", fill_search_columns};
}

Migration lists_of_all_step(int number) {
  Migration step;
  step.number = number;
  step.name = "lists of all repositories are read by index";
  step.sql = indexes_over_all();
  step.oldest = number - 2; // indexes alone, as the step before this one
  return step;
}

Migration jumps_step(int number) {
  Migration step;
  step.number = number;
  step.name = "jumps into lists are read by index";
  step.sql = kJumps;
  step.postgres_sql = jumps_of_postgres();
  step.oldest = number - 3; // indexes alone, as the two steps before this one
  return step;
}

Migration levels_step(int number) {
  return {number, "levels of evidence by experiment, and marks beside them", kLevels, {}, ""};
}

} // namespace emend
