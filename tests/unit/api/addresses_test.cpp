#include "api/addresses.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

TEST(Addresses, LinksToAnIpv6AddressHaveBrackets) {
  EXPECT_EQ(local_origin("::1", 8790), "http://[::1]:8790");
  EXPECT_EQ(local_origin("::", 8790), "http://[::1]:8790") << "one that listens everywhere is here";
  EXPECT_EQ(local_origin("fd00::5", 1), "http://[fd00::5]:1");
  EXPECT_EQ(local_origin("127.0.0.1", 8790), "http://127.0.0.1:8790");
  EXPECT_EQ(local_origin("0.0.0.0", 80), "http://127.0.0.1:80");
  EXPECT_EQ(reachable_address("::"), "::1");
  EXPECT_EQ(reachable_address("10.0.0.5"), "10.0.0.5");
}

TEST(Addresses, PeopleAreSentWhereTheyReachTheServer) {
  const std::string local = local_origin("::1", 8790);
  EXPECT_EQ(public_origin({}, local).value(), "http://[::1]:8790");
  EXPECT_EQ(public_origin({"", {"emend.example.org", "b"}, true}, local).value(),
            "https://emend.example.org");
  EXPECT_EQ(public_origin({"", {"emend.example.org:81"}, false}, local).value(),
            "http://emend.example.org:81");
  EXPECT_EQ(public_origin({"https://[fd00::5]:8443/", {"b"}, true}, local).value(), "https://[fd00::5]:8443");
  for (const char* wrong :
       {"emend.example.org", "ftp://a", "https://a b", "https://", "https://a?x", "https://u@a"})
    EXPECT_FALSE(public_origin({wrong, {}, false}, local)) << wrong;
}

} // namespace
} // namespace emend
