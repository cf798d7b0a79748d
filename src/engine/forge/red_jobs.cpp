#include "engine/forge/red_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/hash.hpp"
#include "base/redact.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kLastLines = 400, kMostSigns = 40;
constexpr int kRoundsOfHead = 2, kRoundsOfPull = 3;
constexpr std::int64_t kDayMs = 24 * 3'600'000LL;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool speaks_of_failure(std::string_view line) {
  const std::string lower = to_lower(line);
  for (const char* word : {"error", "fail", "assert", "exception", "panic", "not ok"})
    if (contains(lower, word)) return true;
  return false;
}

// Numbers, and what looks like the name of a commit or a temporary place, differ from run to run.
std::string without_chance(std::string_view line) {
  std::string kept;
  for (const std::string& word : split(std::string(trim(line)), ' ')) {
    if (word.empty()) continue;
    const bool has_digit = std::any_of(word.begin(), word.end(), is_digit);
    const bool place = contains(word, "/");
    std::string plain = place ? word.substr(word.rfind('/') + 1) : word;
    if (has_digit) std::erase_if(plain, is_digit);
    kept += plain + " ";
  }
  return kept;
}

std::vector<std::string_view> last_lines(std::string_view text) {
  auto lines = lines_of(text);
  if (lines.size() > kLastLines)
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(kLastLines));
  return lines;
}

std::string infrastructure_in(const JobWithLog& red) {
  if (red.job.end == JobEnd::timed_out)
    return "it was ended before it was done: too slow, or a broken machine";
  if (red.job.end == JobEnd::cancelled) return "it was cancelled";
  constexpr std::string_view kSigns[] = {"no space left on device",
                                         "could not resolve host",
                                         "connection timed out",
                                         "503 service unavailable",
                                         "502 bad gateway",
                                         "the runner has received a shutdown signal",
                                         "lost communication with the server",
                                         "toomanyrequests"};
  for (const std::string_view line : last_lines(red.log))
    for (const std::string_view sign : kSigns)
      if (contains(to_lower(line), sign))
        return first_line(Redactor().redact(clean_text(without_ansi(line))), 120);
  return {};
}

} // namespace

std::string_view to_string(RedKind kind) {
  switch (kind) {
    case RedKind::news: return "new";
    case RedKind::red_before: return "red before";
    case RedKind::infrastructure: return "infrastructure";
  }
  return "";
}

std::string failure_signature(std::string_view log) {
  std::set<std::string> signs;
  const std::string plain = without_ansi(log);
  for (const std::string_view line : last_lines(plain))
    if (speaks_of_failure(line) && signs.size() < kMostSigns) signs.insert(without_chance(line));
  if (signs.empty()) return {};
  std::string all;
  for (const std::string& sign : signs) all += sign + "\n";
  return sha256_hex(all);
}

std::vector<RedJob> judge_jobs(const std::vector<JobWithLog>& head, const std::vector<JobWithLog>& base) {
  std::vector<RedJob> judged;
  for (const JobWithLog& red : head) {
    RedJob one{red.job, RedKind::news, ""};
    if (std::string why = infrastructure_in(red); !why.empty()) {
      one.kind = RedKind::infrastructure;
      one.why = std::move(why);
    }
    const std::string signature = failure_signature(red.log);
    for (const JobWithLog& before : base) // a log that shows nothing is like no other
      if (before.job.name == red.job.name && !signature.empty() &&
          failure_signature(before.log) == signature) {
        one.kind = RedKind::red_before;
        one.why = "it fails in the same way on the branch it goes into";
      }
    judged.push_back(std::move(one));
  }
  return judged;
}

Place place_in(std::string_view output, const std::function<bool(const std::string&)>& is_file,
               const std::vector<std::string>& changed) {
  Place first;
  const std::string plain = without_ansi(output);
  for (const std::string_view line : last_lines(plain)) {
    std::string word;
    for (std::size_t i = 0; i <= line.size(); ++i) {
      const char c = i < line.size() ? line[i] : ' ';
      const bool part = is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '/' ||
                        c == '.' || c == '_' || c == '-' || c == '+';
      if (part) {
        word += c;
        continue;
      }
      while (word.starts_with("./")) word.erase(0, 2);
      if (word.size() > 2 && word.size() < 300 && is_file(word)) {
        std::string digits;
        std::size_t at = i;
        while (at < line.size() && !is_digit(line[at]) && at < i + 8) ++at; // ":12", "(12", "\", line 12"
        while (at < line.size() && is_digit(line[at]) && digits.size() < 7) digits += line[at++];
        Place place{word, static_cast<int>(parse_unsigned(digits).value_or(0))};
        if (std::find(changed.begin(), changed.end(), word) != changed.end()) return place;
        if (first.file.empty()) first = place;
      }
      word.clear();
    }
  }
  if (first.file.empty() && !changed.empty()) first.file = changed.front();
  return first;
}

std::vector<const CommandRun*> newly_red(const Verification& head, const Verification& base) {
  std::vector<const CommandRun*> red;
  for (const CommandRun& run : head.commands) {
    const CommandRun* before = base.find(run.name);
    if (run.result == CommandResult::failed && !run.wavers && before != nullptr && before->passed())
      red.push_back(&run);
  }
  return red;
}

std::string reason_to_rest(const std::vector<EarlierTry>& tries, const std::string& head,
                           std::int64_t now_ms) {
  int of_head = 0, of_day = 0;
  std::string line = head; // back from the head over what was pushed for it
  for (auto each = tries.rbegin(); each != tries.rend(); ++each) {
    if (now_ms - each->at_ms < kDayMs) ++of_day;
    if (each->head != line && each->tip != line) continue;
    ++of_head;
    line = each->head;
  }
  if (of_head >= kRoundsOfHead)
    return fmt::format("it was tried {} times for this head; a person has to look", of_head);
  if (of_day >= kRoundsOfPull)
    return fmt::format("it was tried {} times here within a day; a person has to look", of_day);
  return {};
}

std::vector<PipelineJob> jobs_to_restart(const std::vector<RedJob>& jobs,
                                         const std::vector<EarlierTry>& tries, const std::string& head) {
  if (std::any_of(tries.begin(), tries.end(), [&](const EarlierTry& each) {
        return each.head == head && each.line.starts_with(kStartedAgain);
      }))
    return {};
  std::vector<PipelineJob> again;
  std::set<std::string> runs;
  for (const RedJob& red : jobs) {
    if (red.kind == RedKind::news) return {};
    const bool ended_by_a_person = red.job.end == JobEnd::cancelled;
    if (red.kind == RedKind::infrastructure && !ended_by_a_person && !red.job.run.empty() &&
        runs.insert(red.job.run).second)
      again.push_back(red.job);
  }
  return again;
}

} // namespace emend
