// The demo as people run it, from the first line to the last.
#include "tests/cli/commands/cli_fixture.hpp"
#include "tests/support/paths.hpp"

namespace emend {

using testing::HasSubstr;

class DemoTest : public CliFixture {};

TEST_F(DemoTest, ShowsWhatItPromises) {
  fs::create_directories(base_ / "tmp");
  environment_ = {"TMPDIR=" + (base_ / "tmp").string()};
  const auto result = run_spec(spec({EMEND_SOURCE_DIR + "/examples/demo/run.sh", EMEND_BINARY}));
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("ready: emend review, emend fix --safe"));
  EXPECT_THAT(result.out, HasSubstr("rescanned  commit")) << "a fix without AI is committed";
  EXPECT_THAT(result.out, HasSubstr("3 of 7 issues resolved")) << "and so are those of the agents that hold";
  EXPECT_THAT(result.out, HasSubstr("every byte, mode and time of your checkout is as it was"));
}

} // namespace emend
