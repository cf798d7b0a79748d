#include "api/access.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "api/fields.hpp"
#include "api/guard.hpp"
#include "base/files.hpp"
#include "base/secret.hpp"
#include "tests/unit/api/memory_ledger.hpp"

namespace emend {
namespace {

class AccessTest : public ::testing::Test {
protected:
  void SetUp() override {
    directory_.emplace(*TemporaryDirectory::create(fs::temp_directory_path(), "emend-access-"));
    access_ = open();
  }
  std::unique_ptr<Access> open() {
    auto made = Access::open((directory_->path() / "server").string(), ledger_, clock_);
    EXPECT_TRUE(made) << made.error().message;
    return made ? *std::move(made) : nullptr;
  }
  std::string token() { return std::string(read_file(access_->token_file())->substr(0, 64)); }
  std::optional<TemporaryDirectory> directory_;
  testing_support::HandClock clock_;
  testing_support::MemoryLedger ledger_;
  std::unique_ptr<Access> access_;
};

TEST_F(AccessTest, MakesATokenOnlyItsOwnerCanRead) {
  struct stat info {};
  ASSERT_EQ(::stat(access_->token_file().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  EXPECT_TRUE(access_->is_token(token()));
  EXPECT_FALSE(access_->is_token(""));
  EXPECT_FALSE(access_->is_token(token().substr(0, 63)));
  EXPECT_FALSE(access_->is_token(token() + "0"));
  EXPECT_TRUE(open()->is_token(token())); // the same after a restart
}

TEST_F(AccessTest, RefusesATokenFileOthersCanRead) {
  ::chmod(access_->token_file().c_str(), 0644);
  const auto made = Access::open((directory_->path() / "server").string(), ledger_, clock_);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::config);
}

TEST_F(AccessTest, TakesALaunchCodeOnceAndNotTooLate) {
  const std::string code = *access_->new_launch_code("ann");
  const auto cookie = *access_->exchange(code, "Firefox");
  ASSERT_TRUE(cookie);
  const auto login = *access_->find_login(*cookie);
  ASSERT_TRUE(login);
  EXPECT_EQ(login->account_id, "ann");
  EXPECT_EQ(login->browser, "Firefox");
  EXPECT_FALSE(*access_->exchange(code));
  const std::string late = *access_->new_launch_code();
  clock_.now += kLaunchCodeMs;
  EXPECT_FALSE(*access_->exchange(late));
  EXPECT_FALSE(*access_->exchange(""));
}

TEST_F(AccessTest, KnowsItsOwnCookiesOnlyAndOnlyForAWhile) {
  const std::string cookie = **access_->exchange(*access_->new_launch_code());
  EXPECT_TRUE(open()->seen_login(cookie)) << "over a restart, and at another server of the database";
  for (std::size_t i = 0; i < cookie.size(); ++i) {
    std::string other = cookie;
    other[i] = other[i] == '1' ? '2' : '1';
    EXPECT_FALSE(*access_->find_login(other)) << i;
  }
  EXPECT_FALSE(*access_->find_login(""));
  EXPECT_FALSE(Access::may_be_login("9999999999999.a."));
  ASSERT_TRUE(access_->find_login(cookie));
  clock_.now += kLoginMs;
  EXPECT_FALSE(access_->seen_login(cookie));
  EXPECT_FALSE(*access_->find_login(cookie));
}

TEST_F(AccessTest, EndsALoginForGoodAtEveryServer) {
  const std::string cookie = **access_->exchange(*access_->new_launch_code()),
                    other = **access_->exchange(*access_->new_launch_code());
  const auto second = open();
  ASSERT_TRUE(second->seen_login(cookie));
  ASSERT_TRUE(access_->end_cookie(cookie));
  EXPECT_FALSE(*access_->find_login(cookie));
  EXPECT_TRUE(*access_->find_login(other));
  EXPECT_TRUE(*second->look_again());
  EXPECT_FALSE(second->seen_login(cookie));
  EXPECT_TRUE(second->seen_login(other));
  EXPECT_FALSE(*second->look_again());
}

TEST_F(AccessTest, ChangesTheTokenAndEndsAllLogins) {
  const std::string before = token(), cookie = **access_->exchange(*access_->new_launch_code());
  ASSERT_TRUE(access_->change_token());
  EXPECT_FALSE(access_->is_token(before));
  EXPECT_TRUE(access_->is_token(token()));
  EXPECT_FALSE(*access_->find_login(cookie));
}

TEST_F(AccessTest, EndsAllLoginsWhereTheTokenWasDeleted) {
  const std::string cookie = **access_->exchange(*access_->new_launch_code());
  fs::remove(access_->token_file());
  EXPECT_FALSE(open()->seen_login(cookie));
}

TEST(SecretTest, SignsAsOthersDo) {
  // RFC 4231, test case 2.
  EXPECT_EQ(hmac_sha256_hex("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_NE(hmac_sha256_hex("", "a"), hmac_sha256_hex("k", "a"));
  EXPECT_TRUE(same_secret("abc", "abc"));
  EXPECT_FALSE(same_secret("abc", "abd"));
  EXPECT_FALSE(same_secret("", ""));
}

HttpRequest request_with(std::vector<HttpHeader> headers, const std::string& method = "POST") {
  HttpRequest request;
  request.method = method;
  request.headers = std::move(headers);
  return request;
}

TEST(GuardTest, AnswersOnlyToItsOwnNames) {
  const OwnNames names = own_names(8790, {"emend.example.org"}, true);
  for (const char* host :
       {"127.0.0.1:8790", "localhost:8790", "[::1]:8790", "emend.example.org", "LOCALHOST:8790"})
    EXPECT_FALSE(check_host(request_with({{"host", host}}), names)) << host;
  for (const char* host : {"", "localhost", "localhost:8791", "localhost.:8790", "127.1:8790", "0x7f.1:8790",
                           "127.0.0.1:8790@evil", "evil.example:8790", "[::ffff:127.0.0.1]:8790",
                           "127.0.0.1:08790", "emend.example.org:8790", "a@127.0.0.1:8790"})
    EXPECT_TRUE(check_host(request_with({{"host", host}}), names)) << host;
  HttpRequest local = request_with({{"host", "localhost"}});
  local.local_socket = true;
  EXPECT_FALSE(check_host(local, names));
}

TEST(GuardTest, LetsAPageChangeThingsOnlyWhenItIsOurs) {
  const OwnNames names = own_names(8790, {}, false);
  const HttpHeader origin{"origin", "http://localhost:8790"}, site{"sec-fetch-site", "same-origin"},
      mark{"x-emend-csrf", "1"};
  EXPECT_FALSE(check_page(request_with({origin, site, mark}), names));
  EXPECT_TRUE(check_page(request_with({site, mark}), names));
  EXPECT_TRUE(check_page(request_with({origin, mark}), names));
  EXPECT_TRUE(check_page(request_with({origin, site}), names));
  for (const char* foreign : {"null", "http://localhost:8791", "https://localhost:8790",
                              "http://evil.example", "http://localhost:8790.evil.example", ""})
    EXPECT_TRUE(check_page(request_with({{"origin", foreign}, site, mark}), names)) << foreign;
  for (const char* other : {"cross-site", "same-site", "none"})
    EXPECT_TRUE(check_page(request_with({origin, {"sec-fetch-site", other}, mark}), names)) << other;
  EXPECT_TRUE(check_foreign_page(request_with({{"origin", "http://evil.example"}}, "GET"), names));
  EXPECT_TRUE(check_foreign_page(request_with({{"sec-fetch-site", "cross-site"}}, "GET"), names));
  EXPECT_FALSE(check_foreign_page(request_with({}, "GET"), names));
}

TEST(GuardTest, FindsCredentials) {
  EXPECT_EQ(bearer_token(request_with({{"authorization", "Bearer abc"}})), "abc");
  EXPECT_FALSE(bearer_token(request_with({{"authorization", "Basic abc"}})));
  EXPECT_FALSE(bearer_token(request_with({})));
  EXPECT_EQ(cookie_value(request_with({{"cookie", "a=1; emend_login=x.y.z; b=2"}}), "emend_login"), "x.y.z");
  EXPECT_FALSE(cookie_value(request_with({{"cookie", "xemend_login=1"}}), "emend_login"));
}

TEST(FieldsTest, CollectsEverythingThatIsWrong) {
  const Json body = {{"name", 5},      {"list", {"a", 1}}, {"flag", "yes"},     {"number", 7.5},
                     {"word", "blue"}, {"typo", true},     {"nothing", nullptr}};
  Fields fields(body);
  (void)fields.text("name");
  (void)fields.text("missing");
  (void)fields.texts("list", true);
  (void)fields.flag("flag", false);
  (void)fields.number("number", 0, 10);
  (void)fields.word("word", {"red", "green"}, "red");
  EXPECT_EQ(fields.text_or("nothing", "fallback"), "fallback");
  const auto problem = fields.problems();
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->status, 422);
  const Json told = *parse_json(problem->body);
  EXPECT_EQ(told.at("code"), "validation-failed");
  EXPECT_EQ(told.at("errors").size(), 7u);
}

TEST(FieldsTest, ReadsWhatIsRight) {
  const Json body = {{"name", "a"}, {"list", {"x", "y"}}, {"flag", true}, {"number", 7}, {"word", "green"}};
  Fields fields(body);
  EXPECT_EQ(fields.text("name"), "a");
  EXPECT_EQ(fields.texts("list", true).size(), 2u);
  EXPECT_TRUE(fields.flag("flag", false));
  EXPECT_EQ(fields.number("number", 0, 10), 7);
  EXPECT_EQ(fields.word("word", {"red", "green"}, "red"), "green");
  EXPECT_FALSE(fields.problems());
}

} // namespace
} // namespace emend
