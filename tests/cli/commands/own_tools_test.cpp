// A repository of each language gets findings of its own tools, with at most `emend trust --project-tools`
// and one line of a package manager that doctor printed. What is not installed here is only asked for that
// line.
#include <re2/re2.h>

#include <set>

#include "model/known_analyzers.hpp"
#include "tests/cli/commands/cli_fixture.hpp"
#include "tests/support/paths.hpp"

namespace emend {

using testing::HasSubstr;

struct Language {
  std::string name, tool;
  std::vector<std::pair<std::string, std::string>> files;
  std::string flawed, rule; // where a finding is, and how its rule begins
};

void PrintTo(const Language& language, std::ostream* out) { *out << language.name; }

class OwnToolsTest : public CliFixture, public testing::WithParamInterface<Language> {
protected:
  void SetUp() override {
    CliFixture::SetUp();
    for (const auto& [path, text] : GetParam().files) write(path, text);
    git({"add", "-A"});
    git({"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "more"});
    const char* home = std::getenv("HOME"); // of whoever installed cargo there
    if (home != nullptr)
      environment_ = {std::string("CARGO_HOME=") + home + "/.cargo",
                      std::string("RUSTUP_HOME=") + home + "/.rustup"};
  }
  // What doctor says of the tool.
  Json doctor() {
    const Json data = data_of(emend({"doctor", "--offline", "--json"}), "emend.doctor/v1");
    for (const Json& row : data["checks"])
      if (string_or(row, "check") == "analyzer " + GetParam().tool) return row;
    ADD_FAILURE() << "doctor does not speak of " << GetParam().tool;
    return {};
  }
};

TEST_P(OwnToolsTest, FindsTheFlawWithOneTrustAndOneLine) {
  const Language& language = GetParam();
  ASSERT_EQ(emend({"trust", "--project-tools"}).exit_code, 0);
  const Json row = doctor();
  if (string_or(row, "state") != "ok") {
    const std::string line = string_or(row, "remedy");
    EXPECT_TRUE(
        RE2::FullMatch(line, "(apt-get install|npm install --global|rustup component add) [\\w@/.-]+"))
        << line;
    EXPECT_THAT(emend({"review", "--all"}).err, HasSubstr(language.tool)) << "a review says what is missing";
    return;
  }
  const auto review = emend({"review", "--all", "--json"});
  bool found = false;
  const Json data = data_of(review, "emend.review/v1");
  for (const Json& issue : data["issues"])
    found = found || (string_or(issue, "file") == language.flawed &&
                      string_or(issue, "rule").starts_with(language.rule) &&
                      !contains(dump_json(issue["found_by"]), "builtin"));
  EXPECT_TRUE(found) << review.out << review.err;
}

// What doctor tells people to type must work.
class InstallLinesTest : public CliFixture {};

TEST_F(InstallLinesTest, EachNamesAPackageOfDebian) {
  const auto known = run_spec(spec({"/bin/sh", "-c", "apt-cache pkgnames"}));
  const auto lines = split(known.out, '\n');
  const std::set<std::string> packages(lines.begin(), lines.end());
  if (!packages.contains("golang")) GTEST_SKIP() << "apt-get has no lists here";
  constexpr std::string_view kApt = "apt-get install ";
  for (const KnownAnalyzer& row : known_analyzers())
    if (row.install.starts_with(kApt)) {
      EXPECT_TRUE(packages.contains(row.install.substr(kApt.size()))) << row.name << ": " << row.install;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Languages, OwnToolsTest,
    testing::Values(
        Language{"Go",
                 "go-vet",
                 {{"go.mod", "module example.org/m\n\ngo 1.19\n"},
                  {"m.go", "package m\n\nimport \"fmt\"\n\nfunc F() { fmt.Printf(\"%d\\n\", \"x\") }\n"}},
                 "m.go",
                 ""},
        Language{"Rust",
                 "clippy",
                 {{"Cargo.toml", "[package]\nname = \"m\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"},
                  {"src/lib.rs", "pub fn f(a: i32) -> bool {\n    a == a\n}\n"}},
                 "src/lib.rs",
                 "clippy::"},
        Language{"TypeScript",
                 "tsc",
                 {{"tsconfig.json",
                   "{\"compilerOptions\": {\"strict\": true, \"types\": []}, \"files\": [\"m.ts\"]}\n"},
                  {"m.ts", "export const n: number = \"x\";\n"}},
                 "m.ts",
                 "TS2322"},
        Language{"Java",
                 "javac",
                 // Without the package it imports, what can be known is said.
                 {{"M.java",
                   "import org.example.missing.Log;\nclass M {\n  Log log;\n  int f(int a) {\n    return a / "
                   "0;\n  }\n}\n"}},
                 "M.java",
                 "divzero"},
        Language{"Python", "flake8", {{"m.py", "def f():\n    return undefined_name\n"}}, "m.py", "F821"}),
    [](const auto& language) { return language.param.name; });

} // namespace emend
