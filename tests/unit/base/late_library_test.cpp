#include "base/late_library.hpp"

#include <expat.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace emend {
namespace {

TEST(LateLibraries, AreLoadedWithTheFirstCallAndCalledLikeTheFunction) {
  LateLibrary library("libexpat.so.1", "libexpat1");
  const LateFunction<decltype(&::XML_ExpatVersion)> version(library, "XML_ExpatVersion");
  const LateFunction<decltype(&::XML_ErrorString)> words(library, "XML_ErrorString");
  EXPECT_STREQ(version(), XML_ExpatVersion());
  EXPECT_STREQ(words(XML_ERROR_SYNTAX), XML_ErrorString(XML_ERROR_SYNTAX)) << "each its own function";
  EXPECT_STREQ(version(), XML_ExpatVersion());
  EXPECT_TRUE(library.load()) << "loaded already";
}

TEST(LateLibraries, SayWhatToInstallWhenTheyAreMissing) {
  LateLibrary library("libnobody-has-this.so.1", "nobody-has-this");
  const Status loaded = library.load();
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, ErrorCode::io);
  EXPECT_NE(loaded.error().message.find("libnobody-has-this.so.1"), std::string::npos);
  EXPECT_EQ(loaded.error().remedy, "install the package nobody-has-this");
  EXPECT_FALSE(library.load()) << "asked again";
}

TEST(LateLibraries, NeverCallWhatIsNotThere) {
  LateLibrary library("libexpat.so.1", "libexpat1");
  const LateFunction<int (*)()> missing(library, "XML_NoSuchFunction");
  EXPECT_THROW((void)missing(), std::runtime_error);
}

} // namespace
} // namespace emend
