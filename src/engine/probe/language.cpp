#include "engine/probe/language.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace emend::probe {
namespace {

Language c_like(Tongue tongue, std::vector<std::string_view> endings) {
  Language language;
  language.tongue = tongue;
  language.endings = std::move(endings);
  language.comments = {"//"};
  language.block_comments = true;
  language.quotes = "\"'";
  return language;
}

Language script(Tongue tongue, std::vector<std::string_view> endings,
                std::vector<std::string_view> programs) {
  Language language;
  language.tongue = tongue;
  language.endings = std::move(endings);
  language.programs = std::move(programs);
  language.comments = {"#"};
  language.quotes = "\"'";
  language.lines_end_statements = true;
  return language;
}

std::vector<Language> rows() {
  Language c = c_like(Tongue::c, {".c", ".h"});
  c.directives = true;
  Language cpp = c_like(Tongue::cpp, {".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx", ".c++", ".ipp"});
  cpp.directives = true;
  Language java = c_like(Tongue::java, {".java"});
  java.triple_quotes = true;
  Language rust = c_like(Tongue::rust, {".rs"});
  rust.nested_comments = rust.strings_span_lines = true;
  Language go = c_like(Tongue::go, {".go"});
  go.raw_quotes = "`";
  go.lines_end_statements = true;
  Language javascript =
      c_like(Tongue::javascript, {".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"});
  javascript.programs = {"node", "deno", "bun", "ts-node", "tsx"};
  javascript.regex_literals = javascript.lines_end_statements = true;
  Language php = c_like(Tongue::php, {".php", ".phpt"});
  php.programs = {"php"};
  php.comments = {"//", "#"};
  php.strings_span_lines = true;
  Language python = script(Tongue::python, {".py", ".pyi"}, {"python", "python2", "python3"});
  python.triple_quotes = true;
  python.not_open = "not (";
  Language ruby = script(Tongue::ruby, {".rb"}, {"ruby"});
  ruby.regex_literals = ruby.strings_span_lines = true;
  Language shell = script(Tongue::shell, {".sh", ".bash", ".bats", ".ksh", ".zsh"},
                          {"sh", "bash", "dash", "ksh", "zsh", "bats"});
  return {python, javascript, c, cpp, go, rust, java, shell, php, ruby};
}

// "#!/usr/bin/env -S python3 -u" -> python3; empty without such a line.
std::string program_of(std::string_view text) {
  if (!text.starts_with("#!")) return {};
  for (const std::string& word : split(text.substr(2, text.substr(0, 200).find('\n') - 2), ' ')) {
    const std::string_view name = trim(std::string_view(word).substr(word.rfind('/') + 1));
    if (!name.empty() && name != "env" && !name.starts_with("-")) return std::string(name);
  }
  return {};
}

} // namespace

const Language* language_of(std::string_view path, std::string_view text) {
  static const std::vector<Language> kRows = rows();
  const std::string name = to_lower(path.substr(path.rfind('/') + 1));
  for (const Language& row : kRows) {
    if (std::any_of(row.endings.begin(), row.endings.end(), [&](auto end) { return name.ends_with(end); }))
      return &row;
  }
  const std::string program = program_of(text);
  for (const Language& row : kRows) {
    if (std::find(row.programs.begin(), row.programs.end(), program) != row.programs.end()) return &row;
  }
  return nullptr;
}

} // namespace emend::probe
