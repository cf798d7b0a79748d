#include "service/fix_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>

#include <set>

#include "base/files.hpp"
#include "base/strings.hpp"
#include "cli/commands.hpp"
#include "tests/support/paths.hpp"

namespace emend {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Flags of `emend fix` that have no place in a request: over HTTP issues and plans are members of the request
// itself, questions have a route of their own, the server decides who works, prints nothing and writes to
// nobody's working tree.
const std::set<std::string> kCommandLineOnly = {"CODE",      "--findings",    "--all-open",  "--plan",
                                                "--clarify", "--queue",       "--dry-run",   "--diff",
                                                "--ascii",   "--open-issues", "--exit-zero", "--apply"};

std::set<std::string> names_of_rows() {
  std::set<std::string> names;
  for (const FixOption& row : fix_options()) names.insert(row.name);
  return names;
}

TEST(FixOptionsTest, EveryFlagOfFixIsAnOptionOfTheOtherFaces) {
  std::set<std::string> flags;
  for (const Option& option : fix_command().options) {
    const std::string name = split(option.names, ',').front();
    if (!kCommandLineOnly.contains(name)) flags.insert(replace_all(name.substr(2), "-", "_"));
  }
  EXPECT_EQ(flags, names_of_rows());
}

TEST(FixOptionsTest, TheContractHasTheSameOptionsWithTheSameLimits) {
  const auto text = read_file(EMEND_SOURCE_DIR + "/api/openapi.json", 10'000'000);
  ASSERT_TRUE(text);
  const Json properties =
      Json::parse(*text).at("/components/schemas/StartRequest/properties/options/properties"_json_pointer);
  std::set<std::string> names;
  for (const auto& [name, schema] : properties.items()) names.insert(name);
  EXPECT_EQ(names, names_of_rows());
  for (const FixOption& row : fix_options()) {
    const Json& schema = properties.at(row.name);
    SCOPED_TRACE(row.name);
    const std::string type = schema.at("type");
    if (std::holds_alternative<bool FixOptions::*>(row.field)) {
      EXPECT_EQ(type, "boolean");
    } else if (row.decimal || !std::holds_alternative<std::string FixOptions::*>(row.field)) {
      EXPECT_EQ(type, row.decimal ? "number" : "integer");
      EXPECT_EQ(schema.at("minimum"), row.low);
      EXPECT_EQ(schema.at("maximum"), row.high);
    } else if (!row.words.empty()) {
      EXPECT_EQ(schema.at("enum"), Json(row.words));
    } else {
      EXPECT_EQ(schema.at("maxLength"), row.high);
    }
  }
}

// What a person types in the terminal comes out the same for the server and for a process of its own.
TEST(FixOptionsTest, EveryOptionCanBeTypedAndHandedOn) {
  for (const FixOption& row : fix_options()) {
    SCOPED_TRACE(row.name);
    const bool flag = std::holds_alternative<bool FixOptions::*>(row.field);
    const std::string value = flag                ? "true"
                              : row.words.empty() ? std::to_string(std::min(7, row.high))
                                                  : row.words.front();
    FixOptions options;
    ASSERT_TRUE(set_option(options, row.name, value));
    EXPECT_NE(options, FixOptions{});
    EXPECT_THAT(flags_of(options), ElementsAre(flag ? row.flag() : row.flag() + "=" + value));
    const Json json = to_json(options);
    ASSERT_TRUE(json.contains(row.name));
    const bool text = !row.decimal && std::holds_alternative<std::string FixOptions::*>(row.field);
    EXPECT_EQ(json.at(row.name), text ? Json(value) : Json::parse(value));
    EXPECT_EQ(!row.key.empty() || row.name == "safe", !overrides_of(options, "").empty());
  }
  EXPECT_THAT(flags_of({}), IsEmpty());
  EXPECT_EQ(to_json(FixOptions{}), Json::object());
}

TEST(FixOptionsTest, BecomeSettingsAndAPartOfTheRequest) {
  FixOptions options;
  options.max_cost_usd = "2.5";
  options.max_minutes = 10;
  options.safe = true;
  options.challenger = "codex";
  options.base = "main";
  options.approve = "plan";
  std::vector<std::string> settings;
  for (const ConfigOverride& one : overrides_of(options, ""))
    settings.push_back(one.key + "=" + one.value + " by " + one.origin);
  EXPECT_THAT(settings,
              ElementsAre("fix_challenger.agent=codex by --challenger",
                          "budget.cost_usd=2.5 by --max-cost-usd", "budget.time=10m by --max-minutes",
                          "fix.agent=builtin by --safe", "fix_challenger.enabled=true by --safe"));
  EXPECT_EQ(overrides_of(options, "options").front().origin, "options");
  FixRequest request;
  apply(options, request);
  EXPECT_EQ(request.base_ref, "main");
  EXPECT_TRUE(request.wait_for_approval);
}

TEST(FixOptionsTest, RefuseWhatDoesNotFit) {
  FixOptions options;
  EXPECT_THAT(set_option(options, "max_cost_us", "1").error().message,
              HasSubstr("did you mean max_cost_usd"));
  EXPECT_THAT(set_option(options, "jobs", "0").error().message, HasSubstr("from 1 to 64"));
  EXPECT_THAT(set_option(options, "jobs", "many").error().message, HasSubstr("from 1 to 64"));
  EXPECT_THAT(set_option(options, "strategy", "fast").error().message,
              HasSubstr("per-issue, batched, one-call"));
  EXPECT_THAT(set_option(options, "safe", "yes").error().message, HasSubstr("true or false"));
  EXPECT_EQ(options, FixOptions{});
}

} // namespace emend
