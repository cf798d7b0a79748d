// Checkstyle's XML report, which many tools write: <file name=""><error line="" column="" severity=""
// message="" source=""/></file>.
#include <fmt/format.h>

#include "base/strings.hpp"
#include "base/xml_scanner.hpp"
#include "formats/readers.hpp"
#include "formats/severity_map.hpp"

namespace emend {
namespace {

// nullopt: not a number we can use.
std::optional<int> position(const std::string& text) {
  if (trim(text).empty()) return 0;
  const auto number = parse_unsigned(trim(text));
  if (!number || *number > 2'147'483'647) return std::nullopt;
  return static_cast<int>(*number);
}

void read_error(const XmlToken& token, const std::string& file, FindingSink& sink) {
  const auto line = position(token.attribute("line")), column = position(token.attribute("column"));
  if (!line || !column)
    return sink.skip("line or column is not a number", fmt::format("line {}", token.line));
  Finding finding;
  finding.file = file;
  finding.line = *line;
  finding.column = *column;
  finding.rule = token.attribute("source");
  finding.agent = "checkstyle";
  finding.severity = severity_of_word(token.attribute("severity")).value_or(Severity::medium);
  set_message(finding, token.attribute("message"));
  sink.add(std::move(finding));
}

} // namespace

Status read_checkstyle(std::string_view text, FindingSink& sink) {
  XmlScanner scanner(text);
  std::string file;
  bool root = true;
  while (true) {
    TRY_ASSIGN(const XmlToken token, scanner.next());
    if (token.kind == XmlToken::Kind::end) return {};
    if (token.kind == XmlToken::Kind::close && token.name == "file") file.clear();
    if (token.kind != XmlToken::Kind::open) continue;
    if (root && token.name != "checkstyle")
      return fail(ErrorCode::usage,
                  "not a checkstyle report: the root element is <" + first_line(token.name, 60) + ">");
    root = false;
    if (token.name == "file") file = token.attribute("name");
    if (token.name == "error") read_error(token, file, sink);
    if (token.name == "exception") sink.skip("the tool could not read the file", file);
  }
}

} // namespace emend
