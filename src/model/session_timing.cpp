#include "model/session_timing.hpp"

#include <algorithm>
#include <limits>

#include "base/strings.hpp"

namespace emend {
namespace {

std::string_view word_of(Waited on) {
  constexpr std::string_view words[] = {"agent", "check", "engine"};
  return words[static_cast<std::size_t>(on)];
}

Json spans_json(const std::vector<TimeSpan>& spans, std::int64_t zero_ms) {
  Json rows = Json::array();
  for (const TimeSpan& span : spans)
    rows.push_back({{"on", word_of(span.on)},
                    {"what", span.what},
                    {"begin_ms", span.begin_ms - zero_ms},
                    {"end_ms", span.end_ms - zero_ms}});
  return rows;
}

std::string check_key(const std::string& code, const std::string& kind) {
  return "check " + code + " " + kind;
}

// How much of the time from `from` on, and before `to`, these take; what lies over each other counts once.
// They are sorted by their begin.
std::int64_t covered_ms(const std::vector<TimeSpan>& spans, std::int64_t from, std::int64_t to) {
  std::int64_t total = 0, until = from;
  for (const TimeSpan& span : spans) {
    total += std::max<std::int64_t>(0, std::min(span.end_ms, to) - std::max(until, span.begin_ms));
    until = std::max(until, span.end_ms);
  }
  return total;
}

} // namespace

std::int64_t IssueTiming::worked_ms() const {
  return covered_ms(spans, 0, std::numeric_limits<std::int64_t>::max());
}

std::int64_t SessionTiming::worked_ms() const {
  std::int64_t total = 0;
  for (const IssueTiming& issue : issues) total += issue.worked_ms();
  return total;
}

std::int64_t SessionTiming::bound_ms(std::size_t slots) const {
  std::int64_t bound = worked_ms() / static_cast<std::int64_t>(std::max<std::size_t>(slots, 1));
  for (const IssueTiming& issue : issues) bound = std::max(bound, issue.worked_ms());
  const std::int64_t first = begin_ms + before_ms(), last = end_ms - after_ms();
  return bound + covered_ms(shared, begin_ms, first) + covered_ms(shared, std::max(first, last), end_ms);
}

std::int64_t SessionTiming::before_ms() const {
  return issues.empty() ? end_ms - begin_ms : issues.front().begin_ms - begin_ms;
}

std::int64_t SessionTiming::after_ms() const {
  std::int64_t last = begin_ms;
  for (const IssueTiming& issue : issues) last = std::max(last, issue.end_ms);
  return issues.empty() ? 0 : end_ms - last;
}

void TimingFold::take(const Event& event) {
  const std::int64_t now = event.time_ms;
  const std::string& code = event.issue_code;
  if (timing_.begin_ms == 0) timing_.begin_ms = now;
  timing_.end_ms = std::max(timing_.end_ms, now);
  if (is<FixIssueStarted>(event)) (void)issue_of(code, now);
  if (is<FixCycleCompleted>(event)) {
    end_checks(code, now);
    issue_of(code, now).end_ms = now;
  }
  if (const auto run = event_as<AgentRunStarted>(event))
    open("run " + run->run_id, run->issue_codes.empty() ? code : run->issue_codes.front(),
         {Waited::agent, run->role + " " + run->agent, now, 0});
  if (const auto run = event_as<AgentRunCompleted>(event)) close("run " + run->run_id, now);
  if (const auto started = event_as<FixVerificationStarted>(event))
    check_started(code, started->kind,
                  {Waited::check, started->kind + ": " + join(started->commands, ", "), now, 0});
  if (const auto ended = event_as<FixVerificationResult>(event)) check_ended(code, ended->kind, now);
  if (is<FixChallengerEvaluating>(event) || is<FixSessionCompleted>(event)) end_checks(code, now);
  if (is<FixRescanStarted>(event)) check_started(code, "rescan", {Waited::check, "analyzers", now, 0});
  if (is<FixRescanResult>(event)) check_ended(code, "rescan", now);
}

// One issue's checks run one after the other. Those of all fixes together may run at the same time, so that
// only the runs with probes, which are not told of when they end, end where the next begins.
void TimingFold::check_started(const std::string& code, const std::string& kind, TimeSpan span) {
  if (code.empty())
    close(check_key(code, "probe"), span.begin_ms);
  else
    end_checks(code, span.begin_ms);
  open(check_key(code, kind), code, std::move(span));
}

void TimingFold::check_ended(const std::string& code, const std::string& kind, std::int64_t at_ms) {
  if (code.empty())
    close(check_key(code, kind), at_ms);
  else
    end_checks(code, at_ms);
}

void TimingFold::end_checks(const std::string& code, std::int64_t at_ms) {
  const std::string begin = check_key(code, "");
  for (auto next = open_.lower_bound(begin); next != open_.end() && next->first.starts_with(begin);
       next = open_.lower_bound(begin))
    close(next->first, at_ms);
}

IssueTiming& TimingFold::issue_of(const std::string& code, std::int64_t at_ms) {
  const auto [place, added] = places_.emplace(code, timing_.issues.size());
  if (added) timing_.issues.push_back({code, at_ms, at_ms, {}});
  return timing_.issues[place->second];
}

void TimingFold::open(const std::string& key, const std::string& code, TimeSpan span) {
  open_.emplace(key, Open{code, std::move(span)});
}

// `key` may be that of what is closed, so it is not looked at after that is gone.
void TimingFold::close(const std::string& key, std::int64_t at_ms) {
  const auto found = open_.lower_bound(key);
  if (found == open_.end() || found->first != key) return;
  Open closed = std::move(found->second);
  open_.erase(found);
  closed.span.end_ms = at_ms;
  keep(closed.code, std::move(closed.span));
}

void TimingFold::keep(const std::string& code, TimeSpan span) {
  if (code.empty()) {
    timing_.shared.push_back(std::move(span));
    return;
  }
  IssueTiming& issue = issue_of(code, span.begin_ms);
  issue.end_ms = std::max(issue.end_ms, span.end_ms);
  issue.spans.push_back(std::move(span));
}

SessionTiming TimingFold::result() const {
  SessionTiming timing = timing_;
  const auto begins_before = [](const auto& a, const auto& b) { return a.begin_ms < b.begin_ms; };
  for (IssueTiming& issue : timing.issues)
    std::stable_sort(issue.spans.begin(), issue.spans.end(), begins_before);
  std::stable_sort(timing.issues.begin(), timing.issues.end(), begins_before);
  std::stable_sort(timing.shared.begin(), timing.shared.end(), begins_before);
  return timing;
}

Json to_json(const SessionTiming& timing, std::size_t slots) {
  Json issues = Json::array();
  for (const IssueTiming& issue : timing.issues)
    issues.push_back({{"code", issue.code},
                      {"begin_ms", issue.begin_ms - timing.begin_ms},
                      {"end_ms", issue.end_ms - timing.begin_ms},
                      {"worked_ms", issue.worked_ms()},
                      {"spans", spans_json(issue.spans, timing.begin_ms)}});
  return {{"began_ms", timing.begin_ms},
          {"total_ms", timing.end_ms - timing.begin_ms},
          {"slots", slots},
          {"worked_ms", timing.worked_ms()},
          {"bound_ms", timing.bound_ms(slots)},
          {"before_ms", timing.before_ms()},
          {"after_ms", timing.after_ms()},
          {"issues", std::move(issues)},
          {"shared", spans_json(timing.shared, timing.begin_ms)}};
}

} // namespace emend
