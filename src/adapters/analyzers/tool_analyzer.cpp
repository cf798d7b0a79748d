#include "adapters/analyzers/tool_analyzer.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "adapters/analyzers/difference_fixes.hpp"
#include "adapters/analyzers/include_hashes.hpp"
#include "adapters/analyzers/pattern_report.hpp"
#include "adapters/analyzers/program.hpp"
#include "adapters/analyzers/surroundings.hpp"
#include "adapters/analyzers/weighing.hpp"
#include "base/environment.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/parallel.hpp"
#include "base/strings.hpp"
#include "formats/reader.hpp"

namespace emend {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kMostOutput = 32'000'000;
constexpr std::size_t kMostArgumentBytes = 100'000;
constexpr std::int64_t kVersionLimitMs = 30'000;
constexpr std::size_t kShownNotes = 5;
constexpr int kMostTimeouts =
    3; // a file can be too much for a tool; when one after the other is, it is the tool

std::int64_t since(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
}

AnalysisState worse(AnalysisState a, AnalysisState b) {
  static constexpr std::array kOrder = {AnalysisState::done, AnalysisState::failed, AnalysisState::timed_out,
                                        AnalysisState::cancelled};
  const auto rank = [](AnalysisState s) {
    return std::find(kOrder.begin(), kOrder.end(), s) - kOrder.begin();
  };
  return rank(a) < rank(b) ? b : a;
}

AnalysisState state_of(Ending ending) {
  if (ending == Ending::cancelled) return AnalysisState::cancelled;
  if (ending == Ending::wall_limit || ending == Ending::idle_limit) return AnalysisState::timed_out;
  return AnalysisState::failed;
}

std::string last_words(const ProcessResult& result) {
  const std::string_view words = trim(result.err).empty() ? trim(result.out) : trim(result.err);
  return words.empty() ? "" : ": " + first_line(clean_text(words), 200);
}

std::string how_it_ended(const ProcessResult& result) {
  switch (result.ending) {
    case Ending::exited:
      return "ended with exit code " + std::to_string(result.exit_code) + last_words(result);
    case Ending::signalled:
      return "crashed with signal " + std::to_string(result.signal) + last_words(result);
    case Ending::wall_limit:
    case Ending::idle_limit: return "did not finish in time";
    case Ending::output_limit: return "printed more than " + std::to_string(kMostOutput / 1'000'000) + " MB";
    case Ending::settled:
    case Ending::cancelled: return "was cancelled";
    case Ending::resource_limit: return "was " + result.problem;
    case Ending::not_started: return "could not be started: " + result.problem;
  }
  return "ended";
}

// " on ./a.c", where it is one file that was too much.
std::string on_files(const std::vector<std::string>& files) {
  return files.size() == 1 ? " on " + first_line(clean_text(files.front().substr(2)), 120) : "";
}

std::string listed(const std::vector<std::string>& items) {
  std::vector<std::string> shown(
      items.begin(), items.begin() + static_cast<std::ptrdiff_t>(std::min(items.size(), kShownNotes)));
  if (items.size() > shown.size())
    shown.push_back("and " + std::to_string(items.size() - shown.size()) + " more");
  return join(shown, "; ");
}

bool contains_code(const std::vector<int>& codes, int code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

// Brings the finding's paths into the tree's form and drops edits outside of its files. False: it is not
// about a file of this project.
bool is_wanted(Finding& finding, SourceTree& tree) {
  const auto file = tree.relative(finding.file);
  const auto& notes = finding.annotations;
  if (!file || !reason_by_name(*file).empty() ||
      std::find(notes.begin(), notes.end(), "suppressed") != notes.end())
    return false;
  finding.file = *file;
  if (!finding.fixit) return true;
  for (Edit& edit : finding.fixit->edits) {
    auto edited = tree.relative(edit.file);
    const auto text = edited ? tree.text(*edited) : nullptr;
    if (text == nullptr || edit.offset > text->bytes().size() ||
        edit.length > text->bytes().size() - edit.offset) {
      finding.fixit.reset();
      return true;
    }
    edit.file = *std::move(edited);
  }
  return true;
}

auto order(const Finding& f) { return std::tie(f.file, f.line, f.column, f.rule, f.title); }

// By file, line, column, rule; equal ones once.
void sort_and_merge(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return order(a) < order(b); });
  const auto same = [](const Finding& a, const Finding& b) { return order(a) == order(b); };
  findings.erase(std::unique(findings.begin(), findings.end(), same), findings.end());
}

} // namespace

Result<ToolOutput> read_report(const KnownAnalyzer& tool, std::string text, SourceTree& tree) {
  if (tool.report == "regex") {
    ToolOutput output;
    TRY_ASSIGN(output.findings, read_by_pattern(tool, text, tree));
    std::erase_if(output.findings, [&](Finding& finding) { return !is_wanted(finding, tree); });
    for (Finding& finding : output.findings) finding.found_by = {tool.name};
    return output;
  }
  const auto format = parse_input_format(tool.report);
  if (!format) return fail(ErrorCode::internal, "no reader for reports of the format " + tool.report);
  ToolOutput output;
  FindingSink sink(tree, [&](Finding&& finding) {
    if (!is_wanted(finding, tree)) return;
    finding.agent = tool.name;
    finding.found_by = {tool.name};
    output.findings.push_back(std::move(finding));
  });
  TRY(read_tool_report(text, *format, sink));
  output.notes.assign(sink.sentences().begin(), sink.sentences().end());
  output.unanalyzed = sink.gave_up();
  return output;
}

std::vector<std::string> tool_environment(const std::string& home, const std::string& temp,
                                          const SourceTree* tree) {
  return {"PATH=" + join(search_directories(tree), ":"),
          "HOME=" + (home.empty() ? "/nonexistent" : home),
          "TMPDIR=" + (temp.empty() ? fs::temp_directory_path().string() : temp),
          "LC_ALL=C.UTF-8",
          "NO_COLOR=1",
          "PYTHONDONTWRITEBYTECODE=1"};
}

// What the calls of one run share.
struct ToolAnalyzer::Job {
  AnalysisRequest request;
  std::stop_token stop;
  std::string program;
  std::string others; // hash of the files that have a say; empty = nothing is kept
  std::optional<IncludeHashes> includes;
  std::vector<std::string> more_arguments; // of the project's pre-commit hook
  Clock::time_point started = Clock::now();
  SourceTree tree;
  ForeignCode foreign{tree};
  Analysis analysis;
  std::vector<std::string> problems, notes, unanalyzed;
  std::vector<std::string> to_change; // files the tool is to change: they have findings without a fix-it
  std::set<std::string> to_keep;      // files whose results are kept when their fix-its are known
  int timeouts = 0;
  std::size_t dealt_with = 0, all = 0; // files
  std::mutex mutex;                    // guards all of the above but the constant first five

  Job(const AnalysisRequest& r, std::stop_token s) : request(r), stop(std::move(s)), tree(r) {}

  [[nodiscard]] bool over() const {
    return analysis.state == AnalysisState::cancelled || timeouts >= kMostTimeouts;
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
    analysis.duration_ms = since(started);
    return std::move(analysis);
  }
};

void ToolAnalyzer::use(const AnalyzerSetup& setup) {
  setup_ = setup;
  repository_root_ = setup.project_tools ? setup.repository_root : "";
  cache_ = ResultCache(setup.cache);
}

std::string ToolAnalyzer::find_program(const SourceTree* tree) const {
  std::string own = repository_root_.empty() ? "" : find_project_tool(tool_.programs, repository_root_);
  return own.empty() ? find_tool(tool_.programs, tree) : own;
}

std::string ToolAnalyzer::why_not_here(SourceTree& tree) const {
  const auto there = [&](const std::string& file) { return tree.exists(file); };
  if (!tool_.needs.empty() && std::none_of(tool_.needs.begin(), tool_.needs.end(), there))
    return "the project has no " + join(tool_.needs, " or ");
  const KnownAnalyzer* better = find_known_analyzer(tool_.instead_of);
  const bool chosen = std::any_of(tool_.configuration.begin(), tool_.configuration.end(), there);
  if (better != nullptr && !chosen && !find_tool(better->programs, &tree).empty())
    return better->name + " reports the same and more";
  if (tool_.configured_only && !is_configured(tool_, tree))
    return "the project does not configure " + tool_.name;
  if (tool_.project_code && !setup_.project_tools)
    return "it runs code of the project or needs its packages; to allow that: review.project_tools = true in "
           "emend.toml, then emend trust";
  return {};
}

std::vector<std::string> ToolAnalyzer::environment(const std::string& home, const std::string& temp,
                                                   const SourceTree* tree) const {
  std::vector<std::string> all = tool_environment(home, temp, tree);
  for (const std::string& assignment : tool_.environment) {
    const std::string name = assignment.substr(0, assignment.find('='));
    const char *own = std::getenv(name.c_str()), *persons = std::getenv("HOME");
    std::string value =
        replace_all(assignment.substr(name.size() + 1), "{temp}", temp.empty() ? "/tmp" : temp);
    if (value.starts_with("~/")) value.replace(0, 1, persons == nullptr ? "/nonexistent" : persons);
    all.push_back(name + "=" + (own == nullptr ? value : std::string(own)));
  }
  return all;
}

void ToolAnalyzer::follow_hook(Job& job, std::vector<std::string>& files) const {
  if (tool_.name == "codespell") return; // it reads its hook by itself, words and all
  const HookRules hook = read_hook(job.tree, tool_.name);
  if (setup_.project_tools) job.more_arguments = hook.arguments;
  std::erase_if(files, [&](const std::string& file) { return hook.leaves_out(file); });
}

std::string ToolAnalyzer::version() {
  const std::string program = find_program(nullptr);
  return program.empty() ? "" : ask_version(program, kVersionLimitMs, {}).version;
}

ToolAnalyzer::VersionAnswer ToolAnalyzer::ask_version(const std::string& program, std::int64_t limit_ms,
                                                      std::stop_token stop) {
  {
    const std::scoped_lock lock(mutex_);
    const auto known = versions_.find(program);
    if (known != versions_.end()) return {known->second, AnalysisState::done, ""};
  }
  const std::string key = version_arguments() == tool_.version_arguments ? version_key(program, tool_) : "";
  if (const auto kept = key.empty() ? std::nullopt : cache_.find(key, "/")) {
    const std::scoped_lock lock(mutex_);
    return {versions_[program] = kept->value("version", ""), AnalysisState::done, ""};
  }
  if (version_arguments().empty()) { // it does not tell, but another one is another file
    const std::string file = version_key(program, tool_);
    return file.empty() ? VersionAnswer{"", AnalysisState::failed, program + " cannot be read"}
                        : VersionAnswer{"build " + file.substr(0, 8), AnalysisState::done, ""};
  }
  ProcessSpec spec;
  spec.argv = version_arguments();
  spec.argv.insert(spec.argv.begin(), program);
  spec.cwd = "/"; // no project's configuration has a say
  spec.env = environment("", "", nullptr);
  spec.wall_limit_ms = limit_ms;
  spec.max_output_bytes = 100'000;
  const auto ran = processes_.run(spec, stop);
  if (!ran) return {"", AnalysisState::failed, ran.error().message};
  const bool odd = tool_.version_arguments != std::vector<std::string>{"--version"}; // any exit code will do
  if (!ran->ok() && !(odd && ran->ending == Ending::exited && !version_in(ran->out).empty()))
    return {"", state_of(ran->ending), "asked for its version, " + tool_.name + " " + how_it_ended(*ran)};
  std::string version = version_in(ran->out);
  if (version.empty())
    return {"", AnalysisState::failed, "asked for its version, " + tool_.name + " did not name one"};
  if (const std::string why = why_unusable(version); !why.empty())
    return {"", AnalysisState::missing,
            tool_.name + " " + version + " is " + why + "; to install a newer one: " + tool_.install};
  if (!key.empty()) cache_.keep(key, "/", {{"version", version}});
  const std::scoped_lock lock(mutex_);
  versions_[program] = version;
  return {version, AnalysisState::done, ""};
}

std::vector<std::vector<std::string>> ToolAnalyzer::portions(const std::vector<std::string>& files) const {
  std::vector<std::vector<std::string>> result(1);
  std::size_t bytes = 0;
  for (const std::string& file : files) {
    const std::size_t size = file.size() + 3; // "./" and a NUL
    if (!tool_.whole_project && !result.back().empty() &&
        (result.back().size() >= tool_.files_per_call || bytes + size > kMostArgumentBytes)) {
      result.emplace_back();
      bytes = 0;
    }
    bytes += size;
    result.back().push_back("./" + file);
  }
  return result;
}

ToolCall ToolAnalyzer::call(const std::vector<std::string>& files, const AnalysisRequest&,
                            SourceTree&) const {
  ToolCall made{tool_.arguments, ""};
  const auto place = std::find(made.arguments.begin(), made.arguments.end(), "{files}");
  if (place != made.arguments.end())
    made.arguments.insert(made.arguments.erase(place), files.begin(), files.end());
  else if (!tool_.whole_project)
    made.arguments.insert(made.arguments.end(), files.begin(), files.end());
  return made;
}

Result<ToolOutput> ToolAnalyzer::parse(const ProcessResult& result, const std::string&,
                                       SourceTree& tree) const {
  TRY_ASSIGN(ToolOutput output, read_report(tool_, tool_.on_stderr ? result.err : result.out, tree));
  if (tool_.report == "regex" && result.exit_code != 0 && output.findings.empty())
    return fail(ErrorCode::io, "it " + how_it_ended(result) + ", and nothing it printed is a finding");
  return output;
}

std::string ToolAnalyzer::gave_up_text(const std::vector<std::string>& unanalyzed) const {
  return std::to_string(unanalyzed.size()) + " could not be analyzed here: " + listed(unanalyzed);
}

namespace {

// Readers and rows of another build of this program may read the same report differently.
const std::string& this_build() {
  static const std::string build = version_key("/proc/self/exe", KnownAnalyzer{.name = "emend"});
  return build;
}

std::string row_text(const KnownAnalyzer& tool) {
  std::string text = tool.report + "\n" + tool.pattern + "\n" + join(tool.fix, " ");
  for (const auto& [start, severity] : tool.severities)
    text += "\n" + start + " " + std::string(to_string(severity));
  return text;
}

Json to_json(const ToolOutput& output) {
  Json findings = Json::array();
  for (const Finding& finding : output.findings) findings.push_back(to_json(finding));
  return {{"findings", std::move(findings)}, {"notes", output.notes}, {"unanalyzed", output.unanalyzed}};
}

ToolOutput output_from(const Json& json) {
  ToolOutput output;
  for (const Json& finding : json.at("findings")) output.findings.push_back(finding_from_json(finding));
  output.notes = json.at("notes").get<std::vector<std::string>>();
  output.unanalyzed = json.at("unanalyzed").get<std::vector<std::string>>();
  return output;
}

// Whether what was said about several files can be told apart by file.
bool told_apart(const ToolOutput& output, const std::vector<std::string>& files) {
  return output.notes.empty() && output.unanalyzed.empty() &&
         std::all_of(output.findings.begin(), output.findings.end(), [&](const Finding& finding) {
           return std::find(files.begin(), files.end(), "./" + finding.file) != files.end();
         });
}

ToolOutput part_about(const std::vector<Finding>& findings, const std::string& file) {
  ToolOutput part;
  for (const Finding& finding : findings)
    if ("./" + finding.file == file) part.findings.push_back(finding);
  return part;
}

bool lacks_fix(const std::vector<Finding>& findings, const std::string& file) {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& finding) { return finding.file == file && !finding.fixit; });
}

} // namespace

std::string ToolAnalyzer::key_of(Job& job, const std::vector<std::string>& files) const {
  if (job.others.empty()) return {};
  std::string all = this_build() + "\n" + tool_.name + "\n" + job.analysis.version + "\n" + job.program +
                    "\n" + row_text(tool_) + "\n" + job.others + "\n" + job.request.database_sha256 +
                    (job.request.work_out_fixes ? "\nfixes" : "");
  ToolCall made;
  {
    const std::scoped_lock lock(job.mutex);
    made = call(files, job.request, job.tree);
  }
  add_before_files(made.arguments, job.more_arguments, files);
  for (std::string argument : made.arguments) {
    for (const std::string* place :
         {&made.report_file, &job.request.compile_database, &job.request.temp, &job.request.root})
      if (!place->empty()) argument = replace_all(argument, *place, "@");
    all += "\n" + argument;
  }
  for (const std::string& file : files) {
    const std::string name = file.substr(2);
    const auto bytes = read_file_nofollow(job.tree.on_disk(name), kMostOutput);
    const std::string included = job.includes ? job.includes->of(name) : "none";
    if (!bytes || included.empty()) return {};
    all += "\n" + file + " " + sha256_hex(*bytes) + " " + included;
  }
  return sha256_hex(all);
}

std::vector<std::string> ToolAnalyzer::take_kept(Job& job, const std::vector<std::string>& files) const {
  if (job.others.empty()) return files;
  std::vector<std::string> left;
  const auto take = [&](const std::vector<std::string>& together) {
    std::vector<std::string> called;
    for (const std::string& file : together) called.push_back("./" + file);
    const std::string key = key_of(job, called);
    const auto kept = key.empty() ? std::nullopt : cache_.find(key, job.request.root);
    if (!kept) return void(left.insert(left.end(), together.begin(), together.end()));
    take_output(job, output_from(*kept), called);
    job.progress(called.size());
  };
  if (tool_.whole_project)
    take(files);
  else
    for (const std::string& file : files) take({file});
  return left;
}

void ToolAnalyzer::keep(Job& job, const std::vector<std::string>& files, const ToolOutput& output) const {
  if (job.others.empty()) return;
  const auto store = [&](const std::vector<std::string>& together, const ToolOutput& part) {
    if (const std::string key = key_of(job, together); !key.empty())
      cache_.keep(key, job.request.root, to_json(part));
  };
  if (files.size() == 1 || tool_.whole_project) return store(files, output);
  if (told_apart(output, files))
    for (const std::string& file : files) store({file}, part_about(output.findings, file));
}

void ToolAnalyzer::run_portion(Job& job, const std::vector<std::string>& files) {
  ToolCall made;
  ProcessSpec spec;
  {
    const std::scoped_lock lock(job.mutex);
    if (job.over()) return;
    made = call(files, job.request, job.tree);
    add_before_files(made.arguments, job.more_arguments, files);
    spec.env = environment(job.request.home, job.request.temp, &job.tree);
  }
  spec.argv = made.arguments;
  spec.argv.insert(spec.argv.begin(), job.program);
  spec.cwd = job.request.root;
  spec.overlay = job.request.overlay;
  // The only call may write: cargo wants a Cargo.lock where the project has none.
  if (tool_.whole_project) spec.overlay.work = job.request.overlay_work;
  spec.wall_limit_ms = job.request.timeout_ms;
  spec.max_output_bytes = kMostOutput;
  const auto ran = processes_.run(spec, job.stop);
  std::optional<ToolOutput> output;
  bool fixes_first = false;
  {
    const std::scoped_lock lock(job.mutex);
    output = read_result(job, made, ran, files);
    if (output) {
      take_output(job, *output, files);
      fixes_first = !tool_.fix.empty() && job.request.work_out_fixes;
      for (const std::string& file : files) {
        if (fixes_first && lacks_fix(output->findings, file.substr(2)))
          job.to_change.push_back(file.substr(2));
        if (fixes_first && told_apart(*output, files)) job.to_keep.insert(file);
      }
    }
    job.progress(files.size());
    std::error_code gone_already;
    if (!made.report_file.empty()) fs::remove(made.report_file, gone_already);
  }
  if (output && !fixes_first) keep(job, files, *output);
}

std::optional<ToolOutput> ToolAnalyzer::read_result(Job& job, const ToolCall& made,
                                                    const Result<ProcessResult>& ran,
                                                    const std::vector<std::string>& files) {
  const auto wrong = [&](AnalysisState state, std::string why) -> std::optional<ToolOutput> {
    job.went_wrong(state, std::move(why));
    return std::nullopt;
  };
  if (!ran) return wrong(AnalysisState::failed, ran.error().message);
  if (ran->ending != Ending::exited || !contains_code(tool_.exit_codes, ran->exit_code)) {
    const AnalysisState state = state_of(ran->ending);
    if (state == AnalysisState::timed_out) ++job.timeouts;
    return wrong(state, tool_.name + " " + how_it_ended(*ran) + on_files(files));
  }
  std::string report;
  std::error_code problem;
  if (!made.report_file.empty() && fs::exists(fs::symlink_status(made.report_file, problem))) {
    auto read = read_file_nofollow(made.report_file, kMostOutput);
    if (!read) return wrong(AnalysisState::failed, "its report cannot be read: " + read.error().message);
    report = *std::move(read);
  }
  auto parsed = parse(*ran, report, job.tree);
  if (!parsed)
    return wrong(AnalysisState::failed,
                 tool_.name + "'s output cannot be parsed: " + parsed.error().message + last_words(*ran));
  std::erase_if(parsed->findings,
                [&](const Finding& finding) { return !job.foreign.reason(finding.file).empty(); });
  return *std::move(parsed);
}

void ToolAnalyzer::take_output(Job& job, const ToolOutput& output,
                               const std::vector<std::string>& files) const {
  auto& findings = job.analysis.findings;
  findings.insert(findings.end(), output.findings.begin(), output.findings.end());
  job.notes.insert(job.notes.end(), output.notes.begin(), output.notes.end());
  job.unanalyzed.insert(job.unanalyzed.end(), output.unanalyzed.begin(), output.unanalyzed.end());
  job.analysis.files += static_cast<int>(files.size() - std::min(files.size(), output.unanalyzed.size()));
  if (job.request.on_findings && !output.findings.empty()) job.request.on_findings(output.findings);
}

// One call at a time may write to the tree, and nothing else looks at it meanwhile. What it is afterwards
// does not matter to anybody but the next calls, which must find it as it was.
void ToolAnalyzer::change_files(Job& job, const std::vector<std::string>& files) {
  std::string program = tool_.fix_programs.empty() ? job.program : find_tool(tool_.fix_programs, &job.tree);
  if (files.empty() || program.empty()) return;
  std::map<std::string, std::string> before;
  for (const std::string& file : files)
    if (auto bytes = read_file_nofollow(job.tree.on_disk(file.substr(2)), kMostOutput))
      before[file.substr(2)] = *std::move(bytes);
  ProcessSpec spec;
  spec.argv = fix_arguments(job.tree);
  add_before_files(spec.argv, job.more_arguments, {});
  if (!tool_.whole_project) spec.argv.insert(spec.argv.end(), files.begin(), files.end());
  spec.argv.insert(spec.argv.begin(), program);
  spec.cwd = job.request.root;
  spec.env = environment(job.request.home, job.request.temp, &job.tree);
  spec.overlay = job.request.overlay;
  spec.overlay.work = job.request.overlay_work;
  spec.wall_limit_ms = job.request.timeout_ms;
  spec.max_output_bytes = kMostOutput;
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
    const auto now = read_file_nofollow(place, kMostOutput);
    if (!now || *now == old) continue;
    if (!write_file(place, old, 0644))
      return job.went_wrong(AnalysisState::failed, "the private copy of " + file + " cannot be written");
    if (!is_valid_utf8(*now)) continue;
    if (only_changes)
      found.push_back(finding_by_difference(tool_, file, old, *now));
    else
      fix_by_difference(job.analysis.findings, tool_, file, old, *now);
  }
  if (only_changes) {
    take_output(job, {found, {}, {}}, files);
    job.progress(files.size());
  }
}

void ToolAnalyzer::run_all(Job& job, const std::vector<std::string>& files) {
  job.analysis.state = AnalysisState::done;
  job.all = files.size();
  job.progress(0);
  if (cache_.on()) {
    job.others = hash_of_others(tool_, job.tree);
    if (tool_.follows_includes) job.includes.emplace(job.tree);
  }
  const std::vector<std::string> left = take_kept(job, files);
  const auto work = left.empty() ? std::vector<std::vector<std::string>>{} : portions(left);
  const bool only_changes = tool_.report == "difference";
  if (only_changes)
    for (const auto& portion : work) {
      if (job.over() || job.stop.stop_requested()) break;
      const std::size_t earlier = job.analysis.findings.size(),
                        trouble = job.problems.size() + job.unanalyzed.size();
      change_files(job, portion);
      if (job.problems.size() + job.unanalyzed.size() > trouble) continue;
      const auto begin = job.analysis.findings.begin() + static_cast<std::ptrdiff_t>(earlier);
      keep(job, portion, {{begin, job.analysis.findings.end()}, {}, {}});
    }
  else
    parallel_for(work.size(), tool_.parallel_calls, [&](std::size_t i) { run_portion(job, work[i]); });
  if (!only_changes && job.request.work_out_fixes && !job.stop.stop_requested()) {
    if (!job.to_change.empty())
      for (const auto& portion : portions(job.to_change)) change_files(job, portion);
    for (const std::string& file : job.to_keep) keep(job, {file}, part_about(job.analysis.findings, file));
  }
  if (!job.unanalyzed.empty()) job.analysis.state = worse(job.analysis.state, AnalysisState::failed);
  settle(job.analysis.findings, job.tree);
  weigh_findings(job.analysis.findings, tool_, job.tree);
  sort_and_merge(job.analysis.findings);
}

Analysis ToolAnalyzer::run(const AnalysisRequest& request, std::stop_token stop) {
  Job job(request, stop);
  job.analysis.analyzer = tool_.name;
  std::vector<std::string> files;
  for (const std::string& file : request.files)
    if (understands(file)) files.push_back(file);
  follow_hook(job, files);
  FileChoice choice = choose_files(files, job.tree, job.foreign, tool_.max_file_bytes);
  std::erase_if(choice.kept, [&](const std::string& file) { return !wants(file, job.tree); });
  const std::string left_out = left_out_text(choice);
  if (!choice.unreadable.empty()) job.unanalyzed.push_back(listed(choice.unreadable) + " (not readable)");
  if (choice.kept.empty() && choice.unreadable.empty())
    return std::move(job).finish(AnalysisState::skipped, left_out.empty() ? "no files for it" : left_out);
  std::string here = why_not_here(job.tree);
  if (std::string reason = here.empty() ? why_skipped(job.tree) : std::move(here); !reason.empty())
    return std::move(job).finish(AnalysisState::skipped, std::move(reason));
  job.program = find_program(&job.tree);
  if (job.program.empty())
    return std::move(job).finish(AnalysisState::missing,
                                 tool_.name + " is not installed; to install it: " + tool_.install);
  VersionAnswer answer = ask_version(
      job.program, request.timeout_ms <= 0 ? kVersionLimitMs : std::min(kVersionLimitMs, request.timeout_ms),
      stop);
  if (answer.version.empty()) return std::move(job).finish(answer.state, std::move(answer.problem));
  job.analysis.version = std::move(answer.version);
  if (setup_.project_tools) link_packages(request, repository_root_);
  prepare(job.request, job.tree, stop);
  run_all(job, choice.kept);
  std::vector<std::string> detail = job.complaints();
  if (const std::size_t all = job.all, given_up = std::min(all, job.unanalyzed.size()); given_up > 0)
    detail.push_back("checked " + std::to_string(all - given_up) + " of " + std::to_string(all) + " files. " +
                     gave_up_text(job.unanalyzed));
  else if (!job.unanalyzed.empty())
    detail.push_back(gave_up_text(job.unanalyzed));
  for (std::string part : {left_out, remark(job.tree, job.request), listed(job.notes)})
    if (!part.empty()) detail.push_back(std::move(part));
  const AnalysisState state = job.analysis.state;
  return std::move(job).finish(state, join(detail, "; "));
}

} // namespace emend
