#include "formats/repo_path.hpp"

#include <algorithm>
#include <vector>

#include "base/strings.hpp"

namespace emend {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool has_drive(std::string_view path) {
  return path.size() >= 3 && is_letter(path[0]) && path[1] == ':' && (path[2] == '/' || path[2] == '\\');
}

// "https", "file", ...; empty when the text does not begin like an absolute URI. One letter is a Windows
// drive.
std::string_view scheme_of(std::string_view uri) {
  const std::size_t colon = uri.find(':');
  if (colon == std::string_view::npos || colon < 2 || !is_letter(uri[0])) return {};
  const std::string_view scheme = uri.substr(0, colon);
  const bool good = std::all_of(scheme.begin(), scheme.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.';
  });
  return good && uri.substr(colon + 1).starts_with('/') ? scheme : std::string_view{};
}

std::string percent_decoded(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
    if (low < 0) {
      result += text[i];
      continue;
    }
    result += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return result;
}

bool is_tidy(std::string_view path) {
  return !path.starts_with("./") && !contains(path, "//") && !contains(path, "/./") &&
         !contains(path, "..") && !contains(path, "\\") && !path.ends_with("/.") && path != ".";
}

// "a/./b//c/../d" -> "a/b/d"; ".." at the front stays.
std::string tidied(std::string_view path) {
  std::vector<std::string> kept;
  for (const std::string& part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part == ".." && !kept.empty() && kept.back() != "..")
      kept.pop_back();
    else if (part != ".." || !path.starts_with('/'))
      kept.push_back(part);
  }
  std::string result(path.starts_with('/') ? 1 : 0, '/');
  return result += join(kept, "/");
}

} // namespace

bool is_absolute_path(std::string_view path) { return path.starts_with('/') || has_drive(path); }

RepoPath repo_path(std::string_view raw, std::string_view root) {
  std::string path(raw);
  // A backslash is a legal character of a Unix name; without any '/' it was most likely meant as a separator.
  if (has_drive(path) || (contains(path, "\\") && !contains(path, "/")))
    std::replace(path.begin(), path.end(), '\\', '/');
  if (!scheme_of(path).empty()) return {path, "absolute_path"};
  if (!is_tidy(path)) path = tidied(path);
  std::string base = root.empty() ? std::string() : tidied(replace_all(std::string(root), "\\", "/"));
  if (!base.empty() && path.size() > base.size() && path.starts_with(base) && path[base.size()] == '/')
    path.erase(0, base.size() + 1);
  if (is_absolute_path(path)) return {path, "absolute_path"};
  if (path == ".." || path.starts_with("../")) return {path, "outside_repository"};
  return {path, {}};
}

std::string path_of_uri(std::string_view uri) {
  const std::string_view scheme = scheme_of(uri);
  if (scheme.empty()) return percent_decoded(uri);
  if (to_lower(scheme) != "file") return std::string(uri);
  uri.remove_prefix(scheme.size() + 1);
  if (uri.starts_with("//")) {
    uri.remove_prefix(2);
    const std::size_t slash =
        uri.find('/'); // what is before it names a host; "localhost" and nothing mean this one
    uri.remove_prefix(slash == std::string_view::npos ? uri.size() : slash);
  }
  std::string path = percent_decoded(uri);
  if (path.starts_with('/') && has_drive(std::string_view(path).substr(1))) path.erase(0, 1);
  return path;
}

std::string uri_of_path(std::string_view path) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string uri;
  uri.reserve(path.size());
  for (const char c : path) {
    if (is_letter(c) || is_digit(c) || std::string_view("-._~/").find(c) != std::string_view::npos) {
      uri += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    uri += {'%', kHex[byte >> 4], kHex[byte & 15]};
  }
  return uri;
}

} // namespace emend
