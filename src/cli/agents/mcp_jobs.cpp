#include "cli/agents/mcp_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/hash.hpp"
#include "cli/process_record.hpp"

namespace emend {
namespace {

using namespace std::chrono_literals;

constexpr auto kKept = 24h;
constexpr auto kWaitedMark = 1s; // how often a call of another process says that it waits
constexpr auto kStillWaits = 3s; // and how long that holds

// A name may come from anybody: only what start() makes names a file.
bool is_name(const std::string& id) {
  const std::size_t bar = id.find('_');
  if (bar == std::string::npos || bar == 0 || id.size() > 40) return false;
  return id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789", 0) == bar &&
         id.find_first_not_of("0123456789abcdef", bar + 1) == std::string::npos;
}

mcp::Answer running(const std::string& id, const std::string& line) {
  return {fmt::format("RUNNING {}: {}\nnext: call wait with id {}", id, line, id)};
}

mcp::Answer interrupted(const std::string& id) {
  return {fmt::format("INTERRUPTED {}: the process that ran it has ended\nnext: call {} again", id,
                      id.starts_with("rev_") ? "review" : "check"),
          true};
}

std::optional<Json> record_in(const fs::path& file) {
  const auto text = read_file(file, 1'000'000);
  auto record = text ? parse_json(*text) : Result<Json>(fail(text.error()));
  if (!record || !record->is_object()) return std::nullopt;
  return *std::move(record);
}

// How long ago it was written; nullopt = there is no such file.
std::optional<fs::file_time_type::duration> age_of(const fs::path& file) {
  std::error_code problem;
  const auto written = fs::last_write_time(file, problem);
  if (problem) return std::nullopt;
  return fs::file_time_type::clock::now() - written;
}

// One start at a time, in all processes.
Result<FileLock> lock_starts(const fs::path& folder) {
  for (int tries = 0;; ++tries) {
    auto lock = FileLock::try_lock(folder / "starts.lock");
    if (lock || lock.error().code != ErrorCode::conflict || tries == 100) return lock;
    std::this_thread::sleep_for(50ms);
  }
}

} // namespace

McpJobs::McpJobs(fs::path folder) : folder_(std::move(folder)), self_(process_record()) {}

McpJobs::~McpJobs() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    for (auto& [id, job] : jobs_) job.stop.request_stop();
  }
  for (auto& [id, job] : jobs_) job.thread.join();
}

fs::path McpJobs::file(const std::string& id, const char* what) const { return folder_ / (id + what); }

// What cannot be kept can still be waited for here. While it runs there is a second file, so that counting
// opens no results.
void McpJobs::keep(const std::string& id, const Job& job) const {
  Json record = {{"process", self_}, {"place", job.place}, {"line", job.line}};
  if (!job.answer) (void)write_file(file(id, ".running"), dump_json(record));
  if (job.answer) {
    record["text"] = job.answer->text;
    record["failed"] = job.answer->failed;
  }
  (void)write_file(file(id, ".json"), dump_json(record));
  std::error_code ignored;
  if (job.answer) fs::remove(file(id, ".running"), ignored);
  if (job.answer) fs::remove(file(id, ".waited"), ignored);
}

std::optional<McpJobs::Job> McpJobs::kept(const std::string& id) const {
  if (!is_name(id)) return std::nullopt;
  const auto record = record_in(file(id, ".json"));
  if (!record) return std::nullopt;
  Job job{string_or(*record, "place")};
  job.line = string_or(*record, "line");
  const Json* process = find_member(*record, "process");
  if (record->contains("text"))
    job.answer = mcp::Answer{string_or(*record, "text"), record->value("failed", false)};
  else if (process == nullptr || !still_runs(*process))
    job.answer = interrupted(id);
  return job;
}

// Their files stay for a day. A thread that has given its answer needs no lock any more, so it can be joined.
void McpJobs::forget_ended() {
  for (auto job = jobs_.begin(); job != jobs_.end();) {
    if (!job->second.answer || job->second.waiting > 0) {
      ++job;
      continue;
    }
    job->second.thread.join();
    job = jobs_.erase(job);
  }
  if (!jobs_.empty()) return;
  std::error_code problem;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, problem))
    if (const auto age = age_of(entry.path()); age && *age > kKept && entry.path().extension() != ".lock")
      fs::remove(entry.path(), problem);
}

// Holding the lock of starts. What a process that is gone left does not count.
Status McpJobs::room_for(const Order& order) const {
  int running = 0, begun = 0;
  std::error_code problem;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, problem)) {
    const std::string kind = entry.path().extension().string();
    if (kind != ".running" && kind != ".counted") continue;
    const auto record = record_in(entry.path());
    if (!record || string_or(*record, "place") != order.place) continue;
    if (kind == ".counted") {
      const auto age = age_of(entry.path());
      begun += age && *age < 1h ? 1 : 0;
      continue;
    }
    const Json* process = find_member(*record, "process");
    running += process != nullptr && still_runs(*process) ? 1 : 0;
  }
  if (running >= order.most)
    return fail(ErrorCode::conflict,
                fmt::format("{} in this repository already",
                            running == 1 ? "1 check runs" : fmt::format("{} checks run", running)),
                "call wait with the name of one of them; the limit is mcp.checks_at_once");
  if (order.most_an_hour && begun >= *order.most_an_hour)
    return fail(ErrorCode::conflict,
                fmt::format("{} checks with the judge were begun here in the last hour", begun),
                "check without the judge; the limit is mcp.fixes_an_hour");
  return {};
}

Result<std::string> McpJobs::start(const Order& order, Work work) {
  TRY(make_directories(folder_, 0700));
  TRY_ASSIGN(const FileLock one_at_a_time, lock_starts(folder_));
  const std::lock_guard lock(mutex_);
  if (closing_) return fail(ErrorCode::cancelled, "emend is ending");
  forget_ended();
  TRY(room_for(order));
  const std::string id = order.kind + "_" + random_hex(5);
  if (order.most_an_hour) TRY(write_file(file(id, ".counted"), dump_json({{"place", order.place}})));
  begin(id, order.place, std::move(work));
  return id;
}

void McpJobs::begin(const std::string& id, const std::string& place, Work work) {
  Job& job = jobs_[id];
  job.place = place;
  keep(id, job);
  job.thread = std::thread([this, id, &job, work = std::move(work)] {
    const auto tell = [&](const std::string& line) {
      const std::lock_guard telling(mutex_);
      job.line = line;
      keep(id, job);
      changed_.notify_all();
    };
    mcp::Answer answer;
    try {
      answer = work({id, job.stop.get_token(), tell});
    } catch (const std::exception& fault) {
      answer = {std::string("internal error: ") + fault.what(), true};
    }
    const std::lock_guard ending(mutex_);
    job.answer = ended(id, job, std::move(answer));
    keep(id, job);
    changed_.notify_all();
  });
}

// One that was stopped has nothing to say of its own, and whoever else asks for it learns why.
mcp::Answer McpJobs::ended(const std::string& id, const Job& job, mcp::Answer answer) const {
  if (!answer.failed || !job.stop.stop_requested()) return answer;
  if (closing_) return interrupted(id);
  return {fmt::format("CANCELLED {}: nobody waited for it any more\nnext: call {} again", id,
                      id.starts_with("rev_") ? "review" : "check"),
          true};
}

// Whoever was told RUNNING and has not come back yet cannot be told from somebody who has left.
void McpJobs::wait_no_more(const std::string& id, bool cancelled) {
  const auto own = jobs_.find(id);
  if (own == jobs_.end()) return;
  Job& job = own->second;
  --job.waiting;
  if (!cancelled || job.waiting > 0) return;
  const auto waited = age_of(file(id, ".waited"));
  if (!waited || *waited > kStillWaits) job.stop.request_stop();
}

std::optional<McpJobs::Seen> McpJobs::seen(const std::string& id, const std::string& place) const {
  if (const auto own = jobs_.find(id); own != jobs_.end()) {
    if (own->second.place != place) return std::nullopt;
    return Seen{own->second.answer, own->second.line, true};
  }
  const auto other = kept(id);
  if (!other || other->place != place) return std::nullopt;
  return Seen{other->answer, other->line, false};
}

std::optional<mcp::Answer> McpJobs::look(const std::string& id, const std::string& place) {
  const std::lock_guard lock(mutex_);
  const auto now = seen(id, place);
  if (!now) return std::nullopt;
  return now->answer ? *now->answer : running(id, now->line);
}

std::optional<mcp::Answer> McpJobs::wait(const std::string& id, const std::string& place, int seconds,
                                         const mcp::Call& call) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  std::unique_lock lock(mutex_);
  auto now = seen(id, place);
  if (!now) return std::nullopt;
  const bool ours = now->ours;
  if (ours) ++jobs_.at(id).waiting;
  std::string told;
  while (now && !now->answer && !call.stop.stop_requested() && std::chrono::steady_clock::now() < until) {
    const auto marked = ours ? std::nullopt : age_of(file(id, ".waited"));
    if (!ours && (!marked || *marked > kWaitedMark)) (void)write_file(file(id, ".waited"), "");
    if (now->line != told) {
      told = now->line;
      lock.unlock();
      call.progress(told);
      lock.lock();
    } else {
      changed_.wait_for(lock, 200ms);
    }
    now = seen(id, place);
  }
  if (ours) wait_no_more(id, call.stop.stop_requested());
  if (!now) return std::nullopt;
  return now->answer ? *now->answer : running(id, now->line);
}

} // namespace emend
