#include "engine/context/run_context.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/files.hpp"
#include "base/log.hpp"
#include "base/strings.hpp"
#include "model/events.hpp"
#include "ports/artifacts.hpp"
#include "ports/machine.hpp"

namespace emend {

namespace {

// What holds is what the machine gives now, whatever the session was begun on.
Session with_sandbox(Session session, const Workspaces& repository) {
  session.policy.sandbox.kind =
      session.policy.sandbox.mode == SandboxMode::off ? SandboxKind::none : repository.sandbox();
  return session;
}

} // namespace

bool is_session_id(std::string_view text) {
  const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  return text.size() == 8 && letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

fs::path session_folder(const std::string& home, const std::string& session_id) {
  return fs::path(home) / "sessions" / session_id;
}

RunContext::RunContext(Ports ports_in, EventLog& log_in, std::string home_in, Session session_in,
                       Redactor redactor_in)
    : ports(ports_in),
      log(log_in),
      home(std::move(home_in)),
      session(with_sandbox(std::move(session_in), ports_in.repository)),
      redactor(std::move(redactor_in)) {}

void RunContext::notice(std::string text) {
  {
    const std::lock_guard lock(mutex_);
    if (std::find(notices_.begin(), notices_.end(), text) != notices_.end()) return;
    notices_.push_back(text);
  }
  if (auto stored = publish("", FixNotice{text}); !stored) emend::log(LogLevel::warn, stored.error().message);
}

std::vector<std::string> RunContext::notices() const {
  const std::lock_guard lock(mutex_);
  return notices_;
}

void RunContext::stop_queue(QueueStop why) {
  {
    const std::lock_guard lock(mutex_);
    if (queue_stop_) return;
    queue_stop_ = why;
  }
  notice("no new work is started: " + why.detail);
}

std::optional<QueueStop> RunContext::queue_stop() const {
  const std::lock_guard lock(mutex_);
  return queue_stop_;
}

void RunContext::blame(const std::vector<std::string>& issue_codes, const std::string& what) {
  const std::lock_guard lock(mutex_);
  for (const std::string& code : issue_codes) blamed_.emplace(code, what);
}

std::optional<std::string> RunContext::take_blame(const std::string& issue_code) {
  const std::lock_guard lock(mutex_);
  auto found = blamed_.extract(issue_code);
  if (found.empty()) return std::nullopt;
  return std::move(found.mapped());
}

bool RunContext::may_stream(std::int64_t steady_ms, Frame frame) {
  const std::lock_guard lock(mutex_);
  while (!frames_ms_.empty() && steady_ms - frames_ms_.front() >= 1'000) frames_ms_.pop_front();
  if (frames_ms_.size() >= kStreamFrames - (frame == Frame::running ? kLastFrames : 0)) return false;
  frames_ms_.push_back(steady_ms);
  return true;
}

std::string RunContext::safe(std::string_view text) const { return redactor.redact(clean_text(text)); }

void RunContext::keep_artifact(const std::string& name, std::string_view text) const {
  const fs::path path = fs::path(home) / "sessions" / session.id / "runs" / name;
  if (ports.artifacts != nullptr) ports.artifacts->will_keep(session.id);
  if (auto kept = write_scratch_file(path, text); !kept)
    return emend::log(LogLevel::warn, kept.error().message);
  if (ports.artifacts != nullptr) ports.artifacts->kept(session.id);
}

std::function<void(int, std::int64_t)> RunContext::child_recorder(ChildRecord& record) const {
  if (!record_children) return {};
  record.session_id = session.id;
  return [this, &record](int pid, std::int64_t start_ticks) {
    record.pid = pid;
    record.start_ticks = start_ticks;
    record.boot_id = boot_and_machine();
    if (auto stored = ports.store.add_child(record); !stored)
      emend::log(LogLevel::warn, stored.error().message);
  };
}

void RunContext::forget_child(const ChildRecord& record) const {
  if (record.pid == 0) return;
  if (auto stored = ports.store.remove_child(record); !stored)
    emend::log(LogLevel::warn, stored.error().message);
}

} // namespace emend
