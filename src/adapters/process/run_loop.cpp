#include "adapters/process/run_loop.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <functional>

#include "adapters/process/spawn.hpp"

namespace emend {

using std::chrono::milliseconds;

namespace {

constexpr milliseconds kill_patience{12'000}; // the guardian gives up by itself before that

// A child that stops reading its stdin must not cost us our life: SIGPIPE is held back around one write and
// then discarded.
ssize_t write_without_sigpipe(int fd, std::string_view bytes) {
  sigset_t pipe_only, before, pending;
  ::sigemptyset(&pipe_only);
  ::sigaddset(&pipe_only, SIGPIPE);
  ::sigpending(&pending);
  const bool was_pending = ::sigismember(&pending, SIGPIPE) == 1;
  ::pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
  const ssize_t n = ::write(fd, bytes.data(), bytes.size());
  const int problem = errno;
  if (n < 0 && problem == EPIPE && !was_pending) {
    const timespec at_once{0, 0};
    while (::sigtimedwait(&pipe_only, nullptr, &at_once) < 0 && errno == EINTR) continue;
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = problem;
  return n;
}

int poll_timeout(std::optional<std::chrono::steady_clock::time_point> deadline) {
  if (!deadline) return -1;
  const auto left = std::chrono::ceil<milliseconds>(*deadline - std::chrono::steady_clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 3'600'000));
}

} // namespace

RunLoop::RunLoop(const ProcessSpec& spec, StartedChild started, std::stop_token stop)
    : spec_(spec),
      child_(std::move(started.child)),
      streams_(std::move(started.streams)),
      stop_(std::move(stop)),
      out_(result_.out, spec.max_output_bytes, spec.max_line_bytes, spec.on_line, false),
      err_(result_.err, spec.max_output_bytes, spec.max_line_bytes, spec.on_line, true),
      stdin_data_(spec.stdin_data),
      started_(Clock::now()),
      last_byte_(started_) {}

Result<ProcessResult> RunLoop::run() {
  OwnedFd stop_fd;
  if (stop_.stop_possible()) {
    stop_fd = OwnedFd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!stop_fd) return fail(system_error("cannot make an event descriptor", errno));
  }
  const int wake = stop_fd.get();
  const std::stop_callback on_stop(stop_, [wake] { ::eventfd_write(wake, 1); });
  if (spec_.on_start) spec_.on_start(child_->pid(), process_start_ticks(child_->pid()).value_or(0));
  child_->go();
  watch(wake);
  drain();
  conclude();
  return std::move(result_);
}

void RunLoop::watch(int stop_fd) {
  while (true) {
    pollfd fds[] = {{child_->exit_fd(), POLLIN, 0},   {streams_.out.get(), POLLIN, 0},
                    {streams_.err.get(), POLLIN, 0},  {stdin_to_write() ? streams_.in.get() : -1, POLLOUT, 0},
                    {child_->report_fd(), POLLIN, 0}, {limits_apply() ? stop_fd : -1, POLLIN, 0}};
    ::poll(fds, std::size(fds), poll_timeout(next_deadline()));
    if (fds[4].revents != 0)
      child_->read_reports(); // before the limits, so that an end in time counts as one
    if (fds[1].revents != 0) read_stream(streams_.out, out_);
    if (fds[2].revents != 0) read_stream(streams_.err, err_);
    if (fds[3].revents != 0) write_stdin();
    if (fds[0].revents != 0) return;
    if (fds[5].revents != 0 && limits_apply()) end_tree(Ending::cancelled);
    keep_limits();
  }
}

// A child that is only fed has its stdin closed after the last byte; one that is talked to keeps it until we
// say so.
bool RunLoop::stdin_stays_open() const {
  return spec_.control != nullptr && spec_.control->talk && !spec_.control->close_stdin;
}

bool RunLoop::stdin_to_write() const {
  return streams_.in && (stdin_written_ < stdin_data_.size() || !stdin_stays_open());
}

void RunLoop::write_stdin() {
  const std::string_view rest = std::string_view(stdin_data_).substr(stdin_written_);
  const ssize_t n = rest.empty() ? 0 : write_without_sigpipe(streams_.in.get(), rest);
  if (n > 0) stdin_written_ += static_cast<std::size_t>(n);
  const bool broken = n < 0 && errno != EAGAIN && errno != EINTR;
  const bool all = stdin_written_ == stdin_data_.size();
  if (broken || (all && !stdin_stays_open())) streams_.in = {};
  if (all) stdin_data_.clear(), stdin_written_ = 0;
}

void RunLoop::take_words_for_stdin() {
  if (spec_.control == nullptr || spec_.control->to_stdin.empty()) return;
  stdin_data_ += spec_.control->to_stdin;
  spec_.control->to_stdin.clear();
}

void RunLoop::read_stream(OwnedFd& fd, StreamCapture& capture) {
  char buffer[65536];
  const ssize_t n = ::read(fd.get(), buffer, sizeof buffer);
  if (n > 0) {
    last_byte_ = Clock::now();
    capture.add(std::string_view(buffer, static_cast<std::size_t>(n)));
    take_words_for_stdin();
    return;
  }
  if (n == 0 || (errno != EAGAIN && errno != EINTR)) fd = {};
}

std::optional<RunLoop::Time> RunLoop::idle_deadline() const {
  std::optional<Time> deadline;
  if (spec_.idle_limit_ms > 0) deadline = last_byte_ + milliseconds(spec_.idle_limit_ms);
  if (!left_at_ || spec_.offline_idle_limit_ms <= 0) return deadline;
  const Time offline = std::max(last_byte_, *left_at_) + milliseconds(spec_.offline_idle_limit_ms);
  return deadline ? std::min(*deadline, offline) : offline;
}

void RunLoop::keep_limits() {
  const Time now = Clock::now();
  if (!left_at_ && child_->tried_to_leave()) left_at_ = now;
  if (out_.truncated() || err_.truncated()) end_tree(Ending::output_limit);
  if (limits_apply() && spec_.wall_limit_ms > 0 && now >= started_ + milliseconds(spec_.wall_limit_ms))
    end_tree(Ending::wall_limit);
  if (const auto idle = idle_deadline(); limits_apply() && idle && now >= *idle) end_tree(Ending::idle_limit);
  if (limits_apply() && has_finished() && now >= last_byte_ + milliseconds(spec_.control->settle_ms))
    end_tree(Ending::settled);
  if (phase_ != Phase::working && phase_ != Phase::forced && now >= escalate_at_) escalate();
}

void RunLoop::end_tree(Ending why) {
  if (phase_ != Phase::working) return;
  our_doing_ = why;
  phase_ = Phase::terminating;
  escalate_at_ = Clock::now() + milliseconds(spec_.term_grace_ms);
  child_->terminate();
}

void RunLoop::escalate() {
  if (phase_ == Phase::terminating) {
    phase_ = Phase::killing;
    escalate_at_ = Clock::now() + kill_patience;
    child_->kill();
  } else {
    phase_ = Phase::forced;
    child_->force();
  }
}

std::optional<RunLoop::Time> RunLoop::next_deadline() const {
  if (phase_ == Phase::terminating || phase_ == Phase::killing) return escalate_at_;
  std::optional<Time> next;
  if (!limits_apply()) return next;
  if (spec_.wall_limit_ms > 0) next = started_ + milliseconds(spec_.wall_limit_ms);
  const auto sooner = [&next](Time time) { next = next ? std::min(*next, time) : time; };
  if (const auto idle = idle_deadline()) sooner(*idle);
  if (has_finished()) sooner(last_byte_ + milliseconds(spec_.control->settle_ms));
  return next;
}

// The tree has ended: what is still in the pipes is read. Somebody outside the tree may hold them open, so
// not for ever.
void RunLoop::drain() {
  child_->reap(result_);
  streams_.in = {};
  const Time until = Clock::now() + milliseconds(spec_.drain_limit_ms);
  while (streams_.out || streams_.err) {
    pollfd fds[] = {{streams_.out.get(), POLLIN, 0}, {streams_.err.get(), POLLIN, 0}};
    ::poll(fds, std::size(fds), poll_timeout(until));
    if (fds[0].revents != 0) read_stream(streams_.out, out_);
    if (fds[1].revents != 0) read_stream(streams_.err, err_);
    if (Clock::now() >= until) break;
  }
  result_.pipes_forced = streams_.out || streams_.err;
  streams_ = {};
}

void RunLoop::conclude() {
  out_.finish();
  err_.finish();
  result_.out_truncated = out_.truncated();
  result_.err_truncated = err_.truncated();
  if (result_.ending != Ending::not_started) {
    if (result_.out_truncated || result_.err_truncated)
      our_doing_ = our_doing_.value_or(Ending::output_limit);
    if (our_doing_) result_.ending = *our_doing_;
  }
  result_.duration_ms = std::chrono::duration_cast<milliseconds>(Clock::now() - started_).count();
}

} // namespace emend
