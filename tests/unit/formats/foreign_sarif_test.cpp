// SARIF as other tools really wrote it, about tests/data/sarif/src: every result comes in, with its place and
// level.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "formats/reader.hpp"
#include "tests/support/paths.hpp"

namespace emend {

using testing::ElementsAre;

namespace {

// "file:line:column severity rule" of each finding.
std::vector<std::string> read_from(const std::string& name) {
  const std::string text = read_file(fs::path(EMEND_TEST_DATA) / "sarif" / name).value();
  EXPECT_EQ(detect_format(std::string_view(text).substr(0, 65'536), name), InputFormat::sarif);
  const auto read = read_findings(text, InputFormat::sarif, "", "/home/pat/project");
  EXPECT_TRUE(read) << read.error().message;
  std::vector<std::string> rows;
  if (!read) return rows;
  for (const Finding& f : read->findings) {
    EXPECT_FALSE(f.agent.empty());
    EXPECT_FALSE(f.title.empty());
    rows.push_back(f.file + ":" + std::to_string(f.line) + ":" + std::to_string(f.column) + " " +
                   std::string(to_string(f.severity)) + " " + f.rule);
  }
  return rows;
}

} // namespace

TEST(ForeignSarif, Flawfinder) {
  EXPECT_THAT(read_from("flawfinder.sarif"),
              ElementsAre("src/copy.c:6:3 info FF1013", "src/copy.c:7:3 high FF1001",
                          "src/copy.c:8:3 high FF1015", "src/copy.c:9:10 high FF1044"));
}

TEST(ForeignSarif, EslintWithMicrosoftsFormatter) {
  EXPECT_THAT(read_from("eslint.sarif"),
              ElementsAre("src/app.js:1:9 high no-var", "src/app.js:2:11 high eqeqeq",
                          "src/app.js:3:3 medium no-debugger", "src/app.js:5:5 medium prefer-const",
                          "src/app.js:5:20 high no-extra-semi", "src/app.js:5:22 high no-var",
                          "src/app.js:5:26 medium no-unused-vars", "src/app.js:5:41 high eqeqeq"));
}

TEST(ForeignSarif, Biome) {
  EXPECT_THAT(read_from("biome.sarif"),
              ElementsAre("src/app.js:5:1 medium lint/style/useConst",
                          "src/app.js:5:25 medium lint/correctness/noUnusedVariables",
                          "src/app.js:2:11 high lint/suspicious/noDoubleEquals",
                          "src/app.js:3:3 high lint/suspicious/noDebugger",
                          "src/app.js:5:40 high lint/suspicious/noDoubleEquals"));
}

// Its fixes name bytes, and its "version" is its own.
TEST(ForeignSarif, AstGrepWithFixes) {
  EXPECT_THAT(read_from("ast-grep.sarif"),
              ElementsAre("src/app.js:2:5 high strict-equality", "src/app.js:5:33 high strict-equality",
                          "src/app.js:3:3 medium no-debugger"));
  const fs::path data = fs::path(EMEND_TEST_DATA) / "sarif";
  const auto read = read_findings(read_file(data / "ast-grep.sarif").value(), InputFormat::sarif, "");
  ASSERT_TRUE(read) << read.error().message;
  std::vector<Edit> edits;
  for (const Finding& finding : read->findings) {
    ASSERT_TRUE(finding.fixit);
    EXPECT_FALSE(finding.fixit->safe) << "SARIF does not say so";
    edits.insert(edits.end(), finding.fixit->edits.begin(), finding.fixit->edits.end());
  }
  std::sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.offset < b.offset; });
  EXPECT_EQ(apply_edits(read_file(data / "src/app.js").value(), "src/app.js", edits),
            "/* \xC3\xA9 */ var total = 0;\nif (total === \"1\") {\n  ;\n}\n"
            "let unused = \"\xC3\xA9\xF0\x9F\x98\x80\";; var again = unused === total\n");
}

TEST(ForeignSarif, CppcheckConvertedByTheMultitool) {
  EXPECT_THAT(read_from("cppcheck.sarif"),
              ElementsAre("src/copy.c:5:0 medium unusedFunction", ":0:0 medium missingIncludeSystem"));
}

} // namespace emend
