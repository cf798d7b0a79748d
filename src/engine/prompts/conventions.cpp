#include "engine/prompts/conventions.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"

namespace emend {
namespace {

// The beginning of a text, cut behind a line.
std::string_view beginning(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  const auto line = text.substr(0, most).rfind('\n');
  return line == std::string_view::npos ? std::string_view{} : text.substr(0, line + 1);
}

} // namespace

std::string conventions_text(RunContext& context, const std::string& commit, std::size_t most) {
  std::string said;
  for (const std::string& sentence : context.policy().conventions) said += "- " + sentence + "\n";
  std::string text = trim_middle(context.safe(said), most);
  for (const std::string& file : context.policy().instructions) {
    auto content = context.ports.repository.read(commit, file);
    if (!content) continue;
    const std::string whole = context.safe(*content) + "\n";
    const std::string_view shown = beginning(whole, text.size() < most ? most - text.size() : 0);
    if (shown.size() == whole.size())
      text += fmt::format("[from {}]\n{}", file, shown);
    else
      text += fmt::format("[the first {} of {} bytes of {}; read the rest in the file]\n{}", shown.size(),
                          whole.size(), file, shown);
  }
  return text;
}

} // namespace emend
