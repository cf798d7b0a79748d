// What somebody without the role is told, and what somebody is told while nobody can tell.
#include <gtest/gtest.h>

#include "api/api_application.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "tests/unit/api/memory_ledger.hpp"

namespace emend {
namespace {

// One person with a token and the role read for the repository "r1".
class OnePerson : public PeopleStore {
public:
  OnePerson() {
    directory_.version = 1;
    Account ann;
    ann.id = "a1";
    ann.name = "ann";
    AccessToken key;
    key.id = "k1";
    key.account_id = ann.id;
    key.sha256 = sha256_hex(token);
    directory_.accounts = {ann};
    directory_.tokens = {key};
    directory_.grants = {{ann.id, "r1", Role::read}};
  }
  Result<std::int64_t> directory_version() override { return directory_.version; }
  Result<Directory> directory() override { return directory_; }
  const std::string token = new_access_token();

private:
  Directory directory_;
};

class RefusedRights : public ::testing::Test {
protected:
  void SetUp() override {
    application_.add({{"GET", "/api/issues/{code}", "getIssue",
                       [](const Call&) -> Result<HttpReply> { return json_response(200, Json::object()); }}});
  }
  // The answer to the person's question, where the repository of it is this.
  [[nodiscard]] int status(const Result<std::string>& repository) {
    application_.set_places([&](Reach, const Call&) { return repository; }, {});
    HttpRequest request;
    request.method = "GET";
    request.path = {"api", "issues", "BE-001"};
    request.headers = {{"authorization", "Bearer " + people_.token}};
    return std::get<HttpResponse>(application_.answer(request)).status;
  }

  TemporaryDirectory place_ = *TemporaryDirectory::create(fs::temp_directory_path(), "emend-rights-");
  testing_support::HandClock clock_;
  testing_support::MemoryLedger ledger_;
  OnePerson people_;
  std::unique_ptr<Access> access_ = *Access::open((place_.path() / "server").string(), ledger_, clock_);
  Callers callers_{*access_, people_, clock_, [] { return Actor{}; }, {}};
  ApiApplication application_{callers_, ledger_, clock_, 0};
};

TEST_F(RefusedRights, OfWhatIsNotThereAndWhatMayNotBeSeenTheSameIsSaid) {
  EXPECT_EQ(status(std::string("r1")), 200);
  EXPECT_EQ(status(std::string("r2")), 403);
  EXPECT_EQ(status(fail(ErrorCode::not_found, "there is no repository r3")), 403);
}

TEST_F(RefusedRights, WhileTheDatabaseIsAwayNobodyIsToldThatARoleIsMissing) {
  EXPECT_EQ(status(fail(ErrorCode::database, "the connection was lost")), 500);
}

} // namespace
} // namespace emend
