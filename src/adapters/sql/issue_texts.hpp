// Texts of issues by what they contain: an index over every three characters in a row, so that a text few
// issues have is found among a million without reading them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/sql/migrations.hpp"

namespace emend {

// The index, and what keeps it right. Needs what search_step brings.
[[nodiscard]] Migration issue_texts_step(int number);

// Takes in what was stored since. Belongs at the end of a transaction that stores issues; until then, those
// it does not know yet are looked at one by one.
[[nodiscard]] Status index_new_texts(Database& database);

// Tables of the index: made from the issues, never copied with them.
[[nodiscard]] bool is_text_index(std::string_view table);

// What the index is asked for to find issues that may contain the words, which are in lower case. Every issue
// that contains them is among those. nullopt = the index does not know words like these.
[[nodiscard]] std::optional<std::string> text_question(SqlDialect dialect,
                                                       const std::vector<std::string>& words);

// Numbers of the issues that may contain it, as a query; the question is its parameter.
[[nodiscard]] std::string text_hits_sql(SqlDialect dialect, const std::string& parameter);

// Whether so few may contain it that they are looked at one by one. Where many do, a page of them is read
// sooner in its own order.
[[nodiscard]] Result<bool> is_rare_text(Database& database, const std::string& question);

} // namespace emend
