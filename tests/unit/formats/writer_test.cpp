#include "formats/writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/json.hpp"
#include "base/strings.hpp"
#include "base/xml_scanner.hpp"
#include "formats/escaping.hpp"
#include "formats/line_hash.hpp"
#include "formats/reader.hpp"
#include "formats/severity_map.hpp"
#include "tests/unit/formats/writer_samples.hpp"

namespace emend {
namespace {

using namespace testing_support;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string write(OutputFormat format, const std::vector<OutputFinding>& findings = all_findings()) {
  return write_findings(format, findings, run_info());
}

Json must_parse(const std::string& text) {
  auto json = parse_json(text);
  if (!json) {
    ADD_FAILURE() << json.error().message << "\n" << text;
    return Json::object();
  }
  return *std::move(json);
}

// Element names in order; fails on anything that is not well-formed.
std::vector<std::string> elements_of(const std::string& xml) {
  std::vector<std::string> names;
  XmlScanner scanner(xml);
  while (true) {
    const auto token = scanner.next();
    if (!token) {
      ADD_FAILURE() << token.error().message << "\n" << xml;
      return names;
    }
    if (token->kind == XmlToken::Kind::end) return names;
    if (token->kind == XmlToken::Kind::open) names.push_back(token->name);
  }
}

TEST(Writers, EveryFormatHasAName) {
  for (const std::string& name : output_format_names()) {
    const auto format = parse_output_format(name);
    ASSERT_TRUE(format) << name;
    EXPECT_EQ(to_string(*format), name);
  }
  EXPECT_EQ(parse_output_format(" SARIF "), OutputFormat::sarif);
  EXPECT_EQ(parse_output_format("text"), std::nullopt);
}

TEST(Writers, EverythingIsValidUtf8WithoutEscapeSequences) {
  for (const std::string& name : output_format_names()) {
    const std::string text = write(*parse_output_format(name));
    EXPECT_TRUE(is_valid_utf8(text)) << name;
    EXPECT_THAT(text, Not(HasSubstr("\x1b"))) << name;
    EXPECT_EQ(write(*parse_output_format(name)), text) << name; // the same input, the same bytes
    EXPECT_TRUE(is_valid_utf8(write(*parse_output_format(name), {}))) << name;
  }
}

TEST(SeverityMap, OneTable) {
  const auto row = [](Severity s) {
    return std::vector<std::string_view>{sarif_level(s),        problem_severity(s), security_severity(s),
                                         rdjson_severity(s),    gitlab_severity(s),  github_level(s),
                                         checkstyle_severity(s)};
  };
  EXPECT_THAT(row(Severity::critical),
              ElementsAre("error", "error", "9.5", "ERROR", "critical", "error", "error"));
  EXPECT_THAT(row(Severity::high), ElementsAre("error", "error", "7.5", "ERROR", "major", "error", "error"));
  EXPECT_THAT(row(Severity::medium),
              ElementsAre("warning", "warning", "4.5", "WARNING", "minor", "warning", "warning"));
  EXPECT_THAT(row(Severity::low),
              ElementsAre("warning", "warning", "2.5", "WARNING", "minor", "warning", "warning"));
  EXPECT_THAT(row(Severity::info),
              ElementsAre("note", "recommendation", "", "INFO", "info", "notice", "info"));
  EXPECT_EQ(severity_of_word("Fatal Error"), Severity::high);
  EXPECT_EQ(severity_of_word("style"), Severity::low);
  EXPECT_EQ(severity_of_word("blocker"), Severity::critical);
  EXPECT_EQ(severity_of_word("nonsense"), std::nullopt);
  for (const Severity s : {Severity::critical, Severity::high, Severity::medium, Severity::low})
    EXPECT_EQ(severity_of_score(std::stod(std::string(security_severity(s)))), s);
}

TEST(Concise, OneLineEach) {
  const std::string text = write(OutputFormat::concise);
  EXPECT_EQ(lines_of(text).size(), 3U);
  EXPECT_EQ(lines_of(text)[0], "src/a b.c:3:5: critical unbounded-copy Copy without a bound [BE-001]");
  EXPECT_EQ(lines_of(text)[1], "-:1:1: info - No licence [BE-002]");
}

TEST(Agent, OneLineEachThenWhatToDoNext) {
  const std::string text = write(OutputFormat::agent);
  const auto lines = lines_of(text);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0],
            "BE-001 critical src/a b.c:3:5 unbounded-copy: Copy without a bound. strcpy copies what the "
            "request says. | fix: use snprintf "
            "| OPEN");
  EXPECT_THAT(std::string(lines[1]), HasSubstr("IGNORED wont_fix"));
  EXPECT_EQ(lines[3], "next: emend fix BE-001");
  EXPECT_EQ(write(OutputFormat::agent, {}), "no findings\n");
}

TEST(Jsonl, AFindingPerLineAndTheRun) {
  const std::string text = write(OutputFormat::jsonl);
  const auto lines = lines_of(text);
  ASSERT_EQ(lines.size(), 4U);
  const Json first = must_parse(std::string(lines[0]));
  EXPECT_EQ(first["schema"], "emend.finding/v1");
  EXPECT_EQ(first["type"], "finding");
  EXPECT_EQ(first["code"], "BE-001");
  EXPECT_EQ(first["file"], "src/a b.c");
  EXPECT_TRUE(first["score"].is_null());
  const Json last = must_parse(std::string(lines[3]));
  EXPECT_EQ(last["type"], "run");
  EXPECT_EQ(last["findings"], 3);
}

TEST(Rdjson, GoesBackToTheSamePlaces) {
  for (const auto& [out, in] : {std::pair(OutputFormat::rdjson, InputFormat::rdjson),
                                std::pair(OutputFormat::rdjsonl, InputFormat::rdjsonl)}) {
    const auto read = read_findings(write(out), in, "");
    ASSERT_TRUE(read);
    ASSERT_EQ(read->findings.size(), 3U);
    EXPECT_TRUE(read->notes.empty());
    EXPECT_EQ(read->findings[0].file, "src/a b.c");
    EXPECT_EQ(read->findings[0].column, 5);
    EXPECT_EQ(read->findings[0].column_end, 9);
    EXPECT_EQ(read->findings[0].rule, "unbounded-copy");
    EXPECT_EQ(read->findings[0].agent, "cppcheck");
    EXPECT_EQ(read->findings[1].file, "");
    EXPECT_EQ(read->findings[2].line_end, 9);
  }
}

TEST(Gitlab, FingerprintsAreUniqueAndPathsPlain) {
  auto findings = all_findings();
  findings.push_back(findings[0]);
  findings.push_back(findings[0]);
  findings.push_back(findings[2]);
  const Json json = must_parse(write(OutputFormat::gitlab, findings));
  ASSERT_EQ(json.size(), 6U);
  std::set<std::string> fingerprints;
  for (const Json& issue : json) fingerprints.insert(issue["fingerprint"].get<std::string>());
  EXPECT_EQ(fingerprints.size(), 6U);
  EXPECT_EQ(json[0]["fingerprint"], "fp-1");
  EXPECT_EQ(json[0]["severity"], "critical");
  EXPECT_EQ(json[0]["location"]["lines"]["begin"], 3);
  EXPECT_EQ(json[1]["location"]["path"], ".");
  EXPECT_TRUE(read_findings(write(OutputFormat::gitlab), InputFormat::gitlab, "")->notes.empty());
}

TEST(Checkstyle, GoesBackToTheSamePlaces) {
  const std::string xml = write(OutputFormat::checkstyle);
  EXPECT_THAT(elements_of(xml), ElementsAre("checkstyle", "file", "error", "file", "error", "file", "error"));
  const auto read = read_findings(xml, InputFormat::checkstyle, "");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->findings.size(), 3U);
  EXPECT_EQ(read->findings[0].severity, Severity::high);
  EXPECT_EQ(read->findings[0].line, 3);
  EXPECT_THAT(read->findings[2].description, HasSubstr("]]>\n| cell |"));
}

TEST(Junit, ACasePerFileAndInfoIsSkipped) {
  const std::string xml = write(OutputFormat::junit);
  EXPECT_THAT(elements_of(xml), ElementsAre("testsuites", "testsuite", "testcase", "failure", "testsuite",
                                            "testcase", "skipped", "testsuite", "testcase", "failure"));
  EXPECT_THAT(xml,
              HasSubstr("<testsuites name=\"emend\" tests=\"3\" failures=\"2\" errors=\"0\" skipped=\"1\">"));
  EXPECT_THAT(xml, HasSubstr("type=\"unbounded-copy\""));
  const auto read = read_findings(xml, InputFormat::junit, "");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->findings.size(), 2U);
  EXPECT_EQ(read->findings[0].file, "src/a b.c");
}

TEST(Github, CommandsCannotBeForged) {
  const std::string text = write(OutputFormat::github);
  const auto lines = lines_of(text);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0],
            "::error file=src/a b.c,line=3,col=5,endColumn=9,title=BE-001 unbounded-copy::Copy without a "
            "bound.%0A%0Astrcpy copies what "
            "the request says.");
  EXPECT_EQ(lines[1], "::notice title=BE-002 -::No licence");
  EXPECT_TRUE(
      lines[2].starts_with("::warning file=src/<x>&\"'|%2C%3A%250A%0A\uFFFD.c,line=7,endLine=9,title=BE-003 "
                           "r|u]]>le-%3A%3Aerror%3A%3Ax::"))
      << lines[2];
  EXPECT_THAT(std::string(lines[2]), HasSubstr("first line%0D%0A::error::second%0A]]>"));
}

TEST(Github, TenPerLevelThenASentence) {
  std::vector<OutputFinding> findings(25, plain_finding());
  findings.push_back(project_finding());
  std::vector<std::string> notes;
  const std::string text = write_findings(OutputFormat::github, findings, run_info(), &notes);
  EXPECT_EQ(lines_of(text).size(), 12U);
  EXPECT_THAT(notes, ElementsAre(HasSubstr("15 more findings of level error")));
  EXPECT_THAT(text, HasSubstr("15 more findings of level error"));
}

TEST(Markdown, TheTableKeepsItsCells) {
  const std::string text = write(OutputFormat::markdown);
  EXPECT_THAT(text, HasSubstr("## emend: 3 findings"));
  EXPECT_THAT(text, HasSubstr("1 critical, 1 medium, 1 info"));
  int rows = 0;
  for (const std::string_view line : lines_of(text)) {
    if (!line.starts_with("| BE-")) continue;
    ++rows;
    int bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i)
      bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\') ? 1 : 0;
    EXPECT_EQ(bars, 7) << line;
  }
  EXPECT_EQ(rows, 3);
  EXPECT_THAT(text, Not(HasSubstr("<script>")));
  EXPECT_THAT(text, Not(HasSubstr("@all")));
}

TEST(Html, NothingFromOutsideIsMarkup) {
  const std::string text = write(OutputFormat::html);
  EXPECT_THAT(text, Not(HasSubstr("<script")));
  EXPECT_THAT(text, Not(HasSubstr("<img")));
  EXPECT_THAT(text, Not(HasSubstr("<b>")));
  EXPECT_THAT(text, Not(HasSubstr("\u202e")));
  EXPECT_THAT(text, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;"));
  EXPECT_THAT(text, HasSubstr("prefers-color-scheme:dark"));
  EXPECT_THAT(text, HasSubstr("default-src 'none'"));
  EXPECT_THAT(text, HasSubstr("Whole project"));
  EXPECT_THAT(text, Not(HasSubstr("http://")));
}

TEST(Escaping, EachPlaceHasItsOwnRules) {
  EXPECT_EQ(single_line(" a\r\n\t b\u2028c \x1b[1m "), "a b c");
  EXPECT_EQ(xml_escaped("a<b>&\"'\n\x01"), "a&lt;b&gt;&amp;&quot;&#39;&#10;");
  EXPECT_EQ(markdown_cell("a|b\n<c> @d [x](y)"), "a\\|b &lt;c&gt; &#64;d \\[x\\]\\(y\\)");
  EXPECT_EQ(command_message("50%\n::x"), "50%25%0A::x");
  EXPECT_EQ(command_property("a:b,c%"), "a%3Ab%2Cc%25");
}

TEST(LineHash, KnownValues) {
  EXPECT_THAT(line_hashes(""), ElementsAre("c129715d7a2bc9a3:1"));
  EXPECT_THAT(line_hashes(" a\nb\n  \t\tc\n d"), ElementsAre("271789c17abda88f:1", "54703d4cd895b18:1",
                                                             "180aee12dab6264:1", "a23a3dc5e078b07b:1"));
  EXPECT_THAT(line_hashes(" hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End"),
              ElementsAre("8b7cf3e952e7aeb2:1", "b1ae1287ec4718d9:1", "bff680108adb0fcc:1",
                          "c6805c5e1288b612:1", "b86d3392aea1be30:1", "e6ceba753e1a442:1"));
}

TEST(LineHash, LineEndsAndBlanksDoNotMatterAndRepeatsAreCounted) {
  EXPECT_EQ(line_hashes("a\r\nb\r\n"), line_hashes("a\nb\n"));
  EXPECT_EQ(line_hashes("a\rb\r"), line_hashes("a\nb\n"));
  EXPECT_EQ(line_hashes("  a  b\n"), line_hashes("ab\n"));
  const std::string block(200, 'x');
  const auto repeated = line_hashes(block + "\n" + block + "\n");
  ASSERT_EQ(repeated.size(), 3U);
  EXPECT_EQ(repeated[0].substr(0, repeated[0].find(':')), repeated[1].substr(0, repeated[1].find(':')));
  EXPECT_TRUE(repeated[1].ends_with(":2"));
  EXPECT_EQ(line_hashes("\U0001F600\n").size(), 2U);
}

} // namespace
} // namespace emend
