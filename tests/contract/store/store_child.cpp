#include "tests/contract/store/store_child.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <map>

#include "adapters/sql/sql_store.hpp"
#include "tests/contract/store/records.hpp"

namespace emend::testing_support {

namespace {

Status without_value(const Result<std::vector<Event>>& result) {
  return result ? Status() : fail(result.error());
}

Status resolve_the_issue(Store& store) {
  const std::string id = only_issue_id(store);
  Change change;
  const Verdict verdict = full_verdict("v9", full_attempt("a1", "sess1", "u1", id));
  change.verdicts = {verdict};
  change.commits = {full_commit("c9", "sess1")};
  change.proofs = {full_proof(verdict, "c9")};
  change.moves = {{.issue_id = id,
                   .from = IssueStatus::in_progress,
                   .to = IssueStatus::resolved,
                   .mover = Mover::gate,
                   .commit = "c9",
                   .session_id = "sess1"}};
  change.events = {full_event("sess1", "resolved")};
  return without_value(store.apply(change, 1));
}

Status add_two_issues(Store& store) {
  Issue issue;
  issue.repository_id = "repo";
  issue.finding.file = "a.c";
  issue.fingerprint = "f2";
  Issue another = issue;
  another.fingerprint = "f3";
  TRY(store.add_issues({issue, another}, 1));
  return {};
}

Status write_events(Store& store) {
  for (int i = 0; i < kEventsPerProcess; ++i) {
    TRY(without_value(store.apply(one_event(std::to_string(::getpid()) + "/" + std::to_string(i)), 1)));
  }
  return {};
}

Status put_new_intent(Store& store) {
  return put_intent(store, {.id = "new", .session_id = "sess1", .kind = "publish", .data = 1, .done = false});
}

} // namespace

pid_t start_child(const std::string& role, const std::string& address, const std::string& crash_at) {
  const std::string crash = "EMEND_TEST_CRASH_AT=" + crash_at;
  const std::vector<const char*> argv = {"contract_store", kChildFlag, role.c_str(), address.c_str(),
                                         nullptr};
  const std::vector<const char*> environment = {crash_at.empty() ? nullptr : crash.c_str(), nullptr};
  pid_t pid = -1;
  const int problem = ::posix_spawn(&pid, "/proc/self/exe", nullptr, nullptr, const_cast<char**>(argv.data()),
                                    const_cast<char**>(environment.data()));
  EXPECT_EQ(problem, 0);
  return pid;
}

int end_of(pid_t pid) {
  int status = 0;
  EXPECT_EQ(::waitpid(pid, &status, 0), pid);
  return status;
}

bool was_killed(int status) { return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL; }
bool was_fine(int status) { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }

std::string only_issue_id(Store& store) { return store.issues({}).value().at(0).id; }

Change one_event(const std::string& type) {
  Change change;
  change.events = {full_event("sess1", type)};
  return change;
}

int run_store_child(const std::string& role, const std::string& path) {
  const std::map<std::string, std::function<Status(Store&)>> roles = {
      {"open", [](Store&) { return Status(); }},
      {"apply", resolve_the_issue},
      {"add_issues", add_two_issues},
      {"put_intent", put_new_intent},
      {"finish_intent", [](Store& store) { return store.finish_intent("old"); }},
      {"write_events", write_events},
  };
  const auto store = open_sql_store(path, 60'000);
  const Status done = store ? roles.at(role)(**store) : fail(store.error());
  if (!done) std::fprintf(stderr, "%s: %s\n", role.c_str(), done.error().message.c_str());
  return done ? 0 : 1;
}

} // namespace emend::testing_support

int main(int argc, char** argv) {
  if (argc == 4 && std::string(argv[1]) == emend::testing_support::kChildFlag)
    return emend::testing_support::run_store_child(argv[2], argv[3]);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
