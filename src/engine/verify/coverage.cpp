#include "engine/verify/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"
#include "engine/verify/executed_lines.hpp"

namespace emend {
namespace {

constexpr const char* kAbsent = "absent"; // in a tool's directory: it was looked for, and is not there
constexpr std::size_t kMostReports = 200; // a process of node writes one each
constexpr std::uint64_t kLargestReport = 64'000'000;

// How one tool is asked. "@" stands for a directory of the tree that is ours; what is found there afterwards
// and can be read is a report.
struct Tool {
  std::vector<std::string_view> endings; // of files it tells about
  std::string_view there;                // a command that passes where the tool can be used
  std::string_view before;               // in front of each check
  std::string_view after;                // behind the last one
  std::string_view file, text;           // put there before
};

const Tool kTools[] = {
    {{".js", ".mjs", ".cjs"}, "command -v node", "export NODE_V8_COVERAGE=@\n", "", "", ""},
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
    {{".c", ".cc", ".cpp", ".cxx", ".h", ".hpp"},
     "grep -qsE -e '-fprofile-instr-generate|-fcoverage-mapping' Makefile makefile GNUmakefile CMakeLists.txt"
     " meson.build Makefile.am configure.ac && command -v llvm-cov && command -v llvm-profdata",
     "mkdir -p @; export LLVM_PROFILE_FILE=@/%p-%m.profraw\n",
     "llvm-profdata merge -o @/all @/*.profraw; n=0; find . -type f -perm -u+x ! -path './.git/*' |"
     " while read -r program; do n=$((n+1));"
     " llvm-cov export -format=lcov -instr-profile=@/all \"$program\" > @/$n.out 2>/dev/null; done",
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

// Where the tool can be used, and without a word in the output of a check.
std::string where_there(const Tool& tool, std::string_view text, std::string_view otherwise,
                        const std::string& directory) {
  if (text.empty() && otherwise.empty()) return {};
  std::string made = "if { " + std::string(tool.there) + "; } > /dev/null 2>&1; then\n" +
                     (text.empty() ? ":" : placed(text, directory)) + "\n";
  if (!otherwise.empty()) made += "else\n" + placed(otherwise, directory) + "\n";
  return made + "fi\n";
}

// Behind the checks, whose tree stays as it would be without the question.
std::string closing(const Tool& tool, const std::string& directory) {
  return where_there(tool, tool.after, "mkdir -p @; : > @/" + std::string(kAbsent), directory);
}

Patch laid(const Tool& tool, const std::string& directory) {
  Patch twist;
  if (tool.file.empty()) return twist;
  const std::string text(tool.text);
  twist.changes.push_back(
      {directory + "/" + std::string(tool.file), 0, kModeFile, "", git_blob_id(text, "sha1"), "", text});
  return twist;
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

Measurement::Measurement(const Patch& product) {
  for (std::size_t tool = 0; tool < std::size(kTools); ++tool)
    if (Patch files = files_of(kTools[tool], product); !files.empty())
      asked_.push_back({tool, std::move(files), ".tmp-" + random_hex(8)});
}

Experiment Measurement::carried_by(Experiment experiment) {
  for (const Asked& one : asked_) {
    const Tool& tool = kTools[one.tool];
    experiment.twist = compose(experiment.twist, laid(tool, one.directory));
    experiment.before += where_there(tool, tool.before, {}, one.directory);
    experiment.after += closing(tool, one.directory);
  }
  experiment.read = [this](const fs::path& written) { read(written); };
  return experiment;
}

std::string Measurement::question() const {
  std::vector<std::string> any;
  for (const Asked& one : asked_) any.push_back("{ " + std::string(kTools[one.tool].there) + "; }");
  return join(any, " || ");
}

void Measurement::read(const fs::path& written) {
  std::error_code problem;
  none_there_ = std::all_of(asked_.begin(), asked_.end(), [&](const Asked& one) {
    return fs::exists(written / one.directory / kAbsent, problem);
  });
  for (const Asked& one : asked_) {
    std::optional<ExecutedLines> lines = executed_lines(reports_in(written / one.directory), one.files);
    if (!lines) continue;
    if (!lines_) lines_.emplace();
    add(*lines_, *std::move(lines));
  }
}

namespace {

// A change of a file that the question reads may change its answer; any other leaves it as it is on the base.
Result<bool> can_measure(Verifier& verifier, const MeasuredChange& change, const std::string& question,
                         std::stop_token stop) {
  const VerifyCommand ask{"coverage", question, {}, 0};
  const auto& changes = change.patch.changes;
  const bool read = std::any_of(changes.begin(), changes.end(),
                                [&](const FileChange& one) { return contains(question, one.path); });
  if (!read) return verifier.passes_on_base(change.base, ask, std::move(stop));
  TRY_ASSIGN(const Verification there, verifier.execute(VerificationKind::coverage, change.base, change.patch,
                                                        {ask}, std::move(stop), change.issue.code));
  return there.commands.front().passed();
}

} // namespace

Result<Measured> measure_coverage(Verifier& verifier, const MeasuredChange& change,
                                  const std::vector<VerifyCommand>& commands, std::stop_token stop) {
  Measurement measurement(change.product);
  if (!measurement.possible()) return Measured{};
  TRY_ASSIGN(const bool there, can_measure(verifier, change, measurement.question(), stop));
  if (!there) return Measured{};
  TRY_ASSIGN(Verification run,
             verifier.execute(VerificationKind::coverage, change.base, change.patch, commands, stop,
                              change.issue.code, 1, measurement.carried_by({})));
  if (was_cancelled(run)) return Measured{};
  for (CommandRun& one : run.commands) one.output.clear(); // it confirms nothing
  return Measured{measurement.lines(), std::move(run.commands)};
}

Status keep_executed(RunContext& context, const MeasuredChange& change, const Measured& measured) {
  Verification stored;
  stored.id = new_uuid();
  stored.session_id = context.session.id;
  stored.issue_id = change.issue.id;
  stored.kind = VerificationKind::coverage;
  stored.base = change.base;
  stored.patch_sha256 = change.patch.sha256();
  stored.started_ms = context.ports.clock.wall_ms();
  stored.executed = measured.lines;
  stored.commands = measured.runs;
  Change stored_change;
  stored_change.verifications.push_back(std::move(stored));
  return context.log.apply(std::move(stored_change));
}

} // namespace emend
