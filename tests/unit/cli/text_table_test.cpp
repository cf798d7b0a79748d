#include "cli/text_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/strings.hpp"

namespace emend {

TEST(TextTable, AlignsColumnsByCodePoints) {
  TextTable table({"code", "what"});
  table.add({{"BE-001"}, {"x"}});
  table.add({{"größe"}, {"y"}});
  EXPECT_EQ(table.render({}), "code    what\nBE-001  x\ngröße   y\n");
  EXPECT_EQ(table.render({}, "  ").substr(0, 8), "  code  ");
}

TEST(TextTable, ColoursOnlyWhenAskedAndKeepsTheAlignment) {
  TextTable table({});
  table.add({{"ok", Tone::good}, {"x"}});
  EXPECT_EQ(table.render({false}), "ok  x\n");
  EXPECT_EQ(table.render({true}), "\x1b[32mok\x1b[0m  x\n");
}

TEST(TextTable, CellsCannotControlTheTerminal) {
  TextTable table({});
  table.add({{"a\x1b[31mred\x1b[0m\nsecond\rthird"}, {"x"}});
  EXPECT_EQ(table.render({}), "ared second third  x\n");
}

TEST(OneLine, CutsAndCleans) {
  EXPECT_EQ(one_line("  a\tb\nc  "), "a b c");
  EXPECT_LE(one_line(std::string(500, 'x'), 100).size(), 103U);
}

TEST(HarmlessText, CannotTurnTheDirectionOfWriting) {
  EXPECT_EQ(harmless_text("a\u202eb\u2066c\u200f"), "a\uFFFDb\uFFFDc\uFFFD");
  EXPECT_EQ(harmless_text("x\xC2\x9B"
                          "2Jy\x1b[2Jz"),
            "x2Jyz");
  EXPECT_EQ(harmless_text("\u2013 \u201cquoted\u201d"), "\u2013 \u201cquoted\u201d");
}

TEST(Indented, IndentsEveryLineAndDropsCarriageReturns) {
  EXPECT_EQ(indented("a\r\n\nb", "  "), "  a\n\n  b\n");
}

TEST(Plural, CountsInWords) {
  EXPECT_EQ(plural(1, "issue"), "1 issue");
  EXPECT_EQ(plural(0, "issue"), "0 issues");
}

TEST(TextTable, WrapsItsWidestColumnOnANarrowTerminal) {
  TextTable table({"check", "detail"});
  table.add({{"analyzer ruff"}, {"not installed, and this sentence is longer than the line"}});
  table.add({{"git"}, {"ok"}});
  const std::string wide = table.render(Palette{});
  EXPECT_EQ(std::count(wide.begin(), wide.end(), '\n'), 3);
  Palette narrow;
  narrow.columns = 40;
  const std::string text = table.render(narrow);
  for (const std::string_view line : lines_of(text)) EXPECT_LT(line.size(), 40U) << line;
  EXPECT_EQ(text,
            "check          detail\n"
            "analyzer ruff  not installed, and this\n"
            "               sentence is longer than\n"
            "               the line\n"
            "git            ok\n");
}

TEST(TextTable, APathIsCutBetweenItsFolders) {
  TextTable table({});
  table.add({{"src/adapters/analyzers/script_analyzers.cpp:12"}});
  Palette narrow;
  narrow.columns = 30;
  EXPECT_EQ(table.render(narrow), "src/adapters/analyzers/\nscript_analyzers.cpp:12\n");
}

TEST(TextTable, AWordThatIsTooLongIsCutBetweenCharacters) {
  TextTable table({});
  table.add(
      {{"\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4"
        "\u00e4\u00e4"}});
  Palette narrow;
  narrow.columns = 10; // no column gets narrower than sixteen
  const std::string text = table.render(narrow);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  EXPECT_TRUE(is_valid_utf8(text.substr(0, text.find('\n'))));
}

} // namespace emend
