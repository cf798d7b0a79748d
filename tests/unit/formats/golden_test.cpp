// One finding, written out byte by byte in every format.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/writer.hpp"

namespace emend {
namespace {

using ::testing::EndsWith;

OutputFinding finding() {
  OutputFinding output;
  Finding& f = output.finding;
  f.file = "src/a.c";
  f.line = f.line_end = 3;
  f.column = 5;
  f.column_end = 9;
  f.severity = Severity::high;
  f.rule = "nullPointer";
  f.category = "bug";
  f.agent = "cppcheck";
  f.title = f.description = "Null pointer: p";
  output.code = "BE-001";
  output.status = "OPEN";
  output.fingerprint = "fp";
  return output;
}

std::string write(OutputFormat format) {
  RunInfo run;
  run.tool_version = "0.1.0";
  run.session_id = "s1";
  return write_findings(format, {finding()}, run);
}

TEST(Golden, Sarif) {
  EXPECT_EQ(write(OutputFormat::sarif),
            R"({"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[
{"tool":{"driver":{"name":"cppcheck","rules":[{"id":"nullPointer","shortDescription":{"text":"nullPointer of cppcheck."},"fullDescription":{"text":"What cppcheck reports as nullPointer (bug)."},"help":{"text":"What cppcheck reports as nullPointer (bug). Each result says what was found and where; `emend explain CODE` shows what was done about it.","markdown":"What cppcheck reports as nullPointer (bug). Each result says what was found and where; `emend explain CODE` shows what was done about it."},"defaultConfiguration":{"level":"error"},"properties":{"precision":"medium","problem.severity":"error","tags":["bug"]}}]}},"automationDetails":{"id":"emend/default/s1","guid":"5d253d6d-d9b3-52fe-84a8-248772d10ca8"},"invocations":[{"executionSuccessful":true,"exitCode":0,"workingDirectory":{"uriBaseId":"SRCROOT","uri":"."}}],"originalUriBaseIds":{"SRCROOT":{"description":{"text":"The root of the repository."}}},"columnKind":"utf16CodeUnits","results":[
{"ruleId":"nullPointer","ruleIndex":0,"level":"error","message":{"text":"Null pointer: p"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"src/a.c","uriBaseId":"SRCROOT"},"region":{"startLine":3,"startColumn":5,"endLine":3,"endColumn":9}}}],"partialFingerprints":{"emendIssue/v1":"fp"},"properties":{"emend":{"code":"BE-001","status":"OPEN","severity":"high","category":"bug"}}}
]}
]}
)");
}

TEST(Golden, Rdjson) {
  const std::string line =
      R"({"message":"Null pointer: p","location":{"path":"src/a.c","range":{"start":{"line":3,"column":5},"end":{"line":3,"column":9}}},"severity":"ERROR","source":{"name":"cppcheck"},"code":{"value":"nullPointer"}})"
      "\n";
  EXPECT_EQ(write(OutputFormat::rdjsonl), line);
  EXPECT_EQ(write(OutputFormat::rdjson),
            "{\"source\":{\"name\":\"emend\"},\"diagnostics\":[\n" + line + "]}\n");
}

TEST(Golden, Gitlab) {
  EXPECT_EQ(write(OutputFormat::gitlab), R"([
{"description":"Null pointer: p","check_name":"nullPointer","fingerprint":"fp","severity":"major","location":{"path":"src/a.c","lines":{"begin":3,"end":3}}}
]
)");
}

TEST(Golden, Checkstyle) {
  EXPECT_EQ(write(OutputFormat::checkstyle), R"(<?xml version="1.0" encoding="UTF-8"?>
<checkstyle version="0.1.0">
  <file name="src/a.c">
    <error line="3" column="5" severity="error" message="Null pointer: p" source="nullPointer"/>
  </file>
</checkstyle>
)");
}

TEST(Golden, Junit) {
  EXPECT_EQ(write(OutputFormat::junit), R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="emend" tests="1" failures="1" errors="0" skipped="0">
  <testsuite name="cppcheck" tests="1" failures="1" errors="0" skipped="0">
    <testcase classname="cppcheck" name="src/a.c" file="src/a.c">
      <failure message="1 finding" type="nullPointer">3:5: high nullPointer Null pointer: p
</failure>
    </testcase>
  </testsuite>
</testsuites>
)");
}

TEST(Golden, Lines) {
  EXPECT_EQ(write(OutputFormat::github),
            "::error file=src/a.c,line=3,col=5,endColumn=9,title=BE-001 nullPointer::Null pointer: p\n");
  EXPECT_EQ(write(OutputFormat::concise), "src/a.c:3:5: high nullPointer Null pointer: p [BE-001]\n");
  EXPECT_EQ(write(OutputFormat::agent),
            "BE-001 high src/a.c:3:5 nullPointer: Null pointer: p | OPEN\nnext: emend fix BE-001\n");
}

TEST(Golden, Jsonl) {
  EXPECT_EQ(
      write(OutputFormat::jsonl),
      R"({"schema":"emend.finding/v1","type":"finding","code":"BE-001","status":"OPEN","reason":null,"evidence":null,"fingerprint":"fp","marks":[],"score":null,"id":"","file":"src/a.c","line":3,"line_end":3,"severity":"high","category":"bug","rule":"nullPointer","title":"Null pointer: p","description":"Null pointer: p","suggestion":"","agent":"cppcheck","group":"","related_files":[],"effort":0,"files_count":0,"annotations":[],"column":5,"column_end":9}
{"schema":"emend.run/v1","type":"run","findings":1,"version":"0.1.0","session_id":"s1","revision":null,"branch":null,"start_ms":0,"end_ms":0,"exit_code":0,"success":true}
)");
}

TEST(Golden, Markdown) {
  EXPECT_EQ(write(OutputFormat::markdown), R"(## emend: 1 finding

By severity: 1 high.

| code | severity | place | rule | finding | status |
|---|---|---|---|---|---|
| BE-001 | high | src/a.c:3 | nullPointer | Null pointer: p | OPEN |
)");
}

TEST(Golden, Html) {
  EXPECT_THAT(
      write(OutputFormat::html),
      EndsWith(
          "<section>\n"
          "<h2>src/a.c</h2>\n"
          "<article class=\"high\">\n"
          "<h3>BE-001 <span class=\"word\">high</span> Null pointer: p</h3>\n"
          "<p class=\"meta\">line 3, column 5 \u00b7 nullPointer \u00b7 found by cppcheck \u00b7 OPEN</p>\n"
          "</article>\n"
          "</section>\n"
          "</main>\n"
          "</body>\n"
          "</html>\n"));
}

} // namespace
} // namespace emend
