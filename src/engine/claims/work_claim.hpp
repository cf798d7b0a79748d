// This process on the work board: it says that it lives, holds claims, and learns when one of them is lost or
// is to be stopped.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <stop_token>
#include <string>
#include <thread>

#include "ports/work_board.hpp"

namespace emend {

struct PresenceOptions {
  std::int64_t lease_ms = 60'000; // without a word for so long, others take over what this process works on
  std::vector<std::string> labels = {};
  int slots = 0;
  std::string version = {};
};

// Ends the leases of processes of this machine that are gone.
[[nodiscard]] Status bury_neighbours(WorkBoard& board);

// A claim that is held. Given back with its owner unless it was ended.
class HeldClaim {
public:
  ~HeldClaim();
  HeldClaim(const HeldClaim&) = delete;
  HeldClaim& operator=(const HeldClaim&) = delete;

  [[nodiscard]] const SharedJob& job() const { return job_; }
  [[nodiscard]] Fence fence() const { return {job_.id, job_.token}; }
  // Fires when the claim is lost, or somebody wants its work stopped.
  [[nodiscard]] std::stop_token stop() const { return stop_.get_token(); }
  [[nodiscard]] bool lost() const { return lost_; }
  [[nodiscard]] bool ended() const { return ended_; }

  [[nodiscard]] Status finish(const Json& result);
  [[nodiscard]] Status fail(const std::string& problem);
  [[nodiscard]] Status give_back(const std::string& problem); // tried in vain: another one may do better

private:
  friend class Presence;
  HeldClaim(class Presence& presence, SharedJob job) : presence_(presence), job_(std::move(job)) {}
  class Presence& presence_;
  const SharedJob job_;
  std::stop_source stop_;
  std::atomic<bool> lost_ = false, ended_ = false;
};

// Safe to use from many threads. The board outlives it, and it outlives its claims.
class Presence {
public:
  // Begins to say so, from a thread of its own.
  [[nodiscard]] static Result<std::unique_ptr<Presence>> begin(WorkBoard& board, PresenceOptions options);
  Presence(const Presence&) = delete;
  Presence& operator=(const Presence&) = delete;
  ~Presence(); // leaves: what it still holds is free for others

  [[nodiscard]] WorkBoard& board() { return board_; }
  [[nodiscard]] const PresenceOptions& options() const { return options_; }
  [[nodiscard]] std::string worker_id() const;
  // Says that this process lives and what it works on; what the board thinks beside that is given back. Also
  // every so often by itself.
  [[nodiscard]] Status beat();
  // Null = there is nothing to claim.
  [[nodiscard]] Result<std::unique_ptr<HeldClaim>> claim(const ClaimQuery& query);
  void drain(); // tells others that nothing new is taken
  void also_offer(const std::string& label);

private:
  Presence(WorkBoard& board, PresenceOptions options);
  void live(const std::stop_token& stop);
  void lose_all();
  [[nodiscard]] std::chrono::milliseconds some_of(std::chrono::milliseconds time);
  void look_soon(); // something may be ours on the board only
  friend class HeldClaim;
  void forget(const HeldClaim& claim);

  WorkBoard& board_;
  const PresenceOptions options_;
  mutable std::mutex mutex_;
  WorkerRecord self_;
  std::map<std::string, HeldClaim*> held_; // by job
  std::int64_t heard_ms_ = 0;              // steady time of the last word that reached the board
  std::mutex pace_mutex_;
  std::condition_variable_any pace_changed_;
  bool soon_ = false;                               // under pace_mutex_
  std::minstd_rand random_{std::random_device()()}; // of thread_
  std::jthread thread_;                             // last: ends first
};

} // namespace emend
