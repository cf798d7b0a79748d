#include <algorithm>
#include <set>

#include "base/strings.hpp"
#include "formats/reader.hpp"
#include "formats/text_line.hpp"

namespace emend {
namespace {

constexpr std::size_t kHead = 65'536;

// The member names near the root of JSON that may be cut off: "1:runs" is one of the outermost object's.
class MemberNames {
public:
  explicit MemberNames(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      const char c = text[at];
      if (c == '{' || c == '[') ++depth_;
      if (c == '}' || c == ']') --depth_;
      if (c == '"') at = read_string(text, at);
    }
  }

  [[nodiscard]] bool has(int depth, std::string_view name) const {
    return names_.contains({depth, std::string(name)});
  }

private:
  std::size_t read_string(std::string_view text, std::size_t at) {
    std::size_t end = at + 1;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    if (end >= text.size()) return text.size();
    const std::size_t after = text.find_first_not_of(" \t\r\n", end + 1);
    const bool is_name = after != std::string_view::npos && text[after] == ':';
    if (is_name && depth_ <= 3) names_.insert({depth_, std::string(text.substr(at + 1, end - at - 1))});
    return end;
  }

  int depth_ = 0;
  std::set<std::pair<int, std::string>> names_;
};

std::optional<InputFormat> detect_object(std::string_view head) {
  const MemberNames names(head);
  if (names.has(1, "runs") || (names.has(1, "$schema") && contains(head, "sarif"))) return InputFormat::sarif;
  if (names.has(1, "diagnostics")) return names.has(1, "summary") ? InputFormat::biome : InputFormat::rdjson;
  if (names.has(1, "comments") && (names.has(3, "code") || names.has(3, "level") || !names.has(3, "id")))
    return InputFormat::shellcheck;
  if (names.has(1, "reason") && names.has(1, "package_id")) return InputFormat::cargo;
  if (names.has(1, "message") && names.has(1, "location")) return InputFormat::rdjsonl;
  return std::nullopt;
}

std::optional<InputFormat> detect_list(std::string_view head) {
  const MemberNames names(head);
  if (names.has(2, "filePath") && names.has(2, "messages")) return InputFormat::eslint;
  if (names.has(2, "check_name") || (names.has(2, "fingerprint") && names.has(2, "location")))
    return InputFormat::gitlab;
  if (names.has(2, "kind") && (names.has(2, "locations") || names.has(2, "column-origin")))
    return InputFormat::gcc;
  if (names.has(2, "filename") && names.has(2, "code") && names.has(2, "message")) return InputFormat::ruff;
  if (names.has(2, "level") && names.has(2, "code") && names.has(2, "file")) return InputFormat::shellcheck;
  return std::nullopt;
}

// The first element's name decides; declarations and comments may stand before it.
std::optional<InputFormat> detect_xml(std::string_view head) {
  for (std::size_t at = head.find('<'); at != std::string_view::npos; at = head.find('<', at + 1)) {
    const std::string_view rest = head.substr(at + 1);
    if (rest.starts_with("!--")) {
      at = head.find("-->", at);
      if (at == std::string_view::npos) return std::nullopt;
      continue;
    }
    if (rest.starts_with('?') || rest.starts_with('!')) continue;
    if (rest.starts_with("checkstyle")) return InputFormat::checkstyle;
    if (rest.starts_with("testsuite")) return InputFormat::junit;
    if (rest.starts_with("results") && contains(head, "<cppcheck")) return InputFormat::cppcheck;
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<InputFormat> detect_lines(std::string_view head) {
  for (const std::string_view line : lines_of(head)) {
    if (line.starts_with("MainSourceFile:") || line.starts_with("Diagnostics:"))
      return InputFormat::clang_tidy;
    if (line.starts_with("[{\"")) return detect_list(line); // gcc's, after something else was printed
    if (line.starts_with("emend\t")) return InputFormat::flake8;
    if (parse_text_line(line)) return contains(line, " ==> ") ? InputFormat::codespell : InputFormat::text;
  }
  return std::nullopt;
}

std::optional<InputFormat> detect_name(std::string_view file_name) {
  const std::string name = to_lower(file_name.substr(file_name.find_last_of("/\\") + 1));
  if (name.ends_with(".sarif") || name.ends_with(".sarif.json")) return InputFormat::sarif;
  if (name.ends_with(".rdjson")) return InputFormat::rdjson;
  if (name.ends_with(".rdjsonl")) return InputFormat::rdjsonl;
  if (contains(name, "code-quality") && name.ends_with(".json")) return InputFormat::gitlab;
  if (contains(name, "checkstyle") && name.ends_with(".xml")) return InputFormat::checkstyle;
  if (contains(name, "junit") && name.ends_with(".xml")) return InputFormat::junit;
  if (contains(name, "eslint") && name.ends_with(".json")) return InputFormat::eslint;
  if (contains(name, "shellcheck") && name.ends_with(".json")) return InputFormat::shellcheck;
  return std::nullopt;
}

std::optional<InputFormat> detect_content(std::string_view head) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  head = trim(head.substr(0, kHead));
  if (head.starts_with('<')) return detect_xml(head);
  if (head.starts_with('{')) return detect_object(head);
  if (head.starts_with('[')) return detect_list(head);
  return detect_lines(head);
}

} // namespace

std::optional<InputFormat> detect_format(std::string_view head, std::string_view file_name) {
  const auto by_content = detect_content(head);
  return by_content ? by_content : detect_name(file_name);
}

} // namespace emend
