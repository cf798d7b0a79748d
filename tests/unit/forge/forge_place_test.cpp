#include "model/forge_place.hpp"

#include <gtest/gtest.h>

namespace emend {

TEST(ForgePlaceTest, AddressesOfRemotesAreTakenApart) {
  const auto same = [](const char* url, const char* host, const char* project) {
    const auto address = parse_remote_address(url);
    ASSERT_TRUE(address) << url;
    EXPECT_EQ(address->host, host) << url;
    EXPECT_EQ(address->project, project) << url;
  };
  same("https://github.com/Team/App.git", "github.com", "Team/App");
  same("https://user:secret@GitHub.com/team/app/", "github.com", "team/app");
  same("git@github.com:team/app.git", "github.com", "team/app");
  same("ssh://git@gitlab.example.org:2222/group/sub/app.git", "gitlab.example.org", "group/sub/app");
  same("https://forge.example:8443/team/app", "forge.example:8443", "team/app");
  for (const char* url : {"/srv/app.git", "../app.git", "file:///srv/team/app", "https://github.com/app",
                          "https://github.com/team/../x", "https://github.com/team/a b", "", "C:\\x"})
    EXPECT_FALSE(parse_remote_address(url)) << url;
}

TEST(ForgePlaceTest, HostsAreKnownByNameEnvironmentOrConfigurationAndByNothingElse) {
  const auto api = [](const char* host, const ForgeSettings& settings,
                      const std::vector<std::string>& environment) {
    const auto place = place_of({host, "team/app"}, settings, environment);
    return place ? place->kind->name + " " + place->api_url : "error";
  };
  EXPECT_EQ(api("github.com", {}, {}), "github https://api.github.com");
  EXPECT_EQ(api("gitlab.com", {}, {}), "gitlab https://gitlab.com/api/v4");
  EXPECT_EQ(api("acme.ghe.com", {}, {}), "github https://api.acme.ghe.com");
  EXPECT_EQ(api("code.example", {}, {}), "error");
  EXPECT_EQ(api("code.example", {}, {"GH_HOST=code.example"}), "github https://code.example/api/v3");
  EXPECT_EQ(api("code.example", {},
                {"CI_SERVER_HOST=code.example", "CI_API_V4_URL=https://code.example/x/api/v4/"}),
            "gitlab https://code.example/x/api/v4");
  EXPECT_EQ(api("github.com", {}, {"GITHUB_API_URL=http://127.0.0.1:9"}), "github http://127.0.0.1:9");
  EXPECT_EQ(api("github.com", {},
                {"GITHUB_API_URL=https://code.example/api/v3", "GITHUB_SERVER_URL=https://code.example"}),
            "github https://api.github.com")
      << "it is another host's";
  EXPECT_EQ(api("code.example", {"gitlab", "", {}, true, false}, {}), "gitlab https://code.example/api/v4");
  EXPECT_EQ(api("code.example", {"github", "", {}, true, false}, {"GITHUB_API_URL=https://api.github.com"}),
            "github https://code.example/api/v3")
      << "nothing says that it is its own";
  EXPECT_EQ(api("github.com", {"none", "", {}, true, false}, {}), "error");
  EXPECT_EQ(api("github.com", {"auto", "http://code.example/api", {}, true, false}, {}), "error")
      << "a token needs TLS";
}

TEST(ForgePlaceTest, PullRequestsAreNamedByNumberOrAddress) {
  EXPECT_EQ(parse_pull_name("42")->number, 42);
  EXPECT_EQ(parse_pull_name("#42")->number, 42);
  EXPECT_EQ(parse_pull_name("!7")->number, 7);
  const auto github = parse_pull_name("https://github.com/team/app/pull/42/files?w=1#x");
  EXPECT_EQ(github->number, 42);
  EXPECT_EQ(github->at->project, "team/app");
  const auto gitlab = parse_pull_name("gitlab.example/group/sub/app/-/merge_requests/7");
  EXPECT_EQ(gitlab->number, 7);
  EXPECT_EQ(gitlab->at->host + "/" + gitlab->at->project, "gitlab.example/group/sub/app");
  for (const char* word : {"", "feature", "0", "-1", "4x", "https://github.com/team/app",
                           "https://github.com/team/app/pull/x", "99999999999"})
    EXPECT_FALSE(parse_pull_name(word)) << word;
}

TEST(ForgePlaceTest, LinksStayRight) {
  const ForgePlace github{find_forge_kind("github"), "github.com", "team/app", "", ""},
      gitlab{find_forge_kind("gitlab"), "gitlab.com", "g/s/app", "", ""};
  EXPECT_EQ(github.permalink("abc", "src/a b#.c", 3),
            "https://github.com/team/app/blob/abc/src/a%20b%23.c#L3");
  EXPECT_EQ(gitlab.permalink("abc", "a.c", 0), "https://gitlab.com/g/s/app/-/blob/abc/a.c");
}

} // namespace emend
