#include "engine/probe/sentinel.hpp"

#include <algorithm>
#include <cctype>

#include "base/strings.hpp"
#include "engine/probe/manner.hpp"

namespace emend {
namespace {

bool is_plain_name(std::string_view name) {
  const auto plain = [](unsigned char c) { return (std::isalnum(c) != 0 && c < 0x80) || c == '_'; };
  return !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0 &&
         std::all_of(name.begin(), name.end(), plain);
}

std::optional<probe::Addition> addition_to(const probe::Source& source, std::string_view name) {
  if (source.language.tongue == probe::Tongue::shell) return probe::shell_test(source, name);
  if (auto found = probe::method_test(source, name)) return found;
  if (auto found = probe::framework_test(source, name)) return found;
  return probe::repeated_assertion(source, name);
}

} // namespace

std::optional<Twist> add_sentinel(std::string_view path, std::string_view text, std::string_view name) {
  const probe::Language* language = probe::language_of(path, text);
  if (language == nullptr || !is_plain_name(name)) return std::nullopt;
  const probe::Source source(text, *language);
  auto addition = addition_to(source, name);
  if (!addition) return std::nullopt;
  const bool crlf = text.find("\r\n") != std::string_view::npos;
  std::string before(text.substr(0, addition->at));
  if (!before.empty() && !before.ends_with('\n')) before += crlf ? "\r\n" : "\n";
  Twist twist;
  twist.kind = Twist::Kind::sentinel;
  twist.file = std::string(path);
  twist.name = std::string(name);
  twist.line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + addition->fails_in;
  twist.last_line = twist.line;
  twist.after = std::string(trim(lines_of(addition->text)[static_cast<std::size_t>(addition->fails_in - 1)]));
  if (crlf) addition->text = replace_all(addition->text, "\n", "\r\n");
  twist.text = before + addition->text + std::string(text.substr(addition->at));
  return twist;
}

} // namespace emend
