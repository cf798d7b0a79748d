#include "engine/forge/told_before.hpp"

#include <gmock/gmock.h>

#include "engine/forge/forge_text.hpp"

namespace emend {
namespace {

using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

const std::string kOld = "aaaaaaaaaaaaaaaa", kNew = "bbbbbbbbbbbbbbbb";

Issue found(const std::string& title, const std::string& description, int line,
            const std::string& print = kNew) {
  Issue issue;
  issue.fingerprint = print;
  issue.finding.file = "src/a.c";
  issue.finding.line = line;
  issue.finding.title = title;
  issue.finding.description = description;
  return issue;
}

Remark said(const std::string& words, int line, const std::string& print = kOld) {
  Remark remark;
  remark.kind = RemarkKind::inline_comment;
  remark.own = true;
  remark.path = "src/a.c";
  remark.line = line;
  remark.body = "**high**: " + words + "\n\nfound by one\n\n" + to_string(Mark{print, "k3f9"});
  return remark;
}

const char* const kWords = "Off by one in the loop bound\n\nThe loop over `items` runs one index too far.";
const Issue kReworded =
    found("Loop bound is off by one", "The loop reads items one index beyond the end.", 3);

TEST(ToldBefore, OtherWordsForTheSameAreTheSame) {
  EXPECT_THAT(told_before({kReworded}, {said(kWords, 3)}), UnorderedElementsAre(Pair(kNew, kOld)));
  EXPECT_THAT(told_before({kReworded}, {said(kWords, 6)}), UnorderedElementsAre(Pair(kNew, kOld)));
}

TEST(ToldBefore, FewWordsHaveToBeTheSame) {
  EXPECT_THAT(
      told_before({found("Off by one", "It runs too far.", 3)}, {said("Off by one\n\nIt runs too far.", 3)}),
      UnorderedElementsAre(Pair(kNew, kOld)));
  EXPECT_THAT(
      told_before({found("Off by one", "It runs too far.", 3)}, {said("Off by one\n\nIt runs for ever.", 3)}),
      IsEmpty());
}

TEST(ToldBefore, AnotherMatterOnTheSameLineIsNot) {
  const Issue other = found("Return value of close is dropped", "A write error goes unnoticed.", 3);
  EXPECT_THAT(told_before({other}, {said(kWords, 3)}), IsEmpty());
}

TEST(ToldBefore, FarAwayOrElsewhereIsAnother) {
  EXPECT_THAT(told_before({kReworded}, {said(kWords, 30)}), IsEmpty());
  EXPECT_THAT(told_before({kReworded}, {said(kWords, 0)}), IsEmpty()) << "its place is gone from the diff";
  Remark elsewhere = said(kWords, 3);
  elsewhere.path = "src/b.c";
  EXPECT_THAT(told_before({kReworded}, {elsewhere}), IsEmpty());
}

TEST(ToldBefore, OnlyOurMarkedWordsCount) {
  Remark theirs = said(kWords, 3);
  theirs.own = false;
  EXPECT_THAT(told_before({kReworded}, {theirs}), IsEmpty()) << "somebody quotes our mark";
  Remark plain = said(kWords, 3);
  plain.body = kWords;
  EXPECT_THAT(told_before({kReworded}, {plain}), IsEmpty());
}

TEST(ToldBefore, ACommentStandsForOneFinding) {
  const Issue again =
      found("Loop bound off by one", "Off by one: loop index runs over items.", 4, "cccccccccccccccc");
  EXPECT_THAT(told_before({kReworded, again}, {said(kWords, 3)}), UnorderedElementsAre(Pair(kNew, kOld)));
}

TEST(ToldBefore, WhatHasItsOwnCommentNeedsNoOther) {
  EXPECT_THAT(told_before({kReworded}, {said(kWords, 3), said(kWords, 3, kNew)}), IsEmpty());
  const Issue first =
      found("Off by one in the loop bound", "The loop over items runs one index too far.", 3, kOld);
  EXPECT_THAT(told_before({first, kReworded}, {said(kWords, 3)}), IsEmpty()) << "it is found again itself";
}

} // namespace
} // namespace emend
