#include "adapters/sql/issue_texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/strings.hpp"

namespace emend {
namespace {

constexpr std::int64_t kRare = 5'000;
constexpr std::size_t kGram = 3;
constexpr std::size_t kMostGrams = 16; // more of them find little less

// What a trigger may write to is ordinary tables only, so it notes which issues the index does not know as
// they are; whoever stores issues brings the index up to date. `was` is the text the index has of it.
std::string sqlite_index() {
  const auto note = [](const std::string& when, const std::string& row, const std::string& was) {
    return fmt::format(
        "create trigger issue_texts_{} on issues {} begin insert into issue_texts_due (n, was) "
        "select {}.n, {} where not exists (select 1 from issue_texts_due where n = {}.n); end;",
        when, when.starts_with("changed") ? "when old.search_text <> new.search_text" : "", row, was, row);
  };
  return "create virtual table issue_texts using fts5(search_text, content = '', columnsize = 0, "
         "detail = none, tokenize = 'trigram case_sensitive 1');"
         "insert into issue_texts (rowid, search_text) select n, search_text from issues;"
         "create table issue_texts_due (n integer primary key, was text);" +
         note("added after insert", "new", "null") + note("gone after delete", "old", "old.search_text") +
         note("changed after update of search_text", "old", "old.search_text");
}

constexpr const char* kSqliteCatchUp =
    "insert into issue_texts (issue_texts, rowid, search_text) select 'delete', n, was from issue_texts_due "
    "where was is not null;"
    "insert into issue_texts (rowid, search_text) select n, search_text from issues "
    "where n in (select n from issue_texts_due);"
    "delete from issue_texts_due";

// Without an extension: not every server has them. It costs the planner more than it looks, so that rows are
// not read one by one instead.
constexpr const char* kPostgresIndex = R"(
create function emend_grams(t text) returns text[] language sql immutable parallel safe cost 5000 as $$
  select coalesce(array_agg(distinct g), '{}'::text[]) from (
    select substr(t, i, 3) as g from generate_series(1, length(t) - 2) i
    union all
    select substr(t, i, l) from generate_series(1, length(t)) i, generate_series(1, 2) l
      where octet_length(t) <> length(t) and i + l <= length(t) + 1 and octet_length(substr(t, i, l)) <> l
  ) grams
$$;
create index issues_by_text on issues using gin (emend_grams(search_text));
)";

std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> found;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
    found.push_back(text.substr(at, end - at));
    at = end;
  }
  return found;
}

using Grams = std::vector<std::string>;

// What is shorter than a gram only PostgreSQL has an entry for, and only outside of the alphabet: one or two
// of its letters are nearly everywhere. Such a word is looked for in the texts themselves.
void add_grams(SqlDialect dialect, std::string_view word, Grams& grams) {
  if (!is_valid_utf8(word) || word.find('\0') != std::string_view::npos) return;
  const std::vector<std::string_view> letters = characters(word);
  const std::size_t length = std::min(kGram, letters.size());
  if (length < kGram && (dialect == SqlDialect::sqlite || letters.size() == word.size())) return;
  for (std::size_t i = 0; i + length <= letters.size(); ++i) {
    std::string gram;
    for (std::size_t l = 0; l < length; ++l) gram += letters[i + l];
    if (std::find(grams.begin(), grams.end(), gram) == grams.end()) grams.push_back(std::move(gram));
  }
}

Grams grams_of(SqlDialect dialect, const std::vector<std::string>& words) {
  Grams grams;
  for (const std::string& word : words) add_grams(dialect, word, grams);
  if (grams.size() <= kMostGrams) return grams;
  Grams some; // from all over the text
  for (std::size_t i = 0; i < kMostGrams; ++i)
    some.push_back(grams[i * (grams.size() - 1) / (kMostGrams - 1)]);
  return some;
}

std::string sqlite_question(const Grams& grams) {
  Grams quoted;
  for (const std::string& gram : grams) quoted.push_back("\"" + replace_all(gram, "\"", "\"\"") + "\"");
  return join(quoted, " AND ");
}

std::string postgres_question(const Grams& grams) {
  Grams quoted;
  for (const std::string& gram : grams)
    quoted.push_back("\"" + replace_all(replace_all(gram, "\\", "\\\\"), "\"", "\\\"") + "\"");
  return "{" + join(quoted, ",") + "}";
}

std::string counted_sql(SqlDialect dialect) {
  const std::string hits = dialect == SqlDialect::sqlite
                               ? text_hits_sql(dialect, "$1")
                               : "select n from issues where emend_grams(search_text) @> cast($1 as text[])";
  return fmt::format("select count(*) from ({}{}) hits", hits, limit_sql(kRare + 1));
}

} // namespace

Migration issue_texts_step(int number) {
  Migration step;
  step.number = number;
  step.name = "texts of issues are found by index";
  step.sqlite_sql = sqlite_index();
  step.postgres_sql = kPostgresIndex;
  step.oldest = number - 1; // who does not know the index keeps it right all the same
  return step;
}

bool is_text_index(std::string_view table) { return table.starts_with("issue_texts"); }

Status index_new_texts(Database& database) {
  if (database.dialect() != SqlDialect::sqlite) return {};
  TRY_ASSIGN(const auto due, select(database, "select 1 from issue_texts_due limit 1", {},
                                    [](RowReader& row) { return row.integer(); }));
  return due.empty() ? Status() : database.execute(kSqliteCatchUp);
}

std::optional<std::string> text_question(SqlDialect dialect, const std::vector<std::string>& words) {
  const Grams grams = grams_of(dialect, words);
  if (grams.empty()) return std::nullopt;
  return dialect == SqlDialect::sqlite ? sqlite_question(grams) : postgres_question(grams);
}

std::string text_hits_sql(SqlDialect dialect, const std::string& parameter) {
  if (dialect == SqlDialect::sqlite)
    return "select rowid from issue_texts where issue_texts match " + parameter +
           " union all select n from issue_texts_due";
  return "with hits as materialized (select n from issues where emend_grams(search_text) @> cast(" +
         parameter + " as text[])) select n from hits";
}

// PostgreSQL reads all that it may find before it gives the first; so it is told to stop at about as many.
Result<bool> is_rare_text(Database& database, const std::string& question) {
  const bool postgres = database.dialect() == SqlDialect::postgresql;
  TRY_ASSIGN(const Transaction reading, Transaction::begin_reading(database));
  if (postgres)
    TRY(database.execute(
        fmt::format("set local gin_fuzzy_search_limit = {}; set local enable_seqscan = off", 4 * kRare)));
  TRY_ASSIGN(const auto counted, select(database, counted_sql(database.dialect()), {question},
                                        [](RowReader& row) { return row.integer(); }));
  return !counted.empty() && counted.front() <= kRare;
}

} // namespace emend
