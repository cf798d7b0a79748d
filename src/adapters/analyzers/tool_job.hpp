// One run of one tool: what its calls share.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "adapters/analyzers/foreign_code.hpp"
#include "adapters/analyzers/include_hashes.hpp"
#include "adapters/analyzers/source_tree.hpp"
#include "ports/analyzer.hpp"

namespace emend {

constexpr std::uint64_t kMostToolOutput = 32'000'000;
// A file can be too much for a tool; when one after the other is, it is the tool.
constexpr int kMostToolTimeouts = 3;

[[nodiscard]] AnalysisState worse(AnalysisState a, AnalysisState b);
[[nodiscard]] AnalysisState state_of(Ending ending);
// ": " and the first line of what the child said last; empty = nothing.
[[nodiscard]] std::string last_words(const ProcessResult& result);
// "crashed with signal 11: ..."
[[nodiscard]] std::string how_it_ended(const ProcessResult& result);
// The first few, and how many more.
[[nodiscard]] std::string listed(const std::vector<std::string>& items);
// The first line with one of the words, for people; empty = there is none.
[[nodiscard]] std::string line_with_any(std::string_view text, const std::vector<std::string>& words);
[[nodiscard]] bool contains_code(const std::vector<int>& codes, int code);

// What a tool said about the files it was given.
struct ToolOutput {
  std::vector<Finding> findings;
  std::vector<std::string> notes; // worth saying, no findings
  std::vector<std::string>
      unanalyzed; // "a.c: why": the tool gave up on these files, so they must not count as clean
};

struct ToolJob {
  AnalysisRequest request;
  std::stop_token stop;
  std::string program;
  std::string others; // hash of the files that have a say; empty = nothing is kept
  std::optional<IncludeHashes> includes;
  std::vector<std::string> more_arguments; // of the project's pre-commit hook
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  SourceTree tree;
  ForeignCode foreign{tree};
  Analysis analysis;
  std::vector<std::string> problems, notes, unanalyzed;
  std::vector<std::string> to_change; // files the tool is to change: they have findings without a fix-it
  std::set<std::string> to_keep;      // files whose results are kept when their fix-its are known
  std::string needs_packages;         // what it said that it cannot find; empty = it found all
  std::string outdated;               // what it said of a project that asks for a newer one; empty = nothing
  bool stand_in = false; // the project asks for a version of its own, and this one runs in its place
  int timeouts = 0;
  std::size_t dealt_with = 0, all = 0;   // files
  std::map<std::string, bool> of_others; // see is_of_others(), by file
  std::mutex mutex;                      // guards all of the above but the constant first five

  ToolJob(const AnalysisRequest& r, std::stop_token s) : request(r), stop(std::move(s)), tree(r) {}

  // Findings in it are not the project's: somebody else, or a program, wrote the file. It may be a header of
  // one that is looked at.
  [[nodiscard]] bool is_of_others(const std::string& file);

  [[nodiscard]] bool over() const {
    return analysis.state == AnalysisState::cancelled || timeouts >= kMostToolTimeouts ||
           !needs_packages.empty() || !outdated.empty();
  }
  void went_wrong(AnalysisState state, std::string why) {
    analysis.state = worse(analysis.state, state);
    problems.push_back(std::move(why));
  }
  void progress(std::size_t files) {
    dealt_with += files;
    if (request.on_progress) request.on_progress(dealt_with, all);
  }
  // Everything but what was left out on purpose, the gravest first.
  [[nodiscard]] std::vector<std::string> complaints() const {
    std::vector<std::string> parts;
    if (dealt_with < all)
      parts.push_back(std::to_string(all - dealt_with) + " of " + std::to_string(all) +
                      " files were not checked");
    if (!problems.empty()) parts.push_back(listed(problems));
    return parts;
  }
  [[nodiscard]] Analysis finish(AnalysisState state, std::string detail) && {
    analysis.state = state;
    analysis.partial = state == AnalysisState::failed && problems.empty() && dealt_with == all && all > 0;
    analysis.detail = std::move(detail);
    analysis.duration_ms =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - started)
            .count();
    return std::move(analysis);
  }
};

// Whether what was said about several files can be told apart by file.
[[nodiscard]] bool told_apart(const ToolOutput& output, const std::vector<std::string>& files);
[[nodiscard]] ToolOutput part_about(const std::vector<Finding>& findings, const std::string& file);

} // namespace emend
