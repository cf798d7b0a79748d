// Which expectations of a project's tests are turned around for one run, and how.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/probe/twist.hpp"
#include "engine/verify/comparison.hpp"
#include "ports/repository.hpp"

namespace emend {

// Test files as they stand while probes are put into them, one after the other.
class TwistedFiles {
public:
  TwistedFiles(Repository& repository, const std::string& base) : repository_(repository), base_(base) {}

  [[nodiscard]] Result<std::string> text(const std::string& path);
  void put(const Twist& twist) {
    texts_[twist.file] = twist.text;
    turned_.insert({twist.file, twist.line});
  }
  // Turned twice, an expectation may be what it was.
  [[nodiscard]] bool is_turned(const std::string& path, int line) const {
    return turned_.contains({path, line});
  }
  [[nodiscard]] Result<Patch> patch();

private:
  Repository& repository_;
  const std::string& base_;
  std::map<std::string, std::string> texts_;
  std::set<std::pair<std::string, int>> turned_;
};

[[nodiscard]] Probe probe_of(const Twist& twist, std::string_view kind, const std::string& issue_id,
                             const std::string& command);

// Every file of the fix made unreadable, to see which checks look at it.
[[nodiscard]] Patch unreadable(const Patch& product);

// What a turned expectation asks for. A program that answers as before passes with `answered`, and one whose
// results are exchanged does not pass with `other`; so both are tried, in different runs.
enum class Turn {
  answered, // what the base answered, or else another value; a negation where no value stands there
  other,    // a value that neither the base nor a right program gives; else the negation and what it negates
  negated,
};

// A run of a command before a fix and with it.
struct RunPair {
  const CommandRun& before;
  const CommandRun& now;
};

// Turns around one thing that failed before and passes now, in `tests`: the place its runner printed, else
// what stands at its test's name, else data it is compared with; else a test that must fail is added beside
// it. nullopt = none of these. Turn::other: only the place. Of several places, those come first that stand
// in tests called like `own`, the file of the issue; one that is turned already is passed over.
[[nodiscard]] Result<std::optional<Probe>> turn_repaired(const RunPair& runs, const Comparison& comparison,
                                                         const std::vector<std::string>& tests,
                                                         const std::string& own, Turn turn,
                                                         TwistedFiles& files);

// Likewise one expectation of a command that passes, in `tests`, the likeliest first. One that another
// command has turned counts for this one, too.
[[nodiscard]] Result<std::optional<Probe>> turn_guard(const CommandRun& now,
                                                      const std::vector<std::string>& tests,
                                                      const std::vector<Probe>& turned, TwistedFiles& files);

[[nodiscard]] std::vector<std::string> passing_tests(const CommandRun& run);

// What these tests are compared with, where that stands in a file of data of their name, or in a line that
// has their name: of the first `most` that have any.
[[nodiscard]] Result<std::vector<Probe>> turn_data_of(const std::vector<std::string>& ids,
                                                      const std::vector<std::string>& tests, std::size_t most,
                                                      TwistedFiles& files);

} // namespace emend
