// Sessions, units, cancel requests.
#include "base/strings.hpp"
#include "tests/contract/store/store_contract.hpp"

namespace emend::testing_support {

TEST_P(StoreContract, SessionIsFoundByUniquePrefix) {
  add_session("abcdef12");
  add_session("abcxyz34");
  add_session("abc");
  EXPECT_EQ(must(store().session("abcdef12")).id, "abcdef12");
  EXPECT_EQ(must(store().session("abcd")).id, "abcdef12");
  EXPECT_EQ(must(store().session("abc")).id, "abc") << "an exact id wins over prefixes";
}

TEST_P(StoreContract, AmbiguousPrefixNamesTheCandidates) {
  add_session("abcdef12");
  add_session("abcdxy34");
  const auto ambiguous = store().session("abcd");
  ASSERT_FALSE(ambiguous);
  EXPECT_EQ(ambiguous.error().code, ErrorCode::usage);
  EXPECT_TRUE(contains(ambiguous.error().message, "abcdef12")) << ambiguous.error().message;
  EXPECT_TRUE(contains(ambiguous.error().message, "abcdxy34")) << ambiguous.error().message;
}

TEST_P(StoreContract, UnknownSessionIsNotFound) {
  add_session("abcdef12");
  for (const std::string id : {"", "a", "ab", "abx", "%", "abc%", "ABCDEF12", "bcd"}) {
    const auto missing = store().session(id);
    ASSERT_FALSE(missing) << id;
    EXPECT_EQ(missing.error().code, ErrorCode::not_found) << id;
    EXPECT_TRUE(contains(missing.error().remedy, "emend sessions list"));
  }
}

TEST_P(StoreContract, SessionsAreListedNewestFirst) {
  for (const std::string id : {"one", "two", "three"}) add_session(id);
  add_session("one"); // writing it again does not make it newer
  Change elsewhere;
  elsewhere.sessions = {full_session("four")};
  elsewhere.sessions[0].repository_id = "other";
  must(store().apply(elsewhere, kNow));

  const auto ids = [&](const std::string& repository, std::size_t limit) {
    std::vector<std::string> found;
    for (const Session& session : must(store().sessions(repository, limit))) found.push_back(session.id);
    return found;
  };
  EXPECT_EQ(ids("repo", 0), (std::vector<std::string>{"three", "two", "one"}));
  EXPECT_EQ(ids("repo", 2), (std::vector<std::string>{"three", "two"}));
  EXPECT_EQ(ids("", 0), (std::vector<std::string>{"four", "three", "two", "one"}));
  EXPECT_TRUE(ids("nowhere", 0).empty());
}

TEST_P(StoreContract, UnitsAreListedByPosition) {
  add_session("sess1");
  Change change;
  change.units = {full_unit("u1", "sess1"), full_unit("u2", "sess1"), full_unit("u3", "sess1")};
  change.units[0].position = 2;
  change.units[1].position = 0;
  change.units[2].position = 1;
  must(store().apply(change, kNow));
  change.units[0].position = -1;
  change.units[0].starts = 8;
  must(store().apply(change, kNow));
  const auto units = must(store().units("sess1"));
  ASSERT_EQ(units.size(), 3U);
  EXPECT_EQ(everything(units[0]), everything(change.units[0]));
  EXPECT_EQ(units[1].id, "u2");
  EXPECT_EQ(units[2].id, "u3");
  EXPECT_TRUE(must(store().units("sess2")).empty());
}

TEST_P(StoreContract, CancelRequestIsSeen) {
  Change change;
  change.sessions = {full_session("sess1")};
  change.sessions[0].cancel_requested = false;
  must(store().apply(change, kNow));
  EXPECT_FALSE(must(store().cancel_requested("sess1")));
  must(cancel("sess1"));
  EXPECT_TRUE(must(store().cancel_requested("sess1")));
  EXPECT_TRUE(must(store().session("sess1")).cancel_requested);
  EXPECT_EQ(cancel("nobody").error().code, ErrorCode::not_found);
  EXPECT_EQ(store().cancel_requested("nobody").error().code, ErrorCode::not_found);
}

// The engine writes its whole record all the time and does not know of the request yet.
TEST_P(StoreContract, CancelRequestSurvivesTheOwnersNextWrite) {
  Change change;
  change.sessions = {full_session("sess1")};
  change.sessions[0].status = SessionStatus::running;
  change.sessions[0].cancel_requested = false;
  must(store().apply(change, kNow));
  must(cancel("sess1"));
  change.sessions[0].detail = "going on";
  must(store().apply(change, kNow));
  EXPECT_TRUE(must(store().cancel_requested("sess1")));
  EXPECT_EQ(must(store().session("sess1")).detail, "going on");
}

TEST_P(StoreContract, ResumedSessionStartsWithoutTheOldRequest) {
  Session session = full_session("sess1");
  session.status = SessionStatus::cancelled;
  session.cancel_requested = true;
  Change change;
  change.sessions = {session};
  must(store().apply(change, kNow));
  change.sessions[0].status = SessionStatus::running;
  change.sessions[0].cancel_requested = false;
  must(store().apply(change, kNow));
  EXPECT_FALSE(must(store().cancel_requested("sess1")));

  must(cancel("sess1")); // its engine dies without seeing it; another one takes over
  change.sessions[0].owner.pid += 1;
  must(store().apply(change, kNow));
  EXPECT_FALSE(must(store().cancel_requested("sess1")));
}

} // namespace emend::testing_support
