#include "http/event_frame.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/route_table.hpp"

namespace emend {
namespace {

StreamEvent event(std::int64_t seq, const std::string& session, const std::string& type = "t",
                  std::size_t size = 2) {
  return {seq, session, type, std::string(size, 'x'), false};
}

std::vector<std::int64_t> numbers(const std::vector<SharedFrame>& frames) {
  std::vector<std::int64_t> list;
  for (const SharedFrame& frame : frames) list.push_back(frame->seq);
  return list;
}

TEST(EventFrameTest, IsOneEventWhateverTheDataSays) {
  EXPECT_EQ(event_frame(7, "fix_notice", "{\"a\":1}"), "id: 7\nevent: fix_notice\ndata: {\"a\":1}\n\n");
  EXPECT_EQ(event_frame(7, "x", "a\nid: 9\revent: y\r\n\r\nz"),
            "id: 7\nevent: x\ndata: a\ndata: id: 9\ndata: event: y\ndata: \ndata: z\n\n");
  EXPECT_EQ(event_frame(0, "a\nid: 3", "{}"), "event: a_id: 3\ndata: {}\n\n");
}

TEST(RecentFramesTest, GivesEachStreamItsOwnAndRemembersWhereItWas) {
  RecentFrames recent(1'000'000);
  recent.start(10);
  for (int seq : {11, 12, 14, 15}) recent.add(make_frame(event(seq, seq % 2 == 0 ? "even" : "odd")));
  EXPECT_FALSE(recent.covers(9));
  EXPECT_TRUE(recent.covers(10));
  EventStream odd;
  odd.session_id = "odd";
  std::int64_t after = 10;
  EXPECT_THAT(numbers(recent.take(odd, after, 1'000)), testing::ElementsAre(11, 15));
  EXPECT_EQ(after, 15);
  EXPECT_TRUE(recent.take(odd, after, 1'000).empty());
  recent.add(make_frame(event(16, "even")));
  EXPECT_TRUE(recent.take(odd, after, 1'000).empty());
  EXPECT_EQ(after, 16);
}

TEST(RecentFramesTest, CutsALongAnswerAndGoesOnThere) {
  RecentFrames recent(1'000'000);
  recent.start(0);
  for (int seq = 1; seq <= 5; ++seq) recent.add(make_frame(event(seq, "s", "t", 100)));
  EventStream all;
  std::int64_t after = 0;
  EXPECT_THAT(numbers(recent.take(all, after, 250)), testing::ElementsAre(1, 2));
  EXPECT_EQ(after, 2);
  EXPECT_THAT(numbers(recent.take(all, after, 1)), testing::ElementsAre(3)); // at least one
  EXPECT_THAT(numbers(recent.take(all, after, 1'000)), testing::ElementsAre(4, 5));
}

TEST(RecentFramesTest, WhoWantsEverythingFromTheSamePlaceSharesIt) {
  RecentFrames recent(1'000'000);
  recent.start(0);
  for (int seq = 1; seq <= 3; ++seq) recent.add(make_frame(event(seq, "s")));
  EventStream all, odd;
  odd.session_id = "odd";
  std::int64_t first = 0, second = 0, third = 1, other = 0;
  const SharedBatch shared = recent.batch(all, first, 1'000);
  EXPECT_THAT(numbers(*shared), testing::ElementsAre(1, 2, 3));
  EXPECT_EQ(recent.batch(all, second, 1'000), shared);
  EXPECT_EQ(second, 3);
  EXPECT_THAT(numbers(*recent.batch(all, third, 1'000)), testing::ElementsAre(2, 3));
  EXPECT_TRUE(recent.batch(odd, other, 1'000)->empty());
  EXPECT_EQ(other, 3);
  EXPECT_TRUE(recent.batch(all, first, 1'000)->empty());
  recent.add(make_frame(event(4, "s")));
  EXPECT_THAT(numbers(*recent.batch(all, first, 1'000)), testing::ElementsAre(4));
  EXPECT_EQ(first, 4);
}

TEST(RecentFramesTest, ForgetsTheOldestAndSaysSo) {
  RecentFrames recent(500);
  recent.start(0);
  for (int seq = 1; seq <= 10; ++seq) recent.add(make_frame(event(seq, "s", "t", 100)));
  EXPECT_FALSE(recent.covers(0));
  EXPECT_FALSE(recent.covers(5));
  EXPECT_TRUE(recent.covers(9));
  EXPECT_EQ(recent.newest(), 10);
}

TEST(RecentFramesTest, ChoosesByTypeButNeverMissesTheEnd) {
  RecentFrames recent(1'000'000);
  recent.start(0);
  recent.add(make_frame(event(1, "s", "a")));
  recent.add(make_frame(event(2, "s", "b")));
  StreamEvent end = event(3, "s", "over");
  end.last = true;
  recent.add(make_frame(end));
  EventStream stream;
  stream.types = {"b"};
  std::int64_t after = 0;
  EXPECT_THAT(numbers(recent.take(stream, after, 1'000)), testing::ElementsAre(2));
  stream.ends_with_session = true;
  after = 0;
  EXPECT_THAT(numbers(recent.take(stream, after, 1'000)), testing::ElementsAre(2, 3));
}

TEST(RouteTableTest, FindsTheMostExactRouteAndTellsMethodsApart) {
  RouteTable table;
  const auto code = table.add("GET", "/api/issues/{code}");
  const auto facets = table.add("GET", "/api/issues/facets");
  const auto change = table.add("PATCH", "/api/issues/{code}");
  const auto root = table.add("GET", "/");
  const auto found = table.find("GET", {"api", "issues", "BE-001"});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->route, code);
  EXPECT_EQ(found->parameters.at("code"), "BE-001");
  EXPECT_EQ(table.find("GET", {"api", "issues", "facets"})->route, facets);
  EXPECT_EQ(table.find("PATCH", {"api", "issues", "facets"})->route, change);
  EXPECT_EQ(table.find("GET", {})->route, root);
  EXPECT_FALSE(table.find("GET", {"api", "issues"}));
  EXPECT_FALSE(table.find("DELETE", {"api", "issues", "x"}));
  EXPECT_THAT(table.methods({"api", "issues", "x"}), testing::ElementsAre("GET", "PATCH"));
  EXPECT_TRUE(table.methods({"nowhere"}).empty());
}

} // namespace
} // namespace emend
