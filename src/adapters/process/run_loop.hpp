// Watches one started child until it has ended: feeds stdin, captures output, keeps limits, obeys the stop
// token.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>

#include "adapters/process/child.hpp"
#include "adapters/process/stream_capture.hpp"
#include "ports/process.hpp"

namespace emend {

class RunLoop {
public:
  // spec must outlive the loop.
  RunLoop(const ProcessSpec& spec, StartedChild started, std::stop_token stop);
  [[nodiscard]] Result<ProcessResult> run();

private:
  using Clock = std::chrono::steady_clock;
  using Time = Clock::time_point;
  enum class Phase { working, terminating, killing, forced };

  void watch(int stop_fd);
  void drain();
  void conclude();

  void write_stdin();
  void take_words_for_stdin();
  [[nodiscard]] bool stdin_stays_open() const;
  [[nodiscard]] bool stdin_to_write() const;
  [[nodiscard]] bool has_finished() const { return spec_.control != nullptr && spec_.control->finished; }
  void read_stream(OwnedFd& fd, StreamCapture& capture);
  void keep_limits();
  void end_tree(Ending why);
  void escalate();
  [[nodiscard]] std::optional<Time> next_deadline() const;
  // Once the leader has ended by itself, that is the ending; only the sweep is still under way.
  [[nodiscard]] std::optional<Time> idle_deadline() const;
  [[nodiscard]] bool limits_apply() const { return phase_ == Phase::working && !child_->leader_ended(); }

  const ProcessSpec& spec_;
  std::unique_ptr<Child> child_;
  Streams streams_;
  std::stop_token stop_;
  ProcessResult result_;
  StreamCapture out_, err_;
  std::string stdin_data_; // to be written, stdin_written_ bytes of it already are
  std::size_t stdin_written_ = 0;
  std::optional<Ending> our_doing_; // why we ended it, when we did
  Phase phase_ = Phase::working;
  Time started_, last_byte_, escalate_at_;
  std::optional<Time> left_at_; // when the tree was first seen trying to leave its network
};

} // namespace emend
