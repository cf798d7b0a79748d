// cppcheck's `--xml`: <error> elements, each with the <location> of the problem first.
#include <algorithm>
#include <array>

#include "base/strings.hpp"
#include "base/xml_scanner.hpp"
#include "formats/readers.hpp"
#include "formats/tool_report.hpp"

namespace emend {
namespace {

// The file was not looked at to its end.
bool gave_up(std::string_view id) {
  static constexpr std::array<std::string_view, 7> kIds = {"syntaxError",
                                                           "unknownMacro",
                                                           "internalError",
                                                           "internalAstError",
                                                           "cppcheckError",
                                                           "noValidConfiguration",
                                                           "preprocessorErrorDirective"};
  return std::find(kIds.begin(), kIds.end(), id) != kIds.end();
}

std::int64_t number(const XmlToken& token, std::string_view key) {
  const auto value = parse_unsigned(token.attribute(key));
  return value && *value <= 100'000'000 ? static_cast<std::int64_t>(*value) : 0;
}

void read_error(const XmlToken& error, const XmlToken& location, FindingSink& sink) {
  const std::string id = error.attribute("id"), message = error.attribute("msg");
  const std::string path = location.attribute("file"), word = error.attribute("severity");
  const auto file = path.empty() ? std::nullopt : sink.files().relative(path);
  if (gave_up(id))
    return sink.unanalyzed(file.value_or(error.attribute("file0")) + ": " +
                           first_line(clean_text(message), 120));
  const KnownAnalyzer& tool = known_analyzer("cppcheck");
  if (!severity_by(tool, {word})) return; // "information", "debug": about cppcheck itself
  if (id.empty()) return sink.skip("an error has no id", "line " + std::to_string(error.line));
  if (!file) return;
  Finding finding = tool_finding(tool, id, word, *file, message);
  finding.severity = *severity_by(tool, {id, word});
  finding.category = category_by(tool, {word});
  set_place(finding, {number(location, "line"), number(location, "column"), 0, 0, ColumnUnit::bytes}, sink);
  if (const std::string cwe = error.attribute("cwe"); parse_unsigned(cwe))
    finding.suggestion = "See https://cwe.mitre.org/data/definitions/" + cwe + ".html";
  sink.add(std::move(finding));
}

} // namespace

Status read_cppcheck(std::string_view text, FindingSink& sink) {
  XmlScanner scanner(text);
  std::optional<XmlToken> error, location;
  bool root = true;
  while (true) {
    TRY_ASSIGN(XmlToken token, scanner.next());
    if (token.kind == XmlToken::Kind::end) return {};
    const bool open = token.kind == XmlToken::Kind::open;
    if (open && root && token.name != "results")
      return fail(ErrorCode::usage,
                  "not a cppcheck report: the root element is <" + first_line(token.name, 60) + ">");
    root = root && !open;
    if (open && token.name == "error") {
      error = std::move(token);
      location.reset();
    } else if (open && token.name == "location" && error && !location) {
      location = std::move(token);
    } else if (token.kind == XmlToken::Kind::close && token.name == "error" && error) {
      read_error(*error, location.value_or(XmlToken{}), sink);
      error.reset();
    }
  }
}

} // namespace emend
