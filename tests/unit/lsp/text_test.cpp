#include "lsp/text.hpp"

#include <gtest/gtest.h>

namespace emend::lsp {
namespace {

TEST(Text, CountsCharactersAsTheEditorDoes) {
  const Text text("a\xC3\xA4\xF0\x9F\x98\x80z\r\nb"); // a, a with dots, a face, z
  EXPECT_EQ(text.lines(), 2);
  EXPECT_EQ(text.line(0), "a\xC3\xA4\xF0\x9F\x98\x80z");
  EXPECT_EQ(text.offset_at({0, 4}, Encoding::utf16), 7U);
  EXPECT_EQ(text.offset_at({0, 7}, Encoding::utf8), 7U);
  EXPECT_EQ(text.position_at(7, Encoding::utf16), (Position{0, 4}));
  EXPECT_EQ(text.position_at(7, Encoding::utf8), (Position{0, 7}));
  EXPECT_EQ(text.offset_at({1, 0}, Encoding::utf16), 10U);
}

TEST(Text, TakesPositionsPastAnEndAsTheEnd) {
  const Text text("ab\ncd");
  EXPECT_EQ(text.offset_at({0, 99}, Encoding::utf16), 2U);
  EXPECT_EQ(text.offset_at({9, 0}, Encoding::utf16), 5U);
  EXPECT_EQ(text.position_at(99, Encoding::utf16), (Position{1, 2}));
  EXPECT_EQ(Text("").offset_at({0, 0}, Encoding::utf8), 0U);
  EXPECT_EQ(Text("").line(3), "");
}

TEST(Text, ReplacesARange) {
  Text text("one\ntwo\nthree\n");
  text.replace({{0, 3}, {1, 3}}, "!\nx\ny", Encoding::utf16);
  EXPECT_EQ(text.bytes(), "one!\nx\ny\nthree\n");
  EXPECT_EQ(text.line(3), "three");
  text.replace({{2, 1}, {0, 0}}, "z", Encoding::utf16); // a range that ends before it starts inserts
  EXPECT_EQ(text.bytes(), "one!\nx\nyz\nthree\n");
}

TEST(Text, TheDifferenceMakesTheNewText) {
  const char* texts[] = {"",     "a\n", "a\nb\n",       "a\nb\nc\n", "x\nb\nc\n",
                         "a\nb", "b\n", "a\nb\nb\nc\n", "\xC3\xA4"};
  for (const char* before : texts)
    for (const char* after : texts)
      for (const Encoding encoding : {Encoding::utf8, Encoding::utf16}) {
        const Replacement made = difference(Text(before), Text(after), encoding);
        Text text(before);
        text.replace(made.range, made.text, encoding);
        EXPECT_EQ(text.bytes(), after) << before << " -> " << after;
      }
  const Replacement small = difference(Text("a\nb\nc\n"), Text("a\nB\nc\n"), Encoding::utf16);
  EXPECT_EQ(small.range, (Range{{1, 0}, {2, 0}}));
  EXPECT_EQ(small.text, "B\n");
}

TEST(Text, UrisNameFilesOfThisMachine) {
  EXPECT_EQ(path_of_uri("file:///a%20b/%C3%A4.py"), "/a b/\xC3\xA4.py");
  EXPECT_EQ(path_of_uri(uri_of_path("/a b/\xC3\xA4#?.py")), "/a b/\xC3\xA4#?.py");
  for (const char* other : {"untitled:1", "file://host/a", "file:///a%2", "file:///a%00b", "file:///%zz", ""})
    EXPECT_FALSE(path_of_uri(other)) << other;
}

TEST(Text, ReadsRangesStrictly) {
  const auto good = parse_json(R"({"start":{"line":1,"character":2},"end":{"line":3,"character":4}})");
  EXPECT_EQ(range_of(*good), (Range{{1, 2}, {3, 4}}));
  for (const char* bad :
       {"{}", "[]", R"({"start":{"line":-1,"character":0},"end":{"line":0,"character":0}})",
        R"({"start":{"line":1e99,"character":0},"end":{"line":0,"character":0}})", R"({"start":3,"end":4})"})
    EXPECT_FALSE(range_of(*parse_json(bad))) << bad;
}

} // namespace
} // namespace emend::lsp
