// Where a spelling correction is safe, and where it is somebody's name, somebody's words, or code.
#include "adapters/analyzers/spelling.hpp"

#include <gmock/gmock.h>

namespace emend {
namespace {

using testing::HasSubstr;

// Why the first "seperate" of the text must stay; empty = it may be corrected.
std::string why(const std::string& file, const std::string& text, const WordUse& use = {1, 0, true},
                const std::string& word = "seperate", const std::string& replacement = "separate") {
  const std::size_t at = text.find(word);
  if (at == std::string::npos) return "the test has no such word";
  return SpellingText(file, text).why_not_safe(at, word, replacement, use);
}

struct Place {
  const char* name;
  const char* file;
  const char* text;
};

void PrintTo(const Place& place, std::ostream* out) { *out << place.name; }

class SafePlace : public testing::TestWithParam<Place> {};

TEST_P(SafePlace, IsCorrected) { EXPECT_EQ(why(GetParam().file, GetParam().text), ""); }

const Place kSafe[] = {
    {"plain", "README.md", "Each of the gauges has a seperate log.\n"},
    {"second_line", "README.md", "# gauge\n\nEach of the gauges that we have\nwrites a seperate log, too.\n"},
    {"list_item", "docs/a.md", "- Each of the gauges has a seperate log.\n"},
    {"list_continuation", "docs/a.md", "1. Each of the gauges that are\n   there has a seperate log.\n"},
    {"nested_item", "docs/a.md", "- The logs:\n    - Each of the gauges has a seperate log.\n"},
    {"beside_code", "a.md", "Use `make test` when you want a seperate log of the run.\n"},
    {"after_code_block", "a.md", "```\nmake\n```\n\nEach of the gauges has a seperate log.\n"},
    {"after_quotation", "a.md", "> The rain.\n\nEach of the gauges has a seperate log.\n"},
    {"after_quoted_word", "a.md", "The \"mill\" has a seperate log for you.\n"},
    {"after_apostrophe", "a.md", "It doesn't have a seperate log for that.\n"},
    {"beside_link", "a.md", "See [the docs](docs/a.md): each of them has a seperate log.\n"},
    {"in_parentheses", "a.md", "There is another log (a seperate one) for each of the gauges.\n"},
    {"crlf", "a.md", "Each of the gauges\r\nhas a seperate log.\r\n"},
    {"rst", "docs/a.rst", "Logs\n====\n\nEach of the gauges has a seperate log.\n"},
    {"rst_item", "docs/a.rst", "* Each of the gauges has\n  a seperate log, which is kept.\n"},
    {"rst_after_literal", "docs/a.rst", "Run this::\n\n    make\n\nEach of the gauges has a seperate log.\n"},
    {"text", "docs/notes.txt", "Each of the gauges has a seperate log.\n"},
    {"readme_text", "README.txt", "Each of the gauges has a seperate log.\n"},
    {"c_comment", "src/a.c", "// Each of the gauges has a seperate log.\nint a;\n"},
    {"c_block", "src/a.h", "/*\n * The gauges:\n * each of them has a seperate log.\n */\nint a;\n"},
    {"python_comment", "a.py",
     "#!/usr/bin/env python3\n\n# Each of the gauges has a seperate log.\nlog = 1\n"},
    {"rust_comment", "src/a.rs", "/// Each of the gauges has a seperate log.\nfn a() {}\n"},
    {"comment_in_a_test", "tests/a.c", "// Each of the gauges has a seperate log.\nint a;\n"},
};

INSTANTIATE_TEST_SUITE_P(Spelling, SafePlace, testing::ValuesIn(kSafe),
                         [](const auto& place) { return std::string(place.param.name); });

class UnsafePlace : public testing::TestWithParam<Place> {};

TEST_P(UnsafePlace, IsLeftToSomebodyWhoLooks) { EXPECT_NE(why(GetParam().file, GetParam().text), ""); }

const Place kUnsafe[] = {
    // Markdown
    {"code_span", "a.md", "Each of the gauges has a `seperate` log for you.\n"},
    {"inside_a_code_span", "a.md", "Say `make seperate log` when you want the log.\n"},
    {"long_code_span", "a.md", "Say ``a ` seperate b`` when you want the log.\n"},
    {"code_span_over_lines", "a.md", "Say `make\nseperate log` when you want the log.\n"},
    {"fence", "a.md", "```\nEach of the gauges has a seperate log.\n```\n"},
    {"fence_of_tildes", "a.md", "~~~ text\nEach of the gauges has a seperate log.\n~~~\n"},
    {"fence_in_a_fence", "a.md", "````\n```\n````x\nEach of the gauges has a seperate log.\n````\n"},
    {"fence_in_an_item", "a.md", "- the log:\n  ```\n  Each of the gauges has a seperate log.\n  ```\n"},
    {"indented_block", "a.md", "The log:\n\n    Each of the gauges has a seperate log.\n"},
    {"tab_block", "a.md", "The log:\n\n\tEach of the gauges has a seperate log.\n"},
    {"block_in_an_item", "a.md", "- The log:\n\n      Each of the gauges has a seperate log.\n"},
    {"link_text", "a.md", "Each of the gauges has [a seperate log](log.md) for you.\n"},
    {"link_reference", "a.md", "Each of the gauges has [a seperate log][log] for you.\n"},
    {"link_target", "a.md", "Each of the gauges has [a log](seperate.md \"the log\") for you.\n"},
    {"link_title", "a.md", "Each of the gauges has [a log](a.md 'a seperate log') for you.\n"},
    {"image", "a.md", "This is the log: ![a seperate log](a.png) of the gauge.\n"},
    {"definition_of_a_link", "a.md", "[a seperate log]: http://example.org/the/log\n"},
    {"url", "a.md", "The log of the gauge is at http://example.org/seperate/log for you.\n"},
    {"www", "a.md", "The log of the gauge is at www.seperate.org for you.\n"},
    {"mail", "a.md", "Write to seperate@example.org when you have the log.\n"},
    {"file_name", "a.md", "Each of the gauges has the file seperate.log of its own.\n"},
    {"path", "a.md", "The logs of the gauges are in logs/seperate for you.\n"},
    {"option", "a.md", "Say --seperate when you want each of the logs.\n"},
    {"identifier", "a.md", "The gauge calls seperate_log when it has the data.\n"},
    {"call", "a.md", "The gauge calls seperate() when it has the data.\n"},
    {"assignment", "a.md", "The gauge has seperate=1 when it has the data.\n"},
    {"block_quote", "a.md", "> Each of the gauges has a seperate log.\n"},
    {"lazy_quote", "a.md", "> Each of the gauges\nhas a seperate log.\n"},
    {"quote_in_an_item", "a.md", "- > Each of the gauges has a seperate log.\n"},
    {"quoted_word", "a.md", "The gauge writes \"seperate\" when it has the data.\n"},
    {"quoted_sentence", "a.md", "The gauge writes \"this is a seperate log\" when it has the data.\n"},
    {"curly_quotes", "a.md",
     "The gauge writes \xE2\x80\x9Cthis is a seperate log\xE2\x80\x9D when it has the data.\n"},
    {"single_quotes", "a.md", "The gauge writes 'this is a seperate log' when it has the data.\n"},
    {"guillemets", "a.md", "The gauge writes \xC2\xABthis is a seperate log\xC2\xBB when it has the data.\n"},
    {"emphasis", "a.md", "The gauge writes *seperate* when it has the data.\n"},
    {"heading", "a.md", "# Each of the gauges has a seperate log\n"},
    {"underlined_heading", "a.md", "Each of the gauges has a seperate log\n=====\n"},
    {"table", "a.md", "| the log | of the gauge |\n|---|---|\n| this is a seperate log | that we have |\n"},
    {"html", "a.md", "The gauge has <b title=\"x\">a seperate log</b> for you.\n"},
    {"html_block", "a.md", "<pre>\nEach of the gauges has a seperate log.\n</pre>\n"},
    {"html_comment", "a.md", "<!--\n\nEach of the gauges has a seperate log.\n\n-->\n"},
    {"front_matter", "a.md", "---\ntitle: Each of the gauges has a seperate log\n---\nRain.\n"},
    {"template", "a.md", "Each of the {{ gauges }} has a seperate log.\n"},
    {"formula", "a.md", "Each of the $n$ gauges has a seperate log.\n"},
    {"word_list", "a.md", "- occured\n- seperate\n- untill\n"},
    {"words_with_commas", "a.md", "occured, seperate, untill, recieve, teh\n"},
    {"short_line", "a.md", "A seperate log.\n"},
    {"glossary", "a.md", "- seperate - this is the log of the gauge\n"},
    {"named", "a.md", "The gauge has a field seperate that you can read.\n"},
    {"called", "a.md", "It is called seperate by the people who have it.\n"},
    {"about_spelling", "a.md", "We have fixed the typo seperate in the docs that you read.\n"},
    {"sic", "a.md", "They have a seperate (sic) log of the gauge.\n"},
    {"both_spellings", "a.md", "Each log that was seperate is now a separate log of the gauge.\n"},
    {"german", "a.md",
     "Das Programm hat ein seperate Datei, die man an den Server schickt, was immer das will.\n"},
    {"french", "a.md", "On a un fichier seperate pour les jauges, et on le lit sur la page.\n"},
    {"dutch", "a.md", "We was een seperate log of er is een bestand dat we lezen, of niet.\n"},
    // Sections and files
    {"changelog", "CHANGELOG.md", "Each of the gauges has a seperate log.\n"},
    {"changes", "docs/Changes.rst", "Each of the gauges has a seperate log.\n"},
    {"history", "HISTORY.md", "Each of the gauges has a seperate log.\n"},
    {"news", "NEWS.md", "Each of the gauges has a seperate log.\n"},
    {"release_notes", "docs/release-notes/next.md", "Each of the gauges has a seperate log.\n"},
    {"notes_of_a_version", "docs/v1.2.md", "Each of the gauges has a seperate log.\n"},
    {"notes_of_a_day", "docs/2020-05-01.md", "Each of the gauges has a seperate log.\n"},
    {"post", "blog/rain.md", "Each of the gauges has a seperate log.\n"},
    {"section_of_changes", "README.md",
     "# gauge\n\n## Changelog\n\nEach of the gauges has a seperate log.\n"},
    {"section_of_a_version", "README.md",
     "# gauge\n\n## v1.2.0 (2020)\n\n### Fixed\n\nEach of the gauges has a seperate log.\n"},
    {"rst_section_of_a_version", "docs/a.rst",
     "gauge\n=====\n\nVersion 1.2\n-----------\n\nEach of the gauges has a seperate log.\n"},
    {"license", "LICENSE.md", "Each of the gauges has a seperate log.\n"},
    {"copying", "COPYING.txt", "Each of the gauges has a seperate log.\n"},
    {"authors", "AUTHORS.md", "Each of the gauges has a seperate log.\n"},
    {"thanks", "README.md", "## Acknowledgements\n\nEach of the gauges has a seperate log.\n"},
    {"license_comment", "src/a.c",
     "// Copyright of the authors. This is a seperate work that you can copy.\n"},
    {"test_data", "tests/data/a.md", "Each of the gauges has a seperate log.\n"},
    {"fixture", "src/fixtures/a.c", "// Each of the gauges has a seperate log.\n"},
    {"prose_of_tests", "tests/a.md", "Each of the gauges has a seperate log.\n"},
    {"translation", "locale/de/a.md", "Each of the gauges has a seperate log.\n"},
    {"cmake", "docs/CMakeLists.txt", "message(the log of the gauge is a seperate log)\n"},
    {"data_text", "src/words.txt", "Each of the gauges has a seperate log.\n"},
    {"asciidoc", "a.adoc", "Each of the gauges has a seperate log.\n"},
    {"tex", "a.tex", "Each of the gauges has a seperate log.\n"},
    {"configuration", "a.yaml", "# Each of the gauges has a seperate log.\n"},
    {"shell", "a.sh", "# Each of the gauges has a seperate log.\n"},
    // reStructuredText
    {"rst_literal", "a.rst", "Run this::\n\n    Each of the gauges has a seperate log.\n"},
    {"rst_code_block", "a.rst", ".. code-block:: text\n\n   Each of the gauges has a seperate log.\n"},
    {"rst_comment", "a.rst", ".. Each of the gauges has a seperate log.\n"},
    {"rst_quote", "a.rst", "The log:\n\n  Each of the gauges has a seperate log.\n"},
    {"rst_role", "a.rst", "Each of the gauges has :ref:`a seperate log` for you.\n"},
    {"rst_double_backticks", "a.rst", "Each of the gauges has ``a seperate log`` for you.\n"},
    {"rst_reference", "a.rst", "Each of the gauges has a seperate_ log for you.\n"},
    {"rst_title", "a.rst", "Each of the gauges has a seperate log\n-------------------------------------\n"},
    {"rst_field", "a.rst", ":log: each of the gauges has a seperate log\n"},
    {"rst_term", "a.rst", "each of the gauges has a seperate log\n    This is it.\n"},
    {"rst_doctest", "a.rst", ">>> each of the gauges has a seperate log\n"},
    {"rst_table", "a.rst",
     "====  ====\nthe   log\n====  ====\nthis is a seperate log that you have\n====  ====\n"},
    // Source code
    {"c_code", "a.c", "int seperate; // the log of the gauge\n"},
    {"c_string", "a.c", "const char* a = \"Each of the gauges has a seperate log.\";\n"},
    {"c_beside_code", "a.c", "int a; // Each of the gauges has a seperate log.\n"},
    {"c_dead_code", "a.c", "// seperate = the_log(of, a, gauge);\n"},
    {"c_dead_sentence", "a.c", "// The log is a gauge when seperate == the log of it\n"},
    {"c_sample", "a.c", "// The log:\n//   each of the gauges has a seperate log\n"},
    {"c_parameter", "a.h", "/**\n * @param seperate the log of the gauge that you have\n */\n"},
    {"using_declaration", "a.cc", "using ::testing::seperate;\n"},
    {"python_string", "a.py", "a = 'Each of the gauges has a seperate log.'\n"},
    {"python_docstring", "a.py", "\"\"\"Each of the gauges has a seperate log.\"\"\"\n"},
    {"python_dead_code", "a.py", "# if seperate is not None and it has the log:\n"},
    {"python_first_line", "a.py", "#!/bin/seperate of the log that you have\n"},
    {"rust_example", "a.rs",
     "/// The log:\n/// ```\n/// each of the gauges has a seperate log\n/// ```\nfn a() {}\n"},
    {"javascript", "a.js", "// Each of the gauges has a seperate log.\n"},
};

INSTANTIATE_TEST_SUITE_P(Spelling, UnsafePlace, testing::ValuesIn(kUnsafe),
                         [](const auto& place) { return std::string(place.param.name); });

TEST(SpellingTest, TheWordItselfDecides) {
  const auto of = [](const std::string& word, const std::string& replacement) {
    return why("a.md", "This is the log " + word + " of the gauge that you have.\n", {1, 0, true}, word,
               replacement);
  };
  EXPECT_EQ(of("seperate", "separate"), "");
  EXPECT_EQ(of("teh", "the"), "");
  EXPECT_EQ(of("atleast", "at least"), "");
  EXPECT_THAT(of("wich", "which, witch"), HasSubstr("several"));
  EXPECT_THAT(of("clas", "class | disabled"), HasSubstr("several"));
  EXPECT_THAT(of("SEH", "SHE"), HasSubstr("capital"));
  EXPECT_THAT(of("Seperate", "Separate"), HasSubstr("capital"));
  EXPECT_THAT(of("MaxOSX", "macosx"), HasSubstr("capital"));
  EXPECT_THAT(of("unx", "UNIX"), HasSubstr("letter case"));
  EXPECT_THAT(of("als", "also"), HasSubstr("short"));
  EXPECT_THAT(of("nd", "and"), HasSubstr("short"));
  EXPECT_THAT(of("2st", "2nd"), HasSubstr("plain word"));
}

TEST(SpellingTest, TheRestOfTheRepositoryDecides) {
  const std::string text = "You can have an expresso when the tests are done.\n";
  const auto of = [&](const WordUse& use) { return why("README.md", text, use, "expresso", "espresso"); };
  EXPECT_EQ(of({1, 0, true}), "");
  EXPECT_EQ(of({3, 0, true}), "");
  EXPECT_THAT(of({4, 0, true}), HasSubstr("often"));
  EXPECT_THAT(of({1, 1, true}), HasSubstr("name"));
  EXPECT_THAT(of({1, 0, false}), HasSubstr("too large"));
}

TEST(SpellingTest, TellsNamesFromWords) {
  const auto is_name = [](const std::string& file, const std::string& text, const std::string& word) {
    return SpellingText(file, text).is_name(text.find(word), word.size());
  };
  EXPECT_FALSE(is_name("a.md", "This is an expresso for you.\n", "expresso"));
  EXPECT_FALSE(is_name("a.md", "Expresso is what we drink.\n", "Expresso")) << "a sentence begins";
  EXPECT_TRUE(is_name("a.md", "We drink Expresso here.\n", "Expresso"));
  EXPECT_TRUE(is_name("a.md", "We drink EXPRESSO here.\n", "EXPRESSO"));
  EXPECT_TRUE(is_name("a.md", "We call `make expresso` here.\n", "expresso"));
  EXPECT_TRUE(is_name("a.md", "We use [the expresso](a.md) here.\n", "expresso"));
  EXPECT_TRUE(is_name("a.md", "We use expresso.js here.\n", "expresso"));
  EXPECT_TRUE(is_name("a.c", "int expresso ;\n", "expresso"));
  EXPECT_TRUE(is_name("a.c", "char* a = \"an expresso b\";\n", "expresso"));
  EXPECT_FALSE(is_name("a.c", "// an expresso b\nint a;\n", "expresso"));
  EXPECT_TRUE(is_name("Makefile", "test: expresso all\n", "expresso"));
  EXPECT_FALSE(is_name("Makefile", "# an expresso for all\n", "expresso"));
}

} // namespace
} // namespace emend
