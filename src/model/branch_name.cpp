#include "model/branch_name.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kLongest = 200;

bool is_hex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

std::string part_problem(const std::string& part) {
  if (part.empty()) return "begins or ends with '/', or has two of them in a row";
  if (part.starts_with('.') || part.ends_with('.')) return "has a part that begins or ends with a dot";
  if (part.starts_with('-')) return "has a part that begins with '-'";
  if (to_lower(part).ends_with(".lock")) return "has a part that ends with .lock";
  return {};
}

} // namespace

std::string branch_name_problem(std::string_view name) {
  if (name.empty()) return "is empty";
  if (name.size() > kLongest) return "is longer than 200 bytes";
  if (const auto hidden = hidden_characters(name); !hidden.empty())
    return "contains an invisible character (" + hidden.begin()->first + ")";
  if (const auto at = name.find_first_of(" \t\r\n~^:?*[]\\$`'\"!;|&<>(){}"); at != std::string_view::npos)
    return name[at] > ' ' ? std::string("contains '") + name[at] + "'" : std::string("contains white space");
  if (contains(name, "..")) return "contains \"..\"";
  if (contains(name, "@{") || name == "@") return "is a name git keeps for itself";
  for (const std::string& part : split(name, '/'))
    if (std::string problem = part_problem(part); !problem.empty()) return problem;
  const std::string first(name.substr(0, name.find('/')));
  for (const char* space : {"refs", "heads", "tags", "remotes"})
    if (first == space) return "begins with " + first + "/: write the branch's name alone";
  if (to_upper(name) == "HEAD" || name.ends_with("_HEAD")) return "is a name git keeps for itself";
  if ((name.size() == 40 || name.size() == 64) && is_hex(name)) return "looks like the id of a commit";
  return {};
}

} // namespace emend
