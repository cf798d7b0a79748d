#include "engine/agents/agent_roles.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/prompts/prompt.hpp"

namespace emend {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string with_body(const std::string& name, const std::string& body) {
  return "---\nname: " + name + "\ndescription: d\n---\n" + body;
}

std::string problem_of(const std::string& path, const std::string& text) {
  const auto checked = check_agent_file(path, text);
  return checked ? "" : checked.error().message;
}

TEST(AgentRoles, EveryBuiltInFileFitsItsRole) {
  for (const std::string& name : built_in_agent_files()) {
    EXPECT_EQ(problem_of("agents/" + name + ".md", built_in_agent_text(name).value()), "");
    const auto role = agent_role(name);
    ASSERT_TRUE(role) << name;
    std::map<std::string, std::string> values, nothing;
    for (const std::string& placeholder : role->filled_in) {
      values[placeholder] = "<" + placeholder + ">";
      nothing[placeholder] = "";
    }
    const std::string body = agent_file(Policy{}, name)->body;
    const auto full = render_template(body, values), empty = render_template(body, nothing);
    ASSERT_TRUE(full) << name << ": " << full.error().message;
    ASSERT_TRUE(empty) << name << ": " << empty.error().message;
    EXPECT_THAT(*full, testing::Not(HasSubstr("{{"))) << name;
    for (const std::string& placeholder : role->needed)
      EXPECT_THAT(*full, HasSubstr("<" + placeholder + ">")) << name;
  }
}

TEST(AgentRoles, AFileOfTheRepositoryIsHeldAgainstItsRole) {
  EXPECT_EQ(problem_of(".emend/agents/fixer.md",
                       with_body("fixer", "Fix {{codes}}:\n{{findings}}\n{{#cut}}less: {{cut}}{{/cut}}\n")),
            "");
  EXPECT_THAT(
      problem_of(".emend/agents/fixer.md", with_body("fixer", "Fix {{codes}}:\n\n{{finding}}\n")),
      StartsWith(".emend/agents/fixer.md:7: unknown placeholder {{finding}}; did you mean {{findings}}?"));
  EXPECT_THAT(problem_of(".emend/agents/fixer.md", with_body("fixer", "Fix {{codes}}\n")),
              HasSubstr("{{findings}} is missing"));
  EXPECT_THAT(problem_of(".emend/agents/fix_challenger.md",
                         with_body("fix_challenger", "Say 100 for {{code}}: {{issue}}\n")),
              HasSubstr("{{diff}} is missing"))
      << "a judge that is not shown the change cannot judge it";
  EXPECT_THAT(problem_of(".emend/agents/fixer.md", with_body("fixer", "{{codes}} {{findings}}\n{{#cut}}\n")),
              StartsWith(".emend/agents/fixer.md:6: {{#cut}} is not closed"));
  EXPECT_THAT(problem_of(".emend/agents/fixer.md", with_body("fixer", "{{codes}} {{findings}}{{/cut}}\n")),
              HasSubstr(":5: {{/cut}} closes nothing"));
  EXPECT_THAT(problem_of(".emend/agents/fixer.md", with_body("fixer", "{{codes}} {{findings}\n")),
              HasSubstr("{{ without }}"));
}

TEST(AgentRoles, NamesMustBeThoseOfTheFileAndOfARole) {
  EXPECT_THAT(problem_of(".emend/agents/fixer.md", with_body("re_fixer", "{{codes}} {{findings}}\n")),
              HasSubstr("the name \"re_fixer\" does not match the file name"));
  EXPECT_EQ(
      problem_of(".emend/agents/fix_clarifier.md", with_body("fix-clarifier", "{{codes}} {{findings}}\n")),
      "")
      << "some programs know only hyphens";
  EXPECT_THAT(problem_of(".emend/agents/fix_challanger.md", with_body("fix_challanger", "x")),
              StartsWith(".emend/agents/fix_challanger.md: there is no agent \"fix_challanger\"; did you "
                         "mean fix_challenger?"));
  EXPECT_EQ(
      problem_of(".emend/agents/reviewer_sql.md", with_body("reviewer_sql", "{{diff}}{{rest}}{{token}}\n")),
      "")
      << "reviewers may be added";
  EXPECT_NE(problem_of(".emend/agents/reviewer_.md", with_body("reviewer_", "{{diff}}{{rest}}{{token}}\n")),
            "");
}

} // namespace
} // namespace emend
