#include <gtest/gtest.h>

#include <string>

#include "engine/probe/negation.hpp"

namespace emend {
namespace {

std::string negated(const std::string& text, int line = 1, const std::string& path = "t.sh") {
  const auto twist = negate_at(path, text, line);
  return twist ? twist->after : std::string();
}

TEST(ShellNegation, Lists) {
  EXPECT_EQ(negated("[ \"$a\" = b ] || fail \"no\"\n"), "[ \"$a\" != b ] || fail \"no\"");
  EXPECT_EQ(negated("[ \"$a\" != b ] || exit 1\n"), "[ \"$a\" = b ] || exit 1");
  EXPECT_EQ(negated("test $a -eq 3 || exit 1\n"), "test $a -ne 3 || exit 1");
  EXPECT_EQ(negated("[[ $a == b* ]] || die\n"), "[[ $a != b* ]] || die");
  EXPECT_EQ(negated("[ -f x ] || exit 1\n"), "[ ! -f x ] || exit 1");
  EXPECT_EQ(negated("[ ! -f x ] || exit 1\n"), "[ -f x ] || exit 1");
  EXPECT_EQ(negated("[ a = b ] && fail no\n"), "[ a != b ] && fail no");
  EXPECT_EQ(negated("[ a = b ] && echo ok || { echo no; exit 1; }\n"),
            "[ a != b ] && echo ok || { echo no; exit 1; }");
  EXPECT_EQ(negated("cmp -s a b || exit 1\n"), "! cmp -s a b || exit 1");
  EXPECT_EQ(negated("! cmp -s a b || exit 1\n"), "cmp -s a b || exit 1");
  EXPECT_EQ(negated("./prog | grep -q \"a || b\" || fail x\n"), "! ./prog | grep -q \"a || b\" || fail x");
  EXPECT_EQ(negated("[ \"$(f \"x y\" | sed 's/]//')\" = \"a ] b\" ] || exit 2 # [ c ]\n"),
            "[ \"$(f \"x y\" | sed 's/]//')\" != \"a ] b\" ] || exit 2 # [ c ]");
}

TEST(ShellNegation, Branches) {
  EXPECT_EQ(negated("if [ \"$a\" != b ]; then\n  echo no\n  exit 1\nfi\n", 3), "if [ \"$a\" = b ]; then");
  EXPECT_EQ(negated("if diff a b; then echo ok; else echo no; fails=$((fails + 1)); fi\n"),
            "if ! diff a b; then echo ok; else echo no; fails=$((fails + 1)); fi");
  EXPECT_EQ(negated("if f a && ! f b; then echo ok; else echo no; exit 1; fi\n"),
            "if ! { f a && ! f b; }; then echo ok; else echo no; exit 1; fi");
  EXPECT_EQ(negated("if [ -n \"$DEBUG\" ]; then echo on; fi\n"), "");
  EXPECT_EQ(negated("if a; then exit 1; elif b; then exit 2; fi\n"), "");
}

TEST(ShellNegation, CommandsThatStopTheShell) {
  EXPECT_EQ(negated("[ a = b ]\n"), "") << "without set -e its status is lost";
  EXPECT_EQ(negated("set -e\n[ a = b ]\n", 2), "[ a != b ]");
  EXPECT_EQ(negated("set -eu\ngrep -q x y\n", 2), "! grep -q x y || false");
  EXPECT_EQ(negated("#!/bin/sh -e\ntest a = b\n", 2), "test a != b");
  EXPECT_EQ(negated("set -e\ncd x\n", 2), "");
}

TEST(ShellNegation, Bats) {
  EXPECT_EQ(negated("@test \"a\" {\n  run f\n  [ \"$status\" -eq 0 ]\n}\n", 3, "t.bats"),
            "[ \"$status\" -ne 0 ]");
  EXPECT_EQ(negated("@test \"a\" {\n  assert_success\n}\n", 2, "t.bats"), "assert_failure");
  EXPECT_EQ(negated("@test \"a\" {\n  assert_output \"x\"\n}\n", 2, "t.bats"), "refute_output \"x\"");
  EXPECT_EQ(negated("@test \"a\" {\n  [ \"$x\" = \"1\" ]\n}\n@test \"b\" {\n  [[ \"$x\" =~ a.b ]]\n}\n", 5,
                    "t.bats"),
            "[[ ! \"$x\" =~ a.b ]]");
}

TEST(ShellNegation, WhatIsNoCommandStays) {
  EXPECT_EQ(negated("set -e\ncat <<EOF\n[ a = b ] || exit 1\nEOF\n", 3), "");
  EXPECT_EQ(negated("echo '[ a = b ] || exit 1'\n"), "");
  EXPECT_EQ(negated("# [ a = b ] || exit 1\n"), "");
  EXPECT_EQ(negated("cd x || exit $?\n"), "");
  EXPECT_EQ(negated("[ a = b -a c = d ] || exit 1\n"), "! [ a = b -a c = d ] || exit 1");
}

} // namespace
} // namespace emend
