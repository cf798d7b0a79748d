#include "base/xml_scanner.hpp"

#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <deque>

#include "base/code_points.hpp"
#include "base/strings.hpp"

namespace emend {
namespace {

constexpr std::size_t kDeepest = 100;
constexpr std::size_t kMaxAttributes = 100;
constexpr std::size_t kPiece = 1'000'000; // large: expat looks at a token that is cut again with every piece

bool is_allowed(unsigned code) {
  return code >= 0x20 ? code != 0xFFFE && code != 0xFFFF : code == '\t' || code == '\n' || code == '\r';
}

bool is_plain(char c) {
  return (c >= 0x20 && c < 0x7F && c != '&' && c != '<' && c != '>') || c == '\n' || c == '\t' || c == '\r';
}

// What stands in the text from an '&' on: the length of a reference XML knows, 0 for none. A reference to a
// character that XML forbids is known, but must not be handed on.
std::size_t reference_length(std::string_view text, bool& forbidden) {
  const std::size_t end = text.substr(0, 12).find(';');
  if (end == std::string_view::npos) return 0;
  std::string_view name = text.substr(1, end - 1);
  forbidden = false;
  for (const std::string_view known : {"amp", "lt", "gt", "quot", "apos"})
    if (name == known) return end + 1;
  if (!name.starts_with('#')) return 0;
  name.remove_prefix(1);
  const bool hex = name.starts_with('x');
  if (hex) name.remove_prefix(1);
  unsigned code = 0;
  const auto [stop, error] = std::from_chars(name.data(), name.data() + name.size(), code, hex ? 16 : 10);
  if (name.empty() || stop != name.data() + name.size() || error == std::errc::invalid_argument) return 0;
  forbidden =
      error != std::errc() || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000) || !is_allowed(code);
  return end + 1;
}

// Hands the text out in pieces that hold nothing a conforming parser stumbles over.
class Repair {
public:
  explicit Repair(std::string_view text) : text_(text) {}

  [[nodiscard]] bool done() const { return at_ >= text_.size(); }

  std::string_view next_piece() {
    piece_.clear();
    while (!done() && piece_.size() < kPiece) step();
    return piece_;
  }

private:
  void step() {
    std::size_t end = at_;
    while (end < text_.size() && end - at_ < kPiece && is_plain(text_[end])) ++end;
    piece_ += text_.substr(at_, end - at_);
    at_ = end;
    if (done() || is_plain(text_[at_])) return;
    const char c = text_[at_];
    if (c == '&' && !inside_cdata_) return reference();
    if (c == '<' && text_.substr(at_).starts_with("<![CDATA[")) inside_cdata_ = true;
    if (c == '>' && text_.substr(0, at_).ends_with("]]")) inside_cdata_ = false;
    const unsigned code = next_code_point(text_, at_);
    append_utf8(piece_, is_allowed(code) ? code : 0xFFFD);
  }

  void reference() {
    bool forbidden = false;
    const std::size_t length = reference_length(text_.substr(at_), forbidden);
    piece_ += length == 0 ? "&amp;" : forbidden ? "\uFFFD" : text_.substr(at_, length);
    at_ += std::max<std::size_t>(length, 1);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool inside_cdata_ = false;
  std::string piece_;
};

} // namespace

std::string XmlToken::attribute(std::string_view key) const {
  for (const auto& [name_, value] : attributes) {
    if (name_ == key) return value;
  }
  return {};
}

struct XmlScanner::State {
  explicit State(std::string_view text) : parser(XML_ParserCreate("UTF-8")), repair(trim(text)) {
    // An XML declaration must be the very first thing; some tools print a line break before it.
    const std::string_view blank = text.substr(0, text.find_first_not_of(" \t\r\n"));
    blank_lines = static_cast<std::size_t>(std::count(blank.begin(), blank.end(), '\n'));
    XML_SetUserData(parser, this);
    XML_SetElementHandler(parser, on_open, on_close);
    XML_SetCharacterDataHandler(parser, on_text);
    XML_SetStartDoctypeDeclHandler(parser, on_doctype);
  }
  ~State() { XML_ParserFree(parser); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  static void on_open(void* user, const char* name, const char** attributes) {
    State& state = *static_cast<State*>(user);
    if (state.depth++ == kDeepest) return state.stop(fmt::format("nested deeper than {} elements", kDeepest));
    XmlToken token{XmlToken::Kind::open, name, {}, {}, state.line()};
    for (; attributes[0] != nullptr; attributes += 2) {
      if (token.attributes.size() == kMaxAttributes) return state.stop("too many attributes");
      token.attributes.emplace_back(attributes[0], attributes[1]);
    }
    state.push(std::move(token));
  }
  static void on_close(void* user, const char* name) {
    State& state = *static_cast<State*>(user);
    --state.depth;
    state.push({XmlToken::Kind::close, name, {}, {}, state.line()});
  }
  static void on_text(void* user, const char* text, int length) {
    State& state = *static_cast<State*>(user);
    if (state.pending.text.empty()) state.pending.line = state.line();
    state.pending.text.append(text, static_cast<std::size_t>(length));
  }
  static void on_doctype(void* user, const char*, const char*, const char*, int) {
    static_cast<State*>(user)->stop("document type declarations are refused");
  }

  // Text comes in many parts; it is whole when an element begins or ends.
  void push(XmlToken token) {
    if (!trim(pending.text).empty()) {
      pending.kind = XmlToken::Kind::text;
      tokens.push_back(std::move(pending));
    }
    pending = {};
    tokens.push_back(std::move(token));
  }
  void stop(std::string why) {
    problem = std::move(why);
    XML_StopParser(parser, XML_FALSE);
  }
  [[nodiscard]] std::size_t line() const { return XML_GetCurrentLineNumber(parser) + blank_lines; }

  Status feed() {
    const std::string_view piece = repair.next_piece();
    finished = repair.done();
    if (XML_Parse(parser, piece.data(), static_cast<int>(piece.size()), finished ? 1 : 0) == XML_STATUS_OK)
      return {};
    const XML_Error code = XML_GetErrorCode(parser);
    if (code == XML_ERROR_TAG_MISMATCH) problem = "a closing tag that closes nothing";
    if (problem.empty()) problem = XML_ErrorString(code);
    return fail(ErrorCode::usage, fmt::format("not the XML it should be at line {}: {}", line(), problem));
  }

  XML_Parser parser;
  std::size_t blank_lines = 0;
  Repair repair;
  std::deque<XmlToken> tokens;
  XmlToken pending;
  std::size_t depth = 0;
  std::string problem;
  bool finished = false;
};

XmlScanner::XmlScanner(std::string_view text) : state_(std::make_unique<State>(text)) {}
XmlScanner::~XmlScanner() = default;

Result<XmlToken> XmlScanner::next() {
  while (state_->tokens.empty()) {
    if (state_->finished) return XmlToken{};
    TRY(state_->feed());
  }
  XmlToken token = std::move(state_->tokens.front());
  state_->tokens.pop_front();
  return token;
}

} // namespace emend
