#include "engine/verify/test_name.hpp"

#include <cctype>

#include "base/strings.hpp"

namespace emend {
namespace {

bool is_part_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

} // namespace

std::string short_test_name(const std::string& id) {
  const std::string whole = id.substr(0, id.find_first_of("[("));
  const auto cut = std::string(trim(whole)).find_last_of(":./> ");
  const std::string name(trim(cut == std::string::npos ? whole : whole.substr(cut + 1)));
  return name.size() < 3 ? id : name;
}

bool names_test(std::string_view line, std::string_view name) {
  for (auto at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_part_of_name(line[at - 1])) && (end == line.size() || !is_part_of_name(line[end])))
      return true;
  }
  return false;
}

} // namespace emend
