#include "adapters/openid/id_token.hpp"

#include <gtest/gtest.h>

#include "base/signature.hpp"

namespace emend {
namespace {

// RFC 7515, A.3.
const std::string kSigned =
    "eyJhbGciOiJFUzI1NiJ9."
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
const std::string kSignature =
    "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";
const char* const kX = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU";
const char* const kY = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0";

P256PublicKey key() { return {*from_base64url(kX), *from_base64url(kY)}; }

TEST(SignatureTest, HoldsForTheBytesThatWereSigned) {
  const std::string signature = *from_base64url(kSignature);
  EXPECT_TRUE(p256_signature_holds(key(), kSigned, signature));
  EXPECT_FALSE(p256_signature_holds(key(), kSigned + "a", signature));
  EXPECT_FALSE(p256_signature_holds(key(), kSigned, std::string(64, '\0')));
  EXPECT_FALSE(p256_signature_holds(key(), kSigned, signature.substr(1)));
}

TEST(SignatureTest, RefusesWhatIsNoKey) {
  P256PublicKey beside = key();
  beside.y[31] = static_cast<char>(beside.y[31] ^ 1); // not on the curve
  EXPECT_FALSE(p256_signature_holds(beside, kSigned, *from_base64url(kSignature)));
  EXPECT_FALSE(p256_signature_holds({"", ""}, kSigned, *from_base64url(kSignature)));
  EXPECT_FALSE(rsa_signature_holds({std::string(64, '\x7f'), "\x03"}, kSigned, std::string(64, 'x')));
  EXPECT_FALSE(rsa_signature_holds({"", ""}, "", ""));
}

TEST(Base64UrlTest, HasOneSpelling) {
  EXPECT_EQ(to_base64url(std::string("\xfb\xff", 2)), "-_8");
  EXPECT_EQ(from_base64url("-_8"), std::string("\xfb\xff", 2));
  for (const char* wrong : {"-_8=", "+/8", "-_9", "a", "-_8 "}) EXPECT_FALSE(from_base64url(wrong)) << wrong;
}

// Expired long ago, so the signature alone decides what is said.
TEST(IdTokenTest, LooksAtTheSignatureFirst) {
  const IdTokenRules rules{"joe", "emend", "n", 1'300'819'000'000};
  const Json keys = {{"keys", {{{"kty", "EC"}, {"crv", "P-256"}, {"x", kX}, {"y", kY}}}}};
  const auto held = check_id_token(kSigned + "." + kSignature, keys, rules);
  ASSERT_FALSE(held);
  EXPECT_EQ(held.error().message, "the provider's ID token is refused: it is meant for somebody else");
  const auto none = check_id_token(kSigned + "." + kSignature, {{"keys", Json::array()}}, rules);
  EXPECT_EQ(none.error().code, ErrorCode::not_found);
  Json rsa_only = keys;
  rsa_only["keys"][0]["alg"] = "RS256";
  EXPECT_EQ(check_id_token(kSigned + "." + kSignature, rsa_only, rules).error().code, ErrorCode::not_found);
}

} // namespace
} // namespace emend
