#include "model/artifact_settings.hpp"

#include <gtest/gtest.h>

namespace emend {

namespace {

Result<ArtifactSettings> with_address(const std::string& address) {
  ArtifactSettings settings;
  TRY(set_address(settings, address));
  return settings;
}

bool takes_endpoint(const std::string& endpoint) {
  ArtifactSettings settings;
  return set_endpoint(settings, endpoint).has_value();
}

} // namespace

TEST(ArtifactSettings, AnAddressIsABucketAndAPrefix) {
  for (const char* address : {"s3://bucket", "s3://bucket/"}) {
    const auto settings = with_address(address);
    ASSERT_TRUE(settings) << address;
    EXPECT_TRUE(settings->remote());
    EXPECT_EQ(settings->address(), "s3://bucket");
    EXPECT_EQ(settings->key("abcdefg1", "runs/x.txt"), "fix-todos/abcdefg1/runs/x.txt");
  }
  const auto settings = with_address("s3://my.bucket-1/team one/a/");
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->bucket, "my.bucket-1");
  EXPECT_EQ(settings->address(), "s3://my.bucket-1/team one/a");
  EXPECT_EQ(settings->key("abcdefg1", "report.json"), "team one/a/fix-todos/abcdefg1/report.json");
}

TEST(ArtifactSettings, NoAddressKeepsThemHere) {
  const auto settings = with_address("");
  ASSERT_TRUE(settings);
  EXPECT_FALSE(settings->remote());
}

TEST(ArtifactSettings, WhatIsNoAddressIsRefused) {
  for (const char* address :
       {"bucket", "s3:/bucket", "https://bucket", "s3://", "s3:///p", "s3://ab", "s3://b@cket",
        "s3://user:pw@bucket", "s3://-bucket", "s3://bucket-", "s3://buc..ket", "s3://bucket//p",
        "s3://bucket/a//b", "s3://bucket/../p", "s3://bucket/./p", "s3://bucket/a\nb", "s3://bucket/a\xff",
        "s3://bucket/\x1b[1m", "S3://bucket"}) {
    const auto settings = with_address(address);
    ASSERT_FALSE(settings) << address;
    EXPECT_EQ(settings.error().code, ErrorCode::config);
  }
  EXPECT_FALSE(with_address("s3://" + std::string(64, 'a')));
  EXPECT_FALSE(with_address("s3://bucket/" + std::string(513, 'a')));
}

TEST(ArtifactSettings, EndpointsHaveTlsUnlessTheyAreOnThisMachine) {
  for (const char* endpoint : {"", "https://s3.example.org", "https://s3.example.org/",
                               "https://s3.example.org:9000", "http://127.0.0.1:9000", "http://127.1.2.3",
                               "http://localhost:1", "http://[::1]:9000", "https://[2001:db8::1]:9000"})
    EXPECT_TRUE(takes_endpoint(endpoint)) << endpoint;
  for (const char* endpoint :
       {"s3.example.org", "http://s3.example.org", "http://127.0.0.1.example.org", "http://127.1",
        "http://localhost.example.org", "http://10.0.0.1:9000", "http://[::2]", "ftp://127.0.0.1", "https://",
        "https://host/path", "https://host?x", "https://user:pw@host", "https://host#x", "https://ho st",
        "https://host\r\nX: y", "http://localhost@evil.example", "http://127.0.0.300"})
    EXPECT_FALSE(takes_endpoint(endpoint)) << endpoint;
}

TEST(ArtifactSettings, TwoServersAreTwoPlaces) {
  ArtifactSettings one, two;
  ASSERT_TRUE(set_address(one, "s3://bucket") && set_address(two, "s3://bucket"));
  EXPECT_EQ(one.place(), two.place());
  ASSERT_TRUE(set_endpoint(two, "https://s3.example.org"));
  EXPECT_NE(one.place(), two.place());
}

} // namespace emend
