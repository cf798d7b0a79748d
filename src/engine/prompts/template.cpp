#include "engine/prompts/template.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/strings.hpp"

namespace emend {

Result<std::string> render_template(std::string_view text, const std::map<std::string, std::string>& values) {
  const auto bad = [](const std::string& why) { return fail(ErrorCode::config, "template: " + why); };
  std::string out;
  std::vector<std::pair<std::string, bool>> sections; // name, shown
  const auto shown = [&] {
    return std::all_of(sections.begin(), sections.end(), [](const auto& s) { return s.second; });
  };
  for (std::size_t at = 0; at < text.size();) {
    const auto open = std::min(text.find("{{", at), text.size());
    if (shown()) out += text.substr(at, open - at);
    if (open == text.size()) break;
    const auto close = text.find("}}", open);
    if (close == std::string_view::npos) return bad("{{ without }}");
    std::string_view tag = trim(text.substr(open + 2, close - open - 2));
    const char kind = tag.empty() ? '\0' : tag.front();
    const bool section = kind == '#' || kind == '/';
    if (section) tag = trim(tag.substr(1));
    const std::string name(tag);
    const auto value = values.find(name);
    if (value == values.end()) return bad("unknown name {{" + name + "}}");
    if (kind == '/' && (sections.empty() || sections.back().first != name))
      return bad("stray {{/" + name + "}}");
    if (kind == '#')
      sections.emplace_back(name, !value->second.empty());
    else if (kind == '/')
      sections.pop_back();
    else if (shown())
      out += value->second;
    at = close + 2;
    const bool alone = section && (open == 0 || text[open - 1] == '\n') && text.substr(at).starts_with('\n');
    if (alone) ++at; // a tag alone on its line leaves no line
  }
  if (!sections.empty()) return bad("{{#" + sections.back().first + "}} is not closed");
  return out;
}

std::string fenced(std::string_view text, std::string_view label) {
  std::size_t longest = 2, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fmt::format("{}{}\n{}{}{}\n", fence, label, text, text.ends_with('\n') ? "" : "\n", fence);
}

} // namespace emend
