#include "tests/contract/analyzers/samples.hpp"

#include "base/strings.hpp"

namespace emend {

namespace {

constexpr const char* kShellcheck = R"sample({"comments":[
 {"file":"./a.sh","line":2,"endLine":2,"column":9,"endColumn":11,"level":"info","code":2086,
  "message":"Double quote to prevent globbing and word splitting.","fix":{"replacements":[
   {"column":9,"endColumn":9,"line":2,"endLine":2,"insertionPoint":"afterEnd","precedence":7,"replacement":"\""},
   {"column":11,"endColumn":11,"line":2,"endLine":2,"insertionPoint":"beforeStart","precedence":7,"replacement":"\""}]}},
 {"file":"./a.sh","line":3,"endLine":3,"column":3,"endColumn":7,"level":"style","code":2006,"message":"Use $(...).","fix":{"replacements":[
   {"column":3,"endColumn":4,"line":3,"endLine":3,"replacement":"$("},{"column":6,"endColumn":7,"line":3,"endLine":3,"replacement":")"}]}},
 {"file":"./a.sh","line":1,"endLine":1,"column":1,"endColumn":1,"level":"error","code":1000,"message":"no fix","fix":null},
 {"file":"/usr/lib/other.sh","line":1,"endLine":1,"column":1,"endColumn":1,"level":"error","code":1000,"message":"outside","fix":null}]})sample";

constexpr const char* kCodespell =
    "./t.md:1: teh ==> the\n./t.md:1: teh ==> the\n./t.md:2: wich ==> which, witch\n./t.md:2: clas ==> class "
    "| disabled\n";

constexpr const char* kClangTidy = R"sample(---
MainSourceFile:  'ROOT/a.cpp'
Diagnostics:
  - DiagnosticName:  modernize-use-nullptr
    DiagnosticMessage:
      Message:         'use ''nullptr'', not 0'
      FilePath:        'ROOT/a.cpp'
      FileOffset:      9
      Replacements:
        - FilePath:        'ROOT/a.cpp'
          Offset:          9
          Length:          1
          ReplacementText: nullptr
    Level:           Warning
    BuildDirectory:  'ROOT'
  - DiagnosticName:  readability-braces-around-statements
    DiagnosticMessage:
      Message:         statement should be inside braces
      FilePath:        'ROOT/a.cpp'
      FileOffset:      12
      Replacements:
        - FilePath:        'ROOT/a.cpp'
          Offset:          12
          Length:          0
          ReplacementText: ' {'
        - FilePath:        'ROOT/a.cpp'
          Offset:          16
          Length:          0
          ReplacementText: "\n\t}\x21\\"
    Notes:
      - Message:         '''p'' is here'
        FilePath:        'ROOT/a.cpp'
        FileOffset:      2
        Replacements:    []
        Ranges:
          - FilePath:        'ROOT/a.cpp'
            FileOffset:      2
            Length:          1
    Level:           Warning
    BuildDirectory:  'ROOT'
  - DiagnosticName:  bugprone-outside
    DiagnosticMessage:
      Message:         a header of the system
      FilePath:        '/usr/include/x.h'
      FileOffset:      1
      Replacements:    []
    Level:           Warning
...
)sample";

constexpr const char* kCppcheck = R"sample(<?xml version="1.0" encoding="UTF-8"?>
<results version="2">
    <cppcheck version="2.10"/>
    <errors>
        <error id="arrayIndexOutOfBounds" severity="error" msg="Array &apos;b[4]&apos; &lt; 5" verbose="x &gt; y" cwe="788" file0="a.cpp">
            <location file="a.cpp" line="2" column="3" info="here"/>
            <location file="a.cpp" line="1" column="1" info="there"/>
            <symbol>b</symbol>
        </error>
        <error id="checkersReport" severity="information" msg="about itself" verbose="about itself"/>
        <error id="passedByValue" severity="performance" msg="slow" verbose="slow" file0="a.cpp">
            <location file="a.cpp" line="1" column="5"/>
        </error>
    </errors>
</results>
)sample";

constexpr const char* kEslint = R"sample([{"filePath":"ROOT/a.js","messages":[
 {"ruleId":"no-extra-boolean-cast","severity":2,"message":"Redundant double negation.","line":1,"column":20,"endLine":1,"endColumn":23,
  "fix":{"range":[19,22],"text":"x"}},
 {"ruleId":"no-unused-vars","severity":1,"message":"unused","line":2,"column":5,"endLine":2,"endColumn":6,
  "suggestions":[{"desc":"Remove it","fix":{"range":[27,37],"text":""}}]},
 {"ruleId":null,"fatal":true,"severity":2,"message":"Parsing error: Unexpected token ;","line":2,"column":1},
 {"ruleId":null,"severity":1,"message":"File ignored because of a matching ignore pattern."}]}])sample";

constexpr const char* kBiome = R"sample({"summary":{"errors":1},"diagnostics":[
 {"severity":"error","message":"Unexpected debugger.","category":"lint/suspicious/noDebugger",
  "location":{"path":"a.js","start":{"line":1,"column":15},"end":{"line":1,"column":17}},"advices":[]},
 {"severity":"error","description":"Old format.","category":"lint/security/noGlobalEval","location":{"path":{"file":"a.js"},"span":[31,33]}},
 {"severity":"warning","message":"about the configuration","category":"configuration","location":{"path":"biome.json"}}],"command":"lint"})sample";

constexpr const char* kFlake8 =
    "emend\t./p.py\t1\t8\tF401\t'os' imported but unused\nemend\t./p.py\t3\t1\tE302\texpected 2 blank lines\n"
    "emend\t./p.py\t2\t8\tE999\tSyntaxError: invalid syntax\n";

constexpr const char* kPyflakes = "./p.py:1:1: 'os' imported but unused\n./p.py:3: undefined name 'y'\n";

constexpr const char* kRuff = R"sample([
 {"cell":null,"code":"F401","filename":"ROOT/p.py","message":"`os` imported but unused","location":{"row":1,"column":8},
  "end_location":{"row":1,"column":10},"fix":{"applicability":"safe","message":"Remove unused import: `os`","edits":[
   {"content":"","location":{"row":1,"column":1},"end_location":{"row":2,"column":1}}]}},
 {"code":"F632","filename":"ROOT/p.py","message":"Use ==","location":{"row":2,"column":8},"end_location":{"row":2,"column":14},
  "fix":{"applicability":"unsafe","message":"Replace","edits":[{"content":"==","location":{"row":2,"column":8},"end_location":{"row":2,"column":10}}]}},
 {"code":"E711","filename":"ROOT/p.py","message":"look","location":{"row":2,"column":1},"end_location":{"row":2,"column":2},
  "fix":{"applicability":"display","message":"Maybe","edits":[{"content":"x","location":{"row":2,"column":1},"end_location":{"row":2,"column":2}}]}},
 {"code":null,"filename":"ROOT/p.py","message":"SyntaxError: what","location":{"row":3,"column":1},"end_location":{"row":3,"column":2},"fix":null}])sample";

} // namespace

Samples samples(const std::string& root) {
  Samples s;
  s.files = {{"a.sh", "#!/bin/sh\n\techo \xC3\xA9 $1\nx=`ls`\n"},
             {"t.md", "teh t\xC3\xA9h teh\nwich clas\n"},
             {"a.cpp", "int *p = 0;\nif (p) q;\n"},
             {"a.js", "var x = \"\xC3\xA9\xF0\x9F\x98\x80\"; if (!!x) {}\nlet a = 12;\n"},
             {"p.py", "import os\nif '\xC3\xA9' is x: pass\ny\n"}};
  s.shellcheck = kShellcheck;
  s.codespell = kCodespell;
  s.clang_tidy = replace_all(kClangTidy, "ROOT", root);
  s.cppcheck = kCppcheck;
  s.eslint = replace_all(kEslint, "ROOT", root);
  s.biome = kBiome;
  s.flake8 = kFlake8;
  s.pyflakes = kPyflakes;
  s.ruff = replace_all(kRuff, "ROOT", root);
  return s;
}

} // namespace emend
