#include "base/xml_scanner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/code_points.hpp"
#include "base/strings.hpp"

namespace emend {
namespace {

constexpr std::size_t kDeepest = 100;
constexpr std::size_t kMaxAttributes = 100;
constexpr std::string_view kSpace = " \t\r\n";

bool is_name_char(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80 ||
         std::string_view("_:-.").find(c) != std::string_view::npos;
}

// name is what stands between '&' and ';'. False: not one we know, so it stays as it is written.
bool append_reference(std::string& out, std::string_view name) {
  static constexpr std::pair<std::string_view, char> kNamed[] = {
      {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [known, c] : kNamed) {
    if (name == known) {
      out += c;
      return true;
    }
  }
  if (!name.starts_with('#')) return false;
  name.remove_prefix(1);
  const bool hex = name.starts_with('x');
  if (hex) name.remove_prefix(1);
  unsigned code = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), code, hex ? 16 : 10);
  if (name.empty() || end != name.data() + name.size() || error == std::errc::invalid_argument) return false;
  append_utf8(out, error == std::errc() ? code : 0);
  return true;
}

std::string resolved(std::string_view raw) {
  constexpr std::size_t kLongestReference = 12;
  std::string out;
  out.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const std::size_t end =
        raw[i] == '&' ? raw.substr(i, kLongestReference).find(';') : std::string_view::npos;
    if (end != std::string_view::npos && append_reference(out, raw.substr(i + 1, end - 1)))
      i += end;
    else
      out += raw[i];
  }
  return out;
}

} // namespace

std::string XmlToken::attribute(std::string_view key) const {
  for (const auto& [name_, value] : attributes) {
    if (name_ == key) return value;
  }
  return {};
}

std::size_t XmlScanner::line() const {
  const std::size_t end = std::min(at_, text_.size());
  const std::string_view passed = text_.substr(counted_to_, end - counted_to_);
  lines_ += static_cast<std::size_t>(std::count(passed.begin(), passed.end(), '\n'));
  counted_to_ = end;
  return lines_;
}

tl::unexpected<Error> XmlScanner::wrong(const std::string& what) const {
  return fail(ErrorCode::usage, fmt::format("not the XML it should be at line {}: {}", line(), what));
}

void XmlScanner::skip_space() { at_ = std::min(text_.find_first_not_of(kSpace, at_), text_.size()); }

Result<std::string> XmlScanner::read_name() {
  const std::size_t start = at_;
  while (at_ < text_.size() && is_name_char(text_[at_])) ++at_;
  if (at_ == start) return wrong("a name is missing");
  return std::string(text_.substr(start, at_ - start));
}

Status XmlScanner::skip_past(std::string_view mark, std::string_view what) {
  const std::size_t end = text_.find(mark, at_);
  if (end == std::string_view::npos) return wrong(fmt::format("{} does not end", what));
  at_ = end + mark.size();
  return {};
}

Result<XmlToken> XmlScanner::next() {
  if (close_next_) {
    close_next_ = false;
    XmlToken token{XmlToken::Kind::close, open_.back(), {}, {}};
    open_.pop_back();
    return token;
  }
  while (at_ < text_.size()) {
    if (text_[at_] == '<') {
      TRY_ASSIGN(XmlToken token, read_markup());
      if (token.kind == XmlToken::Kind::end) continue; // a comment, a declaration
      return token;
    }
    const std::size_t end = std::min(text_.find('<', at_), text_.size());
    const std::string_view raw = text_.substr(at_, end - at_);
    if (!trim(raw).empty() && open_.empty()) return wrong("text outside of the root element");
    at_ = end;
    if (!trim(raw).empty()) return XmlToken{XmlToken::Kind::text, {}, {}, resolved(raw)};
  }
  if (!open_.empty()) return wrong("the text ends inside <" + first_line(open_.back(), 60) + ">");
  if (!seen_root_) return wrong("there is no element");
  return XmlToken{};
}

// Kind::end means: nothing for the caller.
Result<XmlToken> XmlScanner::read_markup() {
  const std::string_view rest = text_.substr(at_);
  if (rest.starts_with("<!--")) {
    at_ += 4;
    TRY(skip_past("-->", "a comment"));
    return XmlToken{};
  }
  if (rest.starts_with("<![CDATA[")) {
    at_ += 9;
    const std::size_t start = at_;
    if (open_.empty()) return wrong("text outside of the root element");
    TRY(skip_past("]]>", "a CDATA section"));
    return XmlToken{XmlToken::Kind::text, {}, {}, std::string(text_.substr(start, at_ - 3 - start))};
  }
  if (rest.starts_with("<!")) return wrong("document type declarations are refused");
  if (rest.starts_with("<?")) {
    TRY(skip_past("?>", "a processing instruction"));
    return XmlToken{};
  }
  return rest.starts_with("</") ? read_close() : read_open();
}

Result<XmlToken> XmlScanner::read_close() {
  at_ += 2;
  TRY_ASSIGN(std::string name, read_name());
  skip_space();
  if (at_ >= text_.size() || text_[at_] != '>') return wrong("a closing tag does not end");
  if (open_.empty() || open_.back() != name) return wrong("</" + first_line(name, 60) + "> closes nothing");
  ++at_;
  open_.pop_back();
  return XmlToken{XmlToken::Kind::close, std::move(name), {}, {}};
}

Result<XmlToken> XmlScanner::read_open() {
  ++at_;
  XmlToken token{XmlToken::Kind::open, {}, {}, {}};
  TRY_ASSIGN(token.name, read_name());
  if (open_.empty() && seen_root_) return wrong("a second root element");
  if (open_.size() == kDeepest) return wrong(fmt::format("nested deeper than {} elements", kDeepest));
  seen_root_ = true;
  open_.push_back(token.name);
  for (skip_space(); at_ < text_.size(); skip_space()) {
    if (text_[at_] == '>') {
      ++at_;
      return token;
    }
    if (text_.substr(at_).starts_with("/>")) {
      at_ += 2;
      close_next_ = true;
      return token;
    }
    if (token.attributes.size() == kMaxAttributes) return wrong("too many attributes");
    TRY(read_attribute(token));
  }
  return wrong("a tag does not end");
}

Status XmlScanner::read_attribute(XmlToken& token) {
  TRY_ASSIGN(std::string name, read_name());
  skip_space();
  if (at_ >= text_.size() || text_[at_] != '=')
    return wrong("the attribute " + first_line(name, 60) + " has no value");
  ++at_;
  skip_space();
  if (at_ >= text_.size() || (text_[at_] != '"' && text_[at_] != '\''))
    return wrong("the value of " + first_line(name, 60) + " is not quoted");
  const std::size_t end = text_.find(text_[at_], at_ + 1);
  if (end == std::string_view::npos) return wrong("the value of " + first_line(name, 60) + " does not end");
  token.attributes.emplace_back(std::move(name), resolved(text_.substr(at_ + 1, end - at_ - 1)));
  at_ = end + 1;
  return {};
}

} // namespace emend
