#include "engine/agents/agent_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/strings.hpp"

namespace emend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

AgentBinding agent_of(const std::string& engine) {
  AgentBinding binding;
  binding.name = binding.engine = engine;
  return binding;
}

TEST(AgentFile, EveryBuiltInOneIsWhatItsFileIsCalled) {
  const auto names = built_in_agent_files();
  EXPECT_GE(names.size(), 5U);
  for (const std::string& name : names) {
    const auto parsed = agent_file(Policy{}, name);
    ASSERT_TRUE(parsed) << name << ": " << parsed.error().message;
    EXPECT_EQ(parsed->name, name);
    EXPECT_NE(parsed->description, "") << name;
    EXPECT_THAT(parsed->body, Not(StartsWith("---"))) << name;
  }
}

TEST(AgentFile, ANameWithoutAFileIsAHardError) {
  const auto missing = agent_file(Policy{}, "nobody");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::config);
  EXPECT_THAT(missing.error().message, HasSubstr("agents/nobody.md"));
}

TEST(AgentFile, TheRepositorysOwnWins) {
  Policy policy;
  policy.agent_files["fixer"] = "---\nname: fixer\ndescription: ours\n---\nOur way: {{findings}}\n";
  EXPECT_EQ(agent_file(policy, "fixer")->description, "ours");
  EXPECT_EQ(agent_file(policy, "re_fixer")->description, agent_file(Policy{}, "re_fixer")->description);
  policy.agent_files["fixer"] = "no front matter";
  const auto broken = agent_file(policy, "fixer");
  ASSERT_FALSE(broken) << "a broken file is never replaced by another in silence";
  EXPECT_THAT(broken.error().message, StartsWith(".emend/agents/fixer.md:1: "));
}

TEST(AgentFile, FrontMatter) {
  const auto good = parse_agent_file(
      "x.md", "---\nname: x\ndescription: a: b\nmodel: m\ntools: Read, Bash(ls:*)\n---\nBody\n---\nmore\n");
  ASSERT_TRUE(good);
  EXPECT_EQ(good->name, "x");
  EXPECT_EQ(good->description, "a: b");
  EXPECT_EQ(good->model, "m");
  EXPECT_THAT(good->tools, ElementsAre("Read", "Bash(ls:*)"));
  EXPECT_EQ(good->body, "Body\n---\nmore\n");
}

TEST(AgentFile, OtherWaysToWriteIt) {
  const auto lists = parse_agent_file("x.md",
                                      "---\r\n# ours\r\nname: \"x\"\r\ndescription: 'd'\r\ntools:\r\n  - "
                                      "Read\r\n  - \"Grep\"\r\n---\r\nBody\r\n");
  ASSERT_TRUE(lists) << lists.error().message;
  EXPECT_EQ(lists->name, "x");
  EXPECT_EQ(lists->description, "d");
  EXPECT_THAT(lists->tools, ElementsAre("Read", "Grep"));
  EXPECT_EQ(lists->body, "Body\n");
  const auto flow = parse_agent_file(
      "x.md", "---\nname: x\ndescription: d\ntools: [Read, 'Grep']\nmodel: inherit\n---\nBody");
  EXPECT_THAT(flow->tools, ElementsAre("Read", "Grep"));
  EXPECT_EQ(flow->model, "") << "inherit means the agent's own";
  const auto foreign = parse_agent_file(
      "x.md", "---\nname: x\ndescription: d\ncolor: blue\nemend:\n  role: y\nmaxTurns: 3\n---\nBody");
  EXPECT_TRUE(foreign) << "files of other programs may be used as they are";
}

TEST(AgentFile, MistakesNameTheirLine) {
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"", "x.md:1: the front matter is missing"},
      {"name: x\n", "x.md:1: the front matter is missing"},
      {"---\nname: x\n", "x.md:2: the front matter is not closed"},
      {"---\ndescription: y\n---\nBody", "x.md:1: the front matter has no name"},
      {"---\nname: y\n---\nBody", "x.md:1: the front matter has no description"},
      {"---\n---\nBody", "x.md:1: "},
      {"---\nname: x\ndescription: d\nmodell: m\n---\nBody",
       "x.md:4: unknown key \"modell\"; did you mean \"model\"?"},
      {"---\nname: x\nname: y\n---\nBody", "x.md:3: \"name\" is set twice"},
      {"---\nname: x\nwhat\n---\nBody", "x.md:3: expected \"key: value\""},
      {"---\nname: x\ndescription:\n  folded\n---\nBody", "x.md:4: a value must be on the line of its key"},
      {"---\nname: x\ndescription: d\nmodel: a b\n---\nBody", "x.md:4: the model is not one word"},
      {"---\nname: x\ndescription: d\n---\n \n", "x.md:4: there is no text"},
      {"---\nname: \xff\n---\nBody", "x.md:1: this is not UTF-8"}};
  for (const auto& [text, message] : mistakes) {
    const auto parsed = parse_agent_file("x.md", text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::config);
    EXPECT_THAT(parsed.error().message, StartsWith(message));
  }
}

TEST(AgentFile, NoBytesHurt) {
  std::mt19937 random(20261);
  const std::string alphabet = "---\n\n:#[], '\"abnametools\r\t\xc3\xa4{}";
  for (int i = 0; i < 3'000; ++i) {
    std::string text = "---\n";
    for (auto n = random() % 60; n > 0; --n) text += alphabet[random() % alphabet.size()];
    const auto parsed = parse_agent_file("x.md", text);
    if (parsed) {
      EXPECT_NE(parsed->name, "");
    } else {
      EXPECT_THAT(parsed.error().message, StartsWith("x.md:"));
    }
  }
}

struct Wish {
  const char* engine;
  const char* model;
  const char* expected;
};

TEST(AgentFile, AModelReachesOnlyItsMakersProgram) {
  for (const Wish& wish :
       {Wish{"claude", "opus", "opus"}, Wish{"claude", "claude-opus-5-5", "claude-opus-5-5"},
        Wish{"codex", "opus", ""}, Wish{"codex", "gpt-5.5", "gpt-5.5"},
        Wish{"gemini", "gemini-2.5-pro", "gemini-2.5-pro"}, Wish{"gemini", "opus", ""},
        Wish{"opencode", "opus", ""}, Wish{"exec", "opus", ""}, Wish{"claude", "unheard-of", ""}}) {
    Policy policy;
    policy.agent_files["fixer"] =
        "---\nname: fixer\ndescription: d\nmodel: " + std::string(wish.model) + "\n---\nBody\n";
    AgentRequest request;
    request.role = "fixer";
    ASSERT_TRUE(use_agent_file(policy, agent_of(wish.engine), request));
    EXPECT_EQ(request.model, wish.expected) << wish.engine << " " << wish.model;
  }
}

TEST(AgentFile, ToolsReachClaudeByNameAndOthersAsWhatTheyMayDo) {
  Policy policy;
  AgentRequest fixing, judging, elsewhere;
  fixing.role = "fixer";
  ASSERT_TRUE(use_agent_file(policy, agent_of("claude"), fixing));
  EXPECT_THAT(fixing.tools, testing::Contains("Edit"));
  EXPECT_FALSE(fixing.read_only);
  judging.role = "fix_challenger";
  ASSERT_TRUE(use_agent_file(policy, agent_of("gemini"), judging));
  EXPECT_THAT(judging.tools, IsEmpty()) << "other programs call their tools otherwise";
  EXPECT_TRUE(judging.read_only);
  policy.agent_files["fixer"] = "---\nname: fixer\ndescription: d\ntools: Read, Bash(make:*)\n---\nBody\n";
  elsewhere.role = "fixer";
  ASSERT_TRUE(use_agent_file(policy, agent_of("codex"), elsewhere));
  EXPECT_FALSE(elsewhere.read_only);
  elsewhere.role = "nobody";
  EXPECT_FALSE(use_agent_file(policy, agent_of("codex"), elsewhere));
}

TEST(AgentFile, ASessionKeepsItsFiles) {
  Policy policy;
  policy.agent_files = {{"fixer", "text\n"}, {"re_fixer", "other"}};
  EXPECT_EQ(policy_from_json(to_json(policy)).agent_files, policy.agent_files);
  EXPECT_THAT(policy_from_json(Json::object()).agent_files, IsEmpty());
}

} // namespace
} // namespace emend
