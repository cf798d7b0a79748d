// The demo as people run it, from the first line to the last.
#include <signal.h>

#include <thread>

#include "tests/cli/commands/terminal_fixture.hpp"

namespace emend {

using testing::HasSubstr;
using testing::Not;

class DemoTest : public TerminalFixture {
protected:
  void SetUp() override {
    TerminalFixture::SetUp();
    fs::create_directories(base_ / "tmp");
    environment_ = {"TMPDIR=" + (base_ / "tmp").string()};
  }
  void TearDown() override {
    if (server_ > 0) ::kill(server_, SIGTERM);
    TerminalFixture::TearDown();
  }

  // What follows `before` on the screen, up to the end of the line.
  static std::string after(const std::string& screen, const std::string& before) {
    const std::size_t at = screen.find(before);
    if (at == std::string::npos) return "";
    const std::size_t begin = at + before.size();
    return screen.substr(begin, screen.find_first_of("\r\n", begin) - begin);
  }

  // The answer's status and body; the cookie goes into a jar and comes from there.
  std::string ask(const std::vector<std::string>& more) {
    std::vector<std::string> argv = {
        "curl", "-s", "-b", (base_ / "jar").string(), "-c", (base_ / "jar").string(), "-w", "%{http_code}"};
    argv.insert(argv.end(), more.begin(), more.end());
    return run_spec(spec(argv)).out;
  }

  pid_t server_ = 0;
};

TEST_F(DemoTest, ShowsWhatItPromisesAndALinkThatOpensTheSession) {
  const Seen seen = program_at_terminal({EMEND_SOURCE_DIR + "/examples/demo/run.sh", EMEND_BINARY});
  const std::string pid = after(seen.screen, "or now: kill ");
  server_ = static_cast<pid_t>(parse_unsigned(pid).value_or(0));
  ASSERT_EQ(seen.exit_code, 0) << seen.screen;
  EXPECT_THAT(seen.screen, HasSubstr("Ready for: emend review, emend fix --safe"));
  EXPECT_THAT(seen.screen, HasSubstr("evidence unbroken (rescanned)")) << "a fix without AI is committed";
  EXPECT_THAT(seen.screen, HasSubstr("3 of 7 issues resolved")) << "and so are those of the agents that hold";
  EXPECT_THAT(seen.screen, HasSubstr("every byte, mode and time of your checkout is unchanged"));
  EXPECT_THAT(seen.screen, HasSubstr("/7 done")) << "at a terminal the work is drawn";
  EXPECT_THAT(seen.screen, HasSubstr("emend agents install claude"));
  const auto seconds = parse_unsigned(trim(after(seen.screen, "(This part took ").substr(0, 2)));
  EXPECT_LT(seconds.value_or(999), 60U) << "agents are installed, held back and done in under a minute";

  ASSERT_GT(server_, 0) << seen.screen;
  ASSERT_EQ(::kill(server_, 0), 0) << "no server";
  const std::string link = "http://" + after(seen.screen, "  http://");
  const std::size_t hash = link.find("#launch=");
  ASSERT_NE(hash, std::string::npos) << seen.screen;
  const std::string page = link.substr(0, hash), origin = page.substr(0, page.find("/sessions/")),
                    session = page.substr(page.rfind('/') + 1);
  const std::string code = link.substr(hash + std::string("#launch=").size());
  EXPECT_THAT(ask({page}), testing::EndsWith("200"));
  EXPECT_THAT(ask({origin + "/api/fix/sessions/" + session}), testing::EndsWith("401"));
  EXPECT_THAT(ask({"-X", "POST", "-H", "Content-Type: application/json", "-H", "Origin: " + origin, "-H",
                   "Sec-Fetch-Site: same-origin", "-H", "X-Emend-CSRF: 1", "-d", dump_json({{"code", code}}),
                   origin + "/api/auth/session"}),
              testing::ContainsRegex("20[0-9]$"));
  EXPECT_THAT(ask({origin + "/api/fix/sessions/" + session}),
              testing::AllOf(HasSubstr("BE-001"), testing::EndsWith("200")));

  // The way to end it that the demo printed.
  ASSERT_EQ(::kill(server_, SIGTERM), 0);
  for (int i = 0; i < 600 && ::kill(server_, 0) == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_NE(::kill(server_, 0), 0) << "the server did not end";
  server_ = 0;
}

TEST_F(DemoTest, LeavesNothingRunningWhereNobodyLooks) {
  environment_.push_back("EMEND_HOME=" + (base_ / "state").string());
  const std::vector<std::string> look = {EMEND_SOURCE_DIR + "/examples/demo/look.sh", EMEND_BINARY,
                                         base_.string(), "k3f9abcd"};
  const auto check = [this](const std::string& printed) {
    EXPECT_THAT(printed, HasSubstr("EMEND_HOME=" + (base_ / "state").string() + " " + EMEND_BINARY +
                                   " serve --listen 127.0.0.1:0"));
    EXPECT_THAT(printed, HasSubstr("--session k3f9abcd"));
    EXPECT_THAT(printed, Not(HasSubstr("#launch=")));
    EXPECT_FALSE(fs::exists(base_ / "state" / "server")) << "a server was started";
  };
  const auto piped = run_spec(spec(look));
  EXPECT_EQ(piped.exit_code, 0) << piped.err;
  check(piped.out);
  environment_.push_back("CI=true");
  const Seen seen = program_at_terminal(look);
  EXPECT_EQ(seen.exit_code, 0);
  check(seen.screen);
}

TEST_F(DemoTest, AServerNobodyUsesEnds) {
  const auto result = emend({"serve", "--listen", "127.0.0.1:0", "--idle-exit", "200ms"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_FALSE(fs::exists(base_ / "state" / "server" / "address.json"));
  EXPECT_EQ(emend({"serve", "--listen", "127.0.0.1:0", "--idle-exit", "soon"}).exit_code, 2);
  EXPECT_EQ(emend({"serve", "--listen", "127.0.0.1:0", "--idle-exit", "0"}).exit_code, 2);
  EXPECT_EQ(emend({"serve", "--listen", "127.0.0.1:0", "--session", "nosuch"}).exit_code, 2);
}

} // namespace emend
