// Three issues in three files, all RESOLVED on a branch of their own: something a person can say no to.
#pragma once

#include <gmock/gmock.h>

#include "base/strings.hpp"
#include "engine/branch/withdraw.hpp"
#include "tests/support/world.hpp"

namespace emend::testing_support {

inline constexpr const char* kFixed = "echo '{\"outcomes\":[{\"id\":\"'$2'\",\"outcome\":\"fixed\"}]}'";

class DecidedWorld : public ::testing::Test {
protected:
  explicit DecidedWorld(const Files& more = {}, const std::vector<std::string>& rules = {"", "", ""})
      : world(with(more, {{"src/a.c", "int a = 1;\n"},
                          {"src/b.c", "int b = 1;\n"},
                          {"src/c.c", "int c = 1;\n"},
                          {"ok.sh", "grep -q int src/a.c\n"}})) {
    world.policy.commands = {{"ok", "sh ok.sh", {}, 0}};
    std::vector<Finding> findings = {World::finding("src/a.c", 1, "a must be 2"),
                                     World::finding("src/b.c", 1, "b must be 2"),
                                     World::finding("src/c.c", 1, "c must be 2")};
    for (std::size_t i = 0; i < findings.size(); ++i) findings[i].rule = rules[i];
    issues = world.add(findings);
    world.fixer(
        "case $2 in BE-001) sed -i 's/a = 1/a = 2/' src/a.c;; BE-002) sed -i 's/b = 1/b = 2/' src/b.c;; *) "
        "sed -i 's/c = 1/c = 2/' src/c.c;; esac\n" +
        std::string(kFixed));
  }

  void fix_all() {
    report = world.must_fix(issues);
    ASSERT_EQ(report.session.status, SessionStatus::passed) << join(report.notes, "\n");
  }

  Result<Withdrawn> reject_one(const std::string& code, const std::string& reason = "not like this") {
    return reject(world.ports(), world.home, world.on_event, {report.session.id, code, reason}, {});
  }
  Result<Withdrawn> discard_all() {
    return discard(world.ports(), world.home, world.on_event, report.session.id, "changed my mind");
  }

  Issue issue(const std::string& code) { return must(world.store().issue(world.repository().id(), code)); }
  std::string branch_tip() { return std::string(trim(world.git({"rev-parse", report.session.branch}))); }
  std::string commit_of(const std::string& code) {
    for (const CommitRecord& commit : report.commits)
      for (const std::string& id : commit.issue_ids)
        if (id == issue(code).id) return commit.sha;
    return {};
  }
  int count(const std::string& type) {
    int found = 0;
    for (const Event& event : world.events(report.session.id)) found += event.type == type ? 1 : 0;
    return found;
  }

  World world;
  std::vector<Issue> issues;
  FixReport report;

private:
  static Files with(Files files, const Files& more) {
    files.insert(more.begin(), more.end());
    return files;
  }
};

} // namespace emend::testing_support
