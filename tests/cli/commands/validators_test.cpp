// What `emend review` writes, held against other people's validators: Microsoft's SARIF multitool and
// reviewdog's format.
#include "tests/cli/commands/cli_fixture.hpp"
#include "tests/support/paths.hpp"

namespace emend {

using testing::HasSubstr;

class Validators : public CliFixture {
protected:
  // Everything at once: fixes over several places, a dismissed issue, names and columns outside ASCII,
  // several tools, no findings.
  void make_sample() {
    write("dir \u00fc/n\u00e4 me #1.js", "let s = \"\u00e9\U0001F600\"; debugger;\nlet t;\n");
    write("plain.js", "debugger;\n");
    write("src/copy.c", "#include <string.h>\nvoid f(char* s) {\n  char b[4];\n  strcpy(b, s);\n}\n");
    write("run.sh", "#!/bin/sh\ncp $1 $2\nrm -rf \"$DIR\"/*\n");
    write("m.txt", std::string("<<<<<<") + "< ours\na\n=======\nb\n" + ">>>>>>" + "> theirs\n");
    git({"add", "-A"});
    git({"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "sample"});
    const Json first =
        data_of(emend({"review", "--rev", "HEAD", "--analyzers", "builtin", "--json"}), "emend.review/v1");
    ASSERT_GE(first["issues"].size(), 4U);
    const std::string code = first["issues"][0]["code"].get<std::string>();
    ASSERT_EQ(
        emend({"issues", "ignore", code, "--reason", "by_design", "--note", "as it is meant"}).exit_code, 0);
  }

  static fs::path module(const std::string& path) {
    return fs::path(EMEND_SOURCE_DIR) / "tests/oracles/node_modules" / path;
  }

  // Every complaint of the multitool's rules for SARIF and for GitHub's code scanning.
  std::vector<std::string> complaints_about(const std::vector<std::string>& files) {
    auto call = spec({module("@microsoft/sarif-multitool-linux/Sarif.Multitool").string(), "validate"});
    call.argv.insert(call.argv.end(), files.begin(), files.end());
    for (const char* word : {"--rule-kind", "Sarif;Ghas", "--log", "ForceOverwrite", "--output"})
      call.argv.emplace_back(word);
    call.argv.push_back((base_ / "verdict.sarif").string());
    call.env.emplace_back("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1"); // runs without libicu
    const ProcessResult result = run_spec(call);
    EXPECT_THAT(result.out, HasSubstr("Analysis completed successfully")) << result.err;
    std::vector<std::string> complaints;
    const auto verdict = parse_json(read_file(base_ / "verdict.sarif").value_or(""));
    EXPECT_TRUE(verdict) << result.out << result.err;
    if (!verdict) return complaints;
    for (const Json& run : (*verdict)["runs"])
      for (const Json& complaint : run.value("results", Json::array()))
        complaints.push_back(complaint.dump());
    return complaints;
  }
};

TEST_F(Validators, MicrosoftsMultitoolHasNothingToSayAboutOurSarif) {
  if (!fs::exists(module("@microsoft/sarif-multitool-linux/Sarif.Multitool")))
    GTEST_SKIP() << "the SARIF multitool is not installed: run setup/oracles.sh";
  make_sample();
  ASSERT_LE(
      emend({"review", "--rev", "HEAD", "--analyzers", "builtin", "--format", "sarif:all.sarif"}).exit_code,
      1);
  const std::string text = read_file(root_ / "all.sarif").value();
  for (const char* part : {"\"fixes\"", "\"suppressions\"", "n%C3%A4%20me%20%231.js", "\"baselineState\"",
                           "primaryLocationLineHash"})
    EXPECT_THAT(text, HasSubstr(part));
  ASSERT_EQ(
      emend({"review", "--rev", "HEAD", "check.sh", "--analyzers", "builtin", "--format", "sarif:none.sarif"})
          .exit_code,
      0);
  ASSERT_EQ(emend({"issues", "export", "--format", "sarif:issues.sarif"}).exit_code, 0);
  EXPECT_THAT(complaints_about({"all.sarif", "none.sarif", "issues.sarif"}), testing::IsEmpty());
  write(
      "broken.sarif",
      R"({"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"results":[{"message":{"text":""}}]}]})");
  EXPECT_THAT(complaints_about({"broken.sarif"}), testing::Not(testing::IsEmpty())); // it does look
}

TEST_F(Validators, RdjsonIsWhatReviewdogReads) {
  const fs::path program = module("@umbrelladocs/rdformat-validator/bin/rdformat-validator.js");
  if (!fs::exists(program)) GTEST_SKIP() << "the rdjson validator is not installed: run setup/oracles.sh";
  make_sample();
  ASSERT_LE(
      emend({"review", "--rev", "HEAD", "--analyzers", "builtin", "--format", "rdjson:out.json"}).exit_code,
      1);
  const ProcessResult valid =
      run_spec(spec({"node", program.string(), "--strict", "--no-extra-fields", "out.json"}));
  EXPECT_EQ(valid.exit_code, 0) << valid.out << valid.err;
  write("broken.json", R"({"diagnostics":[{"message":1}]})");
  EXPECT_NE(run_spec(spec({"node", program.string(), "--strict", "broken.json"})).exit_code, 0);
}

} // namespace emend
