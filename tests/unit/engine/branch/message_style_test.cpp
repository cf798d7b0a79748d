#include "engine/branch/message_style.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.hpp"

namespace emend {
namespace {

using Lines = std::vector<std::string>;

std::string subject(const Lines& history, const std::string& title,
                    const std::string& file = "src/reader.c") {
  return subject_in(style_of(history), title, file, "BE-001");
}

TEST(MessageStyle, AShortHistoryShowsNone) {
  EXPECT_EQ(subject({"Add reader", "Start"}, "Leaks memory."), "fix: Leaks memory (BE-001)");
  const std::string cut = subject(
      {}, "a title of " + std::string(30, 'x') + " words that is longer than a subject may be at all");
  EXPECT_LE(cut.size(), 72U);
  EXPECT_TRUE(cut.ends_with(" (BE-001)")) << cut;
  EXPECT_THAT(cut, testing::Not(testing::HasSubstr("…")));
}

TEST(MessageStyle, Sentences) {
  const Lines history = {"Add a reader of lines", "Fix the limit", "Remove old code", "Update the docs",
                         "Make reads faster"};
  EXPECT_EQ(subject(history, "Memory leak in read()"), "Fix memory leak in read()");
  EXPECT_EQ(subject(history, "returns one line too few"), "Fix reader.c: returns one line too few");
  EXPECT_EQ(subject(history, "NULL is dereferenced"), "Fix NULL is dereferenced");
  EXPECT_EQ(subject(history, "Fix the limit of read()."), "Fix the limit of read()");
}

TEST(MessageStyle, PastAndThirdPerson) {
  EXPECT_EQ(subject({"Added a", "Fixed b", "Removed c", "Changed d", "docs"}, "Wrong limit"),
            "Fixed wrong limit");
  EXPECT_EQ(subject({"adds a", "fixes b", "removes c", "changes d", "docs"}, "Wrong limit"),
            "fixes wrong limit");
}

TEST(MessageStyle, Conventional) {
  const Lines plain = {"feat: add x", "fix: repair y", "chore: tidy", "docs: say z", "fix: more"};
  EXPECT_EQ(subject(plain, "Wrong limit in read()"), "fix: wrong limit in read()");
  const Lines scoped = {"feat(reader): Add x", "fix(writer): Repair y", "chore(ci): Tidy",
                        "docs(reader): Say z", "bugfix(reader): More",  "bugfix(net): Close"};
  EXPECT_EQ(subject(scoped, "wrong limit"), "bugfix(reader): Wrong limit");
  EXPECT_EQ(subject(scoped, "wrong limit", "src/other.c"), "bugfix: Wrong limit") << "no scope of that name";
}

TEST(MessageStyle, AreasAndBrackets) {
  EXPECT_EQ(subject({"reader: fix a", "net/http: add b", "all: tidy", "reader: drop c", "cmd: more"},
                    "Wrong limit"),
            "reader: fix wrong limit");
  EXPECT_EQ(subject({"[net] Fix a", "[core] Add b", "[net] Drop c", "[ci] Tidy", "[net] More"}, "wrong limit",
                    "net/tcp.c"),
            "[net] Fix wrong limit");
}

TEST(MessageStyle, LengthIsLearnedAndCutAtAWord) {
  const Lines history(10, "Fix it in a line that is about as long as fifty bytes");
  const std::string made =
      subject(history, "The reader forgets the last line, because its loop ends one step too early");
  EXPECT_EQ(made, "Fix the reader forgets the last line");
  EXPECT_LE(subject(history, "one two three four five six seven eight nine ten eleven twelve").size(), 53U);
}

TEST(MessageStyle, LongLinesAreWrapped) {
  const std::string text = wrapped(std::string(10, 'a') + " " + join(Lines(20, "word"), " ") +
                                   "\n    indented " + std::string(100, 'x') + "\nshort");
  for (const std::string_view line : lines_of(text))
    EXPECT_TRUE(line.size() <= 80 || line.starts_with("    ")) << line;
  EXPECT_TRUE(text.ends_with("\nshort"));
}

} // namespace
} // namespace emend
