#include "engine/significance.hpp"

#include <array>
#include <cctype>

#include "base/strings.hpp"

namespace emend {
namespace {

enum class Family { plain, c_like, css, python, hash, dashes, markup };

struct Language {
  Family family;
  bool indentation; // leading white space has meaning
};

Language language_of(std::string_view path) {
  const auto slash = path.rfind('/');
  const std::string name = to_lower(slash == std::string_view::npos ? path : path.substr(slash + 1));
  if (name == "makefile" || name == "dockerfile" || name == "cmakelists.txt") return {Family::hash, name == "makefile"};
  const auto dot = name.rfind('.');
  const std::string ext = dot == std::string::npos ? "" : name.substr(dot + 1);
  const auto one_of = [&](std::initializer_list<std::string_view> list) { return std::find(list.begin(), list.end(), ext) != list.end(); };
  if (one_of({"py", "pyi"})) return {Family::python, true};
  if (one_of({"c",  "cc",  "cpp", "cxx", "h",     "hpp", "hh",   "hxx", "java", "js",   "jsx",   "mjs",  "cjs",
              "ts", "tsx", "go",  "rs",  "swift", "kt",  "scala", "cs", "php",  "dart", "proto", "scss", "less"}))
    return {Family::c_like, false};
  if (one_of({"css"})) return {Family::css, false};
  if (one_of({"yaml", "yml"})) return {Family::hash, true};
  if (one_of({"sh", "bash", "zsh", "rb", "pl", "toml", "r", "cmake", "ini", "cfg", "conf", "tcl", "mk"})) return {Family::hash, ext == "mk"};
  if (one_of({"sql", "lua", "hs", "adb", "ads"})) return {Family::dashes, false};
  if (one_of({"html", "htm", "xml", "svg"})) return {Family::markup, false};
  return {Family::plain, false};
}

bool word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (static_cast<unsigned char>(c) & 0x80U) != 0; }
bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

// Walks the text once; strings are copied verbatim, comments skipped, white space folded.
class Stripper {
public:
  Stripper(Language language, std::string_view text) : language_(language), text_(text) {}

  std::string run() {
    while (at_ < text_.size()) {
      if (line_start_) begin_line();
      if (at_ >= text_.size()) break;
      if (skip_comment()) continue;
      if (copy_string()) continue;
      const char c = text_[at_++];
      if (c == '\n') {
        line_start_ = true;
        gap_ = true;
        continue;
      }
      if (blank(c)) {
        gap_ = true;
        continue;
      }
      if (c == '(' || c == '[' || c == '{') ++depth_;
      if ((c == ')' || c == ']' || c == '}') && depth_ > 0) --depth_;
      put(c);
    }
    return std::move(out_);
  }

private:
  bool starts(std::string_view token) const { return text_.substr(at_, token.size()) == token; }

  void put(char c) {
    if (pending_indent_) {
      out_ += '\n';
      out_.append(indent_, ' ');
      pending_indent_ = false;
    } else if (gap_ && !out_.empty() && word_char(out_.back()) && word_char(c)) {
      out_ += ' ';
    }
    gap_ = false;
    out_ += c;
  }

  void begin_line() {
    line_start_ = false;
    if (!language_.indentation || depth_ > 0) return;
    std::size_t width = 0;
    std::size_t i = at_;
    for (; i < text_.size() && (text_[i] == ' ' || text_[i] == '\t'); ++i) width += text_[i] == '\t' ? 8 : 1;
    indent_ = width;
    pending_indent_ = true; // written only if the line has anything to say
    at_ = i;
    skip_docstring();
  }

  void skip_to(std::string_view end) {
    const auto found = text_.find(end, at_);
    at_ = found == std::string_view::npos ? text_.size() : found + end.size();
  }
  void skip_line() {
    const auto found = text_.find('\n', at_);
    at_ = found == std::string_view::npos ? text_.size() : found;
  }

  // A bare triple-quoted statement is documentation.
  void skip_docstring() {
    if (language_.family != Family::python) return;
    for (const std::string_view quotes : {std::string_view("\"\"\""), std::string_view("'''")}) {
      if (!starts(quotes)) continue;
      const auto end = text_.find(quotes, at_ + 3);
      const auto after = end == std::string_view::npos ? text_.size() : end + 3;
      const auto line_end = std::min(text_.find('\n', after), text_.size());
      if (!trim(text_.substr(after, line_end - after)).empty()) return; // part of an expression
      at_ = line_end;
      return;
    }
  }

  bool skip_comment() {
    const bool after_blank = at_ == 0 || blank(text_[at_ - 1]);
    switch (language_.family) {
      case Family::c_like:
        if (starts("//")) return skip_line(), gap_ = true, true;
        [[fallthrough]];
      case Family::css:
        if (starts("/*")) return at_ += 2, skip_to("*/"), gap_ = true, true;
        return false;
      case Family::python:
        if (text_[at_] == '#') return skip_line(), true;
        return false;
      case Family::hash:
        if (text_[at_] == '#' && after_blank) return skip_line(), true;
        return false;
      case Family::dashes:
        if (starts("--")) return skip_line(), true;
        return false;
      case Family::markup:
        if (starts("<!--")) return skip_to("-->"), gap_ = true, true;
        return false;
      case Family::plain: return false;
    }
    return false;
  }

  bool copy_string() {
    if (language_.family == Family::plain || language_.family == Family::markup) return false;
    const char quote = text_[at_];
    const bool backtick = quote == '`' && language_.family == Family::c_like;
    if (quote != '"' && quote != '\'' && !backtick) return false;
    if (language_.family == Family::python && (starts("\"\"\"") || starts("'''"))) return copy_until(std::string(3, quote));
    // 1'000'000 and Rust's 'a are no strings.
    if (quote == '\'' && language_.family == Family::c_like && (is_digit_separator() || !closes_on_this_line())) return false;
    if (quote == '\'' && language_.family == Family::dashes && !closes_on_this_line()) return false;
    return copy_until(std::string(1, quote));
  }

  bool is_digit_separator() const { return at_ > 0 && std::isalnum(static_cast<unsigned char>(text_[at_ - 1])) != 0; }
  bool closes_on_this_line() const {
    for (std::size_t i = at_ + 1; i < text_.size() && text_[i] != '\n'; ++i) {
      if (text_[i] == '\\') ++i;
      else if (text_[i] == '\'') return true;
    }
    return false;
  }

  bool copy_until(const std::string& quotes) {
    const std::size_t start = at_;
    at_ += quotes.size();
    while (at_ < text_.size() && !starts(quotes)) at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_ + quotes.size(), text_.size());
    for (const char c : text_.substr(start, at_ - start)) {
      if (pending_indent_) put(c);
      else out_ += c;
    }
    gap_ = false;
    return true;
  }

  Language language_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
  bool gap_ = false;
  bool line_start_ = true;
  bool pending_indent_ = false;
  std::size_t indent_ = 0;
  int depth_ = 0;
};

} // namespace

std::string significant_text(std::string_view path, std::string_view content) { return Stripper(language_of(path), content).run(); }

bool is_cosmetic(const FileChange& change) {
  if (change.new_mode == kModeSymlink || change.old_mode == kModeSymlink) return false;
  if (change.deleted()) return false;
  if (change.binary()) return change.old_id == change.new_id;
  return significant_text(change.path, change.old_content) == significant_text(change.path, change.new_content);
}

bool allows_cosmetic(const Finding& finding) {
  static constexpr std::array words = {"doc", "comment", "spell", "typo", "format", "whitespace", "style", "license"};
  const std::string category = to_lower(finding.category);
  const std::string rule = to_lower(finding.rule);
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return contains(category, word) || contains(rule, word); });
}

} // namespace emend
