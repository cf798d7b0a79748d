// The rescan stage: the analyzers that are here, run again on base + patch, against what they say about the
// base.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/context/run_context.hpp"
#include "engine/verify/scan_comparison.hpp"
#include "ports/analyzer.hpp"

namespace emend {

// The changed lines where only comments or prose changed: a tool that does not mind them says the same about
// the file before and after. nullopt = code changed.
[[nodiscard]] std::optional<std::string> changed_comments(const FileChange& change);

class Rescanner {
public:
  explicit Rescanner(RunContext& context) : context_(context) {}

  // Was it reported by an analyzer that can be run here? Only then can a rescan say anything about it.
  [[nodiscard]] bool can_judge(const Issue& issue);

  using Asked = std::function<bool(const Analyzer&, const std::string& file)>;
  // Analyzes these files of a commit once for all that will be asked about them, with those analyzers that
  // are asked about them (none given: all). Cancelled or not: see the stop token.
  [[nodiscard]] Status look_at(const std::string& commit, const std::vector<std::string>& files,
                               std::stop_token stop, const Asked& asked = {});

  // The issue's finding as its analyzer reports it on this commit; nullopt = it does not.
  [[nodiscard]] Result<std::optional<Finding>> locate(const Issue& issue, const std::string& commit,
                                                      std::stop_token stop);

  // Is the finding of each issue gone from base + patch, and is nothing new there? Stored, with its event,
  // unless it was cancelled (nullopt). single: whose own patch this is; null for a combination.
  [[nodiscard]] Result<std::optional<Verification>> run(const std::string& base, const Patch& patch,
                                                        const std::vector<const Issue*>& issues,
                                                        const Issue* single, std::stop_token stop);

private:
  struct Scan {
    std::map<std::string, std::set<std::string>, std::less<>> looked_at; // files, by analyzer
    std::vector<Finding> findings;
    std::map<std::string, Rescan::Tool> tools; // by name
  };
  [[nodiscard]] std::vector<std::string> files_for(const std::string& analyzer,
                                                   const std::vector<std::string>& files) const;
  void add(Scan& scan, const std::vector<Analysis>& analyses) const;
  [[nodiscard]] Result<std::optional<Finding>> locate_at_base(const Issue& issue, const Scan& scan);
  [[nodiscard]] Result<Rescan> compare(const std::string& base, const Patch& patch,
                                       const std::vector<const Issue*>& issues, std::stop_token stop);
  [[nodiscard]] Result<std::optional<Verification>> known(const std::string& base, const Patch& patch,
                                                          const std::vector<const Issue*>& issues);

  RunContext& context_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Scan>> scans_; // of plain commits
  std::map<std::string, bool> runnable_;               // analyzer -> can it be started here
};

} // namespace emend
