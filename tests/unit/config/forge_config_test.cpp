// [forge], [tracker] and what [pr] says about posting, as the values they steer.
#include "config/forge_config.hpp"

#include <gmock/gmock.h>

#include "tests/unit/config/config_fixture.hpp"

namespace emend {

using testing::ElementsAre;
using testing::HasSubstr;

class ForgeConfigTest : public ConfigFixture {
protected:
  // The user's own file: trusted.
  void user(const std::string& text) { write(base_ / "user" / "config.toml", text); }
};

TEST_F(ForgeConfigTest, NothingIsSentUnlessSomebodySaysSo) {
  const Config config = load();
  EXPECT_FALSE(posting_settings(config).any());
  EXPECT_FALSE(forge_settings(config).value().allow_push);
  EXPECT_TRUE(tracker_settings(config).value().dry_run);
  EXPECT_THAT(posting_settings(config).skip_labels, ElementsAre("emend-skip"));
}

TEST_F(ForgeConfigTest, EveryKeyReachesItsValue) {
  user(
      "[pr]\npost=\"both\"\nsuggest=true\nmax_inline=7\nskip_labels=[\"no\"]\nskip_drafts=false\n"
      "[forge]\nkind=\"gitlab\"\napi_url=\"https://code.example/api/"
      "v4\"\ntoken_env=[\"MINE\"]\nuse_gh_cli=false\nallow_push=true\n"
      "[tracker]\nkind=\"none\"\nlabels=[\"bot\"]\nopen_for=[\"exhausted\"]\ndry_run=false\n");
  const Config config = load();
  const PostingSettings posting = posting_settings(config);
  EXPECT_TRUE(posting.summary && posting.inline_comments && posting.suggest && !posting.skip_drafts);
  EXPECT_EQ(posting.max_inline, 7);
  EXPECT_THAT(posting.skip_labels, ElementsAre("no"));
  const ForgeSettings forge = forge_settings(config).value();
  EXPECT_EQ(forge.kind + " " + forge.api_url, "gitlab https://code.example/api/v4");
  EXPECT_THAT(forge.token_env, ElementsAre("MINE"));
  EXPECT_TRUE(!forge.use_gh_cli && forge.allow_push);
  const TrackerSettings tracker = tracker_settings(config).value();
  EXPECT_TRUE(!tracker.enabled && !tracker.blocked && tracker.exhausted && !tracker.dry_run);
  EXPECT_THAT(tracker.labels, ElementsAre("bot"));
}

TEST_F(ForgeConfigTest, WordsThatMeanNothingAreSaid) {
  user("[forge]\napi_url=\"http://code.example\"\n[tracker]\nopen_for=[\"all\"]\n");
  const Config config = load();
  EXPECT_THAT(forge_settings(config).error().message, HasSubstr("forge.api_url"));
  EXPECT_THAT(tracker_settings(config).error().message, HasSubstr("\"all\""));
}

} // namespace emend
