#include "adapters/sql/issue_kinds.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"

namespace emend {
namespace {

const std::string kKey = std::string("repository_id, ") + kKindColumns;

std::string counted(const std::string& row, int by) {
  const std::string values = row + "." + replace_all(kKey, ", ", ", " + row + ".");
  return fmt::format(
      "insert into issue_kinds ({0}, total) values ({1}, {2}) on conflict ({0}) do update set total = "
      "issue_kinds.total + {2};",
      kKey, values, by);
}

std::string differs() {
  std::vector<std::string> parts;
  for (const std::string& column : split(replace_all(kKindColumns, " ", ""), ','))
    parts.push_back("old." + column + " <> new." + column);
  return join(parts, " or ");
}

std::string sqlite_triggers() {
  return fmt::format(
      "create trigger issue_kinds_added after insert on issues begin {0} end;"
      "create trigger issue_kinds_gone after delete on issues begin {1} end;"
      "create trigger issue_kinds_changed after update on issues when {2} begin {1} {0} end;",
      counted("new", 1), counted("old", -1), differs());
}

std::string postgres_triggers() {
  return fmt::format(
      "create function issue_kinds_count() returns trigger language plpgsql as $$ begin "
      "if tg_op <> 'INSERT' then {1} end if; if tg_op <> 'DELETE' then {0} end if; return null; end $$;"
      "create trigger issue_kinds_added after insert on issues for each row execute function "
      "issue_kinds_count();"
      "create trigger issue_kinds_gone after delete on issues for each row execute function "
      "issue_kinds_count();"
      "create trigger issue_kinds_changed after update on issues for each row when ({2}) execute function "
      "issue_kinds_count();",
      counted("new", 1), counted("old", -1), differs());
}

// The index over status and severity alone would be taken for lists, which then had to be sorted.
std::string tables() {
  return fmt::format(R"(
create table issue_kinds (
  repository_id text not null,
  status text not null,
  severity text not null,
  trend text not null,
  rule text not null,
  category text not null,
  tool text not null,
  total bigint not null,
  primary key ({0})
);
insert into issue_kinds ({0}, total) select {0}, count(*) from issues group by {0};
drop index if exists issues_by_kind;
alter table schema_migrations add column oldest bigint not null default 0;
create index issues_in_order on issues (repository_id, n);
create index issues_by_status on issues (repository_id, status, n);
create index issues_by_rule on issues (repository_id, rule, n);
create index issues_by_worst on issues (repository_id, ({1}), n);
)",
                     kKey, worst_first_sql());
}

} // namespace

std::string worst_first_sql() {
  return "case severity when 'critical' then 0 when 'high' then 1 when 'medium' then 2 when 'low' then 3 "
         "else 4 "
         "end";
}

Migration issue_kinds_step(int number) {
  Migration step;
  step.number = number;
  step.name = "issues are counted as they change, and listed by index";
  step.sql = tables();
  step.sqlite_sql = sqlite_triggers();
  step.postgres_sql = postgres_triggers();
  return step;
}

} // namespace emend
