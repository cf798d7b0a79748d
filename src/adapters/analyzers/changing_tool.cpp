// A tool that changes files instead of saying what it would change.
#include <map>

#include "adapters/analyzers/difference_fixes.hpp"
#include "adapters/analyzers/program.hpp"
#include "adapters/analyzers/surroundings.hpp"
#include "adapters/analyzers/tool_analyzer.hpp"
#include "adapters/analyzers/tool_job.hpp"
#include "base/files.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

struct FileBefore {
  std::string bytes;
  unsigned mode = 0644;
};

std::optional<FileBefore> file_before(const std::string& place) {
  auto bytes = read_file_nofollow(place, kMostToolOutput);
  std::error_code problem;
  const auto status = fs::status(place, problem);
  if (!bytes || problem) return std::nullopt;
  return FileBefore{*std::move(bytes), static_cast<unsigned>(status.permissions()) & 07777U};
}

} // namespace

// One call at a time may write to the tree, and nothing else looks at it meanwhile. What it is afterwards
// does not matter to anybody but the next calls, which must find it as it was.
void ToolAnalyzer::change_files(ToolJob& job, const std::vector<std::string>& files) {
  std::string program = tool_.fix_programs.empty() ? job.program : "";
  if (program.empty() && !repository_root_.empty())
    program = find_project_tool(tool_.fix_programs, repository_root_);
  if (program.empty()) program = find_tool(tool_.fix_programs, &job.tree);
  if (files.empty() || program.empty()) return;
  std::map<std::string, FileBefore> before;
  for (const std::string& file : files)
    if (auto now = file_before(job.tree.on_disk(file.substr(2)))) before[file.substr(2)] = *std::move(now);
  ProcessSpec spec;
  spec.argv = with_files(fix_arguments(job.tree), files, tool_.whole_project);
  add_arguments(spec.argv, more_of(job), files);
  for (std::string& argument : spec.argv)
    argument = replace_all(argument, "{temp}", job.request.temp.empty() ? "/tmp" : job.request.temp);
  spec.argv.insert(spec.argv.begin(), program);
  spec.cwd = job.request.root;
  spec.env = environment(job.request.home, job.request.temp, &job.tree);
  spec.overlay = job.request.overlay;
  spec.overlay.work = job.request.overlay_work;
  spec.wall_limit_ms = job.request.timeout_ms;
  spec.max_output_bytes = kMostToolOutput;
  const auto ran = processes_.run(spec, job.stop);
  const bool only_changes = tool_.report == "difference";
  if (!ran || ran->ending != Ending::exited || !contains_code(tool_.fix_exit_codes, ran->exit_code)) {
    if (only_changes && ran && ran->ending == Ending::exited)
      job.unanalyzed.push_back(first_line(clean_text(trim(ran->err).empty() ? ran->out : ran->err), 160));
    else if (only_changes)
      job.went_wrong(ran ? state_of(ran->ending) : AnalysisState::failed,
                     ran ? tool_.name + " " + how_it_ended(*ran) : ran.error().message);
  }
  std::vector<Finding> found;
  for (const auto& [file, old] : before) {
    const std::string place = job.tree.on_disk(file);
    const auto now = read_file_nofollow(place, kMostToolOutput);
    if (!now || *now == old.bytes) continue;
    if (!write_scratch_file(place, old.bytes, old.mode))
      return job.went_wrong(AnalysisState::failed, "the private copy of " + file + " cannot be written");
    if (!is_valid_utf8(*now)) continue;
    if (only_changes)
      found.push_back(finding_by_difference(tool_, file, old.bytes, *now));
    else
      fix_by_difference(job.analysis.findings, tool_, file, old.bytes, *now);
  }
  if (only_changes) {
    take_output(job, {found, {}, {}}, files);
    job.progress(files.size());
  }
}

} // namespace emend
