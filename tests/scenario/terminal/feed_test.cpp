// What the terminal knows of a real session, while others write to the same database.
#include "tui/feed.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "adapters/sql/sql_ledger.hpp"
#include "tests/support/world.hpp"

namespace emend {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using testing_support::must;
using testing_support::World;

struct FeedTest : ::testing::Test {
  World world{{{"src/a.sh", "#!/bin/sh\necho wrong\n"}, {"src/b.sh", "#!/bin/sh\necho wrong\n"}}};
  std::unique_ptr<Ledger> ledger = must(open_sql_ledger(world.home + "/emend.db"));
  Feed feed{FeedSources{world.store(), *ledger, world.repository(), world.home,
                        [](const Event& event) { return std::optional(event.type); }}};
  Model model;

  std::vector<std::string> poll() {
    std::vector<std::string> types;
    must(feed.poll(model, [&](const Event& event) { types.push_back(event.type); }));
    return types;
  }
};

TEST_F(FeedTest, FollowsASessionToItsEnd) {
  world.fixer(
      "sed -i s/wrong/right/ src/a.sh; echo working; echo "
      "'{\"outcomes\":[{\"id\":\"BE-001\",\"outcome\":\"fixed\",\"explanation\":\"x\"}]}'");
  world.judge_score(97);
  const auto issues = world.add({World::finding("src/a.sh", 2, "says wrong")});
  ASSERT_TRUE(feed.load(model));
  EXPECT_EQ(model.detail.code, "BE-001");
  EXPECT_THAT(model.detail.source, Contains("echo wrong"));
  EXPECT_THAT(model.detail.timeline, IsEmpty());

  const FixReport report = world.must_fix(issues);
  EXPECT_THAT(poll(), Contains("fix_session_completed"));
  EXPECT_EQ(model.chosen()->status, IssueStatus::resolved);
  EXPECT_EQ(model.session.id, report.session.id);
  EXPECT_EQ(model.session.status, SessionStatus::passed);
  EXPECT_EQ(model.session.settled, 1u);
  ASSERT_THAT(model.session.steps, SizeIs(1));
  EXPECT_TRUE(model.session.steps[0].done);
  EXPECT_THAT(model.session.steps[0].codes, ElementsAre("BE-001"));
  EXPECT_FALSE(model.detail.patch.empty());
  EXPECT_EQ(model.tab, Tab::diff) << "the change is what one wants to see next";
  EXPECT_EQ(*model.detail.verdict->score, 97);
  EXPECT_THAT(poll(), IsEmpty()) << "everything once";
  for (int i = 0; i < 500 && model.inbox.empty(); ++i) { // what waits is not read for each event
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_THAT(poll(), IsEmpty());
  }
  ASSERT_THAT(model.inbox, Not(IsEmpty()));
  EXPECT_EQ(model.inbox.back().need, Need::ready);

  model.tab = Tab::log;
  EXPECT_TRUE(must(feed.look_closer(model)));
  EXPECT_THAT(model.detail.log, HasSubstr("working"));
  model.tab = Tab::prompt;
  EXPECT_TRUE(must(feed.look_closer(model)));
  EXPECT_THAT(model.detail.prompt, HasSubstr("src/a.sh"));
  EXPECT_FALSE(must(feed.look_closer(model))) << "nothing new";
  EXPECT_THAT(must(feed.commands(model)), Not(IsEmpty()));
}

TEST_F(FeedTest, NoticesFindingsNobodyTellsOf) {
  ASSERT_TRUE(feed.load(model));
  EXPECT_TRUE(model.list.empty());
  (void)world.add({World::finding("src/b.sh", 2, "says wrong")});
  for (int i = 0; i < 200 && model.list.empty(); ++i)
    (void)poll(); // the files' times are coarse: it may take a second look
  for (int i = 0; i < 30 && model.list.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    (void)poll();
  }
  ASSERT_EQ(model.list.size(), 1u);
  EXPECT_EQ(model.detail.code, "BE-001");
}

TEST_F(FeedTest, LeavesOtherRepositoriesAlone) {
  (void)world.add({World::finding("src/a.sh", 2, "says wrong")});
  ASSERT_TRUE(feed.load(model));
  Session session;
  session.id = "elsewhere";
  session.repository_id = "another";
  Event event;
  event.session_id = session.id;
  event.type = "fix_cycle_started";
  event.issue_code = "BE-001";
  Change change;
  change.sessions.push_back(session);
  change.events.push_back(event);
  must(world.store().apply(change, 1));
  EXPECT_THAT(poll(), IsEmpty());
  EXPECT_THAT(model.detail.timeline, IsEmpty());
  EXPECT_THAT(model.sessions, IsEmpty());
}

} // namespace
} // namespace emend
