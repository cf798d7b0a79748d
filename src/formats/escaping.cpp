#include "formats/escaping.hpp"

#include "base/strings.hpp"

namespace emend {
namespace {

// Each character of `special` is replaced by what `by` returns for it.
template <typename Replace>
std::string replaced(std::string_view text, std::string_view special, Replace by) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  for (const char c : text) {
    if (special.find(c) == std::string_view::npos)
      out += c;
    else
      out += by(c);
  }
  return out;
}

std::string without_marks(std::string text) {
  for (const char* mark : {"\u200e", "\u200f", "\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066",
                           "\u2067", "\u2068", "\u2069"}) {
    if (contains(text, mark)) text = replace_all(std::move(text), mark, "");
  }
  return text;
}

std::string_view entity(char c) {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    case '\n': return "&#10;";
    case '\r': return "&#13;";
    case '\t': return "&#9;";
    default: return "";
  }
}

// U+FFFE and U+FFFF are characters of UTF-8 but not of XML.
std::string xml_characters(std::string_view text) {
  return replace_all(replace_all(clean_text(text), "\xEF\xBF\xBE", ""), "\xEF\xBF\xBF", "");
}

std::string percent(char c) {
  constexpr char kHex[] = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(c);
  return {'%', kHex[byte >> 4], kHex[byte & 15]};
}

} // namespace

std::string single_line(std::string_view text) {
  std::string out;
  for (const char c : without_marks(clean_text(text))) {
    const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!space)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  if (out.ends_with(' ')) out.pop_back();
  // The separators of lines and paragraphs end a line for some readers.
  return replace_all(replace_all(std::move(out), "\u2028", " "), "\u2029", " ");
}

std::string xml_escaped(std::string_view text) {
  return replaced(xml_characters(text), "&<>\"'\n\r\t", entity);
}
std::string xml_text(std::string_view text) { return replaced(xml_characters(text), "&<>\r", entity); }

std::string html_escaped(std::string_view text) {
  return replaced(without_marks(clean_text(text)), "&<>\"'", entity);
}

std::string markdown_cell(std::string_view text) {
  return replaced(single_line(text), "\\`*_{}[]()#+!|<>&~@$", [](char c) -> std::string {
    if (c == '<') return "&lt;";
    if (c == '>') return "&gt;";
    if (c == '&') return "&amp;";
    if (c == '@') return "&#64;"; // nobody is to be called by a finding
    return {'\\', c};
  });
}

std::string command_message(std::string_view text) { return replaced(clean_text(text), "%\r\n", percent); }
std::string command_property(std::string_view text) { return replaced(clean_text(text), "%\r\n:,", percent); }

} // namespace emend
