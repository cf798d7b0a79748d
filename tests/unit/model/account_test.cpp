#include "model/account.hpp"

#include <gtest/gtest.h>

#include <set>

namespace emend {

TEST(AccessTokens, AreRecognisedByPrefixAndChecksum) {
  std::set<std::string> seen;
  for (int i = 0; i < 200; ++i) {
    const std::string token = new_access_token();
    EXPECT_TRUE(is_access_token(token)) << token;
    EXPECT_TRUE(token.starts_with("emend_pat_"));
    EXPECT_EQ(token.size(), 46U);
    EXPECT_TRUE(seen.insert(token).second);
    for (const std::size_t place : {std::size_t{10}, std::size_t{30}, token.size() - 1}) {
      std::string changed = token;
      changed[place] = changed[place] == 'a' ? 'b' : 'a';
      EXPECT_FALSE(is_access_token(changed)) << changed;
    }
  }
  EXPECT_FALSE(is_access_token(""));
  EXPECT_FALSE(is_access_token("emend_pat_"));
}

TEST(RightsOfSomebody, EachRoleIncludesTheOnesBeforeIt) {
  const Rights rights({{"a", "r", Role::run}, {"a", "*", Role::read}});
  EXPECT_TRUE(rights.may(Role::decide, "r"));
  EXPECT_FALSE(rights.may(Role::administer, "r"));
  EXPECT_TRUE(rights.may(Role::read, "another"));
  EXPECT_FALSE(rights.may(Role::decide, "another"));
  EXPECT_FALSE(rights.may(Role::decide, kEverywhere)) << "one repository is not all of them";
  EXPECT_EQ(rights.repositories(), std::nullopt);
  EXPECT_EQ(rights.repositories(Role::run), std::vector<std::string>{"r"});
  EXPECT_FALSE(Rights().may(Role::read, ""));
  EXPECT_FALSE(Rights().may(Role::read, kEverywhere));
  EXPECT_EQ(Rights().repositories(), std::vector<std::string>());
  EXPECT_TRUE(Rights::all().may(Role::administer, "any"));
}

TEST(ActorsOfChanges, AreShownWithWhatTheyWorkThrough) {
  const Actor ann{ActorKind::person, "a", "Ann Lee", {}};
  EXPECT_EQ(ann.shown(), "Ann Lee");
  EXPECT_EQ(ann.through("Claude Code").shown(), "Ann Lee through Claude Code");
  EXPECT_EQ(to_json(actor_from_json(to_json(ann.through("x")))), to_json(ann.through("x")));
  EXPECT_EQ(clean_name(" a\x1b[31mb\nsecond "), "ab");
}

} // namespace emend
