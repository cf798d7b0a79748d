// What all analyzers that are programs have in common: finding the program, running it on the files in
// portions, judging how it ended.
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapters/analyzers/file_choice.hpp"
#include "adapters/analyzers/foreign_code.hpp"
#include "adapters/analyzers/result_cache.hpp"
#include "adapters/analyzers/source_tree.hpp"
#include "adapters/analyzers/tool_job.hpp"
#include "base/glob.hpp"
#include "model/known_analyzers.hpp"
#include "ports/analyzer.hpp"

namespace emend {

// Some tools are configured by programs of the repository (eslint.config.js, flake8's local plugins). Running
// those is running the repository's code, so a person must have allowed it.
enum class ProjectCode { refused, allowed };

// The tool's report, read as `import` reads it. Left out: what is outside of the tree, in files of others, or
// suppressed in the source. An error when the report is not whole.
[[nodiscard]] Result<ToolOutput> read_report(const KnownAnalyzer& tool, std::string text, SourceTree& tree);

// One call of the tool on some of the files.
struct ToolCall {
  std::vector<std::string> arguments; // without the program
  std::string report_file; // what the tool writes its report to; empty = stdout. Removed afterwards
};

// Runs the tool as its row says. Tools that need more than a row override one of the steps.
class ToolAnalyzer : public Analyzer {
public:
  ToolAnalyzer(ProcessRunner& processes, KnownAnalyzer tool)
      : processes_(processes), tool_(std::move(tool)) {}

  [[nodiscard]] std::string_view name() const override { return tool_.name; }
  // Before the first run. What the setup does not say stays refused.
  void use(const AnalyzerSetup& setup);
  [[nodiscard]] bool understands(std::string_view path) const override {
    return has_extension(path, tool_.extensions) || any_glob_match(tool_.files, path);
  }
  [[nodiscard]] std::string version() override;
  // What the project asks for as one of its packages is installed with them.
  [[nodiscard]] std::string remedy() const override;
  [[nodiscard]] bool minds_comment(std::string_view text) const override;
  [[nodiscard]] std::string explain(std::string_view rule, std::stop_token stop) final;
  [[nodiscard]] Analysis run(const AnalysisRequest& request, std::stop_token stop) final;

protected:
  [[nodiscard]] const KnownAnalyzer& tool() const { return tool_; }
  // Why the tool has nothing to do in this tree; empty = it has.
  [[nodiscard]] virtual std::string why_skipped(SourceTree&) const { return {}; }
  // A last look at a file by its content.
  [[nodiscard]] virtual bool wants(const std::string&, const SourceTree&) const { return true; }
  // Before the first call: what the calls need beside the files. May add to the request.
  virtual void prepare(AnalysisRequest&, SourceTree&, std::stop_token) const {}
  // program: absolute path; files begin with "./".
  [[nodiscard]] virtual ToolCall call(const std::vector<std::string>& files, const AnalysisRequest& request,
                                      SourceTree& tree) const;
  // An error when the output is not what the tool prints when it has done its work.
  [[nodiscard]] virtual Result<ToolOutput> parse(const ProcessResult& result, const std::string& report,
                                                 SourceTree& tree) const;
  // What it said of the rule, for people, out of all that it printed.
  [[nodiscard]] virtual std::string explanation(std::string_view said, std::string_view rule) const;
  // A last look at everything that was found.
  virtual void settle(std::vector<Finding>&, const AnalysisRequest&, SourceTree&) const {}
  // More to know about the run; goes into the detail.
  [[nodiscard]] virtual std::string remark(SourceTree&, const AnalysisRequest&) const { return {}; }
  // What is said of files the tool gave up on, each "a.c: why".
  [[nodiscard]] virtual std::string gave_up_text(const std::vector<std::string>& unanalyzed) const;
  // Arguments of a run that lets the tool change the files it is given; see KnownAnalyzer::fix.
  [[nodiscard]] virtual std::vector<std::string> fix_arguments(SourceTree&) const { return tool_.fix; }
  // Puts what the configuration or a hook adds into a call on these files.
  virtual void add_arguments(std::vector<std::string>& arguments, const std::vector<std::string>& more,
                             const std::vector<std::string>& files) const;
  [[nodiscard]] virtual std::string find_program(const SourceTree* tree) const;
  // Why this version cannot be used ("older than 8"); empty = it can.
  [[nodiscard]] virtual std::string why_unusable(std::string_view) const { return {}; }
  [[nodiscard]] virtual std::vector<std::string> version_arguments() const { return tool_.version_arguments; }
  // The file whose change means another version; empty = none tells.
  [[nodiscard]] virtual std::string version_file(const std::string& program) const { return program; }
  [[nodiscard]] ProcessRunner& processes() const { return processes_; }
  [[nodiscard]] const AnalyzerSetup& setup() const { return setup_; }
  [[nodiscard]] const ResultCache& cache() const { return cache_; }

private:
  // Runs the tool, or takes what is kept of its files.
  [[nodiscard]] Analysis look(const AnalysisRequest& request, std::stop_token stop);
  // Whether the program runs in the place of one that the project asks for and has not installed.
  [[nodiscard]] bool is_stand_in(SourceTree& tree) const;
  // Of everything that decides what a look at this tree says; empty = it cannot be told.
  [[nodiscard]] std::string key_of_look(const AnalysisRequest& request) const;
  struct VersionAnswer {
    std::string version;
    AnalysisState state = AnalysisState::done;
    std::string problem;
  };
  [[nodiscard]] VersionAnswer ask_version(const std::string& program, std::int64_t limit_ms,
                                          std::stop_token stop);
  // Of a hook, then of the configuration: what is said last counts.
  [[nodiscard]] std::vector<std::string> more_of(const ToolJob& job) const;
  [[nodiscard]] std::vector<std::vector<std::string>> portions(const std::vector<std::string>& files) const;
  [[nodiscard]] std::string why_not_here(SourceTree& tree) const;
  // The tool's, with what its row adds.
  [[nodiscard]] std::vector<std::string> environment(const std::string& home, const std::string& temp,
                                                     const SourceTree* tree) const;
  // The hooks of the project's pre-commit configuration that run this tool: which files they leave alone,
  // and, where code of the project may run, their arguments.
  void follow_hook(ToolJob& job, std::vector<std::string>& files) const;
  // Of everything that decides what is reported about the file (of a tool that takes the whole project: about
  // all of them). Empty = it cannot be told, so nothing is kept.
  [[nodiscard]] std::string key_of(ToolJob& job, const std::vector<std::string>& files) const;
  // Takes what is kept; what is left must be run.
  [[nodiscard]] std::vector<std::string> take_kept(ToolJob& job, const std::vector<std::string>& files) const;
  void keep(ToolJob& job, const std::vector<std::string>& files, const ToolOutput& output) const;
  void run_portion(ToolJob& job, const std::vector<std::string>& files);
  void note_obstacles(ToolJob& job, const ProcessResult& ran) const;
  // For people: why it could say nothing, and what to do; empty = nothing was in its way.
  [[nodiscard]] std::string what_stands_in_the_way(const ToolJob& job) const;
  [[nodiscard]] std::optional<ToolOutput> read_result(ToolJob& job, const ToolCall& made,
                                                      const Result<ProcessResult>& ran,
                                                      const std::vector<std::string>& files);
  void take_output(ToolJob& job, const ToolOutput& output, const std::vector<std::string>& files) const;
  // Lets the tool change the files, sees what it changed, and gives them back as they were.
  void change_files(ToolJob& job, const std::vector<std::string>& files);
  void run_all(ToolJob& job, const std::vector<std::string>& files);

  ProcessRunner& processes_;
  KnownAnalyzer tool_;
  AnalyzerSetup setup_;
  std::string repository_root_; // where the project's own tools are, when they are allowed
  ResultCache cache_{""};
  std::mutex mutex_;
  std::map<std::string, std::string> versions_; // by program; guarded by mutex_. Only good answers are kept
};

// NAME=VALUE of a tool: PATH without the tree, private HOME and TMPDIR, a fixed locale, nothing else of ours.
[[nodiscard]] std::vector<std::string> tool_environment(const std::string& home, const std::string& temp,
                                                        const SourceTree* tree);

} // namespace emend
