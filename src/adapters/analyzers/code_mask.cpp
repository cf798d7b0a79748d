#include "adapters/analyzers/code_mask.hpp"

#include <cctype>

#include "adapters/analyzers/file_choice.hpp"
#include "model/known_analyzers.hpp"

namespace emend {

namespace {

constexpr auto npos = std::string_view::npos;

class Masker {
public:
  Masker(std::string_view text, Syntax syntax) : text_(text), syntax_(syntax), kinds_(text.size(), 'c') {}

  CodeMask run() {
    while (at_ < text_.size()) step();
    CodeMask mask{std::string(text_), std::move(kinds_)};
    for (std::size_t i = 0; i < mask.code.size(); ++i)
      if (mask.kinds[i] != 'c' && mask.code[i] != '\n') mask.code[i] = ' ';
    return mask;
  }

private:
  [[nodiscard]] bool here(std::string_view token) const { return text_.substr(at_).starts_with(token); }
  [[nodiscard]] bool hash_comments() const { return syntax_ == Syntax::python || syntax_ == Syntax::ruby; }
  [[nodiscard]] char before() const { return at_ == 0 ? '\n' : text_[at_ - 1]; }

  void fill(std::size_t end, char kind) {
    end = std::min(end, text_.size());
    for (; at_ < end; ++at_) kinds_[at_] = kind;
  }
  // Past `token` when it occurs at or after `from`, else the end of the text.
  [[nodiscard]] std::size_t past(std::string_view token, std::size_t from) const {
    const auto found = text_.find(token, from);
    return found == npos ? text_.size() : found + token.size();
  }

  void step() {
    if (hash_comments() ? here("#") : here("//")) return fill(text_.find('\n', at_), '/');
    if (!hash_comments() && here("/*")) return fill(past("*/", at_ + 2), '/');
    if (syntax_ == Syntax::python && (here("\"\"\"") || here("'''")))
      return fill(end_of_quoted(text_.substr(at_, 3), true), 's');
    if (syntax_ == Syntax::c && here("R\"") && !is_identifier(before())) return raw_string();
    if (here("\"")) return fill(end_of_quoted("\"", syntax_ == Syntax::rust), 's');
    if (here("'") && is_quote()) return fill(end_of_quoted("'", false), 's');
    if (here("`") && syntax_ == Syntax::script) return fill(end_of_quoted("`", true), 's');
    if (here("/") && syntax_ == Syntax::script && starts_expression()) return fill(end_of_regex(), 's');
    ++at_;
  }

  // Not a digit separator (1'000), not a lifetime ('a).
  [[nodiscard]] bool is_quote() const {
    if (syntax_ == Syntax::c) return !std::isalnum(static_cast<unsigned char>(before()));
    if (syntax_ == Syntax::rust)
      return at_ + 2 < text_.size() && (text_[at_ + 1] == '\\' || text_[at_ + 2] == '\'');
    return true;
  }

  // A text that is not closed ends with its line, so that one odd quote cannot hide the rest of the file.
  [[nodiscard]] std::size_t end_of_quoted(std::string_view quote, bool several_lines) const {
    for (std::size_t i = at_ + quote.size(); i < text_.size(); ++i) {
      if (text_[i] == '\\')
        ++i;
      else if (text_.substr(i).starts_with(quote))
        return i + quote.size();
      else if (text_[i] == '\n' && !several_lines)
        return i;
    }
    return text_.size();
  }

  void raw_string() {
    const auto open = text_.find('(', at_ + 2);
    if (open == npos || open - at_ > 18) return fill(end_of_quoted("R\"", false), 's');
    fill(past(")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"", open), 's');
  }

  // A slash after these divides nothing.
  [[nodiscard]] bool starts_expression() const {
    const auto last = text_.substr(0, at_).find_last_not_of(" \t");
    return last == npos || std::string_view("(,=:[!&|?{};\n").find(text_[last]) != npos;
  }

  [[nodiscard]] std::size_t end_of_regex() const {
    bool in_class = false;
    for (std::size_t i = at_ + 1; i < text_.size() && text_[i] != '\n'; ++i) {
      if (text_[i] == '\\')
        ++i;
      else if (text_[i] == '[')
        in_class = true;
      else if (text_[i] == ']')
        in_class = false;
      else if (text_[i] == '/' && !in_class)
        return i + 1;
    }
    return at_ + 1;
  }

  std::string_view text_;
  Syntax syntax_;
  std::string kinds_;
  std::size_t at_ = 0;
};

} // namespace

Syntax syntax_of(std::string_view path) {
  if (has_extension(path, {"c", "cc", "cpp", "cxx", "c++", "h", "hh", "hpp", "hxx", "inl", "ipp", "tpp"}))
    return Syntax::c;
  if (has_extension(path, known_analyzer("eslint").extensions)) return Syntax::script;
  if (has_extension(path, known_analyzer("flake8").extensions)) return Syntax::python;
  if (has_extension(path, {"rb", "rake"})) return Syntax::ruby;
  return has_extension(path, {"rs"}) ? Syntax::rust : Syntax::none;
}

CodeMask mask_code(std::string_view text, Syntax syntax) {
  if (syntax == Syntax::none) return {std::string(text), std::string(text.size(), 'c')};
  return Masker(text, syntax).run();
}

bool is_identifier(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::string_view word_before(std::string_view code, std::size_t at) {
  std::size_t end = at;
  while (end > 0 && (code[end - 1] == ' ' || code[end - 1] == '\t')) --end;
  std::size_t begin = end;
  while (begin > 0 && is_identifier(code[begin - 1])) --begin;
  return code.substr(begin, end - begin);
}

} // namespace emend
