#include "cli/agents/mcp_jobs.hpp"

#include <fmt/format.h>

#include <chrono>

#include "base/hash.hpp"

namespace emend {

McpJobs::~McpJobs() {
  for (auto& [id, job] : jobs_) job.stop.request_stop();
  for (auto& [id, job] : jobs_) job.thread.join();
}

std::string McpJobs::start(const std::string& kind, Work work) {
  const std::string id = kind + "_" + random_hex(5);
  const std::lock_guard lock(mutex_);
  Job& job = jobs_[id];
  job.thread = std::thread([this, &job, work = std::move(work)] {
    const auto tell = [&](const std::string& line) {
      const std::lock_guard telling(mutex_);
      job.line = line;
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
    changed_.notify_all();
  });
  return id;
}

std::optional<mcp::Answer> McpJobs::wait(const std::string& id, int seconds, const mcp::Call& call) {
  std::unique_lock lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return std::nullopt;
  Job& job = found->second;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  std::string told;
  while (!job.answer && !call.stop.stop_requested() && std::chrono::steady_clock::now() < until) {
    if (job.line != told) {
      told = job.line;
      lock.unlock();
      call.progress(told);
      lock.lock();
      continue;
    }
    changed_.wait_for(lock, std::chrono::milliseconds(200));
  }
  if (call.stop.stop_requested()) job.stop.request_stop();
  if (job.answer) return job.answer;
  return mcp::Answer{fmt::format("RUNNING {}: {}\nnext: call wait with id {}", id, job.line, id)};
}

} // namespace emend
