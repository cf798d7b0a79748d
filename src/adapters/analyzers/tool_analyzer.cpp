#include "adapters/analyzers/tool_analyzer.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "adapters/analyzers/last_analysis.hpp"
#include "adapters/analyzers/pre_commit.hpp"
#include "adapters/analyzers/program.hpp"
#include "adapters/analyzers/surroundings.hpp"
#include "adapters/analyzers/tool_job.hpp"
#include "adapters/analyzers/weighing.hpp"
#include "base/environment.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/parallel.hpp"
#include "base/strings.hpp"
#include "model/review_rules.hpp"

namespace emend {

namespace {

constexpr std::size_t kMostArgumentBytes = 100'000;
constexpr std::int64_t kVersionLimitMs = 30'000;

// " on ./a.c", where it is one file that was too much.
std::string on_files(const std::vector<std::string>& files) {
  return files.size() == 1 ? " on " + first_line(clean_text(files.front().substr(2)), 120) : "";
}

bool lacks_fix(const std::vector<Finding>& findings, const std::string& file) {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Finding& finding) { return finding.file == file && !finding.fixit; });
}

// A program of rustup, pyenv, rbenv or another manager of versions that has no version of the tool to start.
bool stands_for_nothing(const ProcessResult& asked) {
  if (asked.ending != Ending::exited || asked.exit_code == 0) return false;
  const std::string said = asked.out + asked.err;
  const std::array<std::string_view, 6> words = {
      "rustup could not choose a version", "is not installed for the toolchain",
      "is not applicable to the",          "command not found",
      "No version is set for command",     "Volta error"};
  return asked.exit_code == 127 ||
         std::any_of(words.begin(), words.end(), [&](std::string_view word) { return contains(said, word); });
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

std::vector<std::string> tool_environment(const std::string& home, const std::string& temp,
                                          const SourceTree* tree) {
  return {"PATH=" + join(search_directories(tree), ":"),
          "HOME=" + (home.empty() ? "/nonexistent" : home),
          "TMPDIR=" + (temp.empty() ? fs::temp_directory_path().string() : temp),
          "LC_ALL=C.UTF-8",
          "NO_COLOR=1",
          "PYTHONDONTWRITEBYTECODE=1"};
}

void ToolAnalyzer::use(const AnalyzerSetup& setup) {
  setup_ = setup;
  repository_root_ = setup.project_tools ? setup.repository_root : "";
  cache_ = ResultCache(setup.cache);
}

std::string ToolAnalyzer::find_program(const SourceTree* tree) const {
  std::string own = repository_root_.empty() ? "" : find_project_tool(tool_.programs, repository_root_);
  return own.empty() ? find_tool(tool_.programs, tree) : own;
}

std::string ToolAnalyzer::remedy() const {
  const std::string& root = setup_.repository_root;
  if (root.empty() || tool_.package.empty() || !npm_package_lists(root, tool_.package)) return tool_.install;
  const bool there = !find_project_tool(tool_.programs, root).empty();
  return there && !setup_.project_tools ? "emend trust --project-tools" : "npm install";
}

bool ToolAnalyzer::minds_comment(std::string_view text) const {
  const std::string lower = to_lower(text);
  return !tool_.comment_words || std::any_of(tool_.comment_words->begin(), tool_.comment_words->end(),
                                             [&](const std::string& word) { return contains(lower, word); });
}

std::string ToolAnalyzer::why_not_here(SourceTree& tree) const {
  const auto there = [&](const std::string& file) { return tree.exists(file); };
  if (!tool_.needs.empty() && std::none_of(tool_.needs.begin(), tool_.needs.end(), there))
    return "the project has no " + join(tool_.needs, " or ");
  const KnownAnalyzer* better = find_known_analyzer(tool_.instead_of);
  if (better != nullptr && !find_tool(better->programs, &tree).empty() && !is_configured(tool_, tree))
    return better->name + " reports the same and more";
  if (tool_.configured_only && !is_configured(tool_, tree))
    return "the project does not configure " + tool_.name;
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

void ToolAnalyzer::follow_hook(ToolJob& job, std::vector<std::string>& files) const {
  if (tool_.name == "codespell") return; // it reads its hook by itself, words and all
  const HookRules hook = read_hook(job.tree, tool_);
  if (setup_.project_tools) job.more_arguments = hook.arguments;
  std::erase_if(files, [&](const std::string& file) { return hook.leaves_out(file); });
}

void ToolAnalyzer::add_arguments(std::vector<std::string>& arguments, const std::vector<std::string>& more,
                                 const std::vector<std::string>& files) const {
  add_before_files(arguments, more, files);
}

std::vector<std::string> ToolAnalyzer::more_of(const ToolJob& job) const {
  std::vector<std::string> more = job.more_arguments;
  more.insert(more.end(), tool_.more_arguments.begin(), tool_.more_arguments.end());
  return more;
}

bool ToolAnalyzer::is_stand_in(SourceTree& tree) const {
  const bool own = !repository_root_.empty() && !find_project_tool(tool_.programs, repository_root_).empty();
  return !tool_.package.empty() && !own && asks_for_package(tree, tool_.package);
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
  const std::string key = version_key(version_file(program), tool_);
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
  if (stands_for_nothing(*ran))
    return {"", AnalysisState::missing,
            tool_.name + " is not installed (" + program + " only stands for it" + last_words(*ran) +
                "); to install it: " + tool_.install};
  if (!ran->ok() && !(odd && ran->ending == Ending::exited && !version_in(ran->out).empty()))
    return {"", state_of(ran->ending), "asked for its version, " + tool_.name + " " + how_it_ended(*ran)};
  std::string version = version_in(ran->out);
  if (version.empty())
    return {"", AnalysisState::failed, "asked for its version, " + tool_.name + " did not name one"};
  if (const std::string why = why_unusable(version); !why.empty())
    return {"", AnalysisState::missing,
            tool_.name + " " + version + " is " + why + "; to install a newer one: " + remedy()};
  if (!key.empty()) cache_.keep(key, "/", {{"version", version}});
  const std::scoped_lock lock(mutex_);
  versions_[program] = version;
  return {version, AnalysisState::done, ""};
}

std::string ToolAnalyzer::explain(std::string_view rule, std::stop_token stop) {
  const bool is_name = !rule.empty() && !rule.starts_with('-'); // never an option
  const std::string program = tool_.explain.empty() || !is_name ? "" : find_program(nullptr);
  if (program.empty()) return {};
  ProcessSpec spec;
  spec.argv = tool_.explain;
  for (std::string& argument : spec.argv)
    argument = replace_all(replace_all(argument, "{rule}", rule), "{name}", last_name(rule));
  spec.argv.insert(spec.argv.begin(), program);
  spec.cwd = "/"; // no project's configuration has a say
  spec.env = environment("", "", nullptr);
  spec.wall_limit_ms = kVersionLimitMs;
  spec.max_output_bytes = kMostToolOutput;
  const auto ran = processes_.run(spec, std::move(stop));
  return ran && ran->ok() ? explanation(ran->out, rule) : "";
}

std::string ToolAnalyzer::explanation(std::string_view said, std::string_view) const {
  return clean_text(trim(said));
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

ToolCall ToolAnalyzer::call(const std::vector<std::string>& files, const AnalysisRequest& request,
                            SourceTree&) const {
  std::vector<std::string> arguments = tool_.arguments;
  for (std::string& argument : arguments)
    argument = replace_all(argument, "{temp}", request.temp.empty() ? "/tmp" : request.temp);
  return {with_files(std::move(arguments), files, tool_.whole_project), ""};
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

void ToolAnalyzer::run_portion(ToolJob& job, const std::vector<std::string>& files) {
  ToolCall made;
  ProcessSpec spec;
  {
    const std::scoped_lock lock(job.mutex);
    if (job.over()) return;
    made = call(files, job.request, job.tree);
    add_arguments(made.arguments, more_of(job), files);
    spec.env = environment(job.request.home, job.request.temp, &job.tree);
  }
  spec.argv = made.arguments;
  spec.argv.insert(spec.argv.begin(), job.program);
  spec.cwd = job.request.root;
  spec.overlay = job.request.overlay;
  // The only call may write: cargo wants a Cargo.lock where the project has none.
  if (tool_.whole_project) spec.overlay.work = job.request.overlay_work;
  spec.wall_limit_ms = job.request.timeout_ms;
  spec.max_output_bytes = kMostToolOutput;
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

// What a run that gave no report says about why. The tree it looked at is nobody's to know.
void ToolAnalyzer::note_obstacles(ToolJob& job, const ProcessResult& ran) const {
  const std::string said = replace_all(ran.out + "\n" + ran.err, job.request.root + "/", "");
  if (job.outdated.empty()) job.outdated = line_with_any(said, tool_.outdated_words);
  if (job.needs_packages.empty()) job.needs_packages = line_with_any(said, tool_.blind_words);
}

std::string ToolAnalyzer::what_stands_in_the_way(const ToolJob& job) const {
  if (!job.outdated.empty())
    return tool_.name + " " + job.analysis.version + " is older than what the project asks for (" +
           job.outdated + ")";
  if (job.needs_packages.empty()) return {};
  return tool_.name + " needs what the project depends on (" + job.needs_packages + "): install that " +
         (tool_.packages.empty() ? "" : "(" + tool_.packages + ") ") +
         "where you work on it, then review again";
}

std::optional<ToolOutput> ToolAnalyzer::read_result(ToolJob& job, const ToolCall& made,
                                                    const Result<ProcessResult>& ran,
                                                    const std::vector<std::string>& files) {
  const auto wrong = [&](AnalysisState state, std::string why) -> std::optional<ToolOutput> {
    job.went_wrong(state, std::move(why));
    return std::nullopt;
  };
  if (!ran) return wrong(AnalysisState::failed, ran.error().message);
  if (ran->ending != Ending::exited || !contains_code(tool_.exit_codes, ran->exit_code)) {
    note_obstacles(job, *ran);
    const AnalysisState state = state_of(ran->ending);
    if (state == AnalysisState::timed_out) ++job.timeouts;
    return wrong(state, tool_.name + " " + how_it_ended(*ran) + on_files(files));
  }
  std::string report;
  std::error_code problem;
  if (!made.report_file.empty() && fs::exists(fs::symlink_status(made.report_file, problem))) {
    auto read = read_file_nofollow(made.report_file, kMostToolOutput);
    if (!read) return wrong(AnalysisState::failed, "its report cannot be read: " + read.error().message);
    report = *std::move(read);
  }
  auto parsed = parse(*ran, report, job.tree);
  if (!parsed) {
    note_obstacles(job, *ran);
    return wrong(AnalysisState::failed,
                 tool_.name + "'s output cannot be parsed: " + parsed.error().message + last_words(*ran));
  }
  std::erase_if(parsed->findings, [&](const Finding& finding) { return job.is_of_others(finding.file); });
  return *std::move(parsed);
}

void ToolAnalyzer::take_output(ToolJob& job, const ToolOutput& output,
                               const std::vector<std::string>& files) const {
  auto& findings = job.analysis.findings;
  findings.insert(findings.end(), output.findings.begin(), output.findings.end());
  job.notes.insert(job.notes.end(), output.notes.begin(), output.notes.end());
  job.unanalyzed.insert(job.unanalyzed.end(), output.unanalyzed.begin(), output.unanalyzed.end());
  job.analysis.files += static_cast<int>(files.size() - std::min(files.size(), output.unanalyzed.size()));
  if (!job.request.on_findings || output.findings.empty()) return;
  std::vector<Finding> shown = output.findings; // as they are likely to be weighed when all are known
  settle(shown, job.request, job.tree);
  weigh_findings(shown, tool_, job.tree);
  if (job.stand_in) std::for_each(shown.begin(), shown.end(), mark_doubtful);
  job.request.on_findings(shown);
}

void ToolAnalyzer::run_all(ToolJob& job, const std::vector<std::string>& files) {
  job.analysis.state = AnalysisState::done;
  job.all = files.size();
  job.progress(0);
  if (cache_.on()) {
    job.others = hash_of_others(tool_, job.tree);
    if (!job.others.empty() && setup_.project_tools) job.others += packages_key(repository_root_);
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
  settle(job.analysis.findings, job.request, job.tree);
  weigh_findings(job.analysis.findings, tool_, job.tree);
  job.analysis.advice = doubt_what_is_unseen(job.analysis.findings, tool_);
  if (job.stand_in) {
    std::for_each(job.analysis.findings.begin(), job.analysis.findings.end(), mark_doubtful);
    job.analysis.advice = "the project asks for a version of " + tool_.package +
                          " of its own, which is not installed: what another one says" +
                          (setup_.project_tools ? "" : ", or one that nobody allowed,") +
                          " needs --strict. Install the project's packages where you work on it" +
                          (setup_.project_tools ? "" : ", and allow them: emend trust --project-tools");
  }
  sort_and_merge(job.analysis.findings);
}

Analysis ToolAnalyzer::run(const AnalysisRequest& request, std::stop_token stop) {
  const auto started = std::chrono::steady_clock::now();
  const LastAnalysis last(cache_, tool_.name, setup_.repository_root);
  const std::string key = cache_.on() ? key_of_look(request) : "";
  auto known = last.find(key);
  if (!known) {
    Analysis analysis = look(request, std::move(stop));
    last.keep(key, request.root, analysis);
    return analysis;
  }
  known->duration_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - started)
          .count();
  return *std::move(known);
}

Analysis ToolAnalyzer::look(const AnalysisRequest& request, std::stop_token stop) {
  ToolJob job(request, stop);
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
  job.analysis.needs_permission = tool_.project_code && !setup_.project_tools;
  if (job.analysis.needs_permission)
    return std::move(job).finish(AnalysisState::skipped,
                                 "it runs code of the project; to allow that: emend trust --project-tools");
  job.program = find_program(&job.tree);
  if (job.program.empty())
    return std::move(job).finish(AnalysisState::missing,
                                 tool_.name + " is not installed; to install it: " + remedy());
  VersionAnswer answer = ask_version(
      job.program, request.timeout_ms <= 0 ? kVersionLimitMs : std::min(kVersionLimitMs, request.timeout_ms),
      stop);
  if (answer.version.empty()) return std::move(job).finish(answer.state, std::move(answer.problem));
  job.analysis.version = std::move(answer.version);
  if (setup_.project_tools) link_packages(request, repository_root_);
  prepare(job.request, job.tree, stop);
  job.stand_in = is_stand_in(job.tree);
  run_all(job, choice.kept);
  if (job.stand_in && job.analysis.findings.empty() && job.analysis.state == AnalysisState::failed) {
    std::string why = job.analysis.advice;
    return std::move(job).finish(AnalysisState::skipped, std::move(why));
  }
  if (job.stand_in && job.analysis.findings.empty()) job.analysis.advice.clear();
  if (std::string why = what_stands_in_the_way(job); !why.empty() && job.analysis.findings.empty()) {
    job.analysis.advice = why;
    return std::move(job).finish(AnalysisState::skipped, std::move(why));
  }
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
