#include "adapters/sql/issue_rows.hpp"

#include <algorithm>

#include "adapters/sql/clarification_rows.hpp"
#include "base/strings.hpp"
#include "model/issue.hpp"

namespace emend {

namespace {

// When a column is written, besides when the row is made. What a move changes is in move_issue().
enum class Written { once, when_changed, when_seen };

struct Column {
  const char* name;
  Value (*value)(const IssueRow& row);
  void (*read)(RowReader& reader, IssueRow& row); // nullptr: only for searching, the finding has it as well
  Written written = Written::once;
};

template <auto Member>
constexpr Column text(const char* name, Written written = Written::once) {
  return {name, [](const IssueRow& row) -> Value { return row.issue.*Member; },
          [](RowReader& reader, IssueRow& row) { row.issue.*Member = reader.text(); }, written};
}

template <int Issue::*Member>
constexpr Column number(const char* name) {
  return {name, [](const IssueRow& row) -> Value { return row.issue.*Member; },
          [](RowReader& reader, IssueRow& row) { row.issue.*Member = reader.small(); }};
}

template <std::int64_t Issue::*Member>
constexpr Column number(const char* name, Written written = Written::once) {
  return {name, [](const IssueRow& row) -> Value { return row.issue.*Member; },
          [](RowReader& reader, IssueRow& row) { row.issue.*Member = reader.integer(); }, written};
}

template <auto Member, auto Parse>
constexpr Column word(const char* name, Written written = Written::once) {
  return {name, [](const IssueRow& row) -> Value { return std::string(to_string(row.issue.*Member)); },
          [](RowReader& reader, IssueRow& row) { row.issue.*Member = reader.word(Parse); }, written};
}

constexpr Column searched(const char* name, Value (*value)(const IssueRow& row)) {
  return {name, value, nullptr, Written::when_changed};
}

// Every column of the table. A new one is a line here, and a step in schema_issues.cpp.
constexpr Column kColumns[] = {
    text<&Issue::id>("id"),
    text<&Issue::repository_id>("repository_id"),
    text<&Issue::code>("code"),
    text<&Issue::fingerprint>("fingerprint", Written::when_changed),
    text<&Issue::content_fingerprint>("content_fingerprint", Written::when_changed),
    text<&Issue::line_key>("line_key", Written::when_changed),
    {"finding", [](const IssueRow& row) -> Value { return dump_json(to_json(row.issue.finding)); },
     [](RowReader& reader, IssueRow& row) { row.issue.finding = finding_from_json(reader.json()); },
     Written::when_changed},
    word<&Issue::status, parse_issue_status>("status"),
    text<&Issue::reason>("reason"),
    text<&Issue::detail>("detail"),
    text<&Issue::evidence>("evidence"),
    {"marks", [](const IssueRow& row) -> Value { return to_string(row.issue.marks); },
     [](RowReader& reader, IssueRow& row) { row.issue.marks = parse_marks(reader.text()); }},
    text<&Issue::duplicate_of>("duplicate_of"),
    {"session_id", [](const IssueRow& row) { return or_null(row.issue.session_id); },
     [](RowReader& reader, IssueRow& row) { row.issue.session_id = reader.text(); }},
    text<&Issue::commit>("commit_sha"),
    number<&Issue::last_score>("last_score"),
    number<&Issue::attempts>("attempts"),
    word<&Issue::trend, parse_issue_trend>("trend", Written::when_seen),
    text<&Issue::seen_commit>("seen_commit", Written::when_seen),
    text<&Issue::absent_commit>("absent_commit", Written::when_seen),
    number<&Issue::created_ms>("created_ms"),
    number<&Issue::updated_ms>("updated_ms", Written::when_changed),
    {"seen_look", [](const IssueRow& row) -> Value { return row.look; },
     [](RowReader& reader, IssueRow& row) { row.look = reader.text(); }, Written::when_seen},
    searched("file", [](const IssueRow& row) -> Value { return row.issue.finding.file; }),
    searched("severity",
             [](const IssueRow& row) -> Value { return std::string(to_string(row.issue.finding.severity)); }),
    searched("rule", [](const IssueRow& row) -> Value { return row.issue.finding.rule; }),
    searched("category", [](const IssueRow& row) -> Value { return row.issue.finding.category; }),
    searched("tool", [](const IssueRow& row) -> Value { return row.issue.finding.agent; }),
    searched("search_text",
             [](const IssueRow& row) -> Value { return search_text(row.issue.finding, row.issue.code); }),
};

std::string names_of(bool (*wanted)(const Column&)) {
  std::vector<std::string> names;
  for (const Column& column : kColumns)
    if (wanted(column)) names.emplace_back(column.name);
  return join(names, ", ");
}

constexpr std::size_t kInsertedAtOnce = 64;

std::string insert_issues_sql(std::size_t rows) {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < rows; ++i)
    values.push_back("(" + parameters_sql(std::size(kColumns), i * std::size(kColumns) + 1) + ")");
  return "insert into issues (" + names_of([](const Column&) { return true; }) + ") values " +
         join(values, ", ");
}

// Writes the columns that are due on this occasion.
Status update_issue(Database& database, const IssueRow& row, Written occasion) {
  Values values;
  std::string sets;
  for (const Column& column : kColumns) {
    if (column.written < occasion) continue;
    values.push_back(column.value(row));
    sets += (sets.empty() ? "" : ", ") + std::string(column.name) + " = $" + std::to_string(values.size());
  }
  values.emplace_back(row.issue.id);
  TRY_ASSIGN(const int rows, run(database,
                                 "update issues set " + sets + " where id = $" +
                                     std::to_string(values.size()) + " returning id",
                                 values));
  return rows == 1 ? Status() : fail(ErrorCode::conflict, "there is no issue " + row.issue.id + " any more");
}

Value optional_value(const std::optional<std::string>& text) { return text ? Value(*text) : Value(nullptr); }

Status refused_move(Database& database, const IssueMove& move) {
  TRY_ASSIGN(const auto now, select(database, "select code, status from issues where id = $1",
                                    {move.issue_id}, [](RowReader& row) {
                                      return std::pair<std::string, std::string>{row.text(), row.text()};
                                    }));
  if (now.empty()) return fail(ErrorCode::conflict, "there is no issue " + move.issue_id + " any more");
  return fail(ErrorCode::conflict,
              now.front().first + " is " + now.front().second + ", not " + std::string(to_string(move.from)) +
                  " any more",
              "it was changed by another process; to see it: `emend issues show " + now.front().first + "`");
}

} // namespace

const std::string& issue_columns() {
  static const std::string names = names_of([](const Column& column) { return column.read != nullptr; });
  return names;
}

IssueRow read_issue_row(RowReader& row) {
  IssueRow read;
  for (const Column& column : kColumns)
    if (column.read != nullptr) column.read(row, read);
  return read;
}

std::string search_text(const Finding& finding, const std::string& code) {
  return to_lower(finding.title + "\n" + finding.file + "\n" + code + "\n" + finding.rule);
}

std::string parameters_sql(std::size_t count, std::size_t first) {
  std::vector<std::string> parameters;
  for (std::size_t i = first; i < first + count; ++i) parameters.push_back("$" + std::to_string(i));
  return join(parameters, ", ");
}

Status NewIssues::add(Database& database, IssueRow row) {
  waiting_.push_back(std::move(row));
  return waiting_.size() < kInsertedAtOnce ? Status() : store(database);
}

IssueRow* NewIssues::find(const std::string& id) {
  const auto found =
      std::find_if(waiting_.begin(), waiting_.end(), [&](const IssueRow& row) { return row.issue.id == id; });
  return found == waiting_.end() ? nullptr : &*found;
}

// Full or one by one, so that there are two statements to keep and not one for every number.
Status NewIssues::store(Database& database) {
  static const std::string one = insert_issues_sql(1), many = insert_issues_sql(kInsertedAtOnce);
  const bool full = waiting_.size() == kInsertedAtOnce;
  Values values;
  for (const IssueRow& row : waiting_) {
    for (const Column& column : kColumns) values.push_back(column.value(row));
    if (full) continue;
    TRY(run(database, one, values));
    values.clear();
  }
  if (full) TRY(run(database, many, values));
  waiting_.clear();
  return {};
}

Status update_sighting(Database& database, const IssueRow& row) {
  return update_issue(database, row, Written::when_changed);
}

Status touch_sighting(Database& database, const IssueRow& row) {
  return update_issue(database, row, Written::when_seen);
}

// The next codes go on from one that was brought, so it must leave room for them.
constexpr std::uint64_t kLargestBrought = 99'999'999;

Result<std::int64_t*> CodeGiver::last_of(const std::string& repository_id, const std::string& prefix) {
  const auto [last, fresh] = last_.try_emplace({repository_id, prefix}, 0);
  if (fresh) {
    TRY_ASSIGN(
        const auto numbers,
        select(database_, "select last_number from code_counters where repository_id = $1 and prefix = $2",
               {repository_id, prefix}, [](RowReader& row) { return row.integer(); }));
    if (!numbers.empty()) last->second = numbers.front();
  }
  return &last->second;
}

Result<std::string> CodeGiver::next(const std::string& repository_id, Side side) {
  const std::string prefix(code_prefix(side));
  TRY_ASSIGN(std::int64_t * last, last_of(repository_id, prefix));
  std::string digits = std::to_string(++*last);
  if (digits.size() < 3) digits.insert(0, 3 - digits.size(), '0');
  return prefix + "-" + digits;
}

Result<std::string> CodeGiver::take(const std::string& repository_id, const std::string& code, Side side) {
  const std::size_t dash = std::min(code.find('-'), code.size());
  const std::string prefix = code.substr(0, dash);
  const bool ours = prefix == code_prefix(Side::backend) || prefix == code_prefix(Side::frontend);
  const auto number = ours && dash < code.size() ? parse_unsigned(code.substr(dash + 1)) : std::nullopt;
  if (!number || *number > kLargestBrought) return next(repository_id, side);
  TRY_ASSIGN(const auto taken,
             select(database_, "select code from issues where repository_id = $1 and code = $2",
                    {repository_id, code}, [](RowReader& row) { return row.text(); }));
  if (!taken.empty()) return next(repository_id, side);
  TRY_ASSIGN(std::int64_t * last, last_of(repository_id, prefix));
  *last = std::max(*last, static_cast<std::int64_t>(*number));
  return code;
}

Status CodeGiver::store() {
  for (const auto& [key, number] : last_)
    TRY(run(database_,
            upsert_sql("code_counters", "repository_id, prefix, last_number", "repository_id, prefix"),
            {key.first, key.second, number}));
  return {};
}

Status move_issue(Database& database, const IssueMove& move, std::int64_t now_ms) {
  if (!may_move(move.from, move.to, move.mover)) {
    return fail(ErrorCode::internal, "no move from " + std::string(to_string(move.from)) + " to " +
                                         std::string(to_string(move.to)) + " for the " +
                                         std::string(to_string(move.mover)));
  }
  const auto trend =
      move.trend || move.to != IssueStatus::resolved ? move.trend : std::optional(IssueTrend::ongoing);
  TRY_ASSIGN(
      const int moved,
      run(database,
          "update issues set status = $1, reason = $2, detail = $3, evidence = coalesce($4, evidence), "
          "commit_sha = coalesce($5, commit_sha), session_id = nullif(coalesce($6, session_id), ''), "
          "duplicate_of = coalesce($7, duplicate_of), last_score = coalesce($8, last_score), attempts = "
          "attempts + $9, "
          "updated_ms = $10, trend = coalesce($11, trend), marks = coalesce($12, marks) "
          "where id = $13 and status = $14 returning id",
          {std::string(to_string(move.to)), move.reason, move.detail, optional_value(move.evidence),
           optional_value(move.commit), optional_value(move.session_id), optional_value(move.duplicate_of),
           move.last_score ? Value(std::int64_t{*move.last_score}) : Value(nullptr), move.add_attempts,
           now_ms, trend ? Value(std::string(to_string(*trend))) : Value(nullptr),
           move.marks ? Value(to_string(*move.marks)) : Value(nullptr), move.issue_id,
           std::string(to_string(move.from))}));
  return moved == 1 ? Status() : refused_move(database, move);
}

Status mark_absent(Database& database, const Absence& absence) {
  TRY(run(database, "update issues set absent_commit = $1 where id = $2 and absent_commit = ''",
          {absence.commit, absence.issue_id}));
  return {};
}

Result<Issue> select_issue(Database& database, const std::string& repository_id,
                           const std::string& code_or_id) {
  TRY_ASSIGN(auto found, select(database,
                                "select " + issue_columns() +
                                    " from issues where repository_id = $1 and (code = $2 or id = $3)",
                                {repository_id, to_upper(code_or_id), code_or_id}, read_issue_row));
  if (found.empty()) {
    return fail(ErrorCode::not_found, "there is no issue " + code_or_id + " in this repository",
                "list them with `emend issues list`");
  }
  std::vector<Issue> issue = {std::move(found.front().issue)};
  TRY(attach_clarifications(database, issue));
  return std::move(issue.front());
}

} // namespace emend
