#include "base/json.hpp"
#include "base/strings.hpp"
#include "formats/severity_map.hpp"
#include "formats/writer.hpp"

namespace emend {
namespace {

Json position(int line, int column) {
  Json point = {{"line", line}};
  if (column > 0) point["column"] = column;
  return point;
}

Json diagnostic(const OutputFinding& output) {
  const Finding& f = output.finding;
  Json location = {{"path", f.file.empty() ? "." : f.file}}; // an empty path is refused
  if (f.line > 0) {
    location["range"] = {{"start", position(f.line, f.column)}};
    if (f.line_end > f.line || f.column_end > 0)
      location["range"]["end"] = position(std::max(f.line, f.line_end), f.column_end);
  }
  Json json = {{"message", full_message(f)},
               {"location", std::move(location)},
               {"severity", rdjson_severity(f.severity)}};
  if (!f.agent.empty()) json["source"] = {{"name", f.agent}};
  if (!f.rule.empty()) json["code"] = {{"value", f.rule}};
  return json;
}

} // namespace

std::string write_rdjson(const Findings& findings) {
  std::string out = "{\"source\":{\"name\":\"emend\"},\"diagnostics\":[";
  for (std::size_t i = 0; i < findings.size(); ++i)
    out += (i == 0 ? "\n" : ",\n") + dump_json(diagnostic(findings[i]));
  return out + "\n]}\n";
}

std::string write_rdjsonl(const Findings& findings) {
  std::string out;
  for (const OutputFinding& output : findings) out += dump_json(diagnostic(output)) + "\n";
  return out;
}

} // namespace emend
