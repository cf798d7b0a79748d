#include "model/session_timing.hpp"

#include <algorithm>

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

} // namespace

std::int64_t IssueTiming::worked_ms() const {
  std::int64_t total = 0, until = 0;
  for (const TimeSpan& span : spans) { // sorted by their begin
    total += std::max<std::int64_t>(0, span.end_ms - std::max(until, span.begin_ms));
    until = std::max(until, span.end_ms);
  }
  return total;
}

std::int64_t SessionTiming::worked_ms() const {
  std::int64_t total = 0;
  for (const IssueTiming& issue : issues) total += issue.worked_ms();
  return total;
}

std::int64_t SessionTiming::bound_ms(std::size_t slots) const {
  std::int64_t bound = worked_ms() / static_cast<std::int64_t>(std::max<std::size_t>(slots, 1));
  for (const IssueTiming& issue : issues) bound = std::max(bound, issue.worked_ms());
  return bound;
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
    close_check(code, now);
    issue_of(code, now).end_ms = now;
  }
  if (const auto run = event_as<AgentRunStarted>(event))
    open("run " + run->run_id, run->issue_codes.empty() ? code : run->issue_codes.front(),
         {Waited::agent, run->role + " " + run->agent, now, 0});
  if (const auto run = event_as<AgentRunCompleted>(event)) close("run " + run->run_id, now);
  if (const auto started = event_as<FixVerificationStarted>(event)) {
    close_check(code, now); // a run with probes is not told of when it ends
    open("check " + code, code,
         {Waited::check, started->kind + ": " + join(started->commands, ", "), now, 0});
  }
  const bool checked = is<FixVerificationResult>(event) || is<FixChallengerEvaluating>(event) ||
                       is<FixRescanStarted>(event) || is<FixSessionCompleted>(event);
  if (checked) close_check(code, now);
  if (is<FixRescanStarted>(event)) open("check " + code, code, {Waited::check, "analyzers", now, 0});
  if (is<FixRescanResult>(event)) close_check(code, now);
}

IssueTiming& TimingFold::issue_of(const std::string& code, std::int64_t at_ms) {
  for (IssueTiming& issue : timing_.issues)
    if (issue.code == code) return issue;
  timing_.issues.push_back({code, at_ms, at_ms, {}});
  return timing_.issues.back();
}

void TimingFold::open(const std::string& key, const std::string& code, TimeSpan span) {
  open_[key] = {code, std::move(span)};
}

void TimingFold::close(const std::string& key, std::int64_t at_ms) {
  const auto found = open_.find(key);
  if (found == open_.end()) return;
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
