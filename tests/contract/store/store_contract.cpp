#include "tests/contract/store/store_contract.hpp"

#include "adapters/sql/sql_store.hpp"
#include "tests/support/postgres_server.hpp"

namespace emend::testing_support {

const std::vector<StoreKind>& store_kinds() {
  static const std::vector<StoreKind> kinds = {
      {"sqlite_file", true,
       [](const fs::path& directory) { return (directory / "state" / "emend.db").string(); }},
      {"sqlite_memory", false, [](const fs::path&) { return std::string(":memory:"); }},
      {"postgresql", true, [](const fs::path&) { return PostgresServer::shared().new_database(); }},
  };
  return kinds;
}

void StoreContract::SetUp() {
  if (GetParam().name == "postgresql") EMEND_NEEDS_POSTGRES();
  auto directory = TemporaryDirectory::create(fs::temp_directory_path(), "emend-store-");
  ASSERT_TRUE(directory) << directory.error().message;
  directory_.emplace(std::move(*directory));
  address_ = GetParam().address(directory_->path());
  reopen();
}

void StoreContract::reopen() {
  store_.reset();
  auto opened = open_sql_store(address_);
  ASSERT_TRUE(opened) << opened.error().message;
  store_ = std::move(*opened);
}

void StoreContract::reopen_if_durable() {
  if (GetParam().survives_closing) reopen();
}

void StoreContract::add_session(const std::string& id) {
  Change change;
  change.sessions = {full_session(id)};
  must(store().apply(change, kNow));
}

Issue StoreContract::add_issue(const std::string& fingerprint, const std::string& file) {
  Issue issue;
  issue.repository_id = "repo";
  issue.fingerprint = fingerprint;
  issue.finding.file = file;
  const auto added = must(store().add_issues({issue}, kNow));
  return added.empty() ? Issue() : added.front();
}

Issue StoreContract::add_issue_in_work(const std::string& fingerprint) {
  Issue issue = add_issue(fingerprint);
  Change change;
  change.sessions = {full_session("sess1")};
  change.units = {full_unit("u1", "sess1")};
  change.attempts = {full_attempt("a1-" + fingerprint, "sess1", "u1", issue.id)};
  change.moves = {{.issue_id = issue.id,
                   .from = IssueStatus::open,
                   .to = IssueStatus::in_progress,
                   .session_id = "sess1"}};
  must(store().apply(change, kNow));
  return must(store().issue("repo", issue.id));
}

void StoreContract::move(const std::string& issue_id, IssueStatus from, IssueStatus to, Mover actor) {
  Change change;
  change.moves = {{.issue_id = issue_id, .from = from, .to = to, .mover = actor}};
  must(store().apply(change, kNow));
}

Change resolving(const Issue& issue, const std::string& commit) {
  Change change;
  const Attempt attempt = full_attempt("a1-" + issue.fingerprint, "sess1", "u1", issue.id);
  const Verdict verdict = full_verdict("v1-" + issue.fingerprint, attempt);
  change.verdicts = {verdict};
  change.proofs = {full_proof(verdict, commit)};
  change.moves = {{.issue_id = issue.id,
                   .from = IssueStatus::in_progress,
                   .to = IssueStatus::resolved,
                   .mover = Mover::gate,
                   .evidence = "unbroken",
                   .commit = commit,
                   .session_id = "sess1",
                   .last_score = 97}};
  return change;
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreContract, ::testing::ValuesIn(store_kinds()),
                         [](const auto& kind) { return kind.param.name; });

} // namespace emend::testing_support
