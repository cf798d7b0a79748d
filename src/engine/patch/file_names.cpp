#include "engine/patch/file_names.hpp"

#include <algorithm>
#include <array>

#include "base/strings.hpp"

namespace emend {

namespace {

bool is_directory(std::string_view path, const Tree& base) {
  const auto below = base.lower_bound(path);
  return below != base.end() && below->first.starts_with(path);
}

// The part of the path the base does not have yet.
std::string_view new_part(std::string_view path, const Tree& base) {
  std::size_t known = 0;
  for (auto slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1)) {
    if (!is_directory(path.substr(0, slash + 1), base)) break;
    known = slash + 1;
  }
  return path.substr(known);
}

// CON, nul.txt, com1: devices on Windows, whatever comes after the first dot.
bool is_device(std::string_view name) {
  static constexpr std::array devices = {"con", "prn", "aux", "nul"};
  const std::string stem = to_lower(name.substr(0, name.find('.')));
  const bool port = stem.size() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")) &&
                    stem[3] >= '0' && stem[3] <= '9';
  return port || std::find(devices.begin(), devices.end(), stem) != devices.end();
}

std::string odd_part(const std::string& name) {
  if (name.starts_with('-')) return "starts with '-', which commands read as an option";
  if (name.starts_with(' ') || name.ends_with(' ')) return "begins or ends with a space";
  if (name.ends_with('.')) return "ends with a dot, which Windows cannot store";
  if (const auto at = name.find_first_of("\\<>:\"|?*"); at != std::string::npos)
    return std::string("contains '") + name[at] + "', which Windows cannot store";
  if (is_device(name)) return "is that of a device on Windows";
  return {};
}

} // namespace

std::string odd_file_name(std::string_view path, const Tree& base) {
  const std::string_view name = new_part(path, base);
  if (const auto hidden = hidden_characters(name); !hidden.empty()) {
    const auto& [what, character] = *hidden.begin();
    return (character.kind == CharacterKind::bad_byte ? "is not valid UTF-8 ("
                                                      : "contains invisible characters (") +
           what + ")";
  }
  if (name.find_first_of("\t\r\n") != std::string_view::npos) return "contains a tab or a line break";
  for (const std::string& part : split(name, '/'))
    if (std::string odd = odd_part(part); !odd.empty()) return odd;
  return {};
}

} // namespace emend
