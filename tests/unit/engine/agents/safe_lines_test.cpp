#include "engine/agents/safe_lines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace emend {
namespace {

using testing::HasSubstr;
using testing::Not;

const Redactor redactor;

TEST(SafeLinesTest, LetsAnOrdinaryLineOutAtOnce) {
  SafeLines lines(redactor);
  EXPECT_EQ(lines.add("one"), "one\n");
  EXPECT_EQ(lines.add("\x1b[31mred\x1b[0m"), "red\n");
  EXPECT_EQ(lines.add(""), "\n");
  EXPECT_EQ(lines.finish(), "");
}

TEST(SafeLinesTest, TakesASecretOutOfALine) {
  SafeLines lines(redactor);
  EXPECT_THAT(lines.add("export TOKEN=ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"),
              Not(HasSubstr("ghp_0123")));
}

// Which comes in pieces: none of them is a key by itself.
TEST(SafeLinesTest, HoldsAPrivateKeyBackUntilItsEnd) {
  SafeLines lines(redactor);
  EXPECT_EQ(lines.add("here it is: -----BEGIN RSA PRIVATE KEY-----"), "");
  EXPECT_EQ(lines.add("Proc-Type: 4,ENCRYPTED"), "");
  EXPECT_EQ(lines.add("MIIEpAIBAAKCAQEA7bq0"), "");
  const std::string out = lines.add("-----END RSA PRIVATE KEY----- done");
  EXPECT_THAT(out, HasSubstr("here it is: [redacted:private-key]"));
  EXPECT_THAT(out, HasSubstr(" done\n"));
  EXPECT_THAT(out, Not(HasSubstr("MIIE")));
  EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 4);
  EXPECT_EQ(lines.add("after"), "after\n");
}

TEST(SafeLinesTest, AKeyThatIsCutOffIsNoneTheLessTakenOut) {
  SafeLines lines(redactor);
  EXPECT_EQ(lines.add("-----BEGIN PRIVATE KEY-----"), "");
  EXPECT_EQ(lines.add("MIIEpAIBAAKCAQEA7bq0"), "");
  EXPECT_THAT(lines.finish(), Not(HasSubstr("MIIE")));
}

TEST(SafeLinesTest, DoesNotHoldBackForEver) {
  SafeLines lines(redactor);
  EXPECT_EQ(lines.add("they begin with -----BEGIN PRIVATE KEY-----"), "");
  std::string out;
  for (int i = 0; i < 100 && out.empty(); ++i) out = lines.add(std::string(1'000, 'a') + " (words)");
  EXPECT_THAT(out, HasSubstr("(words)"));
}

TEST(SafeLinesTest, KnowsASecretByTheNameAboveIt) {
  SafeLines lines(redactor);
  EXPECT_EQ(lines.add("password ="), "password =\n");
  EXPECT_THAT(lines.add("  \"hunter2-and-more\""), Not(HasSubstr("hunter2")));
  EXPECT_EQ(lines.add("harmless"), "harmless\n");
}

} // namespace
} // namespace emend
