#include "engine/agents/guidelines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/agents/agent_file.hpp"
#include "engine/prompts/prompt.hpp"

namespace emend {
namespace {

using testing::HasSubstr;
using testing::Not;

Policy marked() {
  Policy policy;
  for (const char* name : {"dev_be", "dev_fe", "engineering_principles"})
    policy.agent_files[name] = "---\nname: " + std::string(name) + "\ndescription: d\n---\n<" + name + ">\n";
  return policy;
}

TEST(Guidelines, ChosenByTheExtensionsOfTheFiles) {
  const auto chosen = [](const std::vector<std::string>& files) {
    return guidelines_for_fixing(marked(), files).value();
  };
  for (const char* file : {"a.py", "a.go", "a.java", "a.rb", "a.php", "a.rs", "a.c", "a.cpp", "a.h",
                           "Makefile", "x.unknown", ""}) {
    EXPECT_THAT(chosen({file}), HasSubstr("<dev_be>")) << file;
    EXPECT_THAT(chosen({file}), Not(HasSubstr("<dev_fe>"))) << file;
  }
  for (const char* file :
       {"a.tsx", "a.ts", "a.jsx", "a.js", "a.css", "a.scss", "a.vue", "a.svelte", "a.html", "web/A.TSX"}) {
    EXPECT_THAT(chosen({file}), HasSubstr("<dev_fe>")) << file;
    EXPECT_THAT(chosen({file}), Not(HasSubstr("<dev_be>"))) << file;
  }
  EXPECT_THAT(chosen({"a.py", "b.ts"}), testing::AllOf(HasSubstr("<dev_be>"), HasSubstr("<dev_fe>")));
  EXPECT_THAT(chosen({}), testing::AllOf(HasSubstr("<engineering_principles>"), HasSubstr("<dev_be>")));
}

TEST(Guidelines, OnlyForTheLanguageOfTheFile) {
  const std::string python = guidelines_for_fixing(Policy{}, {"src/a.py"}).value();
  EXPECT_THAT(python,
              testing::AllOf(HasSubstr("Python: "), Not(HasSubstr("Go: ")), Not(HasSubstr("C, C++: "))));
  EXPECT_THAT(guidelines_for_fixing(Policy{}, {"a.h"}).value(), HasSubstr("C, C++: "));
  EXPECT_THAT(guidelines_for_fixing(Policy{}, {"a.unknown"}).value(), Not(HasSubstr("Python: ")));
  Policy own;
  own.agent_files["dev_be"] =
      "---\nname: dev_be\ndescription: d\n---\nNote: always\nGo: only go\n  and more\n- all\n";
  EXPECT_THAT(guidelines_for_fixing(own, {"a.py"}).value(),
              testing::AllOf(HasSubstr("Note: always"), HasSubstr("- all"), Not(HasSubstr("and more"))));
}

TEST(Guidelines, ReviewersGetThePrinciplesAlone) {
  EXPECT_EQ(guidelines_for_reviewing(marked()).value(), "<engineering_principles>\n");
}

TEST(Guidelines, ReachThePromptAndGoBeforeFindingsDo) {
  FixPromptInput input;
  input.template_body = agent_file(Policy{}, "fixer")->body;
  input.items.push_back({});
  input.items.back().issue.code = "FE-001";
  input.items.back().issue.finding.file = "web/app.tsx";
  input.items.back().issue.finding.description = "breaks";
  input.guidelines = guidelines_for_fixing(Policy{}, {"web/app.tsx"}).value();
  const Prompt full = build_fix_prompt(input).value();
  EXPECT_THAT(full.text, HasSubstr("Rendering is pure."));
  EXPECT_THAT(full.text, HasSubstr("Correct comes first"));
  EXPECT_THAT(full.text, Not(HasSubstr("Queries are parameterised")));
  input.max_bytes = full.text.size() - 500;
  const Prompt tight = build_fix_prompt(input).value();
  EXPECT_THAT(tight.text, Not(HasSubstr("Rendering is pure.")));
  EXPECT_THAT(tight.text, HasSubstr("breaks"));
  EXPECT_THAT(tight.cut, testing::Contains("general guidelines: left out"));
}

} // namespace
} // namespace emend
