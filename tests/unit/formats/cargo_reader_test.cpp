#include <gtest/gtest.h>

#include "formats/reader.hpp"

namespace emend {
namespace {

// Two messages of clippy 0.1.95, without what nobody reads here.
constexpr const char* kReport =
    R"({"reason":"compiler-message","package_id":"demo","message":{"children":[{"children":[],"code":null,"level":"note","message":"on by default","spans":[]},{"children":[],"code":null,"level":"help","message":"remove `return`","spans":[{"byte_end":134,"byte_start":115,"column_end":23,"column_start":5,"expansion":null,"file_name":"src/lib.rs","is_primary":true,"line_end":4,"line_start":4,"suggested_replacement":"grösse == 0","suggestion_applicability":"MachineApplicable"},{"byte_end":135,"byte_start":134,"column_end":24,"column_start":23,"expansion":null,"file_name":"src/lib.rs","is_primary":true,"line_end":4,"line_start":4,"suggested_replacement":"","suggestion_applicability":"MachineApplicable"}]}],"level":"warning","message":"unneeded `return` statement","spans":[{"byte_end":134,"byte_start":115,"column_end":23,"column_start":5,"expansion":null,"file_name":"src/lib.rs","is_primary":true,"line_end":4,"line_start":4,"suggested_replacement":null}],"code":{"code":"clippy::needless_return","explanation":null}}}
{"reason":"compiler-message","package_id":"demo","message":{"children":[{"children":[],"code":null,"level":"help","message":"change this to","spans":[{"byte_end":69,"byte_start":60,"column_end":34,"column_start":25,"expansion":null,"file_name":"src/lib.rs","is_primary":true,"line_end":2,"line_start":2,"suggested_replacement":"&[u32]","suggestion_applicability":"Unspecified"}]}],"level":"warning","message":"writing `&Vec` instead of `&[_]` involves a new object where a slice will do","spans":[{"byte_end":69,"byte_start":60,"column_end":34,"column_start":25,"expansion":null,"file_name":"src/lib.rs","is_primary":true,"line_end":2,"line_start":2,"suggested_replacement":null}],"code":{"code":"clippy::ptr_arg","explanation":null}}}
{"reason":"build-finished","success":true}
)";

constexpr const char* kSource =
    "/// Says whether the list is empty.\npub fn is_nothing(list: &Vec<u32>) -> bool {\n"
    "    let grösse = list.len();\n    return grösse == 0;\n}\n";

TEST(CargoReader, EditsAreByteExactAndSafeWhenRustcSaysSo) {
  EXPECT_EQ(detect_format(kReport, "clippy.json"), InputFormat::cargo);
  const auto read = read_findings(
      kReport, InputFormat::cargo, "", "", [](const std::string& file) -> std::optional<std::string> {
        return file == "src/lib.rs" ? std::optional<std::string>(kSource) : std::nullopt;
      });
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->findings.size(), 2U);
  const Finding& first = read->findings[0];
  EXPECT_EQ(first.rule, "clippy::needless_return");
  EXPECT_EQ(first.line, 4);
  EXPECT_EQ(first.severity, Severity::low);
  ASSERT_TRUE(first.fixit);
  EXPECT_TRUE(first.fixit->safe);
  const auto fixed = apply_edits(kSource, "src/lib.rs", first.fixit->edits);
  ASSERT_TRUE(fixed);
  EXPECT_NE(fixed->find("    grösse == 0\n}"), std::string::npos) << *fixed;
  ASSERT_TRUE(read->findings[1].fixit);
  EXPECT_FALSE(read->findings[1].fixit->safe);
}

TEST(CargoReader, AReportThatDoesNotEndIsCutOffAndOtherTextIsRefused) {
  const auto cut = read_findings("{\"reason\":\"compiler-artifact\"}\n", InputFormat::cargo, "");
  ASSERT_TRUE(cut);
  EXPECT_FALSE(cut->notes.empty());
  EXPECT_FALSE(read_findings("error: could not compile\n", InputFormat::cargo, ""));
}

} // namespace
} // namespace emend
