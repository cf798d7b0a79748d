// Do the checks execute the lines that a patch changes? Asked of a coverage tool, in a run that is made
// anyway or in one more whose result counts for nothing: a note for the judge and the person, and a mark;
// never a refusal.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/verify/verify.hpp"
#include "model/issue.hpp"

namespace emend {

// What a stored run with a coverage tool saw on this tree; null = there is none.
[[nodiscard]] const ExecutedLines* executed_by(const std::vector<Verification>& runs, const std::string& base,
                                               const std::string& patch_sha256);

// Asks the coverage tools about the lines of a change, in a run of the checks: V8 of node, coverage.py, gcov
// where the build asks for it, `go test`. Lives as long as the run.
class Measurement {
public:
  explicit Measurement(const Patch& product);
  // The change has files in a language whose tool is known.
  [[nodiscard]] bool possible() const { return !asked_.empty(); }
  // The same run, and the tools that are there with it.
  [[nodiscard]] Experiment carried_by(Experiment experiment);
  // A command that passes where at least one of them is there.
  [[nodiscard]] std::string question() const;
  // They were looked for in a run that has ended, and none is there.
  [[nodiscard]] bool none_there() const { return none_there_; }
  // What they saw; nullopt = none is there, or left anything.
  [[nodiscard]] const std::optional<ExecutedLines>& lines() const { return lines_; }

private:
  struct Asked {
    std::size_t tool;
    Patch files;           // that it tells about
    std::string directory; // of the tree, its own
  };
  void read(const fs::path& written);

  std::vector<Asked> asked_;
  bool none_there_ = false;
  std::optional<ExecutedLines> lines_;
};

// A change whose lines are asked for.
struct MeasuredChange {
  const Issue& issue;
  const std::string& base;
  const Patch& patch;   // what the tree holds
  const Patch& product; // of it, what is measured
};

struct Measured {
  std::optional<ExecutedLines> lines = {}; // nullopt = nothing was measured
  std::vector<CommandRun> runs = {};       // of the checks, made for this alone
};

// Runs the checks once more with the tools, where one is there.
[[nodiscard]] Result<Measured> measure_coverage(Verifier& verifier, const MeasuredChange& change,
                                                const std::vector<VerifyCommand>& commands,
                                                std::stop_token stop);

// Keeps what was seen for the proof and the story, see executed_by(), and what it cost.
[[nodiscard]] Status keep_executed(RunContext& context, const MeasuredChange& change,
                                   const Measured& measured);

} // namespace emend
