#include <fmt/format.h>

#include <unordered_map>

#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/strings.hpp"
#include "formats/severity_map.hpp"
#include "formats/writer.hpp"

namespace emend {
namespace {

// Two equal fingerprints become one entry in the widget, so the second one is made another.
std::string unique_fingerprint(const OutputFinding& output, std::unordered_map<std::string, int>& seen) {
  const Finding& f = output.finding;
  const std::string own = output.fingerprint.empty()
                              ? fmt::format("{}\n{}\n{}\n{}", f.file, f.rule, f.agent, f.description)
                              : output.fingerprint;
  const std::string fingerprint = output.fingerprint.empty() ? sha256_hex(own) : own;
  const int nth = ++seen[fingerprint];
  return nth == 1 ? fingerprint : sha256_hex(fmt::format("{}:{}", fingerprint, nth));
}

} // namespace

std::string write_gitlab(const Findings& findings) {
  std::unordered_map<std::string, int> seen;
  std::string out = "[";
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& f = findings[i].finding;
    const int line = std::max(f.line, 1);
    const Json issue = {
        {"description", full_message(f)},
        {"check_name", f.rule.empty() ? (f.category.empty() ? "finding" : f.category) : f.rule},
        {"fingerprint", unique_fingerprint(findings[i], seen)},
        {"severity", gitlab_severity(f.severity)},
        {"location",
         {{"path", f.file.empty() ? "." : f.file},
          {"lines", {{"begin", line}, {"end", std::max(line, f.line_end)}}}}}};
    out += (i == 0 ? "\n" : ",\n") + dump_json(issue);
  }
  return out + "\n]\n";
}

} // namespace emend
