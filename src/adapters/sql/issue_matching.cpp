#include "adapters/sql/issue_matching.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/hash.hpp"
#include "model/project_side.hpp"

namespace emend {

namespace {

bool is_closed(IssueStatus status) {
  return status == IssueStatus::resolved || status == IssueStatus::merged;
}

std::string key_of(const std::string& repository_id, const std::string& name) {
  return repository_id + '\n' + name;
}

bool same_name(const std::string& a, const std::string& b) {
  return std::filesystem::path(a).filename() == std::filesystem::path(b).filename();
}

bool same_extension(const std::string& a, const std::string& b) {
  return std::filesystem::path(a).extension() == std::filesystem::path(b).extension();
}

Status check(const Issue& issue) {
  if (issue.repository_id.empty() || issue.fingerprint.empty())
    return fail(ErrorCode::internal, "an issue needs a repository and a fingerprint");
  return {};
}

Result<std::optional<IssueRow>> first_row(Database& database, const std::string& sql, const Values& values) {
  TRY_ASSIGN(auto found, select(database, sql, values, read_issue_row));
  if (found.empty()) return std::optional<IssueRow>();
  return std::optional<IssueRow>(std::move(found.front()));
}

Result<std::optional<IssueRow>> by_fingerprint(Database& database, const Issue& issue) {
  static const std::string sql =
      "select " + issue_columns() + " from issues where repository_id = $1 and fingerprint = $2";
  return first_row(database, sql, {issue.repository_id, issue.fingerprint});
}

// By fingerprint: those that issues from `begin` on have, up to `end`. One repository and one question at a
// time.
Result<std::unordered_map<std::string, IssueRow>> known_from(Database& database,
                                                             const std::vector<Issue>& issues,
                                                             std::size_t begin, std::size_t& end) {
  constexpr std::size_t kAtOnce = 128;
  static const std::string sql = "select " + issue_columns() +
                                 " from issues where repository_id = $1 and fingerprint in (" +
                                 parameters_sql(kAtOnce, 2) + ")";
  Values values = {issues[begin].repository_id};
  for (end = begin; end < issues.size() && end - begin < kAtOnce; ++end) {
    TRY(check(issues[end]));
    if (issues[end].repository_id != issues[begin].repository_id) break;
    values.emplace_back(issues[end].fingerprint);
  }
  values.resize(kAtOnce + 1, values.back()); // always the same statement
  std::unordered_map<std::string, IssueRow> known;
  TRY(for_each_row(database, sql, values, [&](RowReader& reader) -> Status {
    IssueRow row = read_issue_row(reader);
    known.emplace(row.issue.fingerprint, std::move(row));
    return {};
  }));
  return known;
}

} // namespace

IssueMatcher::IssueMatcher(Sighting sighting) : sighting_(std::move(sighting)) {
  if (sighting_.look.empty()) sighting_.look = new_uuid();
}

// Those whose place is found by fingerprint go first: what is left of the known ones is then free to be
// something that changed.
Status IssueMatcher::add(Database& database, std::vector<Issue>& issues, std::int64_t now_ms) {
  Others others;
  Places met; // by repository and fingerprint, the last of these issues: the same may come twice
  for (std::size_t begin = 0, end = 0; begin < issues.size(); begin = end) {
    TRY_ASSIGN(auto known, known_from(database, issues, begin, end));
    for (std::size_t i = begin; i < end; ++i) {
      const std::string key = key_of(issues[i].repository_id, issues[i].fingerprint);
      const auto row = known.find(issues[i].fingerprint);
      if (const auto earlier = met.find(key); earlier != met.end()) {
        TRY_ASSIGN(issues[i], see_again(database, {issues[earlier->second], look()}, issues[i], now_ms));
        earlier->second = i;
      } else if (row == known.end() || (is_closed(row->second.issue.status) && row->second.look != look())) {
        others.which.push_back(i);
        if (row != known.end()) others.closed.emplace(i, row->second);
      } else {
        TRY_ASSIGN(issues[i], see_again(database, std::move(row->second), issues[i], now_ms));
        met.emplace(key, i);
      }
    }
  }
  TRY(add_unrecognised(database, issues, std::move(others), now_ms));
  return new_.store(database);
}

Status IssueMatcher::add_unrecognised(Database& database, std::vector<Issue>& issues, Others others,
                                      std::int64_t now_ms) {
  CodeGiver codes(database);
  Places placed;
  for (const std::size_t i : others.which) {
    const auto [earlier, first] =
        placed.try_emplace(key_of(issues[i].repository_id, issues[i].fingerprint), i);
    if (!first) {
      TRY_ASSIGN(issues[i], see_again(database, {issues[earlier->second], look()}, issues[i], now_ms));
      earlier->second = i;
      continue;
    }
    std::optional<IssueRow> closed;
    if (const auto row = others.closed.find(i); row != others.closed.end()) closed = std::move(row->second);
    TRY_ASSIGN(std::optional<IssueRow> known, recognise(database, issues[i], std::move(closed)));
    if (known) {
      TRY_ASSIGN(issues[i], see_again(database, *std::move(known), issues[i], now_ms));
    } else {
      TRY_ASSIGN(issues[i], add_new(database, codes, issues[i], now_ms));
    }
  }
  return codes.store();
}

// `same`: the one with this fingerprint, which is closed. When another of the same text is still open, that
// one is meant: the closed one's place among equals has been taken by the next.
IssueMatcher::Known IssueMatcher::recognise(Database& database, const Issue& issue,
                                            std::optional<IssueRow> same) {
  TRY(load_gone_files(database, issue.repository_id));
  if (same) {
    TRY_ASSIGN(auto open, still_open(database, issue));
    return open ? std::move(open) : std::move(same);
  }
  TRY_ASSIGN(auto moved, renamed(database, issue));
  if (moved) return moved;
  return edited_near(database, issue);
}

void IssueMatcher::put(Pool& pool, Candidate candidate) {
  const std::size_t at = pool.candidates.size();
  if (candidate.content.empty())
    pool.old.push_back(at);
  else
    pool.by_content[candidate.content].push_back(at);
  if (!candidate.line_key.empty()) pool.by_line[candidate.line_key].push_back(at);
  pool.candidates.push_back(std::move(candidate));
}

Status IssueMatcher::load(Database& database, const std::string& repository_id, const std::string& file,
                          Pool& pool) const {
  static const std::string sql =
      "select id, content_fingerprint, line_key, status in ('RESOLVED', 'MERGED'), "
      "case when content_fingerprint = '' then finding else '{}' end from issues "
      "where repository_id = $1 and file = $2 and seen_look <> $3 order by status in ('RESOLVED', 'MERGED'), "
      "n";
  return for_each_row(database, sql, {repository_id, file, look()}, [&](RowReader& row) -> Status {
    Candidate candidate{row.text(), row.text(), row.text(), file, row.flag(), {}, {}, 0, false};
    if (candidate.content.empty()) {
      Finding old = finding_from_json(row.json());
      candidate.rule = std::move(old.rule);
      candidate.words = std::move(old.description);
      candidate.line = old.line;
    }
    put(pool, std::move(candidate));
    return {};
  });
}

Status IssueMatcher::load_gone_files(Database& database, const std::string& repository_id) {
  if (!sighting_.has_file || !repositories_.insert(repository_id).second) return {};
  TRY_ASSIGN(const auto files, select(database, "select distinct file from issues where repository_id = $1",
                                      {repository_id}, [](RowReader& row) { return row.text(); }));
  for (const std::string& file : files)
    if (!file.empty() && !sighting_.has_file(file))
      TRY(load(database, repository_id, file, gone_[repository_id]));
  return {};
}

Result<IssueMatcher::Pool*> IssueMatcher::pool_of(Database& database, const Issue& issue) {
  const auto [pool, fresh] = of_file_.try_emplace(key_of(issue.repository_id, issue.finding.file));
  if (fresh) TRY(load(database, issue.repository_id, issue.finding.file, pool->second));
  return &pool->second;
}

// Nothing when it was claimed in the meantime.
IssueMatcher::Known IssueMatcher::claim(Database& database, Candidate& candidate) const {
  static const std::string sql =
      "select " + issue_columns() + " from issues where id = $1 and seen_look <> $2";
  candidate.claimed = true;
  return first_row(database, sql, {candidate.id, look()});
}

// The first that suits; one in a file of the same name before others. Where more than a few are equal, any of
// the first few will do.
IssueMatcher::Known IssueMatcher::take(Database& database, Pool& pool, Queues& queues, const std::string& key,
                                       const Issue& issue, const Suits& suits) {
  constexpr std::size_t kLookedAt = 64;
  const auto found = queues.find(key);
  if (key.empty() || found == queues.end()) return std::optional<IssueRow>();
  std::deque<std::size_t>& queue = found->second;
  while (!queue.empty()) {
    while (!queue.empty() && pool.candidates[queue.front()].claimed) queue.pop_front();
    Candidate* best = nullptr;
    for (std::size_t i = 0; i < std::min(queue.size(), kLookedAt); ++i) {
      Candidate& candidate = pool.candidates[queue[i]];
      if (candidate.claimed || !suits(candidate)) continue;
      if (best == nullptr ||
          (!same_name(best->file, issue.finding.file) && same_name(candidate.file, issue.finding.file)))
        best = &candidate;
    }
    if (best == nullptr) break;
    TRY_ASSIGN(auto row, claim(database, *best));
    if (!row) continue;
    if (best->file != issue.finding.file) renames_.emplace(best->file, issue.finding.file);
    return row;
  }
  return std::optional<IssueRow>();
}

IssueMatcher::Known IssueMatcher::still_open(Database& database, const Issue& issue) {
  TRY_ASSIGN(Pool * pool, pool_of(database, issue));
  return take(database, *pool, pool->by_content, issue.content_fingerprint, issue,
              [](const Candidate& known) { return !known.closed; });
}

// The same content in a file that is gone; or the same line, when other things show that this file is that
// one.
IssueMatcher::Known IssueMatcher::renamed(Database& database, const Issue& issue) {
  const std::string& file = issue.finding.file;
  Pool& gone = gone_[issue.repository_id];
  TRY_ASSIGN(auto moved, take(database, gone, gone.by_content, issue.content_fingerprint, issue,
                              [&](const Candidate& known) { return same_extension(known.file, file); }));
  if (moved) return moved;
  return take(database, gone, gone.by_line, issue.line_key, issue, [&](const Candidate& known) {
    return same_name(known.file, file) || renames_.contains({known.file, file});
  });
}

IssueMatcher::Known IssueMatcher::edited_near(Database& database, const Issue& issue) {
  TRY_ASSIGN(Pool * pool, pool_of(database, issue));
  TRY_ASSIGN(auto known, take(database, *pool, pool->by_line, issue.line_key, issue,
                              [](const Candidate&) { return true; }));
  if (known || issue.content_fingerprint.empty()) return known;
  return nearest_old(database, *pool, issue);
}

// Of an issue from before content and line_key were kept, only rule (or words) and line are there to go by.
IssueMatcher::Known IssueMatcher::nearest_old(Database& database, Pool& pool, const Issue& issue) const {
  const Finding& finding = issue.finding;
  std::erase_if(pool.old, [&](std::size_t i) { return pool.candidates[i].claimed; });
  std::optional<std::size_t> best;
  for (const std::size_t i : pool.old) {
    const Candidate& known = pool.candidates[i];
    const bool same = finding.rule.empty() ? known.rule.empty() && known.words == finding.description
                                           : known.rule == finding.rule;
    if (!same) continue;
    if (!best || std::abs(known.line - finding.line) < std::abs(pool.candidates[*best].line - finding.line))
      best = i;
  }
  if (!best) return std::optional<IssueRow>();
  return claim(database, pool.candidates[*best]);
}

Result<Issue> IssueMatcher::see_again(Database& database, IssueRow known, const Issue& seen,
                                      std::int64_t now_ms) {
  Issue& issue = known.issue;
  const Finding before = issue.finding;
  std::string fingerprint = issue.fingerprint;
  const bool written = known.look == look(); // by an earlier finding of this look
  if (written) {
    join_finding(issue.finding, seen.finding);
  } else {
    refresh_finding(issue.finding, seen.finding);
    if (fingerprint != seen.fingerprint) {
      TRY_ASSIGN(const auto holder, by_fingerprint(database, seen));
      if (!holder) fingerprint = seen.fingerprint;
    }
    if (issue.trend != IssueTrend::regressed) issue.trend = IssueTrend::ongoing;
  }
  const bool same = issue.finding == before && fingerprint == issue.fingerprint &&
                    issue.content_fingerprint == seen.content_fingerprint && issue.line_key == seen.line_key;
  if (!sighting_.commit.empty()) issue.seen_commit = sighting_.commit;
  issue.absent_commit.clear();
  known.look = look();
  if (same) {
    if (!written) TRY(touch_sighting(database, known));
    return std::move(issue);
  }
  if (fingerprint == seen.fingerprint || issue.content_fingerprint.empty()) {
    issue.content_fingerprint = seen.content_fingerprint;
    issue.line_key = seen.line_key;
  }
  issue.fingerprint = std::move(fingerprint);
  issue.updated_ms = now_ms;
  if (IssueRow* waiting = written ? new_.find(issue.id) : nullptr)
    *waiting = known;
  else
    TRY(update_sighting(database, known));
  return std::move(issue);
}

Result<Issue> IssueMatcher::add_new(Database& database, CodeGiver& codes, const Issue& issue,
                                    std::int64_t now_ms) {
  if (!issue.code.empty()) TRY(new_.store(database)); // one that waits may have this code
  IssueRow row{issue, look()};
  row.issue.id = new_uuid();
  const Side side = side_in_project(issue.finding.file, sighting_.has_file);
  TRY_ASSIGN(row.issue.code, issue.code.empty() ? codes.next(issue.repository_id, side)
                                                : codes.take(issue.repository_id, issue.code, side));
  row.issue.created_ms = now_ms;
  row.issue.updated_ms = now_ms;
  row.issue.trend = IssueTrend::fresh;
  if (!sighting_.commit.empty()) row.issue.seen_commit = sighting_.commit;
  Issue added = row.issue;
  TRY(new_.add(database, std::move(row)));
  return added;
}

} // namespace emend
