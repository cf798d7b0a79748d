#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "api/lookups.hpp"
#include "api/routes.hpp"
#include "base/strings.hpp"
#include "engine/context/event_log.hpp"
#include "model/session_view.hpp"

namespace emend {

namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::size_t kMostRuns = 100'000, kMostSessions = 200, kMostWeeks = 104;

// Weeks begin on Monday, UTC; 1970-01-01 was a Thursday.
std::int64_t week_of(std::int64_t ms) { return (ms / kDayMs + 3) / 7; }
std::string monday(std::int64_t week) { return rfc3339_utc((week * 7 - 3) * kDayMs).substr(0, 10); }

bool is_fixed(const Issue& issue) {
  return issue.status == IssueStatus::resolved || issue.status == IssueStatus::merged;
}
bool is_closed(const Issue& issue) {
  return is_fixed(issue) || issue.status == IssueStatus::ignored || issue.status == IssueStatus::duplicate;
}

struct Decided {
  std::int64_t fixes = 0, accepted = 0, rejected = 0;
  [[nodiscard]] Json to_json() const {
    return {{"fixes", fixes}, {"accepted", accepted}, {"rejected", rejected}};
  }
};

struct Week {
  std::map<Severity, std::int64_t> open; // at its end
  std::int64_t found = 0, runs = 0;
  Decided decided;
  std::optional<double> cost_usd; // nullopt = no run named a price
  std::vector<std::int64_t> fixed_after_ms;
};

class Trends {
public:
  Trends(std::int64_t now_ms, std::size_t weeks)
      : first_(week_of(now_ms) + 1 - static_cast<std::int64_t>(weeks)), weeks_(weeks) {}

  // The last change of an issue that is closed is what closed it.
  void add(const Issue& issue) {
    if (Week* week = at(issue.created_ms)) ++week->found;
    for (std::size_t i = 0; i < weeks_.size(); ++i) {
      const std::int64_t week = first_ + static_cast<std::int64_t>(i);
      const bool there = week_of(issue.created_ms) <= week;
      const bool gone = is_closed(issue) && week_of(issue.updated_ms) <= week;
      if (there && !gone) ++weeks_[i].open[issue.finding.severity];
    }
    if (!is_fixed(issue)) return;
    Week* week = at(issue.updated_ms);
    if (week == nullptr) return;
    ++week->decided.fixes;
    week->fixed_after_ms.push_back(issue.updated_ms - issue.created_ms);
    if (fixers_.contains(issue.id)) ++agents_[fixers_[issue.id]].fixes;
  }

  // Newest first: the last fixer of an issue is the one whose fix it has.
  void add(const AgentRunRecord& run) {
    if (run.role == "fixer")
      for (const std::string& issue : run.issue_ids) fixers_.try_emplace(issue, run.agent);
    Week* week = at(run.started_ms);
    if (week == nullptr) return;
    ++week->runs;
    if (run.usage.cost_usd) week->cost_usd = week->cost_usd.value_or(0) + *run.usage.cost_usd;
  }

  void accepted(const std::string& issue_id, std::int64_t ms) { decide(issue_id, ms, &Decided::accepted); }
  void rejected(const std::string& issue_id, std::int64_t ms) { decide(issue_id, ms, &Decided::rejected); }
  [[nodiscard]] bool covers(std::int64_t ms) const { return week_of(ms) >= first_; }

  [[nodiscard]] Json to_json() {
    Json weeks = Json::array(), agents = Json::array();
    for (std::size_t i = 0; i < weeks_.size(); ++i)
      weeks.push_back(row_of(weeks_[i], monday(first_ + static_cast<std::int64_t>(i))));
    for (const auto& [name, decided] : agents_) {
      Json row = decided.to_json();
      row["agent"] = name;
      agents.push_back(std::move(row));
    }
    return {{"weeks", std::move(weeks)}, {"agents", std::move(agents)}};
  }

private:
  Week* at(std::int64_t ms) {
    const std::int64_t place = week_of(ms) - first_;
    return place >= 0 && place < static_cast<std::int64_t>(weeks_.size())
               ? &weeks_[static_cast<std::size_t>(place)]
               : nullptr;
  }
  void decide(const std::string& issue_id, std::int64_t ms, std::int64_t Decided::*which) {
    Week* week = at(ms);
    if (week == nullptr) return;
    ++(week->decided.*which);
    if (fixers_.contains(issue_id)) ++(agents_[fixers_[issue_id]].*which);
  }
  static Json row_of(Week& week, const std::string& name) {
    Json row = week.decided.to_json();
    row["week"] = name;
    row["found"] = week.found;
    row["runs"] = week.runs;
    row["cost_usd"] = week.cost_usd ? Json(*week.cost_usd) : Json(nullptr);
    row["open"] = Json::object();
    for (const Severity severity :
         {Severity::critical, Severity::high, Severity::medium, Severity::low, Severity::info})
      row["open"][std::string(to_string(severity))] = week.open[severity];
    std::sort(week.fixed_after_ms.begin(), week.fixed_after_ms.end());
    row["median_fix_ms"] = week.fixed_after_ms.empty()
                               ? Json(nullptr)
                               : Json(week.fixed_after_ms[week.fixed_after_ms.size() / 2]);
    return row;
  }

  std::int64_t first_; // week
  std::vector<Week> weeks_;
  std::map<std::string, std::string> fixers_; // issue -> agent
  std::map<std::string, Decided> agents_;
};

// What people decided. An acceptance is dated by its session.
Status add_decisions(const ApiParts& parts, const std::string& repository, Trends& trends) {
  TRY_ASSIGN(const auto withdrawn, parts.store.withdrawals("", ""));
  for (const Withdrawal& one : withdrawn) {
    const auto session = parts.store.session(one.session_id);
    if (session && session->repository_id == repository) trends.rejected(one.issue_id, one.created_ms);
  }
  TRY_ASSIGN(const auto sessions, parts.store.sessions(repository, kMostSessions));
  for (const Session& session : sessions) {
    if (session.tip.empty() || !trends.covers(session.updated_ms)) continue;
    TRY_ASSIGN(const SessionView view, session_view(parts.store, session.id));
    for (const std::string& code : view.accepted)
      if (const auto issue = parts.store.issue(repository, code))
        trends.accepted(issue->id, session.updated_ms);
  }
  return {};
}

// Every issue is read for an answer, so one is kept for a while: until something happened and it is old
// enough.
class Kept {
public:
  [[nodiscard]] std::optional<Json> find(const std::string& key, std::int64_t event, std::int64_t now_ms) {
    const std::lock_guard lock(mutex_);
    const auto known = answers_.find(key);
    const bool good = known != answers_.end() &&
                      (known->second.event == event || now_ms - known->second.made_ms < kFreshMs);
    return good ? std::optional(known->second.body) : std::nullopt;
  }
  void put(const std::string& key, std::int64_t event, std::int64_t now_ms, const Json& body) {
    const std::lock_guard lock(mutex_);
    if (answers_.size() >= kMost) answers_.clear();
    answers_.insert_or_assign(key, Answer{event, now_ms, body});
  }

private:
  static constexpr std::int64_t kFreshMs = 10'000;
  static constexpr std::size_t kMost = 64;
  struct Answer {
    std::int64_t event = 0, made_ms = 0;
    Json body;
  };
  std::mutex mutex_;
  std::map<std::string, Answer> answers_;
};

Result<HttpReply> trends(const ApiParts& parts, Kept& kept, const Call& call) {
  const auto weeks = parse_unsigned(call.request.query_value("weeks").value_or("12"));
  if (!weeks || *weeks < 1 || *weeks > kMostWeeks)
    return problem_response(422, "validation-failed", "weeks is a number from 1 to 104");
  TRY_ASSIGN(const auto repositories, listed_repositories(parts, call));
  std::string key = std::to_string(*weeks) + " " + monday(week_of(parts.now_ms()));
  for (const ServedRepository& repository : repositories) key += " " + repository.id;
  TRY_ASSIGN(const std::int64_t event, parts.ledger.newest_event());
  if (const auto known = kept.find(key, event, parts.now_ms())) return tagged_response(call.request, *known);
  Trends all(parts.now_ms(), *weeks);
  for (const ServedRepository& repository : repositories) {
    TRY_ASSIGN(const auto runs, parts.store.latest_agent_runs(repository.id, kMostRuns));
    for (const AgentRunRecord& run : runs) all.add(run);
    IssueFilter filter;
    filter.repository_id = repository.id;
    TRY(parts.store.for_each_issue(filter, [&](Issue&& issue) -> Status {
      all.add(issue);
      return {};
    }));
    TRY(add_decisions(parts, repository.id, all));
  }
  const Json body = all.to_json();
  kept.put(key, event, parts.now_ms(), body);
  return tagged_response(call.request, body);
}

} // namespace

std::vector<Operation> trend_operations(const ApiParts& parts) {
  const auto kept = std::make_shared<Kept>();
  return {{"GET", "/api/trends", "getTrends",
           [&parts, kept](const Call& call) { return trends(parts, *kept, call); }}};
}

} // namespace emend
