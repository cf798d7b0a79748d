#include "adapters/sql/schema_rule.hpp"

namespace emend {

namespace {

std::string_view word(RuleEvent event) {
  switch (event) {
    case RuleEvent::insert: return "insert";
    case RuleEvent::update: return "update";
    case RuleEvent::removal: return "delete";
  }
  return "";
}

std::string before(const Rule& rule) {
  return "create trigger " + rule.name + " before " + std::string(word(rule.event)) + " on " + rule.table;
}

std::string sqlite_rule(const Rule& rule) {
  const std::string when = rule.refused_when.empty() ? "" : " when " + rule.refused_when;
  return before(rule) + when + " begin select raise(abort, '" + rule.message + "'); end;\n";
}

// The tables are looked for in one place only: a temporary table of the writer's must not stand in for
// proofs.
std::string postgres_rule(const Rule& rule, std::string_view schema) {
  const std::string when = rule.refused_when.empty() ? "true" : rule.refused_when;
  const std::string row = rule.event == RuleEvent::removal ? "old" : "new";
  return "create function " + rule.name +
         "() returns trigger language plpgsql set search_path = " + std::string(schema) +
         ", pg_temp as $rule$ begin if " + when + " then raise exception using message = '" + rule.message +
         "'; end if; return " + row + "; end $rule$;\n" + before(rule) + " for each row execute function " +
         rule.name + "();\n";
}

} // namespace

std::string rules_sql(const std::vector<Rule>& rules, SqlDialect dialect, std::string_view schema) {
  std::string sql;
  for (const Rule& rule : rules)
    sql += dialect == SqlDialect::sqlite ? sqlite_rule(rule) : postgres_rule(rule, schema);
  return sql;
}

} // namespace emend
