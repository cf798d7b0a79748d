// What waits, of several repositories together.
#include "service/needs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend {
namespace {

using ::testing::ElementsAre;

Issue issue(const std::string& code, Severity severity) {
  Issue made;
  made.code = code;
  made.finding.severity = severity;
  return made;
}

Session session(const std::string& id, std::int64_t started_ms) {
  Session made;
  made.id = id;
  made.started_ms = started_ms;
  return made;
}

std::vector<std::string> names(const std::vector<Issue>& issues) {
  std::vector<std::string> codes;
  for (const Issue& one : issues) codes.push_back(one.code);
  return codes;
}

std::vector<std::string> names(const std::vector<Needs::Branch>& branches) {
  std::vector<std::string> ids;
  for (const Needs::Branch& one : branches) ids.push_back(one.session.id);
  return ids;
}

TEST(Needs, OfSeveralRepositoriesTheWorstComesFirst) {
  Needs all, one, other;
  one.asked = {issue("BE-001", Severity::medium)};
  one.failed = {issue("BE-002", Severity::high), issue("BE-003", Severity::low)};
  one.failed_total = 70;
  one.ready = {{session("young", 30), {issue("BE-004", Severity::low)}},
               {session("old", 10), {issue("BE-005", Severity::low)}}};
  other.asked = {issue("FE-001", Severity::critical)};
  other.failed = {issue("FE-002", Severity::critical), issue("FE-003", Severity::high)};
  other.failed_total = 2;
  other.ready = {{session("worst", 5), {issue("FE-004", Severity::info), issue("FE-005", Severity::high)}},
                 {session("middle", 20), {issue("FE-006", Severity::low)}}};
  other.older_branches = 3;
  add_needs(all, one);
  add_needs(all, other);
  EXPECT_THAT(names(all.asked), ElementsAre("FE-001", "BE-001"));
  EXPECT_THAT(names(all.failed), ElementsAre("FE-002", "BE-002", "FE-003", "BE-003"));
  EXPECT_THAT(names(all.ready), ElementsAre("worst", "young", "middle", "old"));
  EXPECT_EQ(all.failed_total, 72);
  EXPECT_EQ(all.total(), 72 + 4 + 3) << "what is not looked at closer is counted, not left out in silence";
}

} // namespace
} // namespace emend
