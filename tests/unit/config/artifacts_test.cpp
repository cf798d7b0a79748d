#include "tests/unit/config/config_fixture.hpp"

namespace emend {

class ArtifactKeys : public ConfigFixture {
protected:
  void set(const std::string& key, const std::string& value) {
    sources_.overrides.push_back({"artifacts." + key, value, "--set"});
  }

  ArtifactSettings settings(const std::vector<std::string>& environment = {}) {
    const auto found = load().artifacts(environment);
    EXPECT_TRUE(found) << found.error().message;
    return found.value_or(ArtifactSettings{});
  }
};

TEST_F(ArtifactKeys, ByDefaultTheyStayInTheLocalFolderForTenDays) {
  EXPECT_FALSE(settings().remote());
  EXPECT_EQ(settings().retention_days, 10);
}

TEST_F(ArtifactKeys, TheBucketIsInTheHostsNameAtAmazonsAndInThePathElsewhere) {
  set("store", "s3://bucket/p");
  EXPECT_EQ(settings().address(), "s3://bucket/p");
  EXPECT_FALSE(settings().bucket_in_path);
  set("endpoint", "https://s3.example.org");
  EXPECT_TRUE(settings().bucket_in_path);
  set("addressing", "host");
  EXPECT_FALSE(settings().bucket_in_path);
  set("addressing", "path");
  set("endpoint", "");
  EXPECT_TRUE(settings().bucket_in_path);
  set("addressing", "auto");
  set("store", "s3://my.bucket");
  EXPECT_TRUE(settings().bucket_in_path) << "no certificate is good for such a host";
}

TEST_F(ArtifactKeys, TheRegionIsTheOneThatIsSetElseTheEnvironments) {
  EXPECT_EQ(settings().region, "us-east-1");
  EXPECT_EQ(settings({"AWS_DEFAULT_REGION=eu-west-1"}).region, "eu-west-1");
  EXPECT_EQ(settings({"AWS_DEFAULT_REGION=eu-west-1", "AWS_REGION=eu-west-2"}).region, "eu-west-2");
  set("region", "eu-central-1");
  EXPECT_EQ(settings({"AWS_REGION=eu-west-2"}).region, "eu-central-1");
}

TEST_F(ArtifactKeys, WhatCannotBeIsAnErrorThatNamesTheKey) {
  for (const auto& [key, value] :
       std::vector<std::pair<std::string, std::string>>{{"store", "bucket"},
                                                        {"endpoint", "http://s3.example.org"},
                                                        {"region", "eu central"},
                                                        {"region", "a/b"}}) {
    sources_.overrides.clear();
    set(key, value);
    const auto found = load().artifacts({});
    ASSERT_FALSE(found) << key << value;
    EXPECT_EQ(found.error().code, ErrorCode::config);
    EXPECT_EQ(found.error().message.rfind("artifacts." + key, 0), 0u) << found.error().message;
  }
}

TEST_F(ArtifactKeys, ARepositoryIsNotAskedUnlessItIsTrusted) {
  const auto file = write(
      root_ / "emend.toml",
      "[artifacts]\nstore = \"s3://theirs\"\nendpoint = \"https://their.example\"\nretention_days = 1\n");
  EXPECT_FALSE(settings().remote());
  EXPECT_EQ(settings().endpoint, "");
  EXPECT_EQ(settings().retention_days, 10);
  trust(file);
  EXPECT_EQ(settings().address(), "s3://theirs");
  EXPECT_EQ(settings().retention_days, 1);
}

} // namespace emend
