#include <algorithm>
#include <cctype>
#include <string>

#include "engine/probe/lexer.hpp"

namespace emend::probe {
namespace {

// A shell's words with everything glued to them, its operators, and the ends of its lines.
class ShellLexer {
public:
  explicit ShellLexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    while (at_ < text_.size()) step();
    return std::move(tokens_);
  }

private:
  using Kind = Token::Kind;

  void step() {
    const char c = text_[at_];
    if (c == '\n') {
      take(Kind::line_end, at_ + 1);
      return skip_heredocs();
    }
    if (c == ' ' || c == '\t' || c == '\r') return void(++at_);
    if (c == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') return void(at_ += 2);
    if (c == '#') return void(at_ = std::min(text_.find('\n', at_), text_.size()));
    if (std::string_view(";&|()<>").find(c) != std::string_view::npos) return take_operator();
    take(Kind::word, end_of_word(at_));
  }

  void take(Kind kind, std::size_t end) {
    end = std::min(std::max(end, at_ + 1), text_.size());
    tokens_.push_back({kind, at_, end, text_.substr(at_, end - at_)});
    at_ = end;
  }

  void take_operator() {
    for (const std::string_view mark :
         {"<<<", "<<-", "&&", "||", ";;", "<<", ">>", ">&", "<&", "&>", "((", "))"}) {
      if (!text_.substr(at_).starts_with(mark)) continue;
      const bool here_document = mark == "<<" || mark == "<<-";
      take(Kind::mark, at_ + mark.size());
      if (here_document) note_heredoc();
      return;
    }
    take(Kind::mark, at_ + 1);
  }

  void note_heredoc() {
    std::size_t name = at_;
    while (name < text_.size() &&
           (text_[name] == ' ' || text_[name] == '\'' || text_[name] == '"' || text_[name] == '\\'))
      ++name;
    std::size_t end = name;
    while (end < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[end])) != 0 || text_[end] == '_'))
      ++end;
    if (end > name) heredocs_.push_back(text_.substr(name, end - name));
  }

  void skip_heredocs() {
    for (const std::string_view name : heredocs_) {
      while (at_ < text_.size()) {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        std::string_view line = text_.substr(at_, end - at_);
        while (line.starts_with("\t")) line.remove_prefix(1);
        while (line.ends_with("\r")) line.remove_suffix(1);
        at_ = std::min(end + 1, text_.size());
        if (line == name) break;
      }
    }
    heredocs_.clear();
  }

  [[nodiscard]] std::size_t end_of_word(std::size_t at) const {
    while (at < text_.size()) {
      const char c = text_[at];
      if (std::isspace(static_cast<unsigned char>(c)) != 0 ||
          std::string_view(";&|<>()").find(c) != std::string_view::npos)
        break;
      at = past_piece(at);
    }
    return at;
  }

  // One character, or one quoted or substituted piece.
  [[nodiscard]] std::size_t past_piece(std::size_t at) const {
    const char c = text_[at];
    if (c == '\\') return at + 2;
    if (c == '\'') return std::min(text_.find('\'', at + 1), text_.size()) + 1;
    if (c == '"' || c == '`') return past_quoted(at);
    if (c == '$' && at + 1 < text_.size() && (text_[at + 1] == '(' || text_[at + 1] == '{'))
      return past_group(at + 1);
    if (c == '$' && at + 1 < text_.size() && text_[at + 1] == '\'') {
      for (at += 2; at < text_.size() && text_[at] != '\''; ++at)
        if (text_[at] == '\\') ++at;
    }
    return at + 1;
  }
  [[nodiscard]] std::size_t past_quoted(std::size_t at) const {
    const char quote = text_[at];
    for (++at; at < text_.size() && text_[at] != quote;) {
      const bool nested = text_[at] == '\\' || (quote == '"' && (text_[at] == '$' || text_[at] == '`'));
      at = nested && !text_.substr(at).starts_with("$'") ? past_piece(at) : at + 1;
    }
    return at + 1;
  }
  [[nodiscard]] std::size_t past_group(std::size_t at) const {
    const char open = text_[at], close = open == '(' ? ')' : '}';
    int depth = 0;
    while (at < text_.size()) {
      const char c = text_[at];
      if (c == open) ++depth;
      if (c == close && --depth == 0) return at + 1;
      at = c == open || c == close ? at + 1 : past_piece(at);
    }
    return text_.size();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::string_view> heredocs_;
  std::vector<Token> tokens_;
};

} // namespace

std::vector<Token> shell_tokens_of(std::string_view text) { return ShellLexer(text).run(); }

} // namespace emend::probe
