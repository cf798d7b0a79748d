// Units of a session that other machines may take: each is offered on the work board, done by whoever claims
// it first, here or there, and what came of it is read from the store.
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>

#include "engine/claims/work_claim.hpp"
#include "engine/context/run_context.hpp"
#include "engine/session/unit_loop.hpp"

namespace emend {

// What a worker must offer to get units of such a session: the session's label, and a sandbox that keeps as
// much as the session's.
[[nodiscard]] std::string needs_of(const Policy& policy);
// The same for a worker: everything it can be asked for.
[[nodiscard]] std::vector<std::string> offers_of(const std::vector<std::string>& labels, SandboxKind machine);

// Safe to use from many threads. The context has a presence.
class SharedUnits {
public:
  SharedUnits(RunContext& context, UnitLoop& loop, bool batch);

  // How many units can be worked on at a time, here and by the workers that live.
  [[nodiscard]] std::size_t slots();
  // As UnitLoop::run(), wherever it is done.
  [[nodiscard]] Result<Unit> run(Unit unit, const Issue& issue, std::stop_token stop);

private:
  class Permit; // to work on one more unit here
  [[nodiscard]] Status offer(const Unit& unit, const Issue& issue);
  [[nodiscard]] Result<Unit> run_here(HeldClaim& claim, Unit unit, const Issue& issue, std::stop_token stop);
  [[nodiscard]] Result<Unit> outcome(const SharedJob& job, Unit unit, const Issue& issue);
  [[nodiscard]] Result<Unit> called_off(const std::string& job_id, const Unit& unit);
  [[nodiscard]] Result<Unit> stored(const Unit& unit);

  RunContext& context_;
  UnitLoop& loop_;
  const bool batch_;
  std::mutex mutex_;
  const int here_; // units worked on here at a time
  int free_here_;
  bool packed_ = false; // the base travels with the work
};

// Name of the parcel that holds a commit's files.
[[nodiscard]] std::string pack_name(const std::string& repository_id, const std::string& commit);

} // namespace emend
