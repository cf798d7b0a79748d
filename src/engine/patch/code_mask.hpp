// Source text without what is quoted or commented: what is left can be searched for structure in any
// language. Pure and lexical; no compiler is needed.
#pragma once

#include <string>
#include <string_view>

namespace emend {

enum class CodeKind {
  none,       // data, or a language that is not known
  python,     // blocks by indentation
  ruby,       // blocks by do/def ... end
  shell,      // sh, bash, bats
  lines,      // braces; a statement ends with its line: JavaScript, TypeScript, Go, Kotlin, Swift, Scala
  semicolons, // braces; a statement ends with ';' or a block: C, C++, Java, C#, Rust, PHP
};
[[nodiscard]] CodeKind code_kind(std::string_view path);

// The same number of bytes and lines; comments and the inside of strings, here-documents included, are
// blanks. Quotes stay where they are.
[[nodiscard]] std::string code_mask(std::string_view path, std::string_view text);

// The same, but what is quoted stays; documentation in three quotes goes.
[[nodiscard]] std::string without_comments(std::string_view path, std::string_view text);

} // namespace emend
