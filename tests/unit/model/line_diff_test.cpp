#include "model/line_diff.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <random>
#include <string>

namespace emend {
namespace {

std::string text_of(const std::vector<int>& lines) {
  std::string text;
  for (const int line : lines) text += std::to_string(line) + "\n";
  return text;
}

int edits(const LineDiff& diff) {
  return static_cast<int>(std::count(diff.removed.begin(), diff.removed.end(), true) +
                          std::count(diff.added.begin(), diff.added.end(), true));
}

// What is kept on both sides must be the same lines in the same order.
void expect_consistent(const LineDiff& diff) {
  std::vector<std::string_view> kept_old, kept_new;
  for (std::size_t i = 0; i < diff.old_lines.size(); ++i) {
    if (!diff.removed[i]) kept_old.push_back(diff.old_lines[i]);
  }
  for (std::size_t i = 0; i < diff.new_lines.size(); ++i) {
    if (!diff.added[i]) kept_new.push_back(diff.new_lines[i]);
  }
  EXPECT_EQ(kept_old, kept_new);
}

// The length of a shortest script, by the textbook table.
int shortest(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<std::vector<int>> common(a.size() + 1, std::vector<int>(b.size() + 1, 0));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      common[i][j] =
          a[i - 1] == b[j - 1] ? common[i - 1][j - 1] + 1 : std::max(common[i - 1][j], common[i][j - 1]);
    }
  }
  return static_cast<int>(a.size() + b.size()) - 2 * common[a.size()][b.size()];
}

TEST(LineDiff, FindsAShortestScript) {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    const unsigned letters = 1 + random() % 6;
    std::vector<int> a(random() % 14), b(random() % 14);
    for (int& line : a) line = static_cast<int>(random() % letters);
    for (int& line : b) line = static_cast<int>(random() % letters);
    const std::string old_text = text_of(a), new_text = text_of(b);
    const LineDiff diff = diff_lines(old_text, new_text);
    expect_consistent(diff);
    ASSERT_EQ(edits(diff), shortest(a, b)) << old_text << "---\n" << new_text;
  }
}

TEST(LineDiff, AMissingLastNewlineIsADifference) {
  const LineDiff diff = diff_lines("a\nb", "a\nb\n");
  EXPECT_EQ(diff.removed, (std::vector<bool>{false, true}));
  EXPECT_EQ(diff.added, (std::vector<bool>{false, true}));
}

TEST(LineDiff, PastTheBoundTheRestIsReplaced) {
  const LineDiff exact = diff_lines("a\nx\nb\ny\nc\nz\n", "a\n1\nb\n2\nc\n3\n", 100);
  EXPECT_EQ(edits(exact), 6);
  std::vector<int> a(400), b(400);
  std::iota(a.begin(), a.end(), 0);
  std::iota(b.begin(), b.end(), 1000);
  a[200] = b[200] = 7777;
  const std::string old_text = text_of(a), new_text = text_of(b);
  EXPECT_EQ(edits(diff_lines(old_text, new_text)), 798);
  const LineDiff bounded = diff_lines(old_text, new_text, 20);
  expect_consistent(bounded);
  EXPECT_EQ(edits(bounded), 800);
}

TEST(LineDiff, HugeAndDifferentStaysQuick) {
  std::string old_text, new_text;
  for (int i = 0; i < 60'000; ++i) {
    old_text += "old " + std::to_string(i) + "\n";
    new_text += "new " + std::to_string(i) + "\n";
    if (i % 3 == 0) old_text += "}\n", new_text += "\n}\n";
  }
  const auto begin = std::chrono::steady_clock::now();
  expect_consistent(diff_lines(old_text, new_text));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST(LineDiff, HugeWithFewEditsStaysExact) {
  std::vector<int> a(100'000);
  std::iota(a.begin(), a.end(), 0);
  std::vector<int> b = a;
  b[10] = -1;
  b.erase(b.begin() + 50'000);
  b.insert(b.begin() + 90'000, -2);
  const std::string old_text = text_of(a), new_text = text_of(b);
  EXPECT_EQ(edits(diff_lines(old_text, new_text)), 4);
}

} // namespace
} // namespace emend
