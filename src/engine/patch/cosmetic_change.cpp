#include "engine/patch/cosmetic_change.hpp"

#include <array>
#include <cctype>

#include "base/strings.hpp"

namespace emend {
namespace {

constexpr auto npos = std::string_view::npos;

enum class Family { plain, c_like, css, python, hash, dashes, markup };

struct Language {
  Family family = Family::plain;
  std::string extension;
  bool lines = false;       // the end of a line ends a statement
  bool indentation = false; // leading white space has meaning
  bool spaces = false;      // `x = 1` and `x=1`, `[ a` and `[a` are different things

  bool is(std::initializer_list<std::string_view> extensions) const {
    return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
  }
};

bool is_script(const Language& l) { return l.is({"js", "jsx", "mjs", "cjs", "ts", "tsx", "mts", "cts"}); }

Language language_of(std::string_view path) {
  const auto slash = path.rfind('/');
  const std::string name = to_lower(slash == npos ? path : path.substr(slash + 1));
  const auto dot = name.rfind('.');
  Language l;
  l.extension = dot == std::string::npos ? "" : name.substr(dot + 1);
  const bool makefile = name == "makefile" || name == "gnumakefile" || l.is({"mk"});
  if (makefile || name == "dockerfile" || name == "cmakelists.txt")
    return {Family::hash, l.extension, true, makefile, true};
  if (l.is({"py", "pyi"})) return {Family::python, l.extension, true, true, false};
  if (l.is({"c",     "cc",  "cpp",  "cxx", "h",     "hpp",  "hh",   "hxx",    "java",  "js",
            "jsx",   "mjs", "cjs",  "ts",  "tsx",   "go",   "rs",   "kt",     "cs",    "swift",
            "scala", "php", "dart", "kts", "proto", "scss", "less", "groovy", "json",  "jsonc",
            "m",     "mm",  "cu",   "mts", "cts",   "inl",  "ipp",  "tpp",    "gradle"}))
    return {Family::c_like, l.extension};
  if (l.is({"css"})) return {Family::css, l.extension};
  if (l.is({"yaml", "yml"})) return {Family::hash, l.extension, true, true, true};
  if (l.is({"sh", "bash", "zsh", "rb", "pl", "pm", "toml", "r", "cmake", "ini", "cfg", "conf", "tcl"}))
    return {Family::hash, l.extension, true, false, true};
  if (l.is({"hs"})) return {Family::dashes, l.extension, true, true, false};
  if (l.is({"sql", "lua", "adb", "ads"})) return {Family::dashes, l.extension};
  if (l.is({"html", "htm", "xml", "svg"})) return {Family::markup, l.extension};
  return l;
}

// A script without an ending says in its first line what it is.
Language language_of(std::string_view path, std::string_view content) {
  Language by_name = language_of(path);
  if (!by_name.extension.empty() || by_name.family != Family::plain || !content.starts_with("#!"))
    return by_name;
  const std::string_view first = content.substr(0, content.find('\n'));
  if (contains(first, "python")) return language_of("x.py");
  if (contains(first, "node") || contains(first, "deno") || contains(first, "bun"))
    return language_of("x.js");
  if (contains(first, "ruby")) return language_of("x.rb");
  if (contains(first, "perl")) return language_of("x.pl");
  for (const std::string& word : split(replace_all(std::string(trim(first)), "/", " "), ' '))
    if (word.ends_with("sh")) return language_of("x.sh");
  return by_name;
}

bool word_char(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         (static_cast<unsigned char>(c) & 0x80U) != 0;
}
bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

// Finds where the string that begins at a position ends. npos = no string begins there.
class StringScanner {
public:
  StringScanner(const Language& language, std::string_view text) : l_(language), text_(text) {}

  std::size_t end_of_string(std::size_t at) {
    if (vain_ > kMostVain) return npos;
    switch (l_.family) {
      case Family::plain:
      case Family::markup: return npos;
      case Family::c_like: return end_in_c_like(at);
      case Family::css: return is_quote(at) ? quoted(at, 1, true, false) : npos;
      case Family::python: return is_quote(at) ? python_string(at) : npos;
      case Family::hash: return is_quote(at) ? end_in_hash(at) : npos;
      case Family::dashes: return is_quote(at) ? quoted(at, 1, !l_.is({"sql"}), l_.is({"sql"})) : npos;
    }
    return npos;
  }

  std::size_t python_string(std::size_t at) {
    return triple(at) ? quoted(at, 3, true, true) : quoted(at, 1, true, false);
  }

private:
  bool starts(std::size_t at, std::string_view token) const {
    return text_.substr(at, token.size()) == token;
  }
  bool is_quote(std::size_t at) const { return text_[at] == '"' || text_[at] == '\''; }
  bool triple(std::size_t at) const { return starts(at, "\"\"\"") || starts(at, "'''"); }
  char before(std::size_t at) const { return at == 0 ? '\n' : text_[at - 1]; }

  // `count` equal quotes open and close it. Without the closing ones it is no string.
  std::size_t quoted(std::size_t at, std::size_t count, bool escapes, bool many_lines) {
    const std::string_view quotes = text_.substr(at, count);
    for (std::size_t i = at + count; i < text_.size(); ++i) {
      if (starts(i, quotes)) return i + count;
      if (text_[i] == '\\' && escapes)
        ++i;
      else if (text_[i] == '\n' && !many_lines)
        return unclosed(i - at);
    }
    return unclosed(text_.size() - at);
  }

  std::size_t unclosed(std::size_t looked_at) {
    if (looked_at > 4096) ++vain_;
    return npos;
  }

  std::size_t end_in_c_like(std::size_t at) {
    const char c = text_[at];
    if ((c == 'R' || c == 'r') && !(c == 'r' && word_char(before(at)) && before(at) != 'b'))
      return raw_string(at);
    if (c == '`')
      return l_.is({"go"}) ? quoted(at, 1, false, true) : is_script(l_) ? template_literal(at) : npos;
    if (c != '"' && c != '\'') return npos;
    if (triple(at) &&
        (c == '"' ? l_.is({"java", "kt", "kts", "scala", "swift", "cs", "dart", "groovy", "gradle"})
                  : l_.is({"dart", "groovy", "gradle"})))
      return quoted(at, 3, true, true);
    if (c == '"')
      return l_.is({"cs"}) && before(at) == '@' ? quoted(at, 1, false, true)
                                                : quoted(at, 1, true, l_.is({"rs", "php"}));
    if (l_.is({"rs"})) return rust_character(at);
    return is_digit_separator(at) ? npos : quoted(at, 1, true, l_.is({"php"}));
  }

  // C++: R"x( ... )x"   Rust: r"...", r#"..."#
  std::size_t raw_string(std::size_t at) {
    std::string close;
    std::size_t body = npos;
    if (text_[at] == 'R' && starts(at + 1, "\"")) {
      const auto paren = text_.find('(', at);
      if (paren == npos || paren - at > 18) return npos;
      close = ")" + std::string(text_.substr(at + 2, paren - at - 2)) + "\"";
      body = paren + 1;
    } else if (text_[at] == 'r' && l_.is({"rs"})) {
      const auto quote = text_.find_first_not_of('#', at + 1);
      if (quote == npos || text_[quote] != '"') return npos;
      close = "\"" + std::string(quote - at - 1, '#');
      body = quote + 1;
    }
    const auto end = body == npos ? npos : text_.find(close, body);
    if (end == npos) return body == npos ? npos : unclosed(text_.size() - body);
    return end + close.size();
  }

  // 'x' and '\n', but not the lifetimes 'a and 'static.
  std::size_t rust_character(std::size_t at) {
    if (at + 1 >= text_.size() || text_[at + 1] == '\n') return npos;
    if (text_[at + 1] == '\\') return quoted(at, 1, true, false);
    std::size_t after = at + 2;
    while (after < text_.size() && (static_cast<unsigned char>(text_[after]) & 0xC0U) == 0x80U) ++after;
    return after < text_.size() && text_[after] == '\'' ? after + 1 : npos;
  }

  // 1'000'000: the word that holds the quote begins with a digit.
  bool is_digit_separator(std::size_t at) const {
    constexpr std::size_t kLongestNumber = 100;
    std::size_t start = at;
    while (start > 0 && at - start < kLongestNumber &&
           (word_char(text_[start - 1]) || text_[start - 1] == '\''))
      --start;
    return start < at && std::isdigit(static_cast<unsigned char>(text_[start])) != 0;
  }

  // `text ${expression} text`, with templates and strings inside the expressions.
  std::size_t template_literal(std::size_t at) {
    std::string open = "`"; // '`' = in text, '{' = in an expression
    for (std::size_t i = at + 1; i < text_.size(); ++i) {
      const char c = text_[i];
      if (open.back() == '`') {
        if (c == '\\')
          ++i;
        else if (c == '`')
          open.pop_back();
        else if (starts(i, "${"))
          open += '{', ++i;
      } else if (c == '`' || c == '{') {
        open += c;
      } else if (c == '}') {
        open.pop_back();
      } else if (is_quote(i)) {
        if (const auto end = quoted(i, 1, true, false); end != npos) i = end - 1;
      }
      if (open.empty()) return i + 1;
    }
    return unclosed(text_.size() - at);
  }

  std::size_t end_in_hash(std::size_t at) {
    const bool shell = l_.is({"sh", "bash", "zsh", ""});
    const bool literal = text_[at] == '\'' && (shell ? before(at) != '$' : l_.is({"yaml", "yml", "toml"}));
    const bool prose = l_.is({"yaml", "yml", "toml", "ini", "cfg", "conf"}); // "it's" is no string there
    if (prose && word_char(before(at))) return npos;
    if (l_.is({"toml"}) && triple(at)) return quoted(at, 3, !literal, true);
    return quoted(at, 1, !literal, true);
  }

  static constexpr int kMostVain =
      200; // long searches for an end that is not there; a hostile text must not make this quadratic
  const Language& l_;
  std::string_view text_;
  int vain_ = 0;
};

// Walks the text once; strings are copied verbatim, comments skipped, white space folded.
class Stripper {
public:
  Stripper(Language language, std::string_view text)
      : language_(std::move(language)), text_(text), strings_(language_, text) {}

  std::string run() {
    while (at_ < text_.size()) {
      if (line_start_) begin_line();
      if (at_ >= text_.size()) break;
      if (skip_comment() || copy_string() || copy_pattern() || copy_escaped()) continue;
      const char c = text_[at_++];
      if (c == '\n')
        end_line();
      else if (blank(c))
        gap_ = true;
      else
        put_code(c);
    }
    return std::move(out_);
  }

private:
  bool starts(std::string_view token) const { return text_.substr(at_, token.size()) == token; }
  bool in(Family family) const { return language_.family == family; }

  void put(char c) {
    if (pending_line_) {
      if (!out_.empty()) out_ += '\n';
      out_ += indent_;
      pending_line_ = false;
    } else if (gap_ && !out_.empty() && (language_.spaces || (word_char(out_.back()) && word_char(c)))) {
      out_ += ' ';
    }
    gap_ = false;
    out_ += c;
  }

  void put_code(char c) {
    if (in(Family::python) && (c == '(' || c == '[' || c == '{')) ++depth_;
    if ((c == ')' || c == ']' || c == '}') && depth_ > 0) --depth_;
    put(c);
  }

  void copy_to(std::size_t end) {
    put(text_[at_]);
    out_ += text_.substr(at_ + 1, end - at_ - 1);
    at_ = end;
  }

  void end_line() {
    continued_ = in(Family::python) && !pending_line_ && !out_.empty() && out_.back() == '\\';
    line_start_ = true;
    gap_ = true;
    // A script's statement ends here, whatever comes next.
    if (is_script(language_) && after_word({"return", "throw", "break", "continue", "yield"})) out_ += '\n';
  }

  void begin_line() {
    line_start_ = false;
    if (!language_.lines || depth_ > 0 || continued_) return;
    const auto first = std::min(text_.find_first_not_of(" \t", at_), text_.size());
    indent_ = language_.indentation ? std::string(text_.substr(at_, first - at_)) : std::string{};
    pending_line_ = true; // written only if the line has anything to say
    gap_ = false;
    at_ = first;
    if (in(Family::python)) skip_docstring();
  }

  void skip_to(std::string_view end) {
    const auto found = text_.find(end, at_);
    at_ = found == npos ? text_.size() : found + end.size();
    gap_ = true;
  }
  bool skip_line() {
    at_ = std::min(text_.find('\n', at_), text_.size());
    gap_ = true;
    return true;
  }

  // A string that is a statement of its own is documentation.
  void skip_docstring() {
    std::size_t quote = at_;
    if (quote < text_.size() && contains("rRuU", text_.substr(quote, 1))) ++quote;
    if (quote >= text_.size() || (text_[quote] != '"' && text_[quote] != '\'')) return;
    const auto end = strings_.python_string(quote);
    if (end == npos) return;
    const auto line_end = std::min(text_.find('\n', end), text_.size());
    const auto rest = trim(text_.substr(end, line_end - end));
    if (rest.empty() || rest.starts_with('#')) at_ = line_end;
  }

  bool skip_comment() {
    switch (language_.family) {
      case Family::c_like: return skip_c_comment();
      case Family::css: return skip_block("/*", "*/", false);
      case Family::python: return text_[at_] == '#' && !is_interpreter_line() && skip_line();
      case Family::hash:
        return text_[at_] == '#' && (at_ == 0 || blank(text_[at_ - 1])) && !is_interpreter_line() &&
               skip_line();
      case Family::dashes:
        return (starts("--") && skip_line()) || (language_.is({"sql"}) && skip_block("/*", "*/", false));
      case Family::markup: return skip_block("<!--", "-->", false);
      case Family::plain: return false;
    }
    return false;
  }

  bool skip_c_comment() {
    const char before = at_ == 0 ? '\n' : text_[at_ - 1];
    if (starts("//")) {
      if (before == ':' && language_.is({"scss", "less"})) return false;           // url(https://...)
      if (starts("//go:") && before == '\n' && language_.is({"go"})) return false; // a directive
      return skip_line();
    }
    if (text_[at_] == '#' && language_.is({"php"}) && !starts("#[")) return skip_line();
    return skip_block("/*", "*/", language_.is({"rs", "swift", "kt", "kts", "scala", "dart"}));
  }

  bool skip_block(std::string_view open, std::string_view close, bool nested) {
    if (!starts(open)) return false;
    at_ += open.size();
    for (int depth = 1; nested && depth > 0;) {
      const auto inner = text_.find(open, at_), end = text_.find(close, at_);
      if (end == npos || inner > end) {
        --depth;
        skip_to(close);
        if (end == npos) return true;
      } else {
        ++depth;
        at_ = inner + open.size();
      }
    }
    if (!nested) skip_to(close);
    return true;
  }

  // "#!/bin/sh" says who reads the rest.
  bool is_interpreter_line() const { return at_ == 0 && starts("#!"); }

  bool copy_string() {
    const auto end = strings_.end_of_string(at_);
    if (end == npos) return false;
    copy_to(end);
    return true;
  }

  // A regular expression of a script: /["'\/]/ opens no string and no comment.
  bool copy_pattern() {
    if (text_[at_] != '/' || !is_script(language_) || !pattern_may_begin()) return false;
    bool in_class = false;
    constexpr std::size_t kLongestPattern = 1000;
    for (std::size_t i = at_ + 1; i < text_.size() && text_[i] != '\n' && i - at_ < kLongestPattern; ++i) {
      const char c = text_[i];
      if (c == '\\')
        ++i;
      else if (c == '[')
        in_class = true;
      else if (c == ']')
        in_class = false;
      else if (c == '/' && !in_class)
        return copy_to(i + 1), true;
    }
    return false;
  }
  bool pattern_may_begin() const {
    return out_.empty() || contains("(,=:[!&|?{;+-*%~^>\n", out_.substr(out_.size() - 1)) ||
           after_word({"return", "typeof", "case", "in", "of"});
  }
  bool after_word(std::initializer_list<std::string_view> words) const {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
      return out_.ends_with(word) &&
             (out_.size() == word.size() || !word_char(out_[out_.size() - word.size() - 1]));
    });
  }

  // \' and \# outside of strings, as shells have them.
  bool copy_escaped() {
    if (text_[at_] != '\\' || !in(Family::hash) || at_ + 1 >= text_.size() || blank(text_[at_ + 1]))
      return false;
    copy_to(at_ + 2);
    return true;
  }

  Language language_;
  std::string_view text_;
  StringScanner strings_;
  std::size_t at_ = 0;
  std::string out_;
  std::string indent_;
  bool gap_ = false;
  bool line_start_ = true;
  bool pending_line_ = false;
  bool continued_ = false;
  int depth_ = 0;
};

// "missing-docstring" -> missing, docstring. Whole words only: "information disclosure" and "docker" are no
// matters of form.
bool names_form(std::string_view text) {
  static constexpr std::array whole = {"doc",     "docs",      "documentation", "formatting", "whitespace",
                                       "style",   "codestyle", "pycodestyle",   "pydocstyle", "license",
                                       "licence", "licensing", "prettier",      "rustfmt",    "gofmt"};
  static constexpr std::array begins = {"docstring", "javadoc",   "jsdoc", "comment",
                                        "spell",     "codespell", "typo"};
  const std::string lower = to_lower(trim(text));
  if (lower == "format" || lower == "clang-format") return true;
  std::string word;
  const auto matches = [&] {
    return std::any_of(whole.begin(), whole.end(), [&](const char* w) { return word == w; }) ||
           std::any_of(begins.begin(), begins.end(), [&](const char* w) { return word.starts_with(w); });
  };
  for (const char c : lower + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      word += c;
    else if (matches())
      return true;
    else
      word.clear();
  }
  return false;
}

} // namespace

std::string significant_text(std::string_view path, std::string_view content) {
  return Stripper(language_of(path, content), content).run();
}

bool is_cosmetic(const FileChange& change) {
  if (change.new_mode == kModeSymlink || change.old_mode == kModeSymlink) return false;
  if (change.deleted()) return false;
  if (change.binary()) return change.old_id == change.new_id;
  const FileChange text = as_text(change);
  return significant_text(change.path, text.old_content) == significant_text(change.path, text.new_content);
}

bool allows_cosmetic(const Finding& finding) {
  return names_form(finding.category) || names_form(finding.rule);
}

} // namespace emend
