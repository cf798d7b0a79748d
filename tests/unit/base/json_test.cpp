#include "base/json.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "base/strings.hpp"

namespace emend {
namespace {

std::string nested(int depth) {
  return std::string(static_cast<std::size_t>(depth), '[') +
         std::string(static_cast<std::size_t>(depth), ']');
}

TEST(ParseJson, ReadsEveryKindOfValue) {
  const auto json = parse_json(R"( {"a":[1,-2,1.5,true,false,null,"x"],"b":{},"c":18446744073709551615} )");
  ASSERT_TRUE(json);
  EXPECT_EQ(dump_json(*json), R"({"a":[1,-2,1.5,true,false,null,"x"],"b":{},"c":18446744073709551615})");
  EXPECT_EQ(parse_json("7").value(), Json(7));
  EXPECT_EQ(parse_json("\"x\"").value(), Json("x"));
}

TEST(ParseJson, KeepsTheOrderOfKeys) {
  EXPECT_EQ(dump_json(parse_json(R"({"z":1,"a":2,"m":3})").value()), R"({"z":1,"a":2,"m":3})");
}

TEST(ParseJson, AcceptsAByteOrderMark) { EXPECT_EQ(parse_json("\xEF\xBB\xBF{}").value(), Json::object()); }

TEST(ParseJson, RefusesWhatIsNotOneDocument) {
  const std::string_view bad[] = {"",
                                  " ",
                                  "{",
                                  "{}x",
                                  "{} {}",
                                  "{\"a\":1,}",
                                  "[1,]",
                                  "{a:1}",
                                  "{'a':1}",
                                  "nul",
                                  "01",
                                  "+1",
                                  ".5",
                                  "1.",
                                  "NaN",
                                  "\"a\nb\"",
                                  "\"\\x\"",
                                  "// c\n1",
                                  "\"\xFF\"",
                                  "\"\xED\xA0\x80\"",
                                  "\xFF",
                                  "1e999",
                                  std::string_view("{}\0", 3),
                                  std::string_view("1\0 2", 4),
                                  std::string_view("\"a\0\"", 4)};
  for (const std::string_view text : bad) EXPECT_FALSE(parse_json(text)) << text;
}

TEST(ParseJson, SaysWhereItWentWrong) {
  const Error error = parse_json("{\"a\": oops}").error();
  EXPECT_EQ(error.code, ErrorCode::usage);
  EXPECT_TRUE(contains(error.message, "at byte 7")) << error.message;
  EXPECT_LT(parse_json("[\"" + std::string(100'000, 'x') + "\n\"]").error().message.size(), 400u);
}

TEST(ParseJson, RefusesEqualKeysAnywhere) {
  EXPECT_FALSE(parse_json(R"({"a":1,"a":1})"));
  EXPECT_FALSE(parse_json(R"([[{"x":{"a":1,"b":2,"a":3}}]])"));
  EXPECT_FALSE(parse_json(R"({"score":1,"\u0073core":100})")); // the same key, spelled otherwise
  EXPECT_TRUE(parse_json(R"([{"a":1},{"a":1},{"b":{"a":1}}])"));
  EXPECT_TRUE(contains(parse_json(R"({"a":1,"a":1})").error().message, "\"a\" comes twice"));
}

TEST(ParseJson, BoundsTheDepth) {
  EXPECT_TRUE(parse_json(nested(64)));
  EXPECT_FALSE(parse_json(nested(65)));
  EXPECT_FALSE(parse_json(std::string(10'000'000, '[')));
}

TEST(ParseJson, LargeObjectsAreNotQuadratic) {
  std::string text = "{";
  for (int i = 0; i < 200'000; ++i) text += (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":0";
  EXPECT_EQ(parse_json(text + "}").value().size(), 200'000u);
}

TEST(ParseJson, RepairsLoneSurrogates) {
  EXPECT_EQ(parse_json(R"("\ud83d")").value(), "\xEF\xBF\xBD");
  EXPECT_EQ(parse_json(R"("\ude00x")").value(), "\xEF\xBF\xBDx");
  EXPECT_EQ(parse_json(R"("\ud83d\ude00")").value(), "\xF0\x9F\x98\x80");
  EXPECT_EQ(parse_json(R"("\uD83D\uD83D\uDE00")").value(), "\xEF\xBF\xBD\xF0\x9F\x98\x80");
  EXPECT_EQ(parse_json(R"("\ud83d\n")").value(), "\xEF\xBF\xBD\n");
  EXPECT_EQ(parse_json(R"("\\ud83d")").value(), "\\ud83d"); // a backslash, then letters
  EXPECT_EQ(parse_json(R"("\\\ud83d")").value(), "\\\xEF\xBF\xBD");
  EXPECT_FALSE(parse_json(R"("\ud8")"));
}

TEST(DumpJson, NeverThrows) {
  EXPECT_EQ(dump_json(Json("a\xFF")), "\"a\xEF\xBF\xBD\"");
  EXPECT_EQ(dump_json(Json{{"a", 1}}, 2), "{\n  \"a\": 1\n}");
}

TEST(ExactInt, TakesOnlyIntegersInRange) {
  EXPECT_EQ(exact_int(Json(95), 0, 100), 95);
  EXPECT_EQ(exact_int(Json(-3), -5, 5), -3);
  EXPECT_EQ(exact_int(parse_json("100").value(), 0, 100), 100);
  for (const char* bad : {"95.0", "95.9", "\"95\"", "true", "null", "4294967391", "101", "-1",
                          "18446744073709551615", "9.5e1", "[95]"}) {
    EXPECT_EQ(exact_int(parse_json(bad).value(), 0, 100), std::nullopt) << bad;
  }
  EXPECT_EQ(exact_int(parse_json("18446744073709551615").value(), INT64_MIN, INT64_MAX), std::nullopt);
}

TEST(Members, AreFoundWithoutThrowingOrInserting) {
  const Json json = {{"a", "x"}, {"n", 1}};
  EXPECT_EQ(*find_member(json, "a"), "x");
  EXPECT_EQ(find_member(json, "b"), nullptr);
  EXPECT_EQ(find_member(Json::array({1}), "a"), nullptr);
  EXPECT_EQ(find_member(Json(), "a"), nullptr);
  EXPECT_EQ(string_or(json, "a"), "x");
  EXPECT_EQ(string_or(json, "n", "other"), "other");
  EXPECT_EQ(string_or(Json("s"), "n"), "");
}

struct Answer {
  const char* text;
  const char* object; // nullptr: refused
};

class LastJsonObject : public ::testing::TestWithParam<Answer> {};

TEST_P(LastJsonObject, FindsTheAnswerOrRefuses) {
  const auto found = last_json_object(GetParam().text);
  if (GetParam().object == nullptr) {
    ASSERT_FALSE(found) << dump_json(*found);
    EXPECT_EQ(found.error().code, ErrorCode::agent);
  } else {
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(dump_json(*found), GetParam().object);
  }
}

INSTANTIATE_TEST_SUITE_P(Plain, LastJsonObject,
                         ::testing::Values(Answer{R"({"score":95})", R"({"score":95})"}, Answer{"{}", "{}"},
                                           Answer{" \n{\"a\":{\"b\":[{}]}}\n", R"({"a":{"b":[{}]}})"},
                                           Answer{R"(I am done. {"a":1} Bye.)", R"({"a":1})"},
                                           Answer{R"({"a":1} then {"b":2})", R"({"b":2})"},
                                           Answer{"{\"a\":1}\n{\"b\":2}\n", R"({"b":2})"},
                                           Answer{R"({"a":"}{\"x\":1}"})", R"({"a":"}{\"x\":1}"})"},
                                           Answer{R"({"a":"\ud83d"})", "{\"a\":\"\xEF\xBF\xBD\"}"}));

INSTANTIATE_TEST_SUITE_P(
    Fences, LastJsonObject,
    ::testing::Values(
        Answer{"```json\n{\"a\":1}\n```", R"({"a":1})"}, Answer{"~~~\n{\"a\":1}\n~~~\n", R"({"a":1})"},
        Answer{"```md\n```json\n{\"a\":\"```js\\nx()\\n```\"}\n```\n```", R"({"a":"```js\nx()\n```"})"},
        Answer{"```c\nif (x) { y(); }\n```\n```json\n{\"a\":1}\n```\nNote {that}.", R"({"a":1})"}));

INSTANTIATE_TEST_SUITE_P(StrayBraces, LastJsonObject,
                         ::testing::Values(Answer{"f() { return 1; } and {\"a\":1} and {b} or { or }",
                                                  R"({"a":1})"},
                                           Answer{"if (a) { if (b) {\n{\"a\":1}", R"({"a":1})"},
                                           Answer{"{ { { {\"a\":1} } } }", R"({"a":1})"},
                                           Answer{"use {\"a or so: {\"a\":1}", R"({"a":1})"},
                                           Answer{"{\"quoted\" word} {\"a\":1}", R"({"a":1})"},
                                           Answer{"${HOME} {{name}} {\"a\":1} {", R"({"a":1})"}));

INSTANTIATE_TEST_SUITE_P(Terminals, LastJsonObject,
                         ::testing::Values(Answer{"\x1b[1m{\"a\":1}\x1b[0m", R"({"a":1})"},
                                           Answer{"{\x1b[32m\"a\"\x1b[0m: \x1b[33m1\x1b[0m}", R"({"a":1})"},
                                           Answer{"\x1b]0;{\"title\":1}\x07{\"a\":1}", R"({"a":1})"}));

// A verdict must not be guessed: what was meant last is cut or broken, so there is no answer.
INSTANTIATE_TEST_SUITE_P(CutOrBroken, LastJsonObject,
                         ::testing::Values(Answer{R"({"a":1)", nullptr},
                                           Answer{R"({"a":{"score":95})", nullptr},
                                           Answer{R"({"results":[{"score":95},{"score":90}])", nullptr},
                                           Answer{R"({"score":95} {"score":)", nullptr},
                                           Answer{R"({"score":95} {"sco)", nullptr},
                                           Answer{R"({"score":95} {"score":40,"feedback":"unfin)", nullptr},
                                           Answer{R"({"score":95} {"score":40,})", nullptr},
                                           Answer{R"({"score":95} {"score":forty})", nullptr},
                                           Answer{R"({"results":[{"score":95}], oops})", nullptr},
                                           Answer{R"({"x": oops, "r": {"score":95}})", nullptr},
                                           Answer{R"({"x": oops, "r": {"score":95})", nullptr},
                                           Answer{"{\"score\":95} {\"feedback\":\"two\nlines\"}", nullptr}));

INSTANTIATE_TEST_SUITE_P(BrokenThenWhole, LastJsonObject,
                         ::testing::Values(Answer{R"({"score": <0-100>} {"score":95})", R"({"score":95})"},
                                           Answer{"{\"score\": 9\nconnection lost, again\n{\"score\":95}",
                                                  R"({"score":95})"},
                                           Answer{R"({"score":40,} sorry {"score":95})", R"({"score":95})"}));

INSTANTIATE_TEST_SUITE_P(Refused, LastJsonObject,
                         ::testing::Values(Answer{"", nullptr}, Answer{"no object here", nullptr},
                                           Answer{"[1,2]", nullptr}, Answer{"{", nullptr},
                                           Answer{"}{", nullptr}, Answer{"{'a':1}", nullptr},
                                           Answer{R"({"a":1} {"score":1,"score":99})", nullptr},
                                           Answer{R"({"a":[{"x":1,"x":2}]})", nullptr},
                                           Answer{"{\"a\":\"\xFF\"}", nullptr},
                                           Answer{R"({"a":01})", nullptr}));

TEST(LastJsonObjectLimits, TooDeepIsRefusedNotSearched) {
  const std::string deep = "{\"a\":" + nested(100) + "}";
  EXPECT_FALSE(last_json_object("{\"score\":95} " + deep));
}

// Each of these would take a scanner that starts over at every brace hours, or a recursive one its stack.
TEST(LastJsonObjectLimits, MegabytesOfAnythingEndSoon) {
  constexpr std::size_t kSize = 2'000'000;
  const auto repeated = [](std::string_view piece) {
    std::string text;
    while (text.size() < kSize) text += piece;
    return text;
  };
  const auto begin = std::chrono::steady_clock::now();
  for (const std::string_view piece :
       {"{", "}", "{\"", "{\"a\":", "{\"a\":[", "{\"a\":x ", "{\"a{\":", "some plain text ", "{ ", "\"{",
        "[{", "{\"a\":{\"b\":1} ", "\x1b", "\x1b]{"}) {
    EXPECT_FALSE(last_json_object(repeated(piece))) << piece;
    EXPECT_FALSE(last_json_object(repeated(piece) + "!")) << piece;
  }
  EXPECT_FALSE(last_json_object(std::string(10'000'000, '{')));
  EXPECT_EQ(dump_json(last_json_object(repeated("prose {x} ") + "{\"a\":1}").value()), R"({"a":1})");
  EXPECT_EQ(dump_json(last_json_object(repeated("{\"b\":2}\n") + "{\"a\":1}").value()), R"({"a":1})");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

} // namespace
} // namespace emend
