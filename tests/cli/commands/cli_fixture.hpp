// The real binary in a temporary git repository with its own state directory.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapters/process/supervised_runner.hpp"
#include "base/files.hpp"
#include "base/json.hpp"
#include "base/strings.hpp"
#include "tests/support/paths.hpp"

namespace emend {

class CliFixture : public testing::Test {
protected:
  void SetUp() override {
    auto made = TemporaryDirectory::create(fs::temp_directory_path(), "emend-cli-");
    ASSERT_TRUE(made) << made.error().message;
    place_ = std::make_unique<TemporaryDirectory>(*std::move(made));
    base_ = fs::canonical(place_->path());
    root_ = base_ / "repo";
    fs::create_directories(root_ / "src");
    write("src/a.c", "int first(int n) {\n  int i = 0;\n  while (i <= n) i++;\n  return i;\n}\n");
    write("check.sh", "grep -q 'i < n' src/a.c && echo fixed || echo not fixed\n");
    git({"init", "-q", "-b", "main"});
    git({"add", "."});
    git({"-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", "start"});
  }

  void write(const std::string& path, const std::string& text) {
    const auto written = write_file(root_ / path, text, 0644);
    ASSERT_TRUE(written) << written.error().message;
  }

  ProcessSpec spec(std::vector<std::string> argv, const std::string& input = "") {
    ProcessSpec spec;
    spec.argv = std::move(argv);
    spec.cwd = root_.string();
    spec.stdin_data = input;
    spec.supervise = false;
    const char* path = std::getenv("PATH");
    spec.env = environment_; // first: the first of two equal names counts
    spec.env.insert(spec.env.end(),
                    {std::string("PATH=") + (path != nullptr ? path : "/usr/bin:/bin"),
                     "HOME=" + base_.string(), "EMEND_HOME=" + (base_ / "state").string(),
                     "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C.UTF-8"});
    return spec;
  }

  ProcessResult run_spec(const ProcessSpec& spec) {
    auto result = runner_.run(spec, {});
    EXPECT_TRUE(result) << result.error().message;
    return result ? *std::move(result) : ProcessResult{};
  }

  void git(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "git");
    const auto result = run_spec(spec(std::move(arguments)));
    ASSERT_TRUE(result.ok()) << result.err;
  }

  ProcessResult emend(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.begin(), EMEND_BINARY);
    return run_spec(spec(std::move(arguments), input));
  }

  // The one JSON object a command printed, checked for its schema.
  static Json data_of(const ProcessResult& result, const std::string& schema) {
    const auto object = parse_json(result.out);
    EXPECT_TRUE(object) << result.out << result.err;
    if (!object) return {};
    EXPECT_EQ(string_or(*object, "schema"), schema);
    const Json* data = find_member(*object, "data");
    return data == nullptr ? Json() : *data;
  }

  // Scripted agents in the user's own configuration: trusted, and outside of the repository.
  void configure(const std::string& fixer_turn, const std::string& judge_turn, const std::string& more = "") {
    const auto script = [](const std::string& turn) { return "{\"model\":\"m\",\"turns\":[" + turn + "]}"; };
    ASSERT_TRUE(write_file(base_ / "state" / "fixer.json", script(fixer_turn)));
    ASSERT_TRUE(write_file(base_ / "state" / "judge.json", script(judge_turn)));
    ASSERT_TRUE(
        write_file(base_ / "state" / "config.toml",
                   "[fix]\nagent = \"fixer\"\n[fix_challenger]\nagent = \"judge\"\ncanaries = 0\n"
                   "[agents.fixer]\nengine = \"scripted\"\nscript = \"fixer.json\"\nfamily = \"a\"\n"
                   "[agents.judge]\nengine = \"scripted\"\nscript = \"judge.json\"\nfamily = \"b\"\n" +
                       more));
  }

  static constexpr const char* kGoodFix =
      R"({"role":"*","do":[{"replace":{"path":"src/a.c","old":"i <= n","new":"i < n"}}],)"
      R"("answer":{"issues":{"{issue}":{"status":"fixed"}}}})";
  static constexpr const char* kGoodVerdict =
      R"({"role":"fix_challenger","answer":{"review_token":"{review_token}","issues":{"{issue}":{"score":97,"status":"SOLVED"}}}})";
  static constexpr const char* kFindings =
      R"({"findings":[{"id":"F001","file":"src/a.c","line":3,"severity":"major","title":"Off by one","issue":"The loop runs too far."}]})";

  std::unique_ptr<TemporaryDirectory> place_;
  fs::path base_, root_;
  std::vector<std::string> environment_;
  SupervisedRunner runner_{EMEND_EXEC_BINARY};
};

} // namespace emend
