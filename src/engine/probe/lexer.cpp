#include "engine/probe/lexer.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace emend::probe {
namespace {

bool is_word_byte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::size_t line_end(std::string_view text, std::size_t at) {
  return std::min(text.find('\n', at), text.size());
}

// Longest first.
constexpr std::array<std::string_view, 38> kMarks = {
    "===", "!==", "<=>", "...", "**=", "<<=", ">>=", "==", "!=", "<=",  ">=", "&&", "||",
    "->",  "=>",  "::",  "++",  "--",  "+=",  "-=",  "*=", "/=", "|=",  "&=", "^=", "%=",
    "<<",  ">>",  "?.",  "??",  "..",  "**",  ":=",  "=~", "!~", "?->", "<-", "@@"};

class Lexer {
public:
  Lexer(std::string_view text, const Language& language) : text_(text), language_(language) {}

  std::vector<Token> run() {
    while (at_ < text_.size()) step();
    return std::move(tokens_);
  }

private:
  using Kind = Token::Kind;

  void step() {
    const char c = text_[at_];
    if (c == '\n') return take_line_end();
    if (std::isspace(static_cast<unsigned char>(c)) != 0) return void(++at_);
    if (c == '\\' && at_line_end(at_ + 1)) return void(at_ = line_end(text_, at_) + 1);
    if (skip_comment() || take_directive() || take_heredoc()) return;
    if (const std::size_t open = string_opens_at(); open != std::string_view::npos)
      return take(Kind::text, end_of_string(text_, open, language_));
    if (take_regex()) return;
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) return take(Kind::number, end_of_number());
    if (is_word_byte(c) || c == '$' || c == '@') return take_word();
    take_mark();
  }

  void take(Kind kind, std::size_t end) {
    end = std::min(std::max(end, at_ + 1), text_.size());
    tokens_.push_back({kind, at_, end, text_.substr(at_, end - at_)});
    at_ = end;
  }

  [[nodiscard]] bool at_line_end(std::size_t at) const {
    return text_.substr(at).starts_with("\n") || text_.substr(at).starts_with("\r\n");
  }
  [[nodiscard]] bool here(std::string_view mark) const { return text_.substr(at_).starts_with(mark); }
  [[nodiscard]] bool first_on_line() const {
    const std::size_t start = text_.rfind('\n', at_ == 0 ? 0 : at_ - 1);
    const std::size_t from = at_ == 0 || start == std::string_view::npos ? 0 : start + 1;
    return text_.substr(from, at_ - from).find_first_not_of(" \t") == std::string_view::npos;
  }

  void take_line_end() {
    const bool matters = language_.lines_end_statements && (open_.empty() || open_.back() == '{') &&
                         !(language_.tongue == Tongue::python && !open_.empty());
    if (matters && !next_line_goes_on()) return take(Kind::line_end, at_ + 1);
    ++at_;
  }
  // A chain of calls may go on in the next line: it begins with a dot there.
  [[nodiscard]] bool next_line_goes_on() const {
    const std::size_t next = text_.find_first_not_of(" \t\r\n", at_);
    if (next == std::string_view::npos || language_.tongue == Tongue::python) return false;
    const std::string_view rest = text_.substr(next);
    return (rest.starts_with(".") && !rest.starts_with("..")) || rest.starts_with("?.") ||
           rest.starts_with("&.");
  }

  bool skip_comment() {
    for (const std::string_view mark : language_.comments) {
      const bool attribute = language_.tongue == Tongue::php && here("#[");
      if (here(mark) && !attribute) return at_ = line_end(text_, at_), true;
    }
    if (language_.tongue == Tongue::ruby && here("=begin") && first_on_line())
      return at_ = std::min(text_.find("\n=end", at_), text_.size() - 5) + 5, true;
    if (language_.tongue == Tongue::ruby && here("__END__") && first_on_line())
      return at_ = text_.size(), true;
    if (!language_.block_comments || !here("/*")) return false;
    int depth = 0;
    do {
      if (here("/*") && (depth == 0 || language_.nested_comments))
        ++depth, at_ += 2;
      else if (here("*/"))
        --depth, at_ += 2;
      else
        ++at_;
    } while (depth > 0 && at_ < text_.size());
    at_ = std::min(at_, text_.size());
    return true;
  }

  bool take_directive() {
    if (!language_.directives || text_[at_] != '#' || !first_on_line()) return false;
    std::size_t end = line_end(text_, at_);
    while (end < text_.size() && (text_[end - 1] == '\\' || text_.substr(end - 2, 2) == "\\\r"))
      end = line_end(text_, end + 1);
    return take(Kind::directive, end), true;
  }

  // <<~NAME (Ruby), <<<NAME (PHP): the line goes on behind the name, the text begins in the next one.
  bool take_heredoc() {
    const bool php = language_.tongue == Tongue::php && here("<<<");
    if (!php && (language_.tongue != Tongue::ruby || !here("<<"))) return false;
    std::size_t name = at_ + (php ? 3 : 2);
    if (!php && name < text_.size() && (text_[name] == '~' || text_[name] == '-'))
      ++name;
    else if (!php && (name >= text_.size() || std::isupper(static_cast<unsigned char>(text_[name])) == 0))
      return false;
    while (name < text_.size() && (text_[name] == '\'' || text_[name] == '"' || text_[name] == ' ')) ++name;
    std::size_t stop = name;
    while (stop < text_.size() && is_word_byte(text_[stop])) ++stop;
    if (stop == name) return false;
    std::size_t line = line_end(text_, stop);
    while (line < text_.size()) {
      const std::size_t first = text_.find_first_not_of(" \t", line + 1);
      line = line_end(text_, line + 1);
      if (first < line && text_.substr(first).starts_with(text_.substr(name, stop - name))) break;
    }
    // The rest of the opening line is lost for us: one token up to the last line of the text.
    return take(Kind::text, line), true;
  }

  // Where the quote of the string is that begins here, prefixes (r, b, f, L, u8 ...) skipped; npos: none.
  [[nodiscard]] std::size_t string_opens_at() const {
    const std::size_t none = std::string_view::npos;
    const std::string_view all = "\"'`";
    std::size_t quote = at_;
    while (quote < text_.size() && quote - at_ < 3 && is_word_byte(text_[quote])) ++quote;
    if (quote >= text_.size()) return none;
    if (language_.tongue == Tongue::rust && text_[at_] != '"') return rust_string_at();
    const std::string_view prefix = text_.substr(at_, quote - at_);
    const bool known_quote =
        (language_.quotes.find(text_[quote]) != none || language_.raw_quotes.find(text_[quote]) != none ||
         (language_.tongue == Tongue::javascript && text_[quote] == '`')) &&
        all.find(text_[quote]) != none;
    if (!known_quote) return none;
    if (prefix.empty()) return quote;
    if (language_.tongue == Tongue::python)
      return prefix.find_first_not_of("rRbBuUfF") == none && prefix.size() < 3 ? quote : none;
    if (language_.directives) // C and C++
      return prefix == "u8" || prefix == "u" || prefix == "U" || prefix == "L" || prefix == "R" ||
                     prefix == "u8R" || prefix == "LR"
                 ? quote
                 : none;
    return none;
  }
  [[nodiscard]] std::size_t rust_string_at() const {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("'")) { // 'a' is a character, 'a without a second quote a lifetime
      const std::size_t close = rest.find('\'', 1);
      const unsigned char first = rest.size() > 1 ? static_cast<unsigned char>(rest[1]) : 0;
      return first == '\\' || close == 2 || (first >= 0x80 && close <= 5) ? at_ : std::string_view::npos;
    }
    for (const std::string_view prefix : {"r\"", "r#", "b\"", "b'", "br\"", "br#", "c\""}) {
      if (!rest.starts_with(prefix)) continue;
      const std::size_t quote = rest.find_first_not_of("rbc#");
      if (quote != std::string_view::npos && (rest[quote] == '"' || rest[quote] == '\'')) return at_ + quote;
    }
    return std::string_view::npos;
  }

  // A slash opens a regular expression where no value stands before it.
  bool take_regex() {
    if (!language_.regex_literals || text_[at_] != '/') return false;
    if (!tokens_.empty()) {
      const Token& last = tokens_.back();
      const bool value = last.kind == Kind::number || last.kind == Kind::text || last.is(")") ||
                         last.is("]") || last.is("}") ||
                         (last.kind == Kind::word && !last.is("return") && !last.is("if") &&
                          !last.is("and") && !last.is("or"));
      if (value && !(language_.tongue == Tongue::ruby && last.kind == Kind::word && last.end < at_ &&
                     !text_.substr(at_ + 1).starts_with(" ")))
        return false;
    }
    bool in_class = false;
    for (std::size_t i = at_ + 1; i < text_.size() && text_[i] != '\n'; ++i) {
      if (text_[i] == '\\')
        ++i;
      else if (text_[i] == '[')
        in_class = true;
      else if (text_[i] == ']')
        in_class = false;
      else if (text_[i] == '/' && !in_class) {
        while (i + 1 < text_.size() && std::isalpha(static_cast<unsigned char>(text_[i + 1])) != 0) ++i;
        return take(Kind::text, i + 1), true;
      }
    }
    return false;
  }

  [[nodiscard]] std::size_t end_of_number() const {
    std::size_t end = at_;
    while (end < text_.size()) {
      const char c = text_[end];
      const bool separator =
          c == '\'' && language_.directives && end + 1 < text_.size() && is_word_byte(text_[end + 1]);
      const bool point =
          c == '.' && end + 1 < text_.size() && std::isdigit(static_cast<unsigned char>(text_[end + 1])) != 0;
      const bool sign = (c == '+' || c == '-') && (text_[end - 1] == 'e' || text_[end - 1] == 'E') &&
                        !text_.substr(at_).starts_with("0x");
      if (!is_word_byte(c) && !separator && !point && !(sign && end > at_)) break;
      ++end;
    }
    return end;
  }

  void take_word() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && is_word_byte(text_[end])) ++end;
    // Ruby: empty?, save!, but not x != y.
    if (language_.tongue == Tongue::ruby && end < text_.size() && (text_[end] == '?' || text_[end] == '!') &&
        !text_.substr(end + 1).starts_with("="))
      ++end;
    if (end == at_ + 1 && !is_word_byte(text_[at_])) return take_mark();
    take(Kind::word, end);
  }

  void take_mark() {
    const char c = text_[at_];
    if (c == '(' || c == '[' || c == '{') open_ += c;
    if ((c == ')' || c == ']' || c == '}') && !open_.empty()) open_.pop_back();
    const auto* mark = std::find_if(kMarks.begin(), kMarks.end(), [&](auto each) { return here(each); });
    take(Kind::mark, at_ + (mark == kMarks.end() ? 1 : mark->size()));
  }

  std::string_view text_;
  const Language& language_;
  std::size_t at_ = 0;
  std::string open_;
  std::vector<Token> tokens_;
};

// Past the closing backtick of a template; ${...} may hold strings and templates.
std::size_t end_of_template(std::string_view text, std::size_t at, const Language& language) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '`') {
      return at + 1;
    } else if (text.substr(at).starts_with("${")) {
      int depth = 0;
      for (++at; at < text.size(); ++at) {
        if (text[at] == '{') ++depth;
        if (text[at] == '}' && --depth == 0) break;
        if (text[at] == '"' || text[at] == '\'' || text[at] == '`')
          at = end_of_string(text, at, language) - 1;
      }
    }
  }
  return text.size();
}

// R"mark( ... )mark", r#" ... "#: up to what closes it.
std::size_t past(std::string_view text, std::size_t at, const std::string& close) {
  const std::size_t found = text.find(close, at);
  return found == std::string_view::npos ? text.size() : found + close.size();
}

} // namespace

std::size_t end_of_string(std::string_view text, std::size_t at, const Language& language) {
  const char quote = text[at];
  const std::string three(3, quote);
  if (language.triple_quotes && text.substr(at).starts_with(three)) {
    for (std::size_t i = at + 3; i < text.size(); ++i) {
      if (text[i] == '\\')
        ++i;
      else if (text.substr(i).starts_with(three))
        return i + 3;
    }
    return text.size();
  }
  if (language.raw_quotes.find(quote) != std::string_view::npos) return past(text, at + 1, {quote});
  if (quote == '`' && language.tongue == Tongue::javascript) return end_of_template(text, at, language);
  if (language.tongue == Tongue::cpp && at > 0 && text[at - 1] == 'R' && quote == '"') {
    const std::size_t open = std::min(text.find('(', at), text.size());
    return past(text, open, ")" + std::string(text.substr(at + 1, open - at - 1)) + "\"");
  }
  if (language.tongue == Tongue::rust && quote == '"' && at > 0 &&
      (text[at - 1] == '#' || text[at - 1] == 'r')) {
    const std::size_t first = text.find_last_not_of('#', at - 1);
    if (text[first] == 'r') return past(text, at + 1, "\"" + std::string(at - 1 - first, '#'));
  }
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == quote)
      return i + 1;
    else if (text[i] == '\n' && !language.strings_span_lines)
      return i;
  }
  return text.size();
}

std::vector<Token> tokens_of(std::string_view text, const Language& language) {
  if (language.tongue == Tongue::shell) return shell_tokens_of(text);
  return Lexer(text, language).run();
}

std::vector<std::size_t> partners_of(const std::vector<Token>& tokens) {
  std::vector<std::size_t> partners(tokens.size(), tokens.size());
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != Token::Kind::mark) continue;
    if (tokens[i].is("(") || tokens[i].is("[") || tokens[i].is("{")) open.push_back(i);
    if (!tokens[i].is(")") && !tokens[i].is("]") && !tokens[i].is("}")) continue;
    if (open.empty()) continue;
    partners[open.back()] = i;
    partners[i] = open.back();
    open.pop_back();
  }
  return partners;
}

} // namespace emend::probe
