// `emend review --watch`: again after each save, until it is ended.
#include "tests/cli/commands/cli_fixture.hpp"

namespace emend {

using testing::HasSubstr;

class ReviewWatchTest : public CliFixture {};

TEST_F(ReviewWatchTest, ReviewsAgainAfterASaveAndEndsOnRequest) {
  auto watching = spec(
      {EMEND_BINARY, "review", "--watch", "--analyzers", "builtin", "--uncommitted", "--format", "concise"});
  watching.wall_limit_ms = 60'000;
  std::stop_source stop;
  int rounds = 0;
  watching.on_line = [&](std::string_view line, bool) {
    if (!contains(line, "watching for changes")) return;
    ++rounds;
    if (rounds == 1) write("src/a.c", "int a(void) {\n<<<<<<< HEAD\n  return 1;\n}\n");
    if (rounds == 2) write("src/a.c", "int first(int n) {\n  return n;\n}\n");
    if (rounds == 3) stop.request_stop();
  };
  const auto result = runner_.run(watching, stop.get_token());
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->ending, Ending::cancelled) << result->err;
  EXPECT_EQ(rounds, 3) << result->err;
  const auto found = result->out.find("emend/conflict-marker");
  EXPECT_NE(found, std::string::npos) << result->out << result->err;
  EXPECT_EQ(result->out.find("emend/conflict-marker", found + 1), std::string::npos)
      << "the third round has none";
}

} // namespace emend
