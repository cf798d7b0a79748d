#include "engine/patch/brace_units.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/strings.hpp"
#include "engine/patch/code_mask.hpp"

namespace emend {
namespace {

constexpr auto npos = std::string_view::npos;

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// A statement up to its first brace, and what that makes of it.
struct Head {
  bool container = false;
  std::string name; // empty = nothing that has one
};

// describe("x", ...), it("x", ...), TEST_CASE("x"): a call whose first argument is its name.
std::optional<Head> named_call(std::string_view text, std::string_view code) {
  static const RE2 call(R"(^(?:await\s+)?([A-Za-z_$][\w$]*)[^"'`;]*?\(\s*(["'`]))");
  static const RE2 groups(R"(^[fx]?(?:describe|context|suite|feature)$)");
  std::string callee;
  re2::StringPiece quote;
  if (!RE2::PartialMatch(piece(code), call, &callee, &quote)) return std::nullopt;
  const auto from = static_cast<std::size_t>(quote.data() - code.data()) + 1;
  const auto to = code.find(code[from - 1], from); // what is quoted is blank in the mask
  return Head{RE2::FullMatch(callee, groups), std::string(text.substr(from, to == npos ? npos : to - from))};
}

// Macro(A, b) {: the arguments name the test.
std::optional<Head> macro(std::string_view code) {
  static const RE2 call(R"(^[A-Z][A-Z0-9_]*\s*\(([^()]*)\)\s*$)");
  std::string arguments;
  if (!RE2::FullMatch(piece(code), call, &arguments)) return std::nullopt;
  std::vector<std::string> names;
  for (const std::string& one : split(arguments, ',')) names.emplace_back(trim(one));
  return Head{false, join(names, ".")};
}

// `public:` opens no statement.
bool is_access(std::string_view word) { return word == "public" || word == "protected" || word == "private"; }

bool is_control(const std::string& word) {
  static const std::vector<std::string> words = {"if", "for", "while", "switch", "catch",  "else",
                                                 "do", "try", "match", "loop",   "return", "sizeof"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

Head head_of(std::string_view text, std::string_view code) {
  static const RE2 attributes(
      R"(^(?:\s*(?:@[\w.]+(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?|#!?\[[^\]]*\]|\[\[?\w[^\]]*\]\]?))*\s*)");
  static const RE2 block(
      R"(^(?:[\w:<>\s]*?\s)?(class|struct|interface|object|mod|impl|trait|namespace|extern|module|enum|union)\b\s*([\w:]*))");
  static const RE2 receiver(R"(^func\s*\([^)]*\)\s*)");
  static const RE2 assigned(R"(([A-Za-z_$][\w$]*)\s*(?::[^=]*)?=[^=>])");
  static const RE2 function(R"(([A-Za-z_$~][\w$]*)\s*(?:<[^<>]*>)?\s*\()");
  re2::StringPiece rest = piece(code);
  (void)RE2::Consume(&rest, attributes);
  text.remove_prefix(code.size() - rest.size());
  code = {rest.data(), rest.size()};
  if (auto head = named_call(text, code)) return *std::move(head);
  if (auto head = macro(trim(code))) return *std::move(head);
  std::string word, name;
  const std::string before_call(code.substr(0, code.find('(')));
  if (before_call.find('=') == npos && RE2::PartialMatch(before_call, block, &word, &name)) {
    const bool names = word != "namespace" && word != "extern" && word != "module";
    return {true, names ? name : ""};
  }
  std::string line(code);
  (void)RE2::Replace(&line, receiver, "");
  const auto call = line.find('(');
  if (call == npos) return {};
  if (RE2::PartialMatch(line.substr(0, call + 1), assigned, &name)) return {false, name};
  if (!RE2::PartialMatch(line, function, &name) || is_control(name)) return {};
  return {false, name};
}

class BraceCutter {
public:
  BraceCutter(std::string_view path, std::string_view text, const std::string& masked)
      : text_(text),
        code_(masked),
        lines_kind_(code_kind(path) == CodeKind::lines),
        preprocessed_(!lines_kind_ && !path.ends_with(".rs") && !path.ends_with(".php")) {
    for (std::size_t i = 0; i < code_.size(); ++i)
      if (code_[i] == '\n') line_ends_.push_back(i);
  }

  std::vector<TestUnit> run() {
    for (; at_ < code_.size(); ++at_) step();
    end_statement();
    return std::move(units_);
  }

private:
  struct Frame {
    std::string name, header;
    int round;
  };

  [[nodiscard]] int base_round() const { return frames_.empty() ? 0 : frames_.back().round; }
  [[nodiscard]] bool at_base() const { return round_ <= base_round(); }
  [[nodiscard]] std::size_t line_of(std::size_t at) const {
    return static_cast<std::size_t>(std::lower_bound(line_ends_.begin(), line_ends_.end(), at) -
                                    line_ends_.begin());
  }

  void step() {
    const char c = code_[at_];
    if (c == '\n') return new_line();
    if (is_space(c)) return;
    if (begin_ == npos) {
      if (c == '#' && preprocessed_ && code_.substr(at_, 2) != "#[") return directive();
      if (std::string_view(")];,").find(c) == npos && c != '}') begin_ = at_;
    }
    if (begin_ != npos) last_ = at_;
    if (c == '(' || c == '[') ++round_;
    if (c == ')' || c == ']') --round_;
    if (c == ';' && at_base()) end_statement();
    if (c == ':' &&
        is_access(trim(code_.substr(begin_ == npos ? at_ : begin_, at_ - std::min(at_, begin_))))) {
      begin_ = npos;
      return;
    }
    if (c == '{') return brace();
    if (c == '}' && !frames_.empty()) {
      round_ = frames_.back().round;
      frames_.pop_back();
      begin_ = npos;
    }
  }

  void new_line() {
    if (begin_ == npos || !lines_kind_ || !at_base() || code_[begin_] == '@') return;
    const auto next = code_.find_first_not_of(" \t\r\n", at_);
    if (next != npos && (code_[next] == '{' || code_[next] == '.') && name_.empty()) return;
    if (std::string_view("=,+&|?:(").find(code_[last_]) != npos) return;
    end_statement();
  }

  // #if opens a block of its own: what stands in it depends on it.
  void directive() {
    std::size_t end = code_.find('\n', at_);
    while (end != npos && end > 0 && code_[end - 1] == '\\') end = code_.find('\n', end + 1);
    if (end == npos) end = code_.size();
    const std::string line(trim(code_.substr(at_ + 1, end - at_ - 1)));
    if (line.starts_with("if"))
      conditions_.push_back(line);
    else if (line.starts_with("endif") && !conditions_.empty())
      conditions_.pop_back();
    else if (line.starts_with("el") && !conditions_.empty())
      conditions_.back() += "\n" + line;
    at_ = end - 1;
  }

  void brace() {
    const std::size_t begin = begin_ == npos ? at_ : begin_;
    const Head head =
        name_.empty() ? head_of(text_.substr(begin, at_ - begin), code_.substr(begin, at_ - begin)) : Head{};
    if (head.container && name_.empty()) {
      frames_.push_back({head.name, std::string(trim(text_.substr(begin, at_ - begin))), round_});
      begin_ = npos;
      return;
    }
    if (name_.empty()) name_ = head.name;
    const bool initialised = code_.substr(begin, at_ - begin).find('=') != npos && head.name.empty();
    skip_block();
    last_ = at_;
    if (!lines_kind_ && at_base() && !initialised) end_statement();
  }

  void skip_block() {
    for (int open = 0; at_ < code_.size(); ++at_) {
      open += code_[at_] == '{' ? 1 : code_[at_] == '}' ? -1 : 0;
      if (open == 0) return;
    }
    at_ = code_.empty() ? 0 : code_.size() - 1;
  }

  void end_statement() {
    if (begin_ == npos) return;
    if (name_.empty() && lines_kind_) { // test("x", () => expression)
      const auto code = code_.substr(begin_, last_ + 1 - begin_);
      if (auto head = named_call(text_.substr(begin_, code.size()), code); head && contains(code, "=>"))
        name_ = head->name;
    }
    if (!name_.empty()) add_unit();
    begin_ = npos;
    name_.clear();
  }

  void add_unit() {
    std::string name, context;
    for (const Frame& frame : frames_) {
      if (!frame.name.empty()) name += frame.name + "::";
      context += frame.header + "\n";
    }
    for (const std::string& condition : conditions_) context += "#" + condition + "\n";
    units_.push_back({name + name_, std::move(context), line_of(begin_), line_of(last_) + 1});
  }

  std::string_view text_, code_;
  bool lines_kind_, preprocessed_;
  std::vector<std::size_t> line_ends_;
  std::vector<TestUnit> units_;
  std::vector<Frame> frames_;
  std::vector<std::string> conditions_;
  std::size_t at_ = 0, begin_ = npos, last_ = 0;
  std::string name_; // of the statement, once a brace has named it
  int round_ = 0;
};

} // namespace

std::vector<TestUnit> brace_units(std::string_view path, std::string_view text, const std::string& masked) {
  return BraceCutter(path, text, masked).run();
}

} // namespace emend
