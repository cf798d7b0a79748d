#include "http/request_target.hpp"

#include "base/strings.hpp"

namespace emend {

namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool has_control(std::string_view text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return true;
  return false;
}

std::optional<std::string> decoded(std::string_view text, bool plus_is_blank) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus_is_blank) {
      plain += ' ';
    } else if (text[i] != '%') {
      plain += text[i];
    } else {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      plain += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  if (!is_valid_utf8(plain) || has_control(plain)) return std::nullopt;
  return plain;
}

std::optional<std::vector<std::string>> parse_path(std::string_view text) {
  std::vector<std::string> path;
  const std::vector<std::string> parts = split(text.substr(1), '/');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].empty() && i + 1 == parts.size()) break; // "/" and "/a/"
    const auto segment = decoded(parts[i], false);
    if (!segment || segment->empty() || *segment == "." || *segment == ".." ||
        segment->find_first_of("/\\") != std::string::npos)
      return std::nullopt;
    path.push_back(*segment);
  }
  return path;
}

} // namespace

std::optional<RequestTarget> parse_target(std::string_view target) {
  if (target.empty() || target.front() != '/' || target.find_first_of("#\\ ") != std::string_view::npos ||
      has_control(target))
    return std::nullopt;
  const std::size_t mark = target.find('?');
  RequestTarget parsed;
  auto path = parse_path(target.substr(0, mark));
  if (!path) return std::nullopt;
  parsed.path = *std::move(path);
  if (mark == std::string_view::npos) return parsed;
  for (const std::string& pair : split(target.substr(mark + 1), '&')) {
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    auto name = decoded(std::string_view(pair).substr(0, equals), true);
    auto value = equals == std::string::npos ? std::optional<std::string>("")
                                             : decoded(std::string_view(pair).substr(equals + 1), true);
    if (!name || !value) return std::nullopt;
    parsed.query.emplace_back(*std::move(name), *std::move(value));
  }
  return parsed;
}

} // namespace emend
