#include "config/toml_reader.hpp"

#include <gtest/gtest.h>

namespace emend {
namespace {

std::string error_of(std::string_view text) {
  const auto read = read_toml(text, "emend.toml", [](std::string_view) { return false; });
  return read ? "(read)" : read.error().message;
}

TEST(TomlReader, WhatTheLibraryDoesNotExpectIsAnErrorWithItsLine) {
  EXPECT_EQ(error_of("a = 1\n[{\"b\": 2}]\n"),
            "emend.toml:2: this cannot be read as TOML; a table is named in brackets: [fix]");
  for (const char* text : {"[{", "[[{", "[ ", "[", "[]", "[.a]", "[=]", "[[", "[a", "[a.", "= 1",
                           "a =", "a = [", "a = {", "a = \"", "\"", "'''"})
    EXPECT_TRUE(error_of(text).starts_with("emend.toml:1: ")) << text << " -> " << error_of(text);
}

TEST(TomlReader, BracketsInTextsAreNoTables) {
  EXPECT_EQ(error_of("a = '''\n[{\n'''\n[b]\nc = 1\n"), "(read)");
}

} // namespace
} // namespace emend
