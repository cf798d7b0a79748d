// One small report per input format, as the tools write them. (The lines of pyflakes are text like any
// other.)
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "formats/reader.hpp"

namespace emend::testing_support {

inline constexpr std::string_view kSarif = R"({
  "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
  "version": "2.1.0",
  "runs": [
    {
      "results": [
        {
          "ruleId": "R1", "ruleIndex": 0, "level": "error",
          "message": {"id": "default", "arguments": ["x", "y"]},
          "locations": [{"physicalLocation": {"artifactLocation": {"uri": "a%20b.c", "uriBaseId": "SRC"},
                         "region": {"startLine": 3, "startColumn": 5, "endLine": 3, "endColumn": 9}}},
                        {"physicalLocation": {"artifactLocation": {"index": 1}, "region": {"startLine": 9}}}],
          "relatedLocations": [{"physicalLocation": {"artifactLocation": {"uri": "inc/h.h"}}}],
          "partialFingerprints": {"primaryLocationLineHash": "abc:1"},
          "baselineState": "new",
          "fixes": [{"description": {"text": "do it"}, "artifactChanges": [{"replacements": [
              {"deletedRegion": {"byteOffset": 12, "byteLength": 3}, "insertedContent": {"text": "new"}}],
              "artifactLocation": {"uri": "src/a%20b.c"}}]}]
        },
        {
          "rule": {"id": "SEC", "toolComponent": {"index": 0}, "index": 0},
          "message": {"text": "Tainted path.\nMore words."},
          "locations": [{"physicalLocation": {"artifactLocation": {"uri": "file:///ci/repo/lib/p.py"}, "region": {"startLine": 7}}}],
          "suppressions": [{"kind": "inSource", "status": "accepted"}],
          "fixes": [{"description": {"text": "quote it"}, "artifactChanges": [{"artifactLocation": {"uri": "lib/p.py"}, "replacements": [
              {"deletedRegion": {"startLine": 7, "startColumn": 2, "endColumn": 4}, "insertedContent": {"text": "q"}}]}]}]
        },
        {"ruleId": "R1", "kind": "pass", "message": {"text": "fine"}},
        {"ruleIndex": 1, "message": {"text": "by index"}, "locations": []}
      ],
      "tool": {
        "driver": {"name": "checker", "rules": [
          {"id": "R1", "defaultConfiguration": {"level": "note"}, "messageStrings": {"default": {"text": "{0} is {{not}} {1}"}}},
          {"id": "R2", "defaultConfiguration": {"level": "note"}, "properties": {"category": "style"}}]},
        "extensions": [{"name": "pack", "rules": [{"id": "SEC", "properties": {"security-severity": "9.1", "tags": ["security"]}}]}]
      },
      "artifacts": [{"location": {"uri": "x.c"}}, {"location": {"uri": "y.c"}}],
      "originalUriBaseIds": {"ROOT": {"uri": "file:///ci/repo/"}, "SRC": {"uri": "src/", "uriBaseId": "ROOT"}},
      "columnKind": "utf16CodeUnits",
      "invocations": [{"executionSuccessful": false}]
    },
    {"tool": {"driver": {"name": "second"}}, "results": [{"message": {"text": "other"}, "level": "none"}]}
  ]
})";

inline constexpr std::string_view kRdjson = R"({
  "source": {"name": "super lint", "url": "https://example.com"}, "severity": "INFO",
  "diagnostics": [
    {"message": "first", "location": {"path": "./src/a.go", "range": {"start": {"line": 14, "column": 15}, "end": {"line": 14, "column": 18}}},
     "severity": "ERROR", "code": {"value": "R1", "url": "https://example.com/R1"},
     "suggestions": [{"range": {"start": {"line": 14, "column": 15}, "end": {"line": 14, "column": 18}}, "text": "foo"}]},
    {"message": "second", "location": {"path": "b.go"}, "source": {"name": "other"}},
    {"message": "third", "location": {"path": "b.go"}, "severity": 2}
  ]
})";

inline constexpr std::string_view kRdjsonl =
    R"({"message":"first","location":{"path":"a.go","range":{"start":{"line":1}}},"severity":"WARNING","source":{"name":"vet"}}
{"message":"second","location":{"path":"b.go"}}
)";

inline constexpr std::string_view kEslint = R"([
  {"filePath": "/repo/src/a.js", "messages": [
     {"ruleId": "no-var", "severity": 2, "message": "Unexpected var.", "line": 1, "column": 5, "endLine": 1, "endColumn": 8,
      "fix": {"range": [4, 7], "text": "let"}},
     {"ruleId": null, "fatal": true, "severity": 2, "message": "Parsing error", "line": null},
     {"ruleId": "eqeqeq", "severity": 1, "message": "Expected ===", "line": 3, "column": 1,
      "suggestions": [{"desc": "use ===", "fix": {"range": [10, 12], "text": "==="}}]}],
   "suppressedMessages": [{"ruleId": "no-alert", "severity": 1, "message": "alert", "line": 9, "column": 1, "suppressions": [{"kind": "directive"}]}],
   "errorCount": 2, "warningCount": 1, "source": "var x"},
  {"filePath": "/repo/src/clean.js", "messages": []}
])";

inline constexpr std::string_view kCheckstyle = R"(<?xml version="1.0" encoding="UTF-8"?>
<!-- made by a tool -->
<checkstyle version="4.3">
  <file name="src/a.c">
    <error line="2" column="6" severity="error" message="a &lt;b&gt; &amp; &quot;c&quot; &#x2713; &nbsp;" source="check.One"/>
    <error line='3' severity='info' message='two' source='check.Two' ></error>
  </file>
  <file name="src/b.c"><error line="x" severity="warning" message="bad line"/></file>
</checkstyle>
)";

inline constexpr std::string_view kGitlab = R"([
  {"description": "'x' is unused", "check_name": "no-unused", "fingerprint": "7815696ecbf1c96e6894b779456d330e", "severity": "minor",
   "location": {"path": "lib/index.js", "lines": {"begin": 42, "end": 43}}},
  {"type": "issue", "description": "deep", "check_name": "complexity", "severity": "blocker", "categories": ["Complexity"],
   "content": {"body": "long story"},
   "location": {"path": "lib/b.js", "positions": {"begin": {"line": 5, "column": 3}, "end": {"line": 6, "column": 1}}}},
  {"type": "measurement", "name": "loc", "value": 5}
])";

inline constexpr std::string_view kJunit = R"(<?xml version="1.0"?>
<testsuites tests="3">
  <testsuite name="pytest" file="tests/test_a.py">
    <testcase classname="tests.test_a" name="test_ok" time="0.1"/>
    <testcase classname="tests.test_a" name="test_bad" file="tests/test_a.py" line="12">
      <failure message="assert 1 == 2" type="AssertionError"><![CDATA[def test_bad():
>   assert 1 == 2 <here>]]></failure>
    </testcase>
    <testcase name="test_boom"><error type="RuntimeError">boom &amp; bust</error></testcase>
    <testcase name="later"><skipped/></testcase>
  </testsuite>
</testsuites>
)";

inline constexpr std::string_view kGcc =
    R"([{"kind": "error", "column-origin": 1, "children": [{"kind": "note", "fixits": [{"next": {"byte-column": 1, "line": 2, "file": "a.cpp", "column": 1}, "string": "#include <cstddef>\n", "start": {"byte-column": 1, "line": 2, "file": "a.cpp", "column": 1}}], "locations": [{"caret": {"byte-column": 1, "line": 2, "file": "a.cpp", "column": 1}}], "message": "NULL is defined in <cstddef>"}], "locations": [{"finish": {"byte-column": 56, "line": 2, "file": "a.cpp", "column": 50}, "caret": {"byte-column": 53, "line": 2, "file": "a.cpp", "column": 47}}], "message": "NULL was not declared"}]
make: entering directory
[{"kind": "warning", "locations": [{"caret": {"line": 5, "file": "b.cpp", "column": 20}}], "option": "-Wunused-variable", "children": [], "message": "unused variable x"}]
)";

inline constexpr std::string_view kShellcheck =
    R"({"comments":[{"file":"a.sh","line":2,"endLine":2,"column":6,"endColumn":8,"level":"info","code":2086,"message":"Double quote.","fix":{"replacements":[{"column":6,"endColumn":6,"endLine":2,"insertionPoint":"afterEnd","line":2,"precedence":7,"replacement":"\""},{"column":8,"endColumn":8,"endLine":2,"line":2,"replacement":"\""}]}},{"file":"a.sh","line":3,"endLine":3,"column":6,"endColumn":8,"level":"warning","code":2154,"message":"x is referenced.","fix":null}]})";

inline constexpr std::string_view kClangTidy = R"(---
MainSourceFile:  '/repo/a.cpp'
Diagnostics:
  - DiagnosticName:  modernize-use-nullptr
    DiagnosticMessage:
      Message:         'use ''nullptr'' instead'
      FilePath:        '/repo/a.cpp'
      FileOffset:      9
      Replacements:
        - FilePath:        '/repo/a.cpp'
          Offset:          9
          Length:          1
          ReplacementText: nullptr
        - FilePath:        '/repo/a.cpp'
          Offset:          12
          Length:          0
          ReplacementText: "\n}\x20\u00e9"
    Level:           Warning
    BuildDirectory:  '/repo'
  - DiagnosticName:  clang-diagnostic-parentheses
    DiagnosticMessage:
      Message:         an assignment
      FilePath:        '/repo/a.cpp'
      FileOffset:      3
      Replacements:    []
    Notes:
      - Message:         place parentheses
        FilePath:        '/repo/a.cpp'
        FileOffset:      3
        Replacements:
          - FilePath:        '/repo/a.cpp'
            Offset:          3
            Length:          0
            ReplacementText: '('
    Level:           Error
...
)";

inline constexpr std::string_view kCppcheck = R"(<?xml version="1.0" encoding="UTF-8"?>
<results version="2"><cppcheck version="2.10"/><errors>
  <error id="nullPointer" severity="warning" msg="Possible null pointer: &apos;p&apos;" cwe="476" file0="a.c">
    <location file="a.c" line="2" column="3"/></error>
  <error id="unknownMacro" severity="error" msg="There is an unknown macro here" file0="b.c"/>
</errors></results>
)";

inline constexpr std::string_view kRuff =
    R"([{"cell":null,"code":"F401","filename":"/repo/p.py","message":"`os` imported but unused","location":{"row":1,"column":8},"end_location":{"row":1,"column":10},"fix":{"applicability":"safe","message":"Remove it","edits":[{"content":"","location":{"row":1,"column":1},"end_location":{"row":2,"column":1}}]}}])";

inline constexpr std::string_view kBiome =
    R"({"summary":{"errors":1},"diagnostics":[{"severity":"error","message":"Unexpected debugger.","category":"lint/suspicious/noDebugger","location":{"path":"a.js","start":{"line":1,"column":15},"end":{"line":1,"column":17}}}],"command":"lint"})";

inline constexpr std::string_view kFlake8 = "emend\t./p.py\t1\t8\tF401\t'os' imported but unused\n";
inline constexpr std::string_view kCodespell = "./t.md:1: teh ==> the\n./t.md:2: wich ==> which, witch\n";

inline constexpr std::string_view kText =
    "src/a.c:10:5: warning: unused variable 'x' [-Wunused-variable]\n"
    "   10 |   int x;\n"
    "src/a.c:3:1: note: declared here\n"
    "In file included from b.c:1:\n"
    "C:\\work\\b.c:4: error: boom\r\n"
    "app/views.py:1:80: E501 line too long\n"
    "mod.py:1:0: C0114: Missing module docstring (missing-module-docstring)\n"
    "/repo/x.js:2:7: 'y' is not defined. [Error/no-undef]\n"
    "plain.go:7: no severity, no column\n"
    "2026-11-15 10:20:30: a log line\n"
    "run.sh:2:6: note: Double quote [SC2086]\n";

struct Sample {
  InputFormat format;
  std::string_view text;
};

inline constexpr Sample kSamples[] = {
    {InputFormat::sarif, kSarif},           {InputFormat::rdjson, kRdjson},
    {InputFormat::rdjsonl, kRdjsonl},       {InputFormat::eslint, kEslint},
    {InputFormat::checkstyle, kCheckstyle}, {InputFormat::gitlab, kGitlab},
    {InputFormat::junit, kJunit},           {InputFormat::gcc, kGcc},
    {InputFormat::shellcheck, kShellcheck}, {InputFormat::clang_tidy, kClangTidy},
    {InputFormat::cppcheck, kCppcheck},     {InputFormat::ruff, kRuff},
    {InputFormat::biome, kBiome},           {InputFormat::flake8, kFlake8},
    {InputFormat::codespell, kCodespell},   {InputFormat::text, kText},
};

} // namespace emend::testing_support
