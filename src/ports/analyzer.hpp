// A static analyzer: reads files of a tree and reports findings, some with fix-its. Never edits.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/finding.hpp"
#include "model/known_analyzers.hpp"
#include "ports/process.hpp"

namespace emend {

struct AnalysisRequest {
  std::string root;               // the tree: findings' files are relative to it
  OverlayMount overlay;           // how a child must be started to see it
  std::string home, temp;         // private directories for the child
  std::vector<std::string> files; // relative; only those the analyzer understands
  std::int64_t timeout_ms =
      600'000; // of one call of the tool: a run of many calls may take as long as it has files. 0 = none
  // How many of the files are dealt with, now and then; called from several threads, one at a time. Optional.
  std::function<void(std::size_t done, std::size_t all)> on_progress;
  // What was found since the last call, in no order and not yet looked over; like on_progress. Optional.
  std::function<void(const std::vector<Finding>&)> on_findings;
  // Whether to work out fix-its that the tool does not report but can make.
  bool work_out_fixes = true;
  std::string overlay_work = {};     // makes the overlay one that a single child may change; empty = never
  std::string compile_database = {}; // a directory with a compile_commands.json about this tree
  std::string database_sha256 = {};
  std::string database_note = {}; // where it comes from, for people
  // Names the content of the whole tree: the commit and what is changed on top. Empty = it has no name.
  std::string tree_name = {};
};

// What the configuration says about analyzers, for whoever makes them.
struct AnalyzerSetup {
  std::vector<KnownAnalyzer> rows; // of [analyzers.NAME]; one with the name of a known analyzer replaces it
  bool project_tools = false;      // a person allowed the project's own tools, and tools that run its code
  std::string repository_root;     // where the project's own tools are; empty = nowhere
  std::string cache;               // a directory of emend's own that keeps results; empty = none are kept
};

enum class AnalysisState { done, missing, failed, timed_out, cancelled, skipped };
[[nodiscard]] std::string_view to_string(AnalysisState state);

// Only `done` may ever be read as "nothing wrong".
struct Analysis {
  std::string analyzer;
  std::string version;
  AnalysisState state = AnalysisState::skipped;
  bool partial = false;          // failed, and only because it could not read some files to their end
  std::string detail;            // why it is not done, or what was left out
  std::string advice;            // for people, whatever the state: what would make it say more
  bool needs_permission = false; // skipped, because nobody allowed code of the project to run
  std::vector<Finding> findings;
  int files = 0;
  std::int64_t duration_ms = 0;
  bool by_agent = false; // a reviewing agent's: a finding it does not repeat may still be there
};

class Analyzer {
public:
  virtual ~Analyzer() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual bool understands(std::string_view path) const = 0;
  // Its version when it can run here; empty = missing.
  [[nodiscard]] virtual std::string version() = 0;
  // How to get it: "apt-get install shellcheck".
  [[nodiscard]] virtual std::string remedy() const = 0;
  // Whether this text of comments and prose may have a say in what it reports.
  [[nodiscard]] virtual bool minds_comment(std::string_view) const { return true; }
  // What the tool itself says of one of its rules; empty = nothing, or it cannot be asked.
  [[nodiscard]] virtual std::string explain(std::string_view, std::stop_token) { return {}; }
  // A crash, a timeout, unreadable output is a state, not an error.
  [[nodiscard]] virtual Analysis run(const AnalysisRequest& request, std::stop_token stop) = 0;
};

} // namespace emend
