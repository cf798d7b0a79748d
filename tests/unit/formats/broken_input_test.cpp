// Reports that are cut, flipped, nested without end: always an answer, never a crash.
#include <gtest/gtest.h>

#include <random>

#include "base/strings.hpp"
#include "formats/reader.hpp"
#include "tests/unit/formats/samples.hpp"

namespace emend {
namespace {

using namespace testing_support;

// What every answer owes, whatever the input was.
void expect_sane(std::string_view text, InputFormat format) {
  const auto read = read_findings(text, format, "");
  if (!read) {
    EXPECT_EQ(read.error().code, ErrorCode::usage);
    EXPECT_FALSE(read.error().message.empty());
    EXPECT_TRUE(is_valid_utf8(read.error().message));
    return;
  }
  for (const Finding& finding : read->findings) {
    EXPECT_FALSE(finding.title.empty());
    const std::string all =
        finding.title + finding.description + finding.suggestion + finding.rule + finding.agent;
    EXPECT_TRUE(is_valid_utf8(all)) << all;
    EXPECT_GE(finding.line, 0);
    EXPECT_GE(finding.line_end, finding.line);
  }
  for (const std::string& note : read->notes) EXPECT_TRUE(is_valid_utf8(note));
}

class BrokenInput : public ::testing::TestWithParam<Sample> {};

TEST_P(BrokenInput, CutAnywhere) {
  const auto& [format, text] = GetParam();
  for (std::size_t length = 0; length <= text.size(); ++length)
    expect_sane(std::string(text.substr(0, length)), format);
}

TEST_P(BrokenInput, OneByteChangedAnywhere) {
  const auto& [format, text] = GetParam();
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string changed(text);
    for (const char replacement : {'\0', '"', '{', ']', '9', '\xff', '\\', '<'}) {
      changed[at] = replacement;
      expect_sane(changed, format);
    }
  }
}

TEST_P(BrokenInput, PiecesRemovedAndDoubled) {
  const auto& [format, text] = GetParam();
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    std::string changed(text);
    for (int cuts = 0; cuts < 3; ++cuts) {
      const std::size_t at = random() % changed.size(), length = random() % 40;
      const std::string piece = changed.substr(at, length);
      if (random() % 2 == 0)
        changed.erase(at, length);
      else
        changed.insert(random() % changed.size(), piece);
    }
    expect_sane(changed, format);
  }
}

TEST_P(BrokenInput, ReadAsEveryOtherFormat) {
  for (const Sample& other : kSamples) expect_sane(GetParam().text, other.format);
}

INSTANTIATE_TEST_SUITE_P(Formats, BrokenInput, ::testing::ValuesIn(kSamples), [](const auto& sample) {
  std::string name(to_string(sample.param.format));
  std::erase(name, '-');
  return name;
});

TEST(BrokenInput, EndlessNesting) {
  for (const auto& [unit, end] : {std::pair("[", "]"), std::pair("{\"a\":", "}"), std::pair("<a>", "</a>"),
                                  std::pair("[{\"x\":", ""), std::pair("- ", "")}) {
    std::string deep;
    for (int i = 0; i < 200'000; ++i) deep += unit;
    std::string closed = deep;
    for (int i = 0; i < 200'000; ++i) closed += end;
    for (const Sample& sample : kSamples) {
      expect_sane(deep, sample.format);
      expect_sane(closed, sample.format);
    }
  }
}

TEST(BrokenInput, TheHeadOfAnythingCanBeLookedAt) {
  std::mt19937 random(11);
  for (int round = 0; round < 2'000; ++round) {
    std::string noise;
    for (std::size_t i = random() % 200; i > 0; --i) noise += "{}[]\":,<>/\\-\n aR1\xff"[random() % 18];
    (void)detect_format(noise, "x");
  }
}

} // namespace
} // namespace emend
