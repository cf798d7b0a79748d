// What a tool reported in earlier runs, taken instead of running it.
#include <algorithm>

#include "adapters/analyzers/surroundings.hpp"
#include "adapters/analyzers/tool_job.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/strings.hpp"

namespace emend {

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
    const auto bytes = read_file_nofollow(job.tree.on_disk(name), kMostToolOutput);
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

} // namespace emend
