// Events, intents, children, the baseline cache, trust.
#include "tests/contract/store/store_contract.hpp"

namespace emend::testing {

TEST_P(StoreContract, EventsGetNumbersAndComeBackInOrder) {
  Change change;
  change.events = {full_event("sess1", "one"), full_event("sess2", "two"), full_event("", "three")};
  change.events[2].time_ms = 0;
  change.events[2].data = Json::object();
  const auto first = must(store().apply(change, kNow));
  ASSERT_EQ(first.size(), 3U);
  EXPECT_GT(first[0].seq, 0);
  EXPECT_LT(first[0].seq, first[1].seq);
  EXPECT_LT(first[1].seq, first[2].seq);
  EXPECT_EQ(first[2].time_ms, kNow) << "an event without a time gets the change's";
  Event expected = change.events[0];
  expected.seq = first[0].seq;
  EXPECT_EQ(everything(first[0]), everything(expected));

  reopen_if_durable();
  const auto second = must(store().apply(change, kNow));
  EXPECT_GT(second.at(0).seq, first[2].seq);
  const auto all = must(store().events_after(0, "", 0));
  ASSERT_EQ(all.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(everything(all[i]), everything(i < 3 ? first[i] : second[i - 3]));
}

TEST_P(StoreContract, EventsAreReadFromACursor) {
  Change change;
  for (int i = 0; i < 10; ++i) change.events.push_back(full_event(i % 2 == 0 ? "even" : "odd", std::to_string(i)));
  const auto written = must(store().apply(change, kNow));
  std::vector<std::string> seen;
  std::int64_t cursor = 0;
  while (true) {
    const auto page = must(store().events_after(cursor, "odd", 2));
    if (page.empty()) break;
    EXPECT_LE(page.size(), 2U);
    for (const Event& event : page) seen.push_back(event.type);
    cursor = page.back().seq;
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"1", "3", "5", "7", "9"}));
  EXPECT_EQ(must(store().events_after(written[6].seq, "", 100)).size(), 3U);
  EXPECT_TRUE(must(store().events_after(written[9].seq, "", 100)).empty());
  EXPECT_TRUE(must(store().events_after(0, "nobody", 100)).empty());
}

// What an agent said can be nested deeply; what was stored must be readable for ever.
TEST_P(StoreContract, DeeplyNestedEventDataComesBack) {
  Json deep = 1;
  for (int i = 0; i < 200; ++i) deep = Json::array({deep});
  Change change;
  change.events = {full_event("sess1", "deep")};
  change.events[0].data = deep;
  must(store().apply(change, kNow));
  EXPECT_EQ(must(store().events_after(0, "", 0)).at(0).data, deep);
}

TEST_P(StoreContract, InvalidUtf8InEventDataDoesNotLoseTheEvent) {
  Change change;
  change.events = {full_event("sess1", "bytes")};
  change.events[0].data = {{"text", "a\xff\xfe"}};
  must(store().apply(change, kNow));
  EXPECT_EQ(must(store().events_after(0, "", 0)).at(0).type, "bytes");
}

TEST_P(StoreContract, IntentsAreOpenUntilFinished) {
  Intent first{.id = "i1", .session_id = "sess1", .kind = "publish", .data = {{"branch", odd_text()}}, .done = false};
  Intent second{.id = "i0", .session_id = "sess1", .kind = "publish", .data = nullptr, .done = false};
  must(store().put_intent(first));
  must(store().put_intent(second));
  must(store().put_intent({.id = "i2", .session_id = "sess2", .kind = "publish", .data = 1, .done = false}));
  must(store().put_intent({.id = "i3", .session_id = "sess1", .kind = "publish", .data = 1, .done = true}));
  reopen_if_durable();
  auto open = must(store().open_intents("sess1"));
  ASSERT_EQ(open.size(), 2U);
  EXPECT_EQ(everything(open[0]), everything(first));
  EXPECT_EQ(everything(open[1]), everything(second));
  EXPECT_EQ(must(store().open_intents("")).size(), 3U);
  must(store().finish_intent("i1"));
  must(store().finish_intent("i1")); // recovery may say it again
  open = must(store().open_intents("sess1"));
  ASSERT_EQ(open.size(), 1U);
  EXPECT_EQ(open[0].id, "i0");
  EXPECT_EQ(store().finish_intent("nobody").error().code, ErrorCode::not_found);
}

TEST_P(StoreContract, ChildrenAreKeptUntilRemoved) {
  const ChildRecord child{"sess1", 4242, 5'000'000'001, "boot"};
  const ChildRecord same_pid{"sess1", 4242, 5'000'000'002, "boot"};
  must(store().add_child(child));
  must(store().add_child(child));
  must(store().add_child(same_pid));
  must(store().add_child({"sess2", 1, 2, "boot"}));
  auto children = must(store().children("sess1"));
  ASSERT_EQ(children.size(), 2U);
  EXPECT_EQ(everything(children[0]), everything(child));
  EXPECT_EQ(everything(children[1]), everything(same_pid));
  EXPECT_EQ(must(store().children("")).size(), 3U);
  must(store().remove_child(child));
  must(store().remove_child(child));
  children = must(store().children("sess1"));
  ASSERT_EQ(children.size(), 1U);
  EXPECT_EQ(everything(children[0]), everything(same_pid));
}

TEST_P(StoreContract, BaselineRunsAreCachedByKey) {
  EXPECT_FALSE(must(store().cached_run("k1")));
  const CommandRun run = full_command_run("test");
  must(store().cache_run("k1", full_command_run("older")));
  must(store().cache_run("k1", run));
  const auto cached = must(store().cached_run("k1"));
  ASSERT_TRUE(cached);
  EXPECT_EQ(everything(*cached), everything(run));
  EXPECT_FALSE(must(store().cached_run("k2")));
}

TEST_P(StoreContract, TrustIsOneRowPerPath) {
  EXPECT_FALSE(must(store().trusted("/p")));
  must(store().trust({"/p", "old", 1}));
  must(store().trust({"/p", "new", kNow}));
  must(store().trust({"/q", "other", 3}));
  const auto record = must(store().trusted("/p"));
  ASSERT_TRUE(record);
  EXPECT_EQ(everything(*record), everything(TrustRecord{"/p", "new", kNow}));
  must(store().revoke_trust("/p"));
  must(store().revoke_trust("/p"));
  EXPECT_FALSE(must(store().trusted("/p")));
  EXPECT_TRUE(must(store().trusted("/q")));
}

} // namespace emend::testing
