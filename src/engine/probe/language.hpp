// The languages of tests, one row each: how their comments, strings and negations are written.
#pragma once

#include <string_view>
#include <vector>

namespace emend::probe {

enum class Tongue { python, javascript, c, cpp, go, rust, java, shell, php, ruby };

struct Language {
  Tongue tongue = Tongue::c;
  std::vector<std::string_view> endings;  // of file names, with the dot
  std::vector<std::string_view> programs; // in a first line that begins with "#!"
  std::vector<std::string_view> comments; // marks of comments up to the end of the line; the first is written
  bool block_comments = false;            // /* ... */
  bool nested_comments = false;           // ... which may hold others
  std::string_view quotes;                // characters that open a string with backslash escapes
  std::string_view raw_quotes;            // characters that open a string without escapes
  bool triple_quotes = false;             // """ ... """
  bool strings_span_lines = false;        // ordinary strings may hold line ends
  bool lines_end_statements = false;      // a line end (outside brackets) ends a statement
  bool directives = false;                // lines that begin with '#' belong to the preprocessor
  bool regex_literals = false;            // /.../ where a value may stand
  std::string_view not_open = "!(";       // what goes around an expression to negate it
};

// By the file's name, else by its first line; nullptr: a language we do not know.
[[nodiscard]] const Language* language_of(std::string_view path, std::string_view text);

} // namespace emend::probe
