#include "adapters/sql/issue_search.hpp"

#include <map>
#include <tuple>

#include "adapters/sql/clarification_rows.hpp"
#include "adapters/sql/issue_kinds.hpp"
#include "adapters/sql/issue_rows.hpp"
#include "adapters/sql/issue_texts.hpp"
#include "base/glob.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

// A text as a pattern of `like` that means just that text.
std::string like_text(std::string_view text) {
  std::string pattern;
  for (const char c : text) {
    if (c == '\\' || c == '%' || c == '_') pattern += '\\';
    pattern += c;
  }
  return pattern;
}

// What every path that matches begins with: directories without wildcards. A pattern without a slash matches
// at any depth.
std::string_view fixed_start(std::string_view glob) {
  const std::string_view plain = glob.substr(0, glob.find_first_of("*?[]{}!\\,"));
  const std::size_t slash = plain.rfind('/');
  if (slash == std::string_view::npos || plain.starts_with('/') || plain.starts_with('.')) return {};
  return plain.substr(0, slash);
}

// What the index over texts is asked for, where that is of use.
struct TextIndex {
  SqlDialect dialect = SqlDialect::sqlite;
  std::optional<std::string> question = {};

  static Result<TextIndex> of(Database& database, const IssueSearch& filter) {
    TextIndex index{database.dialect()};
    auto question = text_question(index.dialect, split(to_lower(filter.text), ' '));
    if (!question) return index;
    TRY_ASSIGN(const bool rare, is_rare_text(database, *question));
    if (rare) index.question = std::move(question);
    return index;
  }
};

// The filter as a condition with its parameters. Globs are ours, not the database's: of them only the
// beginning is asked for.
class Condition {
public:
  Condition(const TextIndex& index, const IssueSearch& filter, Values values = {},
            std::vector<std::string> parts = {})
      : values_(std::move(values)), parts_(std::move(parts)) {
    // Few issues have a question: those are looked up, and the list is not walked for them.
    equals(filter.questions == QuestionFilter::off ? "repository_id" : "repository_id || ''",
           filter.repository_id);
    equals("session_id", filter.session_id);
    if (filter.among) {
      one_of("repository_id", *filter.among);
      if (filter.among->empty()) parts_.emplace_back("1 = 0");
    }
    if (filter.trend) equals("trend", to_string(*filter.trend));
    std::vector<std::string> statuses;
    for (const IssueStatus status : filter.statuses) statuses.emplace_back(to_string(status));
    one_of("status", statuses);
    one_of("severity", filter.severities);
    one_of("rule", filter.rules);
    one_of("category", filter.categories);
    one_of("tool", filter.tools);
    if (index.question)
      parts_.push_back("n in (" + text_hits_sql(index.dialect, parameter(*index.question)) + ")");
    for (const std::string& word : split(to_lower(filter.text), ' '))
      if (!word.empty()) like("search_text", "%" + like_text(word) + "%");
    if (const auto start = fixed_start(filter.file_glob); !start.empty())
      like("file", like_text(start) + "%");
    if (filter.questions == QuestionFilter::any)
      parts_.emplace_back("id in (select issue_id from clarifications)");
    if (filter.questions == QuestionFilter::open)
      parts_.emplace_back("id in (select issue_id from clarifications where state = 'asked')");
  }

  [[nodiscard]] const Values& values() const { return values_; }
  [[nodiscard]] std::string where() const { return parts_.empty() ? "" : " where " + join(parts_, " and "); }

private:
  std::string parameter(std::string_view value) {
    values_.emplace_back(std::string(value));
    return "$" + std::to_string(values_.size());
  }
  void equals(const std::string& column, std::string_view value) {
    if (!value.empty()) parts_.push_back(column + " = " + parameter(value));
  }
  void one_of(const std::string& column, const std::vector<std::string>& words) {
    std::vector<std::string> places;
    for (const std::string& word : words) places.push_back(parameter(word));
    if (places.size() == 1) parts_.push_back(column + " = " + places.front());
    // Several together are looked at in the list's own order: an index over them would need it sorted.
    if (places.size() > 1) parts_.push_back(column + " || '' in (" + join(places, ", ") + ")");
  }
  void like(const std::string& column, const std::string& pattern) {
    parts_.push_back(column + " like " + parameter(pattern) + " escape '\\'");
  }

  Values values_;
  std::vector<std::string> parts_;
};

// Looks at the files first, and reads whole issues only where those match.
Result<bool> select_globbed_page(Database& database, const IssueSearch& filter, std::int64_t& after,
                                 std::size_t size, std::vector<Issue>& page) {
  constexpr std::size_t kLook = 10'000;
  TRY_ASSIGN(const TextIndex index, TextIndex::of(database, filter));
  const Condition condition(index, filter, {after}, {"n > $1"});
  std::vector<std::int64_t> found;
  std::size_t looked = 0;
  TRY(for_each_row(database,
                   "select n, file from issues" + condition.where() + " order by n" + limit_sql(kLook),
                   condition.values(), [&](RowReader& row) -> Status {
                     const std::int64_t n = row.integer();
                     const std::string file = row.text();
                     if (found.size() == size) return {};
                     after = n;
                     ++looked;
                     if (glob_match(filter.file_glob, file)) found.push_back(n);
                     return {};
                   }));
  for (const std::int64_t n : found) {
    TRY_ASSIGN(auto rows, select(database, "select " + issue_columns() + " from issues where n = $1", {n},
                                 read_issue_row));
    for (IssueRow& row : rows) page.push_back(std::move(row.issue));
  }
  return looked == kLook || found.size() == size;
}

std::string order_sql(IssueOrder order) {
  switch (order) {
    case IssueOrder::worst: return " order by " + worst_first_sql() + ", n";
    case IssueOrder::newest: return " order by n desc";
    case IssueOrder::file: return " order by file, n";
    case IssueOrder::rule: return " order by rule, n";
    case IssueOrder::found: break;
  }
  return " order by n";
}

// The same in words that no index has.
std::string sorted_sql(IssueOrder order) {
  switch (order) {
    case IssueOrder::worst: return " order by (" + worst_first_sql() + ") + 0, n";
    case IssueOrder::file: return " order by file || '', n";
    case IssueOrder::rule: return " order by rule || '', n";
    case IssueOrder::newest:
    case IssueOrder::found: break;
  }
  return order_sql(order);
}

const std::string kKind = kKindColumns;

// Nothing is asked but what issues are counted by.
bool is_counted(const IssueSearch& filter) {
  return filter.text.empty() && filter.session_id.empty() && filter.file_glob.empty() &&
         filter.questions == QuestionFilter::off;
}

IssueKindCount read_kind(RowReader& row) {
  IssueKindCount kind;
  kind.status = row.word(parse_issue_status);
  kind.severity = row.text();
  kind.trend = row.word(parse_issue_trend);
  kind.rule = row.text();
  kind.category = row.text();
  kind.tool = row.text();
  return kind;
}

Result<std::vector<IssueKindCount>> select_globbed_kinds(Database& database, const IssueSearch& filter) {
  TRY_ASSIGN(const TextIndex index, TextIndex::of(database, filter));
  const Condition condition(index, filter);
  std::map<std::tuple<IssueStatus, std::string, IssueTrend, std::string, std::string, std::string>,
           IssueKindCount>
      counts;
  TRY(for_each_row(database, "select " + kKind + ", file from issues" + condition.where(), condition.values(),
                   [&](RowReader& row) -> Status {
                     IssueKindCount kind = read_kind(row);
                     if (!glob_match(filter.file_glob, row.text())) return {};
                     const auto key = std::make_tuple(kind.status, kind.severity, kind.trend, kind.rule,
                                                      kind.category, kind.tool);
                     ++counts.try_emplace(key, std::move(kind)).first->second.count;
                     return {};
                   }));
  std::vector<IssueKindCount> kinds;
  for (auto& [key, kind] : counts) kinds.push_back(std::move(kind));
  return kinds;
}

} // namespace

Status fill_search_columns(Database& database) {
  constexpr std::size_t kAtATime = 1'000;
  struct Stored {
    std::int64_t n = 0;
    std::string code;
    Finding finding;
  };
  for (std::int64_t after = 0;;) {
    TRY_ASSIGN(
        const auto rows,
        select(database, "select n, code, finding from issues where n > $1 order by n" + limit_sql(kAtATime),
               {after}, [](RowReader& row) {
                 return Stored{row.integer(), row.text(), finding_from_json(row.json())};
               }));
    for (const Stored& row : rows)
      TRY(run(database,
              "update issues set rule = $1, category = $2, tool = $3, search_text = $4 where n = $5",
              {row.finding.rule, row.finding.category, row.finding.agent, search_text(row.finding, row.code),
               row.n}));
    if (rows.size() < kAtATime) return {};
    after = rows.back().n;
  }
}

Result<bool> select_issue_page(Database& database, const IssueSearch& filter, std::int64_t& after,
                               std::size_t size, std::vector<Issue>& page) {
  if (!filter.file_glob.empty()) return select_globbed_page(database, filter, after, size, page);
  TRY_ASSIGN(const TextIndex index, TextIndex::of(database, filter));
  const Condition condition(index, filter, {after}, {"n > $1"});
  std::size_t rows = 0;
  const std::string sql =
      "select " + issue_columns() + ", n from issues" + condition.where() + " order by n" + limit_sql(size);
  TRY(for_each_row(database, sql, condition.values(), [&](RowReader& row) -> Status {
    IssueRow read = read_issue_row(row);
    after = row.integer();
    ++rows;
    page.push_back(std::move(read.issue));
    return {};
  }));
  return rows == size;
}

// Few rows are found by what makes them few, and then sorted; many are read in an order that an index has.
Result<std::string> order_of(Database& database, const IssueSearch& filter, const TextIndex& index) {
  constexpr std::int64_t kFew = 5'000;
  if (filter.order == IssueOrder::found || filter.order == IssueOrder::newest) return order_sql(filter.order);
  bool few = filter.questions != QuestionFilter::off || index.question.has_value();
  if (is_counted(filter) && (filter.statuses.size() == 1 || filter.rules.size() == 1)) {
    TRY_ASSIGN(const auto kinds, select_issue_kinds(database, filter));
    std::int64_t rows = 0;
    for (const IssueKindCount& kind : kinds) rows += kind.count;
    few = rows <= kFew;
  }
  return few ? sorted_sql(filter.order) : order_sql(filter.order);
}

// Numbers first, whole issues only for the rows that are shown: a jump to the end does not read what lies
// before.
Result<std::vector<Issue>> select_issue_rows(Database& database, const IssueSearch& filter,
                                             std::size_t size) {
  TRY_ASSIGN(const TextIndex index, TextIndex::of(database, filter));
  const Condition condition(index, filter);
  const bool globbed = !filter.file_glob.empty();
  const std::int64_t offset = filter.offset.value_or(0);
  TRY_ASSIGN(const std::string order, order_of(database, filter, index));
  std::string sql =
      std::string("select n") + (globbed ? ", file" : "") + " from issues" + condition.where() + order;
  if (!globbed) sql += limit_sql(size) + " offset " + std::to_string(offset);
  std::vector<std::int64_t> found;
  std::int64_t skipped = globbed ? 0 : offset;
  TRY(for_each_row(database, sql, condition.values(), [&](RowReader& row) -> Status {
    const std::int64_t n = row.integer();
    if (found.size() == size || (globbed && !glob_match(filter.file_glob, row.text()))) return {};
    if (skipped < offset)
      ++skipped;
    else
      found.push_back(n);
    return {};
  }));
  if (found.empty()) return std::vector<Issue>();
  Values numbers; // bound, not written: statements are kept
  std::vector<std::string> places;
  for (const std::int64_t n : found) {
    numbers.emplace_back(n);
    places.push_back("$" + std::to_string(numbers.size()));
  }
  std::map<std::int64_t, Issue> rows;
  TRY(for_each_row(database,
                   "select " + issue_columns() + ", n from issues where n in (" + join(places, ", ") + ")",
                   numbers, [&](RowReader& row) -> Status {
                     IssueRow read = read_issue_row(row);
                     rows[row.integer()] = std::move(read.issue);
                     return {};
                   }));
  std::vector<Issue> issues;
  for (const std::int64_t n : found)
    if (const auto row = rows.find(n); row != rows.end()) issues.push_back(std::move(row->second));
  return issues;
}

Result<std::vector<IssueKindCount>> select_issue_kinds(Database& database, const IssueSearch& filter) {
  if (!filter.file_glob.empty()) return select_globbed_kinds(database, filter);
  const bool counted = is_counted(filter);
  TRY_ASSIGN(const TextIndex index, TextIndex::of(database, filter));
  const Condition condition(index, filter, {},
                            counted ? std::vector<std::string>{"total > 0"} : std::vector<std::string>{});
  return select(database,
                "select " + kKind + (counted ? ", sum(total) from issue_kinds" : ", count(*) from issues") +
                    condition.where() + " group by " + kKind,
                condition.values(), [](RowReader& row) {
                  IssueKindCount kind = read_kind(row);
                  kind.count = row.integer();
                  return kind;
                });
}

Result<std::vector<Issue>> select_issues(Database& database, const IssueFilter& filter) {
  std::vector<Issue> issues;
  std::int64_t after = 0;
  const bool globbed = !filter.file_glob.empty();
  const std::size_t size = globbed || filter.limit == 0 ? 10'000 : filter.limit;
  for (bool more = true; more && (filter.limit == 0 || issues.size() < filter.limit);) {
    TRY_ASSIGN(more, select_issue_page(database, filter, after, size, issues));
  }
  if (filter.limit != 0 && issues.size() > filter.limit) issues.resize(filter.limit);
  TRY(attach_clarifications(database, issues));
  return issues;
}

} // namespace emend
