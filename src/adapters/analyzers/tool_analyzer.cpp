#include "adapters/analyzers/tool_analyzer.hpp"

#include <algorithm>
#include <tuple>

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
  const AnalysisRequest& request;
  std::stop_token stop;
  std::string program;
  std::string others;                      // hash of the files that have a say; empty = nothing is kept
  std::vector<std::string> more_arguments; // of the project's pre-commit hook
  Clock::time_point started = Clock::now();
  SourceTree tree;
  ForeignCode foreign{tree};
  Analysis analysis;
  std::vector<std::string> problems, notes, unanalyzed;
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
    if (!unanalyzed.empty())
      parts.push_back(std::to_string(all - std::min(all, unanalyzed.size())) + " of " + std::to_string(all) +
                      " files; " + std::to_string(unanalyzed.size()) +
                      " could not be analyzed here: " + listed(unanalyzed));
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
  project_tools_ = setup.project_tools;
  repository_root_ = setup.project_tools ? setup.repository_root : "";
  cache_.emplace(setup.cache);
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
  if (tool_.project_code && !project_tools_)
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
  if (project_tools_) job.more_arguments = hook.arguments;
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
  if (const auto kept = cache_ && !key.empty() ? cache_->find(key, "/") : std::nullopt) {
    const std::scoped_lock lock(mutex_);
    return {versions_[program] = kept->out, AnalysisState::done, ""};
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
  if (cache_ && !key.empty()) cache_->keep(key, "/", {0, version, "", ""});
  const std::scoped_lock lock(mutex_);
  versions_[program] = version;
  return {version, AnalysisState::done, ""};
}

std::vector<std::vector<std::string>> ToolAnalyzer::portions(const std::vector<std::string>& files) const {
  std::vector<std::vector<std::string>> result(1);
  std::size_t bytes = 0;
  for (const std::string& file : files) {
    const std::size_t size = file.size() + 3; // "./" and a NUL
    if (!result.back().empty() &&
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

std::string ToolAnalyzer::key_of(const Job& job, const ToolCall& made,
                                 const std::vector<std::string>& files) const {
  if (job.others.empty()) return {};
  std::string all = tool_.name + "\n" + job.analysis.version + "\n" + job.program + "\n" + job.others;
  for (std::string argument : made.arguments) {
    for (const std::string* place : {&made.report_file, &job.request.temp, &job.request.root})
      if (!place->empty()) argument = replace_all(argument, *place, "@");
    all += "\n" + argument;
  }
  for (const std::string& file : files) {
    const auto bytes = read_file_nofollow(job.tree.on_disk(file.substr(2)), kMostOutput);
    if (!bytes) return {};
    all += "\n" + file + " " + sha256_hex(*bytes);
  }
  return sha256_hex(all);
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
  const std::string key = key_of(job, made, files);
  if (const auto kept = key.empty() ? std::nullopt : cache_->find(key, job.request.root)) {
    ProcessResult before;
    before.exit_code = kept->exit_code;
    before.out = kept->out;
    before.err = kept->err;
    const std::scoped_lock lock(job.mutex);
    if (!take_report(job, before, kept->report, files)) return;
    return job.progress(files.size());
  }
  spec.argv = made.arguments;
  spec.argv.insert(spec.argv.begin(), job.program);
  spec.cwd = job.request.root;
  spec.overlay = job.request.overlay;
  spec.wall_limit_ms = job.request.timeout_ms;
  spec.max_output_bytes = kMostOutput;
  const auto ran = processes_.run(spec, job.stop);
  const std::scoped_lock lock(job.mutex);
  take_result(job, made, ran, files, key);
  job.progress(files.size());
  std::error_code gone_already;
  if (!made.report_file.empty()) fs::remove(made.report_file, gone_already);
}

void ToolAnalyzer::take_result(Job& job, const ToolCall& made, const Result<ProcessResult>& ran,
                               const std::vector<std::string>& files, const std::string& key) {
  if (!ran) return job.went_wrong(AnalysisState::failed, ran.error().message);
  if (ran->ending != Ending::exited || !contains_code(tool_.exit_codes, ran->exit_code)) {
    const AnalysisState state = state_of(ran->ending);
    if (state == AnalysisState::timed_out) ++job.timeouts;
    return job.went_wrong(state, tool_.name + " " + how_it_ended(*ran) + on_files(files));
  }
  std::string report;
  if (!made.report_file.empty()) {
    std::error_code problem;
    if (fs::exists(fs::symlink_status(made.report_file, problem))) {
      auto read = read_file_nofollow(made.report_file, kMostOutput);
      if (!read)
        return job.went_wrong(AnalysisState::failed, "its report cannot be read: " + read.error().message);
      report = *std::move(read);
    }
  }
  if (take_report(job, *ran, report, files) && !key.empty())
    cache_->keep(key, job.request.root, {ran->exit_code, ran->out, ran->err, report});
}

bool ToolAnalyzer::take_report(Job& job, const ProcessResult& ran, const std::string& report,
                               const std::vector<std::string>& files) {
  auto parsed = parse(ran, report, job.tree);
  if (!parsed) {
    job.went_wrong(AnalysisState::failed,
                   tool_.name + "'s output cannot be parsed: " + parsed.error().message);
    return false;
  }
  auto& findings = job.analysis.findings;
  std::move(parsed->findings.begin(), parsed->findings.end(), std::back_inserter(findings));
  std::move(parsed->notes.begin(), parsed->notes.end(), std::back_inserter(job.notes));
  job.analysis.files += static_cast<int>(files.size() - std::min(files.size(), parsed->unanalyzed.size()));
  std::move(parsed->unanalyzed.begin(), parsed->unanalyzed.end(), std::back_inserter(job.unanalyzed));
  return true;
}

void ToolAnalyzer::run_all(Job& job, const std::vector<std::string>& files) {
  const auto work = portions(files);
  job.analysis.state = AnalysisState::done;
  job.all = files.size();
  job.progress(0);
  if (cache_ && cache_->on()) job.others = hash_of_others(tool_, job.tree);
  parallel_for(work.size(), tool_.parallel_calls, [&](std::size_t i) { run_portion(job, work[i]); });
  if (!job.unanalyzed.empty()) job.analysis.state = worse(job.analysis.state, AnalysisState::failed);
  std::erase_if(job.analysis.findings,
                [&](const Finding& finding) { return !job.foreign.reason(finding.file).empty(); });
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
  if (project_tools_) link_packages(request, repository_root_);
  run_all(job, choice.kept);
  std::vector<std::string> detail = job.complaints();
  for (std::string part : {left_out, remark(job.tree), listed(job.notes)})
    if (!part.empty()) detail.push_back(std::move(part));
  const AnalysisState state = job.analysis.state;
  return std::move(job).finish(state, join(detail, "; "));
}

} // namespace emend
