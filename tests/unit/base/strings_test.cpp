#include "base/strings.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

using Strings = std::vector<std::string>;

TEST(Split, KeepsEmptyParts) {
  EXPECT_EQ(split("a,,b,", ','), (Strings{"a", "", "b", ""}));
  EXPECT_EQ(split("", ','), Strings{""});
  EXPECT_EQ(split("abc", ','), Strings{"abc"});
}

TEST(LinesOf, DropsOnlyTheNewlines) {
  EXPECT_EQ(lines_of("a\r\nb\n\nc"), (std::vector<std::string_view>{"a\r", "b", "", "c"}));
  EXPECT_EQ(lines_of("a\n"), std::vector<std::string_view>{"a"});
  EXPECT_EQ(lines_of("\n"), std::vector<std::string_view>{""});
  EXPECT_TRUE(lines_of("").empty());
}

TEST(Join, PutsTheSeparatorBetween) {
  EXPECT_EQ(join({"a", "b", "c"}, ", "), "a, b, c");
  EXPECT_EQ(join({"a"}, ", "), "a");
  EXPECT_EQ(join({}, ", "), "");
}

TEST(Trim, TakesBlanksOffBothEnds) {
  EXPECT_EQ(trim(" \t\r\n a b \n"), "a b");
  EXPECT_EQ(trim(" \n "), "");
  EXPECT_EQ(trim(""), "");
}

TEST(Case, TouchesOnlyAsciiLetters) {
  EXPECT_EQ(to_lower("AbZ\xC3\x84[@"), "abz\xC3\x84[@");
  EXPECT_EQ(to_upper("abZ{`"), "ABZ{`");
}

TEST(ReplaceAll, IsNotRecursive) {
  EXPECT_EQ(replace_all("aaa", "a", "aa"), "aaaaaa");
  EXPECT_EQ(replace_all("abcabc", "bc", ""), "aa");
  EXPECT_EQ(replace_all("abc", "", "x"), "abc");
  EXPECT_EQ(replace_all("abc", "x", "y"), "abc");
}

TEST(Contains, FindsParts) {
  EXPECT_TRUE(contains("abc", "bc"));
  EXPECT_TRUE(contains("abc", ""));
  EXPECT_FALSE(contains("abc", "cb"));
}

TEST(ParseUnsigned, TakesOnlyWholeDecimalNumbersInRange) {
  EXPECT_EQ(parse_unsigned("0"), 0u);
  EXPECT_EQ(parse_unsigned("18446744073709551615"), 18446744073709551615u);
  for (const char* bad : {"", "-2", "+2", " 2", "2 ", "2x", "0x10", "18446744073709551616", "1.0"}) {
    EXPECT_EQ(parse_unsigned(bad), std::nullopt) << bad;
  }
}

TEST(ParseDuration, KnowsItsUnits) {
  EXPECT_EQ(parse_duration_ms("500ms"), 500);
  EXPECT_EQ(parse_duration_ms("90s"), 90'000);
  EXPECT_EQ(parse_duration_ms("15m"), 900'000);
  EXPECT_EQ(parse_duration_ms("2h"), 7'200'000);
  EXPECT_EQ(parse_duration_ms("30d"), 2'592'000'000);
  EXPECT_EQ(parse_duration_ms("7"), 7'000);
  for (const char* bad :
       {"", "s", "ms", "-1s", "1.5h", "1w", "1 s", "10000000000000000h", "18446744073709551615"}) {
    EXPECT_EQ(parse_duration_ms(bad), std::nullopt) << bad;
  }
}

TEST(FormatDuration, ReadsLikeAPersonWouldSayIt) {
  EXPECT_EQ(format_duration_ms(0), "0.0 s");
  EXPECT_EQ(format_duration_ms(449), "0.4 s");
  EXPECT_EQ(format_duration_ms(9'999), "9.9 s");
  EXPECT_EQ(format_duration_ms(38'400), "38 s");
  EXPECT_EQ(format_duration_ms(59'999), "59 s");
  EXPECT_EQ(format_duration_ms(125'000), "2 min 05 s");
  EXPECT_EQ(format_duration_ms(3'720'000), "1 h 02 min");
  EXPECT_EQ(format_duration_ms(-5), "0.0 s");
}

TEST(Rfc3339, IsUtcWithMilliseconds) {
  EXPECT_EQ(rfc3339_utc(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(rfc3339_utc(1709210096789), "2024-02-29T12:34:56.789Z");
  EXPECT_EQ(rfc3339_utc(-1), "1969-12-31T23:59:59.999Z");
}

TEST(Utf8, AcceptsExactlyTheValidSequences) {
  EXPECT_TRUE(is_valid_utf8(""));
  EXPECT_TRUE(is_valid_utf8("a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"));
  EXPECT_TRUE(is_valid_utf8("\xF4\x8F\xBF\xBF"));
  const char* bad[] = {
      "\x80",         "\xC3",         "\xC0\x80",         "\xC1\xBF",         "\xE0\x80\x80",
      "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
      "\xE2\x82",     "\xFF"};
  for (const char* bytes : bad) EXPECT_FALSE(is_valid_utf8(bytes)) << to_hex(bytes);
}

TEST(CleanText, ReplacesBadBytesAndRemovesControls) {
  EXPECT_EQ(clean_text("a\xFF\xC3z"), "a\xEF\xBF\xBD\xEF\xBF\xBDz");
  EXPECT_EQ(clean_text(std::string_view("a\0b\x01\x7F\tc\r\nd", 10)), "ab\tc\r\nd");
  EXPECT_EQ(clean_text("\xC2\x9B"
                       "2Jx"),
            "2Jx");
  EXPECT_EQ(clean_text("\xC3\xA4\xC2\xA0"), "\xC3\xA4\xC2\xA0");
}

TEST(CleanText, RemovesEscapeSequences) {
  EXPECT_EQ(clean_text("\x1b[1;31mred\x1b[0m"), "red");
  EXPECT_EQ(clean_text("\x1b]0;title\x07text"), "text");
  EXPECT_EQ(clean_text("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\"), "link");
  EXPECT_EQ(clean_text("\x1b(Bx\x1bM"), "x");
  EXPECT_EQ(clean_text("a\x1b"), "a");
  EXPECT_EQ(clean_text("a\x1b["), "a");
  EXPECT_EQ(clean_text("\x1b]never ended\nnext line"), "\nnext line");
  EXPECT_EQ(clean_text("\x1b[?25l\x1b[2K\rdone"), " done");
}

TEST(CleanText, ShowsNothingThatDeceives) {
  EXPECT_EQ(clean_text("a\u202Eb\u2066c\u200Fd\u061Ce"), "a\uFFFDb\uFFFDc\uFFFDd\uFFFDe") << "direction";
  EXPECT_EQ(clean_text("a\u200Bb\u2060c\uFEFFd\u00ADe\u200Df\uFE0Fg\U000E0041h\u180Ei\u3164j"), "abcdefghij")
      << "no width, tags, fillers";
  EXPECT_EQ(clean_text("a\u2028b\u2029c\rd"), "a b c d");
  EXPECT_EQ(clean_text("gr\u00F6\u00DFe \u5024 \U0001F600 \u2014"),
            "gr\u00F6\u00DFe \u5024 \U0001F600 \u2014");
}

TEST(VisibleText, LeavesNothingOut) {
  EXPECT_EQ(visible_text(std::string_view("a\0\x1b[2J\xFF", 7)), "a<U+0000><U+001B>[2J<byte FF>");
  EXPECT_EQ(visible_text("a\u202Eb\u200B\U000E0041"), "a<U+202E>b<U+200B><U+E0041>");
  EXPECT_EQ(visible_text("a\tb\r\nc\rd\n"), "a\tb\r\nc<U+000D>d\n");
  EXPECT_EQ(visible_text("\U0001F468\u200D\U0001F4BB"), "\U0001F468\u200D\U0001F4BB")
      << "emoji stay readable";
}

TEST(HiddenCharacters, AreCountedByName) {
  const auto found = hidden_characters("a\u202E\u202Eb\xFF\u200D");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found.at("U+202E").count, 2U);
  EXPECT_EQ(found.at("U+202E").kind, CharacterKind::direction);
  EXPECT_EQ(found.at("byte FF").kind, CharacterKind::bad_byte);
  EXPECT_EQ(found.at("U+200D").kind, CharacterKind::joiner);
  EXPECT_TRUE(hidden_characters("plain\ttext\n").empty());
}

TEST(CleanText, IsAlwaysValidAndStable) {
  unsigned state = 7;
  for (int round = 0; round < 200; ++round) {
    std::string bytes;
    for (int i = 0; i < 60; ++i) {
      state = state * 1103515245 + 12345;
      bytes += static_cast<char>(state >> 16);
    }
    const std::string clean = clean_text(bytes);
    EXPECT_TRUE(is_valid_utf8(clean));
    EXPECT_EQ(clean_text(clean), clean);
  }
}

TEST(WithoutAnsi, KeepsEveryOtherByte) {
  EXPECT_EQ(without_ansi("\x1b[32m{\"a\"\x1b[0m:1}\xFF"), "{\"a\":1}\xFF");
  EXPECT_EQ(without_ansi("plain"), "plain");
  EXPECT_EQ(without_ansi(""), "");
}

TEST(TrimMiddle, SaysHowMuchWasLeftOut) {
  EXPECT_EQ(trim_middle("short", 5), "short");
  const std::string text = std::string(100, 'a') + std::string(100, 'b');
  EXPECT_EQ(trim_middle(text, 20), "aaaaaaaaaa\n[... 180 bytes left out ...]\nbbbbbbbbbb");
}

TEST(TrimMiddle, CutsBetweenCharacters) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "\xE2\x82\xAC";
  for (std::size_t limit = 0; limit < 30; ++limit) {
    const std::string cut = trim_middle(text, limit);
    EXPECT_TRUE(is_valid_utf8(cut)) << limit;
    EXPECT_LE(cut.size(), limit + 40);
  }
}

TEST(FirstLine, CutsAndMarksTheCut) {
  EXPECT_EQ(first_line("one\r\ntwo", 10), "one");
  EXPECT_EQ(first_line("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(first_line("abcdefghijk", 10), "abcdefg...");
  EXPECT_EQ(first_line("\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC", 8), "\xE2\x82\xAC...");
  EXPECT_EQ(first_line("abcdef", 2), "ab");
}

TEST(ShellQuote, QuotesOnlyWhatNeedsIt) {
  EXPECT_EQ(shell_quote("src/a-b_c.py"), "src/a-b_c.py");
  EXPECT_EQ(shell_quote(""), "''");
  EXPECT_EQ(shell_quote("a b"), "'a b'");
  EXPECT_EQ(shell_quote("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quote("$(rm -rf /)"), "'$(rm -rf /)'");
  EXPECT_EQ(shell_quote("~"), "'~'");
}

TEST(DidYouMean, FindsTyposOnly) {
  const Strings commands = {"fix", "findings", "sessions", "explain"};
  EXPECT_EQ(did_you_mean("sesions", commands), "sessions");
  EXPECT_EQ(did_you_mean("EXPLIAN", commands), "explain");
  EXPECT_EQ(did_you_mean("fxi", {"fix"}), std::nullopt);
  EXPECT_EQ(did_you_mean("fi", commands), "fix");
  EXPECT_EQ(did_you_mean("banana", commands), std::nullopt);
  EXPECT_EQ(did_you_mean("", commands), std::nullopt);
  EXPECT_EQ(did_you_mean("x", {}), std::nullopt);
}

TEST(Hex, IsLowerCase) { EXPECT_EQ(to_hex(std::string_view("\x00\x7F\xFF", 3)), "007fff"); }

TEST(Base64, MatchesTheStandardsExamples) {
  const std::pair<const char*, const char*> examples[] = {{"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, encoded] : examples) {
    EXPECT_EQ(to_base64(plain), encoded);
    EXPECT_EQ(from_base64(encoded), plain);
  }
}

TEST(Base64, RoundTripsEveryByte) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_EQ(from_base64(to_base64(bytes.substr(length))), bytes.substr(length));
  }
}

TEST(Base64, RefusesWhatNoEncoderWrites) {
  for (const char* bad :
       {"Zg", "Zg=", "Z===", "====", "Zh==", "Zm9=", "Zm 9v", "Zm9v\n", "Zg==Zg==", "Zm-_"}) {
    EXPECT_EQ(from_base64(bad), std::nullopt) << bad;
  }
}

} // namespace
} // namespace emend
