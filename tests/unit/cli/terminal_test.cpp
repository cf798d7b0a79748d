#include "cli/terminal.hpp"

#include <gtest/gtest.h>

#include "base/environment.hpp"
#include "cli/state_directory.hpp"

namespace emend {

TEST(WantsColor, FollowsTheSharedConventions) {
  EXPECT_TRUE(wants_color("auto", {"TERM=xterm"}, true));
  EXPECT_FALSE(wants_color("auto", {"TERM=xterm"}, false));
  EXPECT_FALSE(wants_color("auto", {"TERM=dumb"}, true));
  EXPECT_FALSE(wants_color("auto", {"NO_COLOR=1", "CLICOLOR_FORCE=1"}, true));
  EXPECT_TRUE(wants_color("auto", {"NO_COLOR="}, true));
  EXPECT_TRUE(wants_color("auto", {"CLICOLOR_FORCE=1"}, false));
  EXPECT_FALSE(wants_color("auto", {"CLICOLOR_FORCE=0"}, false));
  EXPECT_TRUE(wants_color("always", {"NO_COLOR=1"}, false));
  EXPECT_FALSE(wants_color("never", {"CLICOLOR_FORCE=1"}, true));
}

TEST(MayAsk, NeedsAPersonWhoDidNotSayNo) {
  EXPECT_TRUE(may_ask(false, {}, true, true));
  EXPECT_FALSE(may_ask(true, {}, true, true));
  EXPECT_FALSE(may_ask(false, {}, false, true));
  EXPECT_FALSE(may_ask(false, {}, true, false));
  EXPECT_FALSE(may_ask(false, {"CI=true"}, true, true));
  EXPECT_TRUE(may_ask(false, {"CI=false"}, true, true));
  EXPECT_FALSE(may_ask(false, {"EMEND_NO_INPUT=1"}, true, true));
}

TEST(Variable, MatchesTheWholeName) {
  EXPECT_EQ(variable({"HOMEX=1", "HOME=2"}, "HOME"), "2");
  EXPECT_EQ(variable({"HOME="}, "HOME"), "");
  EXPECT_EQ(variable({}, "HOME"), "");
}

TEST(StateDirectory, FollowsEmendHomeThenXdgThenHome) {
  EXPECT_EQ(*state_directory({"EMEND_HOME=/e/../f", "XDG_STATE_HOME=/x", "HOME=/h"}), "/f");
  EXPECT_EQ(*state_directory({"XDG_STATE_HOME=/x", "HOME=/h"}), "/x/emend");
  EXPECT_EQ(*state_directory({"XDG_STATE_HOME=relative", "HOME=/h"}), "/h/.local/state/emend");
  EXPECT_FALSE(state_directory({}));
}

TEST(UserConfigFile, LiesWithEmendHomeOrInTheXdgPlace) {
  EXPECT_EQ(user_config_file({"EMEND_HOME=/e", "HOME=/h"}), "/e/config.toml");
  EXPECT_EQ(user_config_file({"XDG_CONFIG_HOME=/c"}), "/c/emend/config.toml");
  EXPECT_EQ(user_config_file({"HOME=/h"}), "/h/.config/emend/config.toml");
  EXPECT_EQ(user_config_file({}), "");
}

} // namespace emend
