#include "engine/patch/content_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/engine/changes.hpp"

namespace emend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::string> hits(const FileChange& change) {
  static const Redactor redactor;
  return content_problems(Patch{{change}}, redactor);
}

std::vector<std::string> added(const std::string& line) {
  return hits(changed("src/a.py", "x\n", "x\n" + line + "\n"));
}

std::string fake_aws() { return std::string("AK") + "IA" + "ABCDEFGHIJKLMNOP"; }
std::string fake_github() { return std::string("gh") + "p_" + std::string(36, 'a'); }

TEST(ContentRules, Secrets) {
  EXPECT_THAT(added("key = '" + fake_aws() + "'"), ElementsAre(HasSubstr("adds what looks like a secret")));
  EXPECT_THAT(added("key = os.environ['KEY']"), IsEmpty());
  EXPECT_THAT(hits(changed("a.py", "key = '" + fake_aws() + "'\n", "key = os.environ['KEY']\n")), IsEmpty())
      << "the fix for it";
  EXPECT_THAT(hits(changed("a.py", "key = '" + fake_aws() + "'\n", "print('" + fake_aws() + "')\n")),
              IsEmpty())
      << "was there before";
  EXPECT_THAT(hits(changed("a.py", "key = '" + fake_aws() + "'\n", "key = '" + fake_github() + "'\n")),
              SizeIs(1))
      << "one for another";
}

TEST(ContentRules, CharactersThatNobodySees) {
  for (const char* character : {"\xE2\x80\xAE", "\xE2\x81\xA6", "\xE2\x80\x8B", "\xEF\xBB\xBF", "\xC2\xAD",
                                "\xF3\xA0\x81\x81", "\x1b[8m", "\x08", "\x7f", "\xC2\x9B"})
    EXPECT_THAT(added(std::string("a = 'x") + character + "y'"),
                ElementsAre(HasSubstr("src/a.py adds characters that nobody sees")))
        << character;
  EXPECT_THAT(added("a = 'gr\xC3\xBC\xC3\x9F \xE2\x9C\x93 \xE4\xBD\xA0'"), IsEmpty());
  EXPECT_THAT(added("a = '\U0001F468\u200D\U0001F4BB \u2764\ufe0f'\f"), IsEmpty())
      << "emoji are joined by one";
  EXPECT_THAT(hits(changed("a.cs", "\xEF\xBB\xBFint a;\n", "\xEF\xBB\xBFint b;\n")), IsEmpty())
      << "it was there";
  EXPECT_THAT(hits(changed("a.c", "int x; // \x1b\n", "int y; // \x1b\n")), IsEmpty());
}

TEST(ContentRules, DamagedEncoding) {
  EXPECT_THAT(hits(changed("a.c", "// gr\xFC\xDF\nint a;\n", "// gr\xEF\xBF\xBD\xEF\xBF\xBD\nint b;\n")),
              ElementsAre(HasSubstr("U+FFFD")));
  EXPECT_THAT(hits(changed("a.c", "// \xEF\xBF\xBD\nint a;\n", "// \xEF\xBF\xBD\nint b;\n")), IsEmpty());
  EXPECT_THAT(hits(changed("a.c", "// gr\xFC\xDF\nint a;\n", "// gr\xFC\xDF\nint b;\n")), IsEmpty())
      << "Latin-1 that stays so";
  EXPECT_THAT(hits(changed("a.c", "int x; // \xC3\xA9\n", "int x; // \xE9\n")),
              ElementsAre(HasSubstr("was valid UTF-8")));
}

TEST(ContentRules, TheLookOfCodeRefusesNothing) {
  for (const char* line :
       {"sys.exit(0)", "x = 1  # noqa", "import pytest", "os.getenv('CI')", "except: pass"})
    EXPECT_THAT(added(line), IsEmpty()) << line;
}

} // namespace
} // namespace emend
