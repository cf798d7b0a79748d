// The chain of digests over a session's events, and reproducers.
#include "tests/contract/store/store_contract.hpp"

namespace emend::testing_support {

namespace {

Event event(const std::string& session, const std::string& text) {
  Event made;
  made.session_id = session;
  made.type = "fix_notice";
  made.data = {{"text", text}, {"number", 1.5}};
  return made;
}

} // namespace

TEST_P(StoreContract, EachEventCarriesADigestOverTheOnesBeforeItInItsSession) {
  for (int round = 0; round < 3; ++round) {
    Change change;
    change.events = {event("one", odd_text()), event("two", "x"), event("one", std::to_string(round))};
    must(store().apply(change, kNow + round));
  }
  reopen_if_durable();
  Event before;
  const auto events = must(store().events_after(0, "one", 0));
  ASSERT_EQ(events.size(), 6U);
  for (const Event& one : events) {
    EXPECT_EQ(one.digest, chained_digest(before, one));
    before = one;
  }
  EXPECT_NE(events[0].digest, events[2].digest) << "the same words at another place";
}

TEST_P(StoreContract, ReproducersAreKeptInOrderAndComeBackWhole) {
  const Issue issue = add_issue("1"), other = add_issue("2");
  Reproducer first;
  first.id = "r1";
  first.issue_id = issue.id;
  first.agent = "judge";
  first.command = "sh " + odd_text();
  first.marker = odd_text();
  first.explanation = odd_text();
  first.base = "abc";
  first.state = ReproducerState::discarded;
  first.reason = "it is green on the base";
  first.created_ms = kNow;
  FileChange file;
  file.path = "check.sh";
  file.new_mode = kModeExecutable;
  file.new_id = "id";
  file.new_content = std::string("a\0\xff", 3);
  first.files.changes = {file};
  Reproducer second = first;
  second.id = "r2";
  second.session_id = "s";
  second.state = ReproducerState::accepted;
  Change change;
  change.reproducers = {first, second};
  must(store().apply(change, kNow));
  reopen_if_durable();
  const auto known = must(store().reproducers(issue.id));
  ASSERT_EQ(known.size(), 2U);
  EXPECT_EQ(dump_json(to_json(known[0])), dump_json(to_json(first)));
  EXPECT_EQ(dump_json(to_json(known[1])), dump_json(to_json(second)));
  EXPECT_EQ(known[0].sha256(), known[1].sha256()) << "what is run is the same";
  EXPECT_TRUE(must(store().reproducers(other.id)).empty());
}

} // namespace emend::testing_support
