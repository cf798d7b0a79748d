#include "engine/patch/code_mask.hpp"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "base/strings.hpp"

namespace emend {
namespace {

std::string_view ending_of(std::string_view path) {
  const auto dot = path.rfind('.');
  return dot == std::string_view::npos || path.find('/', dot) != std::string_view::npos
             ? std::string_view{}
             : path.substr(dot + 1);
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Walks over a text once and blanks what is not code.
class Mask {
public:
  Mask(CodeKind kind, bool rust, bool strings, std::string_view text)
      : kind_(kind), rust_(rust), strings_(strings), text_(text), out_(text) {}

  std::string run() {
    while (at_ < text_.size()) step();
    return std::move(out_);
  }

private:
  [[nodiscard]] bool hash_comments() const {
    return kind_ == CodeKind::python || kind_ == CodeKind::ruby || kind_ == CodeKind::shell;
  }
  [[nodiscard]] bool at(std::string_view what) const { return text_.substr(at_, what.size()) == what; }
  [[nodiscard]] char before() const { return at_ == 0 ? '\n' : text_[at_ - 1]; }

  void blank(std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to && i < out_.size(); ++i)
      if (out_[i] != '\n') out_[i] = ' ';
  }

  // Blanks up to `end` (which is blanked too) or the end of the text.
  void blank_to(std::string_view end, std::size_t from) {
    const auto found = text_.find(end, from);
    const std::size_t stop = found == std::string_view::npos ? text_.size() : found + end.size();
    blank(at_, stop);
    at_ = stop;
  }

  void line_comment() {
    const auto end = text_.find('\n', at_);
    const std::size_t stop = end == std::string_view::npos ? text_.size() : end;
    blank(at_, stop);
    at_ = stop;
  }

  // From an opening quote to the closing one; `lines`: it may hold line ends.
  void quoted(std::string_view quote, bool escapes, bool lines) {
    const std::size_t inside = at_ + quote.size();
    std::size_t i = inside;
    while (i < text_.size() && text_.substr(i, quote.size()) != quote) {
      if (text_[i] == '\n' && !lines) break;
      if (escapes && text_[i] == '\\') ++i;
      ++i;
    }
    if (!strings_ || quote.size() > 1) blank(inside, i); // what three quotes hold is mostly documentation
    at_ = std::min(i + (i < text_.size() && text_[i] != '\n' ? quote.size() : 0), text_.size());
  }

  // <<EOF, <<-'EOF': its text begins with the next line. Returns whether one begins here.
  bool here_document() {
    if (kind_ != CodeKind::shell || !at("<<") || at("<<<")) return false;
    std::size_t i = at_ + 2;
    while (i < text_.size() &&
           (text_[i] == '-' || text_[i] == '~' || text_[i] == '\'' || text_[i] == '"' || text_[i] == '\\'))
      ++i;
    const std::size_t word = i;
    while (i < text_.size() && is_word(text_[i])) ++i;
    if (i == word) return false;
    here_ = std::string(text_.substr(word, i - word));
    at_ = i;
    return true;
  }

  void skip_here_document() {
    ++at_;
    while (at_ < text_.size()) {
      const auto end = text_.find('\n', at_);
      const std::size_t stop = end == std::string_view::npos ? text_.size() : end;
      const bool last = trim(text_.substr(at_, stop - at_)) == here_;
      blank(at_, stop);
      at_ = std::min(stop + (last ? 0 : 1), text_.size());
      if (last) break;
    }
    here_.clear();
  }

  // 'a' is a character, 'a is a lifetime.
  [[nodiscard]] bool is_lifetime() const {
    return rust_ && at_ + 2 < text_.size() && is_word(text_[at_ + 1]) && text_[at_ + 2] != '\'';
  }

  void raw_string(std::size_t quote, std::string_view end) {
    blank(at_, quote);
    at_ = quote;
    blank_to(end, quote + 1);
  }

  // R"x(...)x" of C++, r#"..."# of Rust.
  bool raw() {
    if (is_word(before())) return false;
    if (at("R\"")) {
      const auto open = text_.find('(', at_);
      if (open == std::string_view::npos || open - at_ > 20) return false;
      raw_string(at_ + 1, ")" + std::string(text_.substr(at_ + 2, open - at_ - 2)) + "\"");
      return true;
    }
    if (!rust_ || text_[at_] != 'r') return false;
    std::size_t i = at_ + 1;
    while (i < text_.size() && text_[i] == '#') ++i;
    if (i >= text_.size() || text_[i] != '"') return false;
    raw_string(i, "\"" + std::string(i - at_ - 1, '#'));
    return true;
  }

  void step() {
    const char c = text_[at_];
    if (c == '\n' && !here_.empty()) return skip_here_document();
    if (c == '\\' && kind_ == CodeKind::shell) return void(at_ = std::min(at_ + 2, text_.size()));
    if (c == '#' && hash_comments()) {
      const bool comment = kind_ != CodeKind::shell || before() == ' ' || before() == '\t' ||
                           before() == '\n' || before() == ';';
      return comment ? line_comment() : void(++at_);
    }
    if (!hash_comments() && at("//")) return line_comment();
    if (!hash_comments() && at("/*")) return blank_to("*/", at_ + 2);
    if (kind_ == CodeKind::python && (at("\"\"\"") || at("'''")))
      return quoted(text_.substr(at_, 3), true, true);
    if (here_document() || (kind_ == CodeKind::semicolons && raw())) return;
    const bool shell = kind_ == CodeKind::shell;
    if (c == '"') return quoted("\"", true, shell || kind_ == CodeKind::ruby || rust_);
    if (c == '`' && kind_ == CodeKind::lines) return quoted("`", true, true);
    const bool separates_digits =
        kind_ == CodeKind::semicolons && std::isalnum(static_cast<unsigned char>(before())) != 0;
    if (c == '\'' && !is_lifetime() && !separates_digits)
      return quoted("'", !shell, shell || kind_ == CodeKind::ruby);
    ++at_;
  }

  CodeKind kind_;
  bool rust_, strings_; // strings_: what is quoted stays
  std::string_view text_;
  std::string out_;
  std::string here_; // the word that ends the here-document that begins after this line
  std::size_t at_ = 0;
};

std::string masked(std::string_view path, std::string_view text, bool strings) {
  const CodeKind kind = code_kind(path);
  return kind == CodeKind::none ? std::string(text) : Mask(kind, path.ends_with(".rs"), strings, text).run();
}

} // namespace

CodeKind code_kind(std::string_view path) {
  static const std::vector<std::pair<CodeKind, std::string_view>> endings = {
      {CodeKind::python, " py pyi "},
      {CodeKind::ruby, " rb "},
      {CodeKind::shell, " sh bash bats ksh zsh "},
      {CodeKind::lines, " js mjs cjs jsx ts mts cts tsx go kt kts swift scala "},
      {CodeKind::semicolons, " c h cc cpp cxx hh hpp hxx ipp m mm java cs rs php "}};
  const std::string_view ending = ending_of(path);
  if (ending.empty()) return CodeKind::none;
  for (const auto& [kind, known] : endings)
    if (contains(known, " " + std::string(ending) + " ")) return kind;
  return CodeKind::none;
}

std::string code_mask(std::string_view path, std::string_view text) { return masked(path, text, false); }

std::string without_comments(std::string_view path, std::string_view text) {
  return masked(path, text, true);
}

} // namespace emend
