#include "engine/verify/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/verify/executed_lines.hpp"

namespace emend {
namespace {

constexpr std::size_t kMostReports = 200; // a process of node writes one each
constexpr std::uint64_t kLargestReport = 64'000'000;

// How one tool is asked. "@" stands for a directory of the tree that is ours; what is found there afterwards
// and can be read is a report.
struct Tool {
  std::vector<std::string_view> endings; // of files it tells about
  std::string_view there;                // a command that passes where the tool can be used; empty = it can
  std::string_view before;               // in front of each check
  std::string_view after;                // behind the last one
  std::string_view file, text;           // put there before
};

const Tool kTools[] = {
    {{".js", ".mjs", ".cjs"}, "", "export NODE_V8_COVERAGE=@\n", "", "", ""},
    {{".py"},
     "python3 -c 'import coverage'",
     "export COVERAGE_PROCESS_START=@/rc COVERAGE_FILE=@/data PYTHONPATH=@${PYTHONPATH:+:$PYTHONPATH}\n"
     "printf '[run]\\nparallel = true\\n' > @/rc\n",
     "unset COVERAGE_PROCESS_START; export COVERAGE_FILE=@/data; python3 -m coverage combine @ > @/log;"
     " python3 -m coverage json -o @/report.json >> @/log",
     "sitecustomize.py",
     "try:\n    import coverage\n    coverage.process_startup()\nexcept ImportError:\n    pass\n"},
    {{".c", ".cc", ".cpp", ".cxx", ".h", ".hpp"},
     "grep -qsE -e '--coverage|-fprofile-arcs|b_coverage' Makefile makefile GNUmakefile CMakeLists.txt"
     " meson.build Makefile.am configure.ac && command -v gcov",
     "",
     "mkdir -p @; find . -name '*.gcda' -exec gcov --json-format --stdout {} + > @/report.json",
     "",
     ""},
    {{".go"},
     "command -v go",
     "mkdir -p @; export GOFLAGS=\"$GOFLAGS -coverprofile=@/report.out\"\n",
     "",
     "",
     ""},
};

bool tells_about(const Tool& tool, const std::string& path) {
  return std::any_of(tool.endings.begin(), tool.endings.end(),
                     [&](std::string_view ending) { return path.ends_with(ending); });
}

Patch files_of(const Tool& tool, const Patch& patch) {
  Patch files;
  for (const FileChange& change : patch.changes)
    if (!change.deleted() && tells_about(tool, change.path)) files.changes.push_back(change);
  return files;
}

// Commands begin at the top of the tree.
std::string placed(std::string_view text, const std::string& directory) {
  return replace_all(std::string(text), "@", "\"$PWD\"/" + directory);
}

Patch laid(const Tool& tool, const std::string& directory) {
  Patch twist;
  if (tool.file.empty()) return twist;
  const std::string text(tool.text);
  twist.changes.push_back(
      {directory + "/" + std::string(tool.file), 0, kModeFile, "", git_blob_id(text, "sha1"), "", text});
  return twist;
}

std::vector<VerifyCommand> with_tool(const Tool& tool, const std::string& directory,
                                     std::vector<VerifyCommand> commands) {
  for (VerifyCommand& command : commands) command.run = placed(tool.before, directory) + command.run;
  if (!tool.after.empty()) commands.push_back({"coverage", placed(tool.after, directory), {}, 0});
  return commands;
}

// gcov writes several documents into one file, each on a line.
void add_report(const std::string& text, std::vector<std::string>& reports) {
  if (!contains(text, "}\n{")) return reports.push_back(text);
  for (const std::string_view line : lines_of(text))
    if (!trim(line).empty()) reports.emplace_back(line);
}

std::vector<std::string> reports_in(const fs::path& directory) {
  std::vector<fs::path> paths;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(directory, problem))
    if (entry.is_regular_file(problem) && !entry.is_symlink(problem) &&
        entry.file_size(problem) <= kLargestReport &&
        (entry.path().extension() == ".json" || entry.path().extension() == ".out"))
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  paths.resize(std::min(paths.size(), kMostReports));
  std::vector<std::string> reports;
  for (const fs::path& path : paths)
    if (const auto text = read_file(path)) add_report(*text, reports);
  return reports;
}

void add(ExecutedLines& total, ExecutedLines&& more) {
  std::move(more.executed.begin(), more.executed.end(), std::back_inserter(total.executed));
  std::move(more.missed.begin(), more.missed.end(), std::back_inserter(total.missed));
  std::move(more.not_measured.begin(), more.not_measured.end(), std::back_inserter(total.not_measured));
}

// One tool on one change; nullopt = it is not there, or left nothing.
Result<std::optional<ExecutedLines>> measure(Verifier& verifier, const Tool& tool,
                                             const MeasuredChange& change,
                                             const std::vector<VerifyCommand>& commands,
                                             std::stop_token stop) {
  std::optional<ExecutedLines> lines;
  const Patch files = files_of(tool, change.product);
  if (files.empty()) return lines;
  if (!tool.there.empty()) {
    const VerifyCommand ask{"coverage", std::string(tool.there), {}, 0};
    TRY_ASSIGN(const Verification there, verifier.execute(VerificationKind::coverage, change.base,
                                                          change.patch, {ask}, stop, change.issue.code));
    if (!there.commands.front().passed()) return lines;
  }
  const std::string directory = ".tmp-" + random_hex(8);
  Experiment experiment{.twist = laid(tool, directory)};
  experiment.read = [&](const fs::path& written) {
    lines = executed_lines(reports_in(written / directory), files);
  };
  TRY_ASSIGN(const Verification run,
             verifier.execute(VerificationKind::coverage, change.base, change.patch,
                              with_tool(tool, directory, commands), stop, change.issue.code, 1, experiment));
  if (was_cancelled(run)) lines.reset();
  return lines;
}

} // namespace

const ExecutedLines* executed_by(const std::vector<Verification>& runs, const std::string& base,
                                 const std::string& patch_sha256) {
  const ExecutedLines* found = nullptr;
  for (const Verification& run : runs)
    if (run.kind == VerificationKind::coverage && run.base == base && run.patch_sha256 == patch_sha256 &&
        run.executed)
      found = &*run.executed;
  return found;
}

Result<std::optional<ExecutedLines>> measure_coverage(RunContext& context, Verifier& verifier,
                                                      const MeasuredChange& change,
                                                      const std::vector<VerifyCommand>& commands,
                                                      std::stop_token stop) {
  Verification stored;
  stored.started_ms = context.ports.clock.wall_ms();
  for (const Tool& tool : kTools) {
    TRY_ASSIGN(std::optional<ExecutedLines> lines, measure(verifier, tool, change, commands, stop));
    if (stop.stop_requested()) return std::optional<ExecutedLines>{};
    if (!lines) continue;
    if (!stored.executed) stored.executed.emplace();
    add(*stored.executed, *std::move(lines));
  }
  if (!stored.executed) return std::optional<ExecutedLines>{};
  stored.id = new_uuid();
  stored.session_id = context.session.id;
  stored.issue_id = change.issue.id;
  stored.kind = VerificationKind::coverage;
  stored.base = change.base;
  stored.patch_sha256 = change.patch.sha256();
  Change stored_change;
  stored_change.verifications.push_back(stored);
  TRY(context.log.apply(std::move(stored_change)));
  return stored.executed;
}

} // namespace emend
