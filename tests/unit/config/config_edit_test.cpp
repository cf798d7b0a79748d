#include "config/config_edit.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

std::string edited(std::string_view text, const std::string& key, const std::optional<Json>& value) {
  const auto edit = edit_config(text, "emend.toml", key, value);
  return edit ? edit->text : edit.error().message;
}

int line_of(std::string_view text, const std::string& key, const Json& value) {
  const auto edit = edit_config(text, "emend.toml", key, value);
  return edit ? edit->line : -1;
}

constexpr std::string_view kFile = R"(# how this project is fixed
[fix]
parallel = 2  # two cores
strategy = "solo"

[verify]
commands = [
  "make test",   # all of it
  "make lint",
]
)";

TEST(ConfigEdit, AValueChangesAndItsCommentStays) {
  EXPECT_EQ(edited("[fix]\nparallel = 2  # two cores\nstrategy = \"solo\"\n", "fix.parallel", 4),
            "[fix]\nparallel = 4  # two cores\nstrategy = \"solo\"\n");
  EXPECT_EQ(line_of(kFile, "fix.parallel", 4), 3);
  EXPECT_EQ(edited("[fix]\nagent = \"a # b\" # mine\n", "fix.agent", "claude"),
            "[fix]\nagent = \"claude\"  # mine\n");
}

TEST(ConfigEdit, AValueOfSeveralLinesIsReplacedAsAWhole) {
  const std::string text = edited(kFile, "verify.commands", Json::array({"make check"}));
  EXPECT_TRUE(text.ends_with("[verify]\ncommands = [\"make check\"]\n")) << text;
  EXPECT_TRUE(text.starts_with("# how this project is fixed\n[fix]\nparallel = 2  # two cores\n")) << text;
}

TEST(ConfigEdit, ANewSettingGoesToItsSection) {
  EXPECT_EQ(edited("[fix]\nparallel = 2\n\n# checks\n[verify]\ntimeout = \"5m\"\n", "fix.agent", "claude"),
            "[fix]\nparallel = 2\nagent = \"claude\"\n\n# checks\n[verify]\ntimeout = \"5m\"\n");
  EXPECT_EQ(edited("[fix]\nparallel = 2\n", "review.exclude", Json::array({"vendor/**"})),
            "[fix]\nparallel = 2\n\n[review]\nexclude = [\"vendor/**\"]\n");
  EXPECT_EQ(edited("", "fix.parallel", 3), "[fix]\nparallel = 3\n");
  EXPECT_EQ(line_of("", "fix.parallel", 3), 2);
}

TEST(ConfigEdit, OneThatIsTakenOutLeavesTheOthers) {
  EXPECT_EQ(edited("[fix]\nparallel = 2\nagent = \"claude\"\n", "fix.parallel", std::nullopt),
            "[fix]\nagent = \"claude\"\n");
  EXPECT_EQ(edited("[fix]\nagent = \"claude\"\n", "fix.parallel", std::nullopt),
            "[fix]\nagent = \"claude\"\n");
}

TEST(ConfigEdit, DottedAndQuotedNamesAreFound) {
  EXPECT_EQ(edited("fix.parallel = 2\n", "fix.parallel", 4), "fix.parallel = 4\n");
  EXPECT_EQ(edited("[\"fix\"]\nparallel = 2\n", "fix.parallel", 4), "[\"fix\"]\nparallel = 4\n");
}

TEST(ConfigEdit, WhatCannotBeChangedAloneIsLeftToThePerson) {
  const auto edit =
      edit_config("fix = { parallel = 2, agent = \"claude\" }\n", "emend.toml", "fix.parallel", 4);
  ASSERT_FALSE(edit);
  EXPECT_EQ(edit.error().code, ErrorCode::conflict);
  EXPECT_EQ(edit.error().remedy, "change it by hand in emend.toml:1");
}

TEST(ConfigEdit, AFileThatCannotBeReadSaysWhere) {
  const auto edit = edit_config("[fix]\nparallel =\n", "emend.toml", "fix.parallel", 4);
  ASSERT_FALSE(edit);
  EXPECT_TRUE(edit.error().message.starts_with("emend.toml:2: ")) << edit.error().message;
}

TEST(ConfigEdit, ValuesAreWrittenAsToml) {
  EXPECT_EQ(toml_text({{"name", "all"}, {"run", "make \"x\""}, {"timeout", nullptr}, {"setup", ""}}),
            R"({ name = "all", run = "make \"x\"" })");
  EXPECT_EQ(toml_text(Json::array({1, true, "a"})), R"([1, true, "a"])");
}

} // namespace
} // namespace emend
