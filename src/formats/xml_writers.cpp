// Checkstyle and JUnit.
#include <fmt/format.h>

#include "base/strings.hpp"
#include "formats/escaping.hpp"
#include "formats/severity_map.hpp"
#include "formats/writer.hpp"

namespace emend {
namespace {

constexpr std::string_view kDeclaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

std::string file_of(const OutputFinding& output) {
  return output.finding.file.empty() ? "." : output.finding.file;
}

std::string checkstyle_error(const OutputFinding& output) {
  const Finding& f = output.finding;
  const std::string column = f.column > 0 ? fmt::format(" column=\"{}\"", f.column) : "";
  const std::string source = f.rule.empty() ? f.category : f.rule;
  return fmt::format("    <error line=\"{}\"{} severity=\"{}\" message=\"{}\" source=\"{}\"/>\n", f.line,
                     column, checkstyle_severity(f.severity), xml_escaped(full_message(f)),
                     xml_escaped(source));
}

struct JunitCase {
  int bad = 0;       // findings that are still open and worth a failure
  std::string worst; // rule of the worst one
  Severity severity = Severity::info;
  std::string lines;
};

bool is_failure(const OutputFinding& output) {
  return output.finding.severity != Severity::info && !is_settled(output);
}

JunitCase junit_case(const std::vector<const OutputFinding*>& findings) {
  JunitCase result;
  for (const OutputFinding* output : findings) {
    const Finding& f = output->finding;
    result.lines += fmt::format("{}:{}: {} {} {}\n", f.line, f.column, to_string(f.severity), f.rule,
                                single_line(full_message(f)));
    if (!is_failure(*output)) continue;
    if (++result.bad == 1 || f.severity > result.severity) {
      result.severity = f.severity;
      result.worst = f.rule.empty() ? f.category : f.rule;
    }
  }
  return result;
}

std::string junit_case_xml(const std::string& tool, const std::string& file,
                           const std::vector<const OutputFinding*>& findings) {
  const JunitCase test = junit_case(findings);
  std::string out = fmt::format("    <testcase classname=\"{}\" name=\"{}\" file=\"{}\">\n",
                                xml_escaped(tool), xml_escaped(file), xml_escaped(file));
  const std::string message = fmt::format("{} finding{}", findings.size(), findings.size() == 1 ? "" : "s");
  if (test.bad > 0)
    out += fmt::format("      <failure message=\"{}\" type=\"{}\">{}</failure>\n", message,
                       xml_escaped(test.worst), xml_text(test.lines));
  else
    out += fmt::format("      <skipped message=\"{}\"/>\n",
                       xml_escaped(message + " (no action needed): " + test.lines));
  return out + "    </testcase>\n";
}

} // namespace

std::string write_checkstyle(const Findings& findings, const RunInfo& run) {
  std::string out = fmt::format("{}<checkstyle version=\"{}\">\n", kDeclaration,
                                xml_escaped(run.tool_version.empty() ? "1.0" : run.tool_version));
  for (const auto& [file, in_file] : grouped(findings, file_of)) {
    out += fmt::format("  <file name=\"{}\">\n", xml_escaped(file));
    for (const OutputFinding* output : in_file) out += checkstyle_error(*output);
    out += "  </file>\n";
  }
  return out + "</checkstyle>\n";
}

std::string write_junit(const Findings& findings) {
  std::string body;
  std::size_t all = 0, all_failed = 0, all_skipped = 0;
  for (const auto& [tool, of_tool] : grouped(findings, [](const OutputFinding& f) {
         return f.finding.agent.empty() ? "emend" : f.finding.agent;
       })) {
    Findings own;
    for (const OutputFinding* output : of_tool) own.push_back(*output);
    std::string cases;
    std::size_t failed = 0;
    const auto files = grouped(own, file_of);
    for (const auto& [file, in_file] : files) {
      cases += junit_case_xml(tool, file, in_file);
      failed +=
          std::any_of(in_file.begin(), in_file.end(), [](const OutputFinding* f) { return is_failure(*f); })
              ? 1
              : 0;
    }
    body += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">\n{}  "
        "</testsuite>\n",
        xml_escaped(tool), files.size(), failed, files.size() - failed, cases);
    all += files.size();
    all_failed += failed;
    all_skipped += files.size() - failed;
  }
  return fmt::format(
      "{}<testsuites name=\"emend\" tests=\"{}\" failures=\"{}\" errors=\"0\" "
      "skipped=\"{}\">\n{}</testsuites>\n",
      kDeclaration, all, all_failed, all_skipped, body);
}

} // namespace emend
