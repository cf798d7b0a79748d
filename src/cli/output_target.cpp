#include "cli/output_target.hpp"

#include <unistd.h>

#include <set>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "formats/writer.hpp"

namespace emend {

namespace {

std::vector<std::string> format_names() {
  std::vector<std::string> names = {"text", "json"};
  names.insert(names.end(), output_format_names().begin(), output_format_names().end());
  return names;
}

Status check_name(const std::string& name) {
  const std::vector<std::string> names = format_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) return {};
  const auto near = did_you_mean(name, names);
  return fail(ErrorCode::usage,
              "--format: there is no format \"" + name + "\"" + (near ? "; did you mean " + *near + "?" : ""),
              "formats: " + join(names, ", "));
}

Status check_path(const std::string& path) {
  std::error_code ignored;
  const fs::path parent = fs::absolute(path, ignored).parent_path();
  if (fs::is_directory(path, ignored))
    return fail(ErrorCode::usage, "--format: " + path + " is a directory", "name a file in that directory");
  if (!fs::is_directory(parent, ignored))
    return fail(ErrorCode::usage, "--format: the directory of " + path + " does not exist",
                "mkdir -p " + shell_quote(parent.string()));
  if (::access(parent.c_str(), W_OK) != 0)
    return fail(ErrorCode::usage, "--format: cannot write into " + parent.string());
  return {};
}

// What it is called when two want the same place.
std::string place_name(const std::string& path) { return path.empty() ? "stdout" : path; }

} // namespace

Result<std::vector<OutputTarget>> output_targets(const std::vector<std::string>& given,
                                                 const CommandContext& context, const std::string& fallback) {
  std::vector<OutputTarget> targets;
  std::vector<std::string> all = given;
  if (context.global().json) all.emplace_back("json");
  std::set<std::string> places;
  for (const std::string& text : all) {
    const std::size_t colon = text.find(':');
    OutputTarget target{text.substr(0, colon), colon == std::string::npos ? "" : text.substr(colon + 1)};
    TRY(check_name(target.format));
    if (colon != std::string::npos && target.path.empty())
      return fail(ErrorCode::usage, "--format: a file name is missing after \"" + text + "\"",
                  "--format " + target.format + ":FILE");
    if (target.path == "-") target.path.clear();
    if (!target.path.empty()) TRY(check_path(target.path));
    if (!places.insert(target.path).second)
      return fail(ErrorCode::usage, "two formats cannot both go to " + place_name(target.path),
                  "write one of them to a file: --format " + target.format + ":FILE");
    targets.push_back(std::move(target));
  }
  if (targets.empty()) targets.push_back({fallback, ""});
  return targets;
}

Status write_targets(CommandContext& context, const std::vector<OutputTarget>& targets,
                     const std::function<std::string(const OutputTarget&)>& render) {
  for (const OutputTarget& target : targets) {
    const std::string text = render(target);
    if (target.path.empty()) {
      context.print(text);
      continue;
    }
    if (auto written = write_file(target.path, text, 0644); !written)
      return fail(ErrorCode::io, "cannot write " + target.path + ": " + written.error().message);
    context.hint("wrote " + target.path);
  }
  return {};
}

Option format_option(std::vector<std::string>* given) {
  return {"--format", given,
          "output format, to stdout or to a file (may be repeated): " + join(format_names(), ", "),
          "NAME[:PATH]"};
}

} // namespace emend
