// The rule about Markdown links and images that lead to files which do not exist.
#include <algorithm>
#include <filesystem>

#include "adapters/analyzers/builtin.hpp"
#include "adapters/analyzers/file_choice.hpp"
#include "base/strings.hpp"
#include "model/review_rules.hpp"

namespace emend {

namespace {

constexpr auto npos = std::string_view::npos;

struct Target {
  std::size_t begin = 0, end = 0; // in the line
};

// Code spans are not Markdown.
std::string without_code_spans(std::string_view line) {
  std::string out(line);
  for (auto open = out.find('`'); open != std::string::npos; open = out.find('`', open)) {
    const std::size_t ticks = std::min(out.find_first_not_of('`', open), out.size()) - open;
    const auto close = out.find(std::string(ticks, '`'), open + ticks);
    if (close == std::string::npos) break;
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(open),
              out.begin() + static_cast<std::ptrdiff_t>(close + ticks), ' ');
  }
  return out;
}

// The target that begins at `at`: "<a b.md>" or up to a blank or the closing parenthesis.
Target target_at(std::string_view line, std::size_t at) {
  at = std::min(line.find_first_not_of(' ', at), line.size());
  if (at < line.size() && line[at] == '<') return {at + 1, std::min(line.find('>', at), line.size())};
  int depth = 0;
  std::size_t end = at;
  for (; end < line.size() && line[end] != ' ' && line[end] != '\t' && line[end] != '\r'; ++end) {
    if (line[end] == '(') ++depth;
    if (line[end] == ')' && depth-- == 0) break;
  }
  return {at, end};
}

std::vector<Target> targets_in(std::string_view line) {
  std::vector<Target> targets;
  for (auto at = line.find("]("); at != npos; at = line.find("](", at + 2))
    targets.push_back(target_at(line, at + 2));
  const auto indent = line.find_first_not_of(' ');
  if (indent < 4 && line.substr(indent).starts_with('[') && !line.substr(indent).starts_with("[^")) {
    const auto colon = line.find("]:", indent);
    if (colon != npos && line.find(']', indent) == colon) targets.push_back(target_at(line, colon + 2));
  }
  return targets;
}

std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digit = [&](std::size_t at) {
      return std::string_view("0123456789abcdef").find(static_cast<char>(text[at] | 0x20));
    };
    if (text[i] == '%' && i + 2 < text.size() && digit(i + 1) != npos && digit(i + 2) != npos) {
      out += static_cast<char>(digit(i + 1) * 16 + digit(i + 2));
      i += 2;
    } else if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
    }
  }
  return out;
}

// The file a link means, relative to the root; empty for what is not a file of this tree (addresses, anchors,
// templates).
std::string linked_file(const std::string& from, std::string_view target) {
  target = target.substr(0, target.find_first_of("#?"));
  if (target.empty() || target.front() == '/' || contains(target, ":") ||
      target.find_first_of("{}$<>*|") != npos)
    return {};
  const std::string decoded = percent_decoded(target);
  if (decoded.find('\0') != std::string::npos) return {};
  const std::string path = (std::filesystem::path(from).parent_path() / decoded).lexically_normal().string();
  return path == ".." || path.starts_with("../") ? "" : path;
}

// Sites made from Markdown link to pages without the extension or by the page's final name.
bool leads_somewhere(const RuleInput& input, const std::string& path) {
  if (path == "." || path == "./" || input.exists(path)) return true;
  const std::string plain = path.ends_with('/') ? path.substr(0, path.size() - 1) : path;
  const std::string stem = plain.ends_with(".html") ? plain.substr(0, plain.size() - 5) : plain;
  for (const char* ending : {".md", ".mdx", ".rst", "/index.md", "/README.md"})
    if (input.exists(stem + ending)) return true;
  return false;
}

bool is_fence(std::string_view line) {
  const std::string_view start = trim(line);
  return start.starts_with("```") || start.starts_with("~~~");
}

} // namespace

void find_broken_links(const RuleInput& input, RuleFindings& findings) {
  if (!has_extension(input.file, {"md", "markdown"})) return;
  std::size_t offset = 0;
  char fence = 0;
  for (const std::string_view raw : lines_of(input.text.bytes())) {
    const std::size_t begin = offset;
    offset += raw.size() + 1;
    if (is_fence(raw) && (fence == 0 || fence == trim(raw).front()))
      fence = fence == 0 ? trim(raw).front() : '\0';
    if (fence != 0) continue;
    const std::string line = without_code_spans(raw);
    for (const Target& target : targets_in(line)) {
      const std::string_view words = raw.substr(target.begin, target.end - target.begin);
      const std::string path = linked_file(input.file, words);
      if (path.empty() || leads_somewhere(input, path)) continue;
      Finding& finding =
          add_finding(input, findings,
                      {"broken-link", Severity::low, "documentation",
                       "The link leads to " + path + ", which does not exist",
                       "Correct the link, or remove it", begin + target.begin, begin + target.end});
      if (path.ends_with(".html")) mark_doubtful(finding); // a page that is made when the site is built
    }
  }
}

} // namespace emend
