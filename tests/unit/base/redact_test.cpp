#include "base/redact.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "base/strings.hpp"

namespace emend {
namespace {

// Fake secrets are put together here, so that this file holds nothing that looks like a real one.
std::string repeat(std::string_view piece, std::size_t length) {
  std::string text;
  while (text.size() < length) text += piece;
  return text.substr(0, length);
}

std::string key_block(const std::string& label, int lines) {
  std::string text = "-----BEGIN " + label + "PRIVATE" + " KEY-----\n";
  for (int i = 0; i < lines; ++i) text += repeat("MIIEvAbC9+/x", 64) + "\n";
  return text + "-----END " + label + "PRIVATE" + " KEY-----";
}

struct Secret {
  std::string kind, before, secret, after;
};

std::vector<Secret> secrets() {
  const std::string name = "pass" + std::string("word");
  const std::string jwt = "ey" + std::string("J") + repeat("hbGciOi1", 20) + ".ey" + "J" +
                          repeat("zdWIiOi2", 24) + "." + repeat("aB3_-", 43);
  return {
      {"aws-access-key", "id: ", "AKI" + std::string("A") + repeat("Z2Q7", 16), " "},
      {"aws-secret-key", "aws_secret_access_key = ", repeat("aB3/+xY9", 40), "\n"},
      {"github-token", "remote: ", "gh" + std::string("p_") + repeat("aB3", 36), "."},
      {"github-token", "", "github" + std::string("_pat_") + repeat("11AAb_2", 60), ""},
      {"gitlab-token", "PRIVATE: ", "gl" + std::string("pat-") + repeat("xY-_9", 20), " x"},
      {"slack-token", "", "xo" + std::string("xb-") + repeat("123456789012-", 40), ""},
      {"slack-webhook", "post to ",
       "https://hooks.slack" + std::string(".com/services/") + repeat("T0B1/", 40), " now"},
      {"google-key", "key=", "AI" + std::string("za") + repeat("Sy_-9", 35), "&x"},
      {"anthropic-key", "export K ", "sk-" + std::string("ant-") + repeat("api03-xY", 60), ""},
      {"openai-key", "", "sk" + std::string("-") + repeat("aB3dE", 48), ""},
      {"openai-key", "(", "sk-" + std::string("proj-") + repeat("aB3_dE-", 80), ")"},
      {"stripe-key", "", "sk" + std::string("_live_") + repeat("4eC39", 24), ""},
      {"npm-token", "//registry/:_auth ", "npm" + std::string("_") + repeat("aB3", 36), ""},
      {"jwt", "cookie ", jwt, ";"},
      {"authorization", "Authorization: Basic ", repeat("dXNlcjpw", 24), "\r\n"},
      {"bearer", "curl -H 'X: Bearer ", repeat("abc.123-", 32), "'"},
      {"url-credentials", "postgres://app:", "s3cr3t-pw", "@db.internal:5432/app"},
      {"url-credentials", "https://x-access:", repeat("abc", 8), "@github.com/o/r.git"},
      {"secret-assignment", "db_" + name + " = \"", "hunter2", "\""},
      {"secret-assignment", "\"api_key\": \"", repeat("q9w8e7", 24), "\","},
      {"secret-assignment", "const clientSecret = '", "p@ssphrase", "';"},
      {"secret-assignment", "self.config['token'] = '", "a1b2c3d4", "'"},
      {"secret-assignment", "DB_PASS" + std::string("WORD="), "hunter2hunter2", "\nNEXT=1"},
      {"secret-assignment", "{\\\"" + name + "\\\": \\\"", "hunter2", "\\\"}"},
      {"secret-assignment", "SECRET" + std::string("_KEY_BASE = \""), repeat("0f1e", 32), "\""},
      {"secret-assignment", "?user=a&" + name + "=", "abc12345", "&x=1"},
  };
}

TEST(Redactor, TakesOutEachKindAndNothingElse) {
  const Redactor redactor;
  for (const Secret& one : secrets()) {
    const std::string text = "first line\n" + one.before + one.secret + one.after + "\nlast line";
    EXPECT_EQ(redactor.redact(text),
              "first line\n" + one.before + "[redacted:" + one.kind + "]" + one.after + "\nlast line")
        << one.before;
    EXPECT_EQ(redactor.find(text), std::vector<std::string>{one.kind}) << one.before;
  }
}

TEST(Redactor, IsStableOnItsOwnOutput) {
  const Redactor redactor;
  for (const Secret& one : secrets()) {
    const std::string once = redactor.redact(one.before + one.secret + one.after);
    EXPECT_EQ(redactor.redact(once), once);
    EXPECT_TRUE(redactor.find(once).empty()) << once;
  }
}

TEST(Redactor, LeavesOrdinaryTextAlone) {
  const Redactor redactor;
  const char* ordinary[] = {
      "password = os.environ[\"DB_PASSWORD\"]",
      "password = get_password(user1)",
      "const token = await getToken(id2);",
      "token: str = field(default=None)",
      "if (token == \"\") return;",
      "TOKEN_HEADER = \"x-auth-token\"",
      "\"password\": \"Enter your new password\"",
      "password: \"${DB_PASSWORD_1}\"",
      "password: '<your password 123>'",
      "secret = \"{{ vault.secret1 }}\"",
      "api_key = \"your-api-key-1\"",
      "<input type=\"password\" id=\"pw1\">",
      "Bearer authentication is used for requests",
      "Authorization: Bearer $TOKEN",
      "see https://example.com:8080/path@v2 and git@github.com:o/r.git",
      "postgres://app:${PASSWORD}@db/app",
      "commit 798facb1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7",
      "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
      "task-management-for-everyone-involved",
      "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
      "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
      "max_tokens=4096, temperature=0.7",
      "max_tokens=128000\n",
      "token_url = \"https://auth.internal/oauth2/token\"",
      "token=200000 used",
      "private_key = \"/etc/ssl/private/key1.pem\"",
      "PASSWORD_FIELD_ID = \"pw-1-input\"",
      "AKIA is a prefix; ghp_ too; sk-learn as well",
      "uuid 123e4567-e89b-12d3-a456-426614174000",
  };
  for (const char* text : ordinary) {
    EXPECT_EQ(redactor.redact(text), text);
    EXPECT_TRUE(redactor.find(text).empty()) << text << ": " << join(redactor.find(text), " ");
  }
}

TEST(Redactor, KeepsTheLineCountOfKeyBlocks) {
  const Redactor redactor;
  for (const char* label : {"", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "}) {
    const std::string text = "a\n" + key_block(label, 5) + "\nb\n";
    const std::string redacted = redactor.redact(text);
    EXPECT_EQ(lines_of(redacted).size(), lines_of(text).size());
    EXPECT_FALSE(contains(redacted, "MIIE")) << redacted;
    EXPECT_TRUE(redacted.starts_with("a\n[redacted:private-key]\n"));
    EXPECT_TRUE(redacted.ends_with("[redacted:private-key]\nb\n"));
    EXPECT_EQ(redactor.find(text), std::vector<std::string>{"private-key"});
  }
}

TEST(Redactor, TakesKeysOutOfDiffsAndJsonStrings) {
  const Redactor redactor;
  const std::string diff = "+" + replace_all(key_block("", 3), "\n", "\n+") + "\n+rest";
  EXPECT_FALSE(contains(redactor.redact(diff), "MIIE"));
  EXPECT_TRUE(redactor.redact(diff).ends_with("\n+rest"));
  const std::string json = "{\"k\":\"" + replace_all(key_block("RSA ", 3), "\n", "\\n") + "\"}";
  EXPECT_EQ(redactor.redact(json), "{\"k\":\"[redacted:private-key]\"}");
}

TEST(Redactor, TakesACutKeyBlock) {
  const std::string block = key_block("", 4);
  const std::string cut = block.substr(0, block.find("-----END")) + "== then prose";
  const std::string redacted = Redactor().redact(cut);
  EXPECT_FALSE(contains(redacted, "MIIE")) << redacted;
}

TEST(Redactor, SeveralSecretsAndOverlaps) {
  const std::string token = "gh" + std::string("p_") + repeat("aB3", 36);
  const Redactor redactor;
  EXPECT_EQ(redactor.redact(token + " " + token), "[redacted:github-token] [redacted:github-token]");
  const std::string assigned = redactor.redact("token = \"" + token + "\"");
  EXPECT_FALSE(contains(assigned, "aB3"));
  EXPECT_TRUE(assigned.starts_with("token = \"[redacted:"));
  EXPECT_TRUE(assigned.ends_with("]\""));
}

TEST(Redactor, TakesTheUsersPatternsToo) {
  const auto redactor = Redactor::with_patterns({"ACME-[0-9]{4}", "x*"});
  ASSERT_TRUE(redactor);
  EXPECT_EQ(redactor->redact("id ACME-1234, ACME-12"), "id [redacted:custom], ACME-12");
  EXPECT_EQ(redactor->find("ACME-9999"), std::vector<std::string>{"custom"});
  const std::string token = "gh" + std::string("p_") + repeat("aB3", 36);
  EXPECT_EQ(redactor->redact(token), "[redacted:github-token]");
}

TEST(Redactor, ABadPatternIsAConfigurationError) {
  const auto redactor = Redactor::with_patterns({"fine", "(unclosed"});
  ASSERT_FALSE(redactor);
  EXPECT_EQ(redactor.error().code, ErrorCode::config);
  EXPECT_TRUE(contains(redactor.error().message, "(unclosed"));
}

TEST(Redactor, BytesThatAreNotTextPassThrough) {
  const std::string bytes("\x00\xFF\xFE\x80 abc", 8);
  EXPECT_EQ(Redactor().redact(bytes), bytes);
  EXPECT_EQ(Redactor().redact(""), "");
}

TEST(Redactor, LargeTextIsQuick) {
  std::string code, hostile;
  while (code.size() < 1'000'000)
    code += "  const auto token = parser.next_token(); // the secret of the password field\n";
  while (hostile.size() < 1'000'000) hostile += "-----BEGIN " + std::string("PRIVATE") + " KEY-----";
  const Redactor redactor;
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(redactor.find(code).empty());
  EXPECT_EQ(redactor.redact(code), code);
  EXPECT_FALSE(redactor.find(hostile).empty());
  EXPECT_FALSE(redactor.redact(std::string(1'000'000, 'a') + "://").empty());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15));
}

} // namespace
} // namespace emend
