// Error messages of the real programs and interfaces, sorted into what somebody has to do about them.
#include <gtest/gtest.h>

#include "adapters/agents/failure.hpp"

namespace emend {

TEST(Failure, KnowsWhatHasToBeDone) {
  using enum AgentStatus;
  const struct {
    int http;
    const char* text;
    AgentStatus status;
  } rows[] = {
      {0, "API Error: 529 {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}", overloaded},
      {503, "", overloaded},
      {0, "exceeded retry limit, last status: 429 Too Many Requests", rate_limited},
      {429, "You exceeded your current quota, please check your plan and billing details.", quota},
      {0, "Claude AI usage limit reached|1794709546", quota},
      {0, "You've hit your limit \xc2\xb7 resets 3pm (Europe/Berlin)", quota},
      {402, "", billing},
      {400, "Credit balance is too low", billing},
      {0, "Not logged in \xc2\xb7 Please run /login", not_logged_in},
      {401, "whatever", not_logged_in},
      {400, "[API Error: {\"error\":{\"code\":400,\"message\":\"API key not valid.\"}}]", not_logged_in},
      {403, "Your organization has disabled this", not_logged_in},
      {404, "model: claude-9", unknown_model},
      {413, "", too_long},
      {0, "Prompt is too long", too_long},
      {0, "API Error: Unable to connect to API (ECONNREFUSED)", unreachable},
      {0, "No conversation found with session ID: x", conversation_lost},
      {400, "messages: roles must alternate; see our rate limit documentation", api_error},
      {0, "something else", api_error},
      {0, "", api_error},
  };
  for (const auto& row : rows)
    EXPECT_EQ(to_string(failure_of(row.http, row.text).status), to_string(row.status))
        << row.http << " " << row.text;
}

TEST(Failure, FindsTheStatusInTheText) {
  EXPECT_EQ(http_status_in("API Error: 529 busy"), 529);
  EXPECT_EQ(http_status_in("unexpected status 401 Unauthorized"), 401);
  EXPECT_EQ(http_status_in(R"([API Error: {"error":{"code":400,"message":"x"}}])"), 400);
  EXPECT_EQ(http_status_in("API Error: Request rejected (429) \xc2\xb7 slow down"), 0);
  EXPECT_EQ(http_status_in("line 404 of the file"), 0);
  EXPECT_EQ(http_status_in("API Error: 5290"), 0);
  EXPECT_EQ(http_status_in("status: 200"), 0);
}

TEST(Failure, ReadsWhenToComeBack) {
  EXPECT_EQ(failure_of(429, "Please try again in 20s.").retry_after_ms, 20'000);
  EXPECT_EQ(failure_of(429, "Please retry in 33.5s").retry_after_ms, 33'500);
  EXPECT_EQ(failure_of(429, "try again in 5m30s").retry_after_ms, 330'000);
  EXPECT_EQ(failure_of(429, "try again in 2 hours").retry_after_ms, 7'200'000);
  EXPECT_EQ(failure_of(429, R"("retryDelay":"33s")").retry_after_ms, 33'000);
  EXPECT_EQ(failure_of(429, "retry-after: 300").retry_after_ms, 300'000);
  EXPECT_EQ(failure_of(429, "try again in a moment").retry_after_ms, std::nullopt);
  EXPECT_EQ(failure_of(0, "Claude AI usage limit reached|1794709546").resets_at_ms, 1'794'709'546'000);
  EXPECT_EQ(failure_of(0, "usage limit reached|99").resets_at_ms, std::nullopt);
  EXPECT_EQ(failure_of(401, "try again in 20s").retry_after_ms, std::nullopt) << "waiting does not help";
}

TEST(Failure, IsNeverSuccessAndKeepsTheWords) {
  EXPECT_EQ(failure_of(0, "  Odd \x1b[31mthing\x1b[0m\n").text, "Odd thing");
  EXPECT_LT(failure_of(0, std::string(100'000, 'x')).text.size(), 1'000U);
}

} // namespace emend
