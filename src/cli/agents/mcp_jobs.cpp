#include "cli/agents/mcp_jobs.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "base/hash.hpp"

namespace emend {
namespace {

constexpr auto kKept = std::chrono::hours(24);

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

} // namespace

McpJobs::~McpJobs() {
  for (auto& [id, job] : jobs_) job.stop.request_stop();
  for (auto& [id, job] : jobs_) job.thread.join();
}

// What cannot be kept can still be waited for here.
void McpJobs::keep(const std::string& id, const Job& job) const {
  Json record = {{"pid", ::getpid()}, {"place", job.place}, {"line", job.line}};
  if (job.answer) {
    record["text"] = job.answer->text;
    record["failed"] = job.answer->failed;
  }
  (void)write_file(folder_ / (id + ".json"), dump_json(record));
}

std::optional<McpJobs::Job> McpJobs::kept(const std::string& id) const {
  if (!is_name(id)) return std::nullopt;
  const auto text = read_file(folder_ / (id + ".json"), 1'000'000);
  const auto record = text ? parse_json(*text) : Result<Json>(fail(text.error()));
  if (!record || !record->is_object()) return std::nullopt;
  Job job{string_or(*record, "place")};
  job.line = string_or(*record, "line");
  const Json* pid = find_member(*record, "pid");
  if (record->contains("text"))
    job.answer = mcp::Answer{string_or(*record, "text"), record->value("failed", false)};
  else if (pid == nullptr || !pid->is_number_integer() || ::kill(pid->get<int>(), 0) != 0)
    job.answer = mcp::Answer{"the process that worked on " + id + " has ended\nnext: start it again", true};
  return job;
}

// Their files stay for a day. A thread that has given its answer needs no lock any more, so it can be joined.
void McpJobs::forget_ended() {
  for (auto job = jobs_.begin(); job != jobs_.end();) {
    if (!job->second.answer) {
      ++job;
      continue;
    }
    job->second.thread.join();
    job = jobs_.erase(job);
  }
  if (!jobs_.empty()) return;
  std::error_code problem;
  const auto now = fs::file_time_type::clock::now();
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, problem))
    if (const auto written = entry.last_write_time(problem); !problem && now - written > kKept)
      fs::remove(entry.path(), problem);
}

std::string McpJobs::start(const std::string& kind, const std::string& place, Work work) {
  const std::string id = kind + "_" + random_hex(5);
  const std::lock_guard lock(mutex_);
  forget_ended();
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
      answer = work(job.stop.get_token(), tell);
    } catch (const std::exception& fault) {
      answer = {std::string("internal error: ") + fault.what(), true};
    }
    const std::lock_guard ending(mutex_);
    job.answer = std::move(answer);
    keep(id, job);
    changed_.notify_all();
  });
  return id;
}

std::optional<mcp::Answer> McpJobs::wait(const std::string& id, const std::string& place, int seconds,
                                         const mcp::Call& call) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  std::string told;
  for (;;) {
    std::unique_lock lock(mutex_);
    const auto own = jobs_.find(id);
    std::optional<Job> other;
    if (own == jobs_.end()) other = kept(id);
    if (own == jobs_.end() && !other) return std::nullopt;
    Job& job = own == jobs_.end() ? *other : own->second;
    if (job.place != place) return std::nullopt;
    if (call.stop.stop_requested()) job.stop.request_stop();
    if (job.answer) return job.answer;
    if (call.stop.stop_requested() || std::chrono::steady_clock::now() >= until) return running(id, job.line);
    if (job.line != told) {
      told = job.line;
      lock.unlock();
      call.progress(told);
      continue;
    }
    changed_.wait_for(lock, std::chrono::milliseconds(200));
  }
}

} // namespace emend
