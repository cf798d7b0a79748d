#include "adapters/analyzers/cppcheck_xml.hpp"

#include <array>

#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::string_view kBlank = " \t\r\n";

std::string decode_entities(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, char>, 5> kEntities = {
      {{"&apos;", '\''}, {"&quot;", '"'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}}};
  std::string out;
  while (!text.empty()) {
    std::size_t used = 1;
    char c = text.front();
    for (const auto& [name, meaning] : kEntities) {
      if (!text.starts_with(name)) continue;
      c = meaning;
      used = name.size();
    }
    out += c;
    text.remove_prefix(used);
  }
  return out;
}

// The position of the '>' that ends the tag beginning at `at`; quotes may hold others.
std::size_t end_of_tag(std::string_view text, std::size_t at) {
  char quote = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      return at;
    }
  }
  return std::string_view::npos;
}

} // namespace

std::string CppcheckTag::attribute(const std::string& key) const {
  const auto found = attributes.find(key);
  return found == attributes.end() ? "" : found->second;
}

Result<std::optional<CppcheckTag>> CppcheckTags::next() {
  while (true) {
    const auto begin = text_.find('<', at_);
    if (begin == std::string_view::npos) return std::nullopt;
    const bool comment = text_.substr(begin).starts_with("<!--");
    const auto end = comment ? text_.find("-->", begin) : end_of_tag(text_, begin);
    if (end == std::string_view::npos) return fail(ErrorCode::io, "it is cut off");
    at_ = end + (comment ? 3 : 1);
    const std::string_view body = text_.substr(begin + 1, end - begin - 1);
    if (comment || body.starts_with('?') || body.starts_with('!')) continue;
    TRY_ASSIGN(CppcheckTag found, tag(body));
    return std::optional<CppcheckTag>(std::move(found));
  }
}

Result<CppcheckTag> CppcheckTags::tag(std::string_view body) const {
  CppcheckTag tag;
  if (body.ends_with('/')) {
    tag.empty = true;
    body.remove_suffix(1);
  }
  const auto name_end = std::min(body.find_first_of(kBlank), body.size());
  tag.name = body.substr(0, name_end);
  body = trim(body.substr(name_end));
  while (!body.empty()) {
    const auto equals = body.find('=');
    const std::string_view rest =
        equals == std::string_view::npos ? std::string_view() : trim(body.substr(equals + 1));
    const char quote = rest.empty() ? '\0' : rest.front();
    const auto close = quote == '"' || quote == '\'' ? rest.find(quote, 1) : std::string_view::npos;
    if (close == std::string_view::npos)
      return fail(ErrorCode::io, "a tag is broken: " + first_line(clean_text(body), 80));
    tag.attributes[std::string(trim(body.substr(0, equals)))] = decode_entities(rest.substr(1, close - 1));
    body = trim(rest.substr(close + 1));
  }
  if (tag.name.empty()) return fail(ErrorCode::io, "a tag has no name");
  return tag;
}

} // namespace emend
