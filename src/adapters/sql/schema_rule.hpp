// A promise the database keeps itself, whoever writes to it: written once, said in each database's own words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace emend {

enum class SqlDialect { sqlite, postgresql };

enum class RuleEvent { insert, update, removal };

struct Rule {
  std::string name; // of the trigger
  std::string table;
  RuleEvent event = RuleEvent::insert;
  std::string refused_when; // a condition on old and new, in the dialect both share; empty = always
  std::string message;      // without quotes
};

// schema: where PostgreSQL looks for the tables a rule names, whatever the writer's search path says; quoted.
// Unused for SQLite.
[[nodiscard]] std::string rules_sql(const std::vector<Rule>& rules, SqlDialect dialect,
                                    std::string_view schema);

} // namespace emend
