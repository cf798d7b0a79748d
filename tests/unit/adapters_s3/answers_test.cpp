#include "adapters/s3/answers.hpp"

#include <gtest/gtest.h>

namespace emend {

namespace {

std::string list(const std::string& inside) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ListBucketResult "
         "xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">" +
         inside + "</ListBucketResult>";
}

std::string object(const std::string& key, const std::string& modified = "2024-02-29T10:00:00.000Z",
                   const std::string& size = "7") {
  return "<Contents><Key>" + key + "</Key><LastModified>" + modified +
         "</LastModified><ETag>&quot;x&quot;</ETag><Size>" + size +
         "</Size><Owner><ID>1</ID><Key>not this one</Key></Owner></Contents>";
}

} // namespace

TEST(S3Answers, AListHasItsObjectsInOrder) {
  const auto page =
      read_object_list(list("<Name>b</Name><Prefix>p/</Prefix><IsTruncated>false</IsTruncated>" +
                            object("p/a") + object("p/b&amp;c")));
  ASSERT_TRUE(page) << page.error().message;
  ASSERT_EQ(page->objects.size(), 2u);
  EXPECT_EQ(page->objects[0].key, "p/a");
  EXPECT_EQ(page->objects[0].size, 7u);
  EXPECT_EQ(page->objects[0].modified_ms, 1709200800000);
  EXPECT_EQ(page->objects[1].key, "p/b&c");
  EXPECT_EQ(page->next, "");
}

TEST(S3Answers, AListThatGoesOnSaysWhere) {
  const auto page = read_object_list(list(
      "<IsTruncated>true</IsTruncated><NextContinuationToken>1ue+/==</NextContinuationToken>" + object("a")));
  ASSERT_TRUE(page) << page.error().message;
  EXPECT_EQ(page->next, "1ue+/==");
}

TEST(S3Answers, KeysAreDecodedWhenTheListSaysSo) {
  const auto page =
      read_object_list(list("<EncodingType>url</EncodingType>" + object("a%20b%2Fc+d%C3%A4%01")));
  ASSERT_TRUE(page) << page.error().message;
  EXPECT_EQ(page->objects.front().key, "a b/c d\xC3\xA4\x01");
  const auto plain = read_object_list(list(object("a%20b")));
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->objects.front().key, "a%20b");
}

TEST(S3Answers, HostileListsAreRefused) {
  const std::string cut = list(object("a"));
  std::string deep;
  for (int i = 0; i < 500; ++i) deep += "<a>";
  std::string many;
  for (int i = 0; i < 10'001; ++i) many += "<Contents><Key>k</Key></Contents>";
  for (const std::string& text : {
           std::string(),
           std::string("<html><body>log in</body></html>"),
           std::string("{}"),
           cut.substr(0, cut.size() - 10),
           list("<IsTruncated>true</IsTruncated>"),
           list("<Contents><Size>1</Size></Contents>"),
           list(deep),
           list(many),
           list("<EncodingType>url</EncodingType>" + object("a%2")),
           list("<EncodingType>url</EncodingType>" + object("a%zz")),
           std::string("<!DOCTYPE x [<!ENTITY a \"aaaa\">]><Error><Code>a</Code></Error>"),
           std::string("<Error><Code>AccessDenied</Code></Error>"),
       }) {
    const auto page = read_object_list(text);
    ASSERT_FALSE(page) << text.substr(0, 200);
    EXPECT_EQ(page.error().code, ErrorCode::io);
  }
}

TEST(S3Answers, WhatCannotBeReadOfAnObjectIsUnknown) {
  const auto page = read_object_list(
      list(object("a", "yesterday", "-3") + object("b", "2024-13-01T00:00:00Z") + object("c", "1-1-1")));
  ASSERT_TRUE(page) << page.error().message;
  ASSERT_EQ(page->objects.size(), 3u);
  for (const StoredObject& each : page->objects) EXPECT_EQ(each.modified_ms, std::nullopt) << each.key;
  EXPECT_EQ(page->objects[0].size, 0u);
}

TEST(S3Answers, TimesAreUtcToTheSecond) {
  EXPECT_EQ(parse_utc_time("2009-10-12T17:50:30.000Z"), 1255369830000);
  EXPECT_EQ(parse_utc_time("2009-10-12T17:50:30Z"), 1255369830000);
  for (const char* text : {"", "2009-10-12", "2009-10-12T17:50:30", "2009-10-12T17:50:30+00:00",
                           "2009-10-12 17:50:30Z", "2009-10-12T25:50:30Z", "2009-1a-12T17:50:30Z",
                           "2009-10-12T17:50:30.xZ", "0000-10-12T17:50:30Z", "99999-10-12T17:50:30Z"})
    EXPECT_EQ(parse_utc_time(text), std::nullopt) << text;
}

TEST(S3Answers, OnlyTheCodeOfAnErrorIsTaken) {
  EXPECT_EQ(
      error_code_in("<Error><Code>NoSuchBucket</Code><Message>The bucket AKIA is secret</Message></Error>"),
      "NoSuchBucket");
  EXPECT_EQ(error_code_in(
                "<Error><Message>m</Message><Detail><Code>Inner</Code></Detail><Code>Outer</Code></Error>"),
            "Outer");
  for (const char* text :
       {"", "no XML", "<Error><Code>two words</Code></Error>", "<Error><Code>\x1b[31m</Code></Error>",
        "<Code>Loose</Code>",
        "<Error><Code>aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa</Code></Error>"})
    EXPECT_EQ(error_code_in(text), "") << text;
}

} // namespace emend
