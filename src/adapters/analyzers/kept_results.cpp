// What a tool reported in earlier runs, taken instead of running it.
#include <algorithm>

#include "adapters/analyzers/compile_database.hpp"
#include "adapters/analyzers/last_analysis.hpp"
#include "adapters/analyzers/program.hpp"
#include "adapters/analyzers/surroundings.hpp"
#include "adapters/analyzers/tool_analyzer.hpp"
#include "adapters/analyzers/tool_job.hpp"
#include "adapters/analyzers/weighing.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

std::string row_text(const KnownAnalyzer& tool) {
  std::string text = tool.report + "\n" + tool.pattern + "\n" + join(tool.fix, " ") + "\n" +
                     join(tool.arguments, " ") + "\n" + join(tool.more_arguments, " ") + "\n" +
                     join(tool.fix_programs, " ") + "\n" + join(tool.environment, " ");
  for (const auto& [start, severity] : tool.severities)
    text += "\n" + start + " " + std::string(to_string(severity));
  for (const auto& [start, category] : tool.categories) text += "\n" + start + " " + category;
  for (const int code : tool.exit_codes) text += "\n" + std::to_string(code);
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

} // namespace

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

std::string ToolAnalyzer::key_of_look(const AnalysisRequest& request) const {
  if (request.tree_name.empty()) return {};
  const SourceTree tree(request);
  const auto program = [&](const std::string& path) {
    return path.empty() ? std::string("none") : path + " " + version_key(version_file(path), tool_);
  };
  const KnownAnalyzer* better = find_known_analyzer(tool_.instead_of);
  std::string all = this_build() + "\n" + tool_.name + "\n" + row_text(tool_) + "\n" + request.tree_name +
                    "\n" + sha256_hex(join(request.files, "\n")) + "\n" + program(find_program(&tree)) +
                    "\n" + program(find_tool(tool_.fix_programs, &tree)) + "\n" +
                    (better == nullptr ? "" : find_tool(better->programs, &tree)) +
                    (request.work_out_fixes ? "\nfixes" : "") + (setup_.project_tools ? "\nproject" : "");
  if (setup_.project_tools) all += packages_key(repository_root_);
  if (tool_.follows_includes) all += databases_key(setup_.repository_root) + find_tool({"cmake"}, &tree);
  return sha256_hex(all);
}

std::string ToolAnalyzer::key_of(ToolJob& job, const std::vector<std::string>& files) const {
  if (job.others.empty()) return {};
  std::string all = this_build() + "\n" + tool_.name + "\n" + job.analysis.version + "\n" + job.program +
                    "\n" + row_text(tool_) + "\n" + job.others + "\n" + job.request.database_sha256 +
                    (job.request.work_out_fixes ? "\nfixes" : "");
  ToolCall made;
  {
    const std::scoped_lock lock(job.mutex);
    made = call(files, job.request, job.tree);
  }
  add_arguments(made.arguments, more_of(job), files);
  for (std::string argument : made.arguments) {
    for (const std::string* place :
         {&made.report_file, &job.request.compile_database, &job.request.temp, &job.request.root})
      if (!place->empty()) argument = replace_all(argument, *place, "@");
    all += "\n" + argument;
  }
  for (const std::string& file : files) {
    const std::string name = file.substr(2);
    const auto bytes = read_file_nofollow(job.tree.on_disk(name), kMostToolOutput);
    const std::string included = job.includes ? job.includes->of(name) : "none";
    if (!bytes || included.empty()) return {};
    all += "\n" + file + " " + sha256_hex(*bytes) + " " + included;
  }
  return sha256_hex(all);
}

std::vector<std::string> ToolAnalyzer::take_kept(ToolJob& job, const std::vector<std::string>& files) const {
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

void ToolAnalyzer::keep(ToolJob& job, const std::vector<std::string>& files, const ToolOutput& output) const {
  if (job.others.empty()) return;
  const bool looks_home = std::any_of(tool_.environment.begin(), tool_.environment.end(),
                                      [](const std::string& one) { return contains(one, "=~/"); });
  const auto unseen = [&](const Finding& finding) { return says_it_cannot_see(finding, tool_); };
  if (looks_home && std::any_of(output.findings.begin(), output.findings.end(), unseen))
    return; // packages in the person's home may come, and no key names them
  const auto store = [&](const std::vector<std::string>& together, const ToolOutput& part) {
    if (const std::string key = key_of(job, together); !key.empty())
      cache_.keep(key, job.request.root, to_json(part));
  };
  if (files.size() == 1 || tool_.whole_project) return store(files, output);
  if (told_apart(output, files))
    for (const std::string& file : files) store({file}, part_about(output.findings, file));
}

} // namespace emend
