#include "engine/probe/data_flip.hpp"

#include <gtest/gtest.h>

#include "engine/probe/reword.hpp"

namespace emend {
namespace {

std::string flipped(const std::string& path, const std::string& text) {
  const auto twist = flip_data(path, text);
  return twist ? twist->text : "";
}

TEST(DataFlip, ExpectedOutput) {
  EXPECT_EQ(flipped("t/1.out", "42\n"), "52\n");
  EXPECT_EQ(flipped("t/1.expected", "\n  zeta 9\n"), "\n  yeta 9\n");
  EXPECT_EQ(flipped("t/1.golden", "\xe2\x82\xac 9\r\n"), "\xe2\x82\xac 8\r\n");
  EXPECT_EQ(flipped("t/1.txt", "***\n"), "+**\n");
  EXPECT_EQ(flipped("t/a.snap", "// Jest Snapshot v1\n\nexports[`a`] = `b`;\n"),
            "// Jest Snapshot v1\n\nexports[`a`] = `c`;\n");
  EXPECT_EQ(flipped("t/1.out", "\n \n"), "");
  EXPECT_EQ(flipped("t/1.out", ""), "");
  EXPECT_EQ(flipped("t/1.in", "42\n"), "");
  EXPECT_EQ(flipped("t/1.out", std::string("4\0002\n", 4)), "");
  const auto twist = flip_data("t/1.out", "\n7\n");
  ASSERT_TRUE(twist);
  EXPECT_EQ(twist->line, 2);
  EXPECT_EQ(twist->before, "7");
  EXPECT_EQ(twist->after, "8");
  EXPECT_EQ(twist->kind, Twist::Kind::data);
}

TEST(DataFlip, TablesOfCases) {
  EXPECT_EQ(flipped("c.json", R"([{"in": 1, "expected": 2}])"), R"([{"in": 1, "expected": 12}])");
  EXPECT_EQ(flipped("c.json", R"({"want" : "a\"b", "x": 1})"), R"({"want" : "~a\"b", "x": 1})");
  EXPECT_EQ(flipped("c.json", R"({"output": [-3, 4]})"), R"({"output": [-13, 4]})");
  EXPECT_EQ(flipped("c.json", R"({"result": true})"), R"({"result": false})");
  EXPECT_EQ(flipped("c.json", R"({"answer": {"a": null}})"), R"({"answer": {"a": 0}})");
  EXPECT_EQ(flipped("c.json", R"({"expected": [], "b": {"expected": 5}})"),
            R"({"expected": [], "b": {"expected": 15}})");
  EXPECT_EQ(flipped("c.json", R"({"input": "expected: 3"})"), "");
  EXPECT_EQ(flipped("c.json", R"({"expected": 0.5})"), R"({"expected": 1.5})");
  EXPECT_EQ(flipped("c.jsonl", "{\"a\": 1}\n{\"expected\": 2}\n"), "{\"a\": 1}\n{\"expected\": 12}\n");
}

TEST(Reword, AddsACommentAtTheEnd) {
  EXPECT_EQ(reword("t.py", "x = 1\n", "w7"), "x = 1\n# w7\n\n");
  EXPECT_EQ(reword("t.c", "int x;", "w7"), "int x;\n// w7\n\n");
  EXPECT_EQ(reword("t.js", "a();\r\n", "w7"), "a();\r\n// w7\r\n\r\n");
  EXPECT_EQ(reword("t.py", "", "w7"), "# w7\n\n");
  EXPECT_EQ(reword("run", "#!/bin/sh\ntrue\n", "w7"), "#!/bin/sh\ntrue\n# w7\n\n");
  EXPECT_EQ(reword("a.json", "{}\n", "w7"), "{}\n");
  EXPECT_EQ(reword("a.out", "1\n", "w7"), "1\n");
  EXPECT_EQ(reword("a.php", "<?php a(); ?>\n<b>\n", "w7"), "<?php a(); ?>\n<b>\n");
  EXPECT_EQ(reword("a.sh", "cat <<EOF\nx\n", "w7"), "cat <<EOF\nx\n") << "the comment would be text";
  EXPECT_EQ(reword("a.c", "/* open\n", "w7"), "/* open\n");
  EXPECT_EQ(reword("a.rb", "a\n__END__\nb\n", "w7"), "a\n__END__\nb\n");
}

} // namespace
} // namespace emend
