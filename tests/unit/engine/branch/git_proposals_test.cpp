// What agents propose for git is checked; nothing they write becomes a ref or a trailer by itself.
#include <gtest/gtest.h>

#include "engine/branch/git_proposals.hpp"

namespace emend {
namespace {

TEST(BranchProposal, EndsWithTheSessionsId) {
  EXPECT_EQ(parse_branch_proposal(R"(I propose {"branch_name": "fix/null-user"})", "k3f9").value(),
            "fix/null-user-k3f9");
  EXPECT_EQ(parse_branch_proposal(R"({"branch_name": "fix/null-user-k3f9"})", "k3f9").value(),
            "fix/null-user-k3f9");
}

TEST(BranchProposal, NothingButAPlainName) {
  for (const char* name : {"main", "fix/", "fix/..", "fix/a b", "fix/a/b", "fix/-x", "fix/x-", "fix/A",
                           "fix/x.lock", "refs/heads/main", "fix/x\\n", "-fix/x", "fix/\\u0000x", "fix/~1"})
    EXPECT_FALSE(parse_branch_proposal(std::string(R"({"branch_name": ")") + name + "\"}", "k3f9")) << name;
  EXPECT_FALSE(parse_branch_proposal(R"({"branch_name": ["fix/a"]})", "k3f9"));
  EXPECT_FALSE(parse_branch_proposal("fix/a", "k3f9"));
  EXPECT_FALSE(parse_branch_proposal("{\"branch_name\": \"fix/" + std::string(100, 'a') + "\"}", "k3f9"));
}

TEST(MessageProposal, SubjectAndBody) {
  const ProposedMessage message =
      parse_message_proposal(
          R"({"subject": " Return 404 for a missing user ", "body": "The lookup may be empty.\n"})")
          .value();
  EXPECT_EQ(message.subject, "Return 404 for a missing user");
  EXPECT_EQ(message.body, "The lookup may be empty.");
}

TEST(MessageProposal, ASubjectIsOneShortLine) {
  for (const char* subject : {"", "  ", "two\\nlines", "Signed-off-by: me"})
    EXPECT_FALSE(parse_message_proposal(std::string(R"({"subject": ")") + subject + "\"}")) << subject;
  EXPECT_FALSE(parse_message_proposal("{\"subject\": \"" + std::string(73, 'x') + "\"}"));
  EXPECT_FALSE(parse_message_proposal(R"({"subject": 5})"));
}

TEST(MessageProposal, OnlyTheEngineWritesTrailers) {
  EXPECT_EQ(parse_message_proposal(R"({"subject": "a", "body": "text\n\nEmend-Issue: BE-002"})").value().body,
            "");
  EXPECT_EQ(parse_message_proposal(R"({"subject": "a", "body": "note: this is fine"})").value().body,
            "note: this is fine");
}

} // namespace
} // namespace emend
