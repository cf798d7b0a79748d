#include "engine/prompts/conventions.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"

namespace emend {

std::string conventions_text(RunContext& context, const std::string& commit) {
  constexpr std::size_t kMax = 65'536;
  std::string text;
  for (const std::string& sentence : context.policy().conventions) text += "- " + sentence + "\n";
  for (const std::string& file : context.policy().instructions) {
    auto content = context.ports.repository.read(commit, file);
    if (!content || text.size() > kMax) continue;
    text += fmt::format("[from {}]\n{}\n", file, *content);
  }
  return trim_middle(context.safe(text), kMax);
}

} // namespace emend
