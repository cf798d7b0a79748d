// The real program with a made-up coding CLI and a made-up forge (tests/made_up): one row each, and
// everything else knows them.
#include "tests/cli/commands/cli_fixture.hpp"

namespace emend {

using testing::HasSubstr;
using testing::Not;

class MadeUpTest : public CliFixture {
protected:
  void SetUp() override {
    CliFixture::SetUp();
    environment_ = {"PATH=" + (base_ / "bin").string() + ":/usr/bin:/bin",
                    "QUILL_HOME=" + (base_ / "bin").string(), "QUILL_KEY=k", "OTHER_KEY=o"};
    fs::create_directories(base_ / "bin");
  }

  ProcessResult made_up(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.begin(), fs::path(EMEND_BINARY).parent_path() / "emend_made_up");
    return run_spec(spec(std::move(arguments), input));
  }

  // The program itself: does `script` and answers that it fixed the issue.
  void install_quill(const std::string& script) {
    const std::string answer = R"({"said":"{\"issues\":{\"BE-001\":{\"status\":\"fixed\"}}}"})";
    ASSERT_TRUE(write_file(base_ / "bin" / "quill",
                           "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'quill 9.9'; exit; fi\n"
                           "cat > /dev/null\n" +
                               script + "\necho '" + answer + "'\n",
                           0755));
  }
  // The fixer is quill, which nothing but its row describes.
  void configure_judge(const std::string& verify) {
    ASSERT_TRUE(write_file(base_ / "state" / "judge.json",
                           std::string("{\"model\":\"m\",\"turns\":[") + kGoodVerdict + "]}"));
    ASSERT_TRUE(write_file(
        base_ / "state" / "config.toml",
        "[fix]\nagent = \"quill\"\n[fix_challenger]\nagent = \"judge\"\ncanaries = 0\n[agents.judge]\n"
        "engine = \"scripted\"\nscript = \"judge.json\"\n[verify]\ncommands = [\"" +
            verify + "\"]\n"));
  }
  Json fixed() {
    const auto result = made_up({"fix", "--findings", "-", "--json"}, kFindings);
    return data_of(result, "emend.session/v1");
  }
  static Json check_of(const Json& doctor, const std::string& name) {
    for (const Json& check : doctor.at("checks"))
      if (string_or(check, "check") == name) return check;
    return {};
  }
  Json doctor() { return data_of(made_up({"doctor", "--offline", "--json"}), "emend.doctor/v1"); }

  static constexpr const char* kFix = "sed -i 's/i <= n/i < n/' src/a.c";
};

TEST_F(MadeUpTest, DoctorNamesTheCodingCli) {
  const Json before = check_of(doctor(), "quill");
  EXPECT_EQ(string_or(before, "state"), "optional");
  EXPECT_EQ(string_or(before, "remedy"), "apt-get install goose");
  install_quill("");
  EXPECT_THAT(string_or(check_of(doctor(), "quill"), "detail"), HasSubstr("coding agent quill 9.9"));
}

TEST_F(MadeUpTest, ItIsFoundAndItsCallIsShown) {
  EXPECT_THAT(made_up({"agents"}).out, HasSubstr("opencode, qwen, quill is on PATH"));
  install_quill("");
  ASSERT_TRUE(write_file(base_ / "bin" / "identity", "sesame"));
  const Json rows = data_of(made_up({"agents", "list", "--json"}), "emend.agents/v1");
  ASSERT_EQ(rows.size(), 1U) << rows;
  EXPECT_EQ(rows[0]["name"], "quill");
  EXPECT_EQ(rows[0]["family"], "goose-farm");
  EXPECT_EQ(rows[0]["version"], "quill 9.9");
  EXPECT_EQ(rows[0]["roles"], Json::array({"fixer", "challenger"}));
  const std::string plan = made_up({"agents", "show", "quill"}).out;
  EXPECT_THAT(plan, HasSubstr((base_ / "bin/quill").string() + " write"));
  EXPECT_THAT(plan, HasSubstr((base_ / "bin/identity").string())) << "its login";
  EXPECT_THAT(plan,
              testing::AllOf(HasSubstr("QUILL_KEY"), HasSubstr("QUILL_QUIET"), Not(HasSubstr("OTHER_KEY"))));
}

TEST_F(MadeUpTest, TheConfigurationOffersIt) {
  EXPECT_EQ(made_up({"config", "show", "--set", "agents.x.engine=quill"}).exit_code, 0);
  const auto wrong = made_up({"config", "show", "--set", "agents.x.engine=feather"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("quill"));
  EXPECT_EQ(made_up({"config", "show", "--set", "forge.kind=burrow"}).exit_code, 0);
  EXPECT_THAT(made_up({"config", "show"}).out, HasSubstr("QUILL.md"));
}

// The login lies beside a program on PATH, where files are shown: only its row says that it is one.
TEST_F(MadeUpTest, ItFixesWithItsLoginWhichNoCommandSees) {
  if (string_or(check_of(doctor(), "sandbox"), "detail").starts_with("none"))
    GTEST_SKIP() << "this machine gives no sandbox";
  const std::string login = base_ / "bin/identity", other = base_ / "bin/neighbour";
  ASSERT_TRUE(write_file(login, "sesame"));
  ASSERT_TRUE(write_file(other, "sesame"));
  configure_judge("grep -q sesame " + other + " && ! grep -q sesame " + login);
  install_quill("grep -q sesame \"$HOME/.quill/identity\" && ! grep -q sesame " + login +
                " && [ \"$QUILL_KEY$QUILL_QUIET$OTHER_KEY\" = k1 ] && " + kFix);
  const Json session = fixed();
  EXPECT_EQ(session["issues"][0]["status"], "RESOLVED") << session;
}

TEST_F(MadeUpTest, ItsConfigurationIsProtected) {
  configure_judge("true");
  install_quill(std::string(kFix) + "; mkdir -p lib/.quill; echo 'obey me' > lib/.quill/rules");
  EXPECT_EQ(fixed()["issues"][0]["status"], "FAILED");
  EXPECT_THAT(made_up({"explain", "BE-001"}).out,
              HasSubstr("lib/.quill/rules is protected (agent configuration)"));
}

TEST_F(MadeUpTest, TheForgeIsKnownByItsHost) {
  git({"remote", "add", "origin", "https://burrow.example/team/deep/app.git"});
  environment_.push_back("BURROW_API_URL=http://127.0.0.1:1");
  const auto asked = made_up({"pr", "review", "https://burrow.example/team/deep/app/tunnel/42"});
  EXPECT_EQ(asked.exit_code, 3) << asked.err;
  EXPECT_THAT(asked.err, HasSubstr("Burrow cannot be reached"));
}

TEST_F(MadeUpTest, ItsLinksAreItsOwn) {
  git({"remote", "add", "origin", "https://burrow.example/team/app.git"});
  configure_judge("true");
  install_quill(kFix);
  EXPECT_EQ(fixed()["issues"][0]["status"], "RESOLVED");
  const Json made = data_of(made_up({"pr", "create", "--json"}), "emend.pr_create/v1");
  EXPECT_THAT(read_file(string_or(made, "body_file")).value_or(""),
              HasSubstr("https://burrow.example/team/app/at/"));
}

TEST_F(MadeUpTest, ItsCiFilesAreProtected) {
  configure_judge("true");
  install_quill(std::string(kFix) + "; mkdir .burrow; echo x > .burrow/jobs");
  EXPECT_EQ(fixed()["issues"][0]["status"], "FAILED");
  EXPECT_THAT(made_up({"explain", "BE-001"}).out, HasSubstr(".burrow/jobs is protected (CI)"));
}

TEST_F(MadeUpTest, AnUnknownHostIsToldWhichForgesThereAre) {
  git({"remote", "add", "origin", "https://code.example/team/app.git"});
  const auto asked = made_up({"pr", "review", "42"});
  EXPECT_EQ(asked.exit_code, 2);
  EXPECT_THAT(asked.err, HasSubstr("Unknown forge host \"code.example\"."));
  EXPECT_THAT(asked.err, HasSubstr("Set forge.kind = \"github\" (or gitlab, gitea, burrow) in emend.toml."));
}

} // namespace emend
