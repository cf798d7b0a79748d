#include "adapters/s3/signature.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/hash.hpp"

namespace emend {

namespace {

using testing::HasSubstr;

// The account, the moment and the signatures of the examples Amazon has published for S3.
constexpr const char* kSecret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
const SigningScope kScope{1369353600, "us-east-1"}; // 2013-05-24
const std::string kNothing = sha256_hex("");

UnsignedRequest example(const std::string& method, const std::string& path,
                        const std::string& payload = kNothing) {
  return {method,
          path,
          {},
          {{"host", "examplebucket.s3.amazonaws.com"},
           {"x-amz-content-sha256", payload},
           {"x-amz-date", "20130524T000000Z"}},
          payload};
}

} // namespace

TEST(Signature, IsThePublishedOneForReadingAPartOfAnObject) {
  UnsignedRequest request = example("GET", "/test.txt");
  request.headers.emplace_back("range", "bytes=0-9");
  EXPECT_EQ(signature_of(request, kScope, kSecret),
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
}

TEST(Signature, IsThePublishedOneForStoringAnObjectWithAnOddName) {
  UnsignedRequest request =
      example("PUT", "/" + uri_encoded("test$file.text", true), sha256_hex("Welcome to Amazon S3."));
  request.headers.emplace_back("date", "Fri, 24 May 2013 00:00:00 GMT");
  request.headers.emplace_back("x-amz-storage-class", "REDUCED_REDUNDANCY");
  EXPECT_EQ(signature_of(request, kScope, kSecret),
            "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
}

TEST(Signature, IsThePublishedOneForAParameterWithoutAValue) {
  UnsignedRequest request = example("GET", "/");
  request.query = {{"lifecycle", ""}};
  EXPECT_EQ(signature_of(request, kScope, kSecret),
            "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
}

TEST(Signature, IsThePublishedOneForAListWhateverTheOrderOfItsParameters) {
  UnsignedRequest request = example("GET", "/");
  request.query = {{"prefix", "J"}, {"max-keys", "2"}};
  EXPECT_EQ(signature_of(request, kScope, kSecret),
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
}

TEST(Signature, IsThePublishedOneForAnotherService) {
  const SigningScope scope{1440938160, "us-east-1", "service"}; // 2015-08-30 12:36
  UnsignedRequest request{
      "GET", "/", {}, {{"x-amz-date", "20150830T123600Z"}, {"host", "example.amazonaws.com"}}, kNothing};
  constexpr const char* kOther = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
  EXPECT_EQ(signature_of(request, scope, kOther),
            "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31");
  request.query = {{"Param2", "value2"}, {"Param1", "value1"}};
  EXPECT_EQ(signature_of(request, scope, kOther),
            "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500");
}

TEST(Signature, AuthorizationNamesWhatIsSignedAndNeverTheSecret) {
  UnsignedRequest request = example("GET", "/test.txt");
  request.headers.emplace_back("range", "bytes=0-9");
  const std::string header = authorization(request, kScope, {"AKIAIOSFODNN7EXAMPLE", kSecret, "a-token"});
  EXPECT_EQ(header,
            "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
            "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
            "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
}

TEST(Signature, EveryPartOfTheRequestCounts) {
  const UnsignedRequest request = example("GET", "/a");
  const std::string signature = signature_of(request, kScope, kSecret);
  UnsignedRequest other = request;
  other.method = "PUT";
  EXPECT_NE(signature_of(other, kScope, kSecret), signature);
  other = request;
  other.path = "/b";
  EXPECT_NE(signature_of(other, kScope, kSecret), signature);
  other = request;
  other.query = {{"a", ""}};
  EXPECT_NE(signature_of(other, kScope, kSecret), signature);
  other = request;
  other.payload_sha256 = sha256_hex("x");
  EXPECT_NE(signature_of(other, kScope, kSecret), signature);
  other = request;
  other.headers.emplace_back("x-amz-security-token", "t");
  EXPECT_NE(signature_of(other, kScope, kSecret), signature);
  EXPECT_NE(signature_of(request, {1369353601, "us-east-1"}, kSecret), signature);
  EXPECT_NE(signature_of(request, {1369353600, "eu-central-1"}, kSecret), signature);
  EXPECT_NE(signature_of(request, kScope, "another"), signature);
}

TEST(Signature, EncodesEverythingButUnreservedCharacters) {
  EXPECT_EQ(uri_encoded("AZaz09-._~", false), "AZaz09-._~");
  EXPECT_EQ(uri_encoded("a b+c/d", false), "a%20b%2Bc%2Fd");
  EXPECT_EQ(uri_encoded("a b+c/d", true), "a%20b%2Bc/d");
  EXPECT_EQ(uri_encoded("!*'();:@&=$,?#[]%", false), "%21%2A%27%28%29%3B%3A%40%26%3D%24%2C%3F%23%5B%5D%25");
  EXPECT_EQ(uri_encoded("\xC3\xA4\n\x01", false), "%C3%A4%0A%01");
  EXPECT_EQ(uri_encoded(std::string_view("\0", 1), false), "%00");
}

TEST(Signature, QueriesAreSortedAsTheyAreEncoded) {
  EXPECT_EQ(query_text({{"b", "1"}, {"a", "2"}, {"a", "1"}}), "a=1&a=2&b=1");
  EXPECT_EQ(query_text({{"prefix", "a/b c"}, {"list-type", "2"}}), "list-type=2&prefix=a%2Fb%20c");
  EXPECT_EQ(query_text({{"{", "x"}, {"a", "y"}}), "%7B=x&a=y"); // '{' is behind 'a', "%7B" before it
  EXPECT_EQ(query_text({}), "");
}

TEST(Signature, HeadersAreSortedAndTheirBlanksFolded) {
  UnsignedRequest request = example("GET", "/");
  request.headers.emplace_back("a-header", "  two   words ");
  EXPECT_THAT(canonical_request(request), HasSubstr("\n\na-header:two words\nhost:"));
}

TEST(Signature, DatesAreInUtc) {
  EXPECT_EQ(amz_date(0), "19700101T000000Z");
  EXPECT_EQ(amz_date(1709164799), "20240228T235959Z");
  EXPECT_EQ(amz_date(1709164800), "20240229T000000Z");
}

} // namespace emend
