#include "adapters/analyzers/command_words.hpp"

#include "base/strings.hpp"

namespace emend {

std::vector<std::string> command_words(std::string_view line) {
  std::vector<std::string> words;
  char quote = 0;
  bool open = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i], next = i + 1 < line.size() ? line[i + 1] : '\0';
    if (quote == 0 && contains(" \t\n\r", std::string_view(&c, 1))) {
      open = false;
      continue;
    }
    if (!open) words.emplace_back();
    open = true;
    const bool escapes = c == '\\' && next != '\0' &&
                         (quote == 0 || (quote == '"' && contains("\"\\$`\n", std::string_view(&next, 1))));
    if (escapes)
      words.back() += line[++i];
    else if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else if (c == quote)
      quote = 0;
    else
      words.back() += c;
  }
  return words;
}

} // namespace emend
