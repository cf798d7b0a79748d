#include "tests/trust/fake_agent/script.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace emend::fake_agent {
namespace {

std::string_view skip_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

// Where the JSON string at the front ends.
std::size_t end_of_quoted(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return i + 1;
  }
  throw std::runtime_error("a string without an end: " + std::string(text));
}

std::string take_word(std::string_view& text) {
  const bool quoted = text.starts_with('"');
  const auto end = quoted ? end_of_quoted(text) : std::min(text.find_first_of(" \t"), text.size());
  const std::string word(text.substr(0, end));
  text = skip_blanks(text.substr(end));
  return quoted ? nlohmann::json::parse(word).get<std::string>() : word;
}

} // namespace

Step parse_step(std::string_view line) {
  line = skip_blanks(line);
  Step step;
  step.word = take_word(line);
  step.rest = std::string(line);
  // These take the rest as it is: a command line, JSON, another step.
  for (const std::string_view whole :
       {"sh", "emit", "result", "fence", "when", "unless", "repeat", "onresume", "last"})
    if (step.word == whole) return step;
  while (!line.empty()) step.args.push_back(take_word(line));
  return step;
}

std::vector<Step> parse_script(std::string_view text) {
  std::vector<Step> steps;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const auto meant = skip_blanks(line);
    if (!meant.empty() && !meant.starts_with('#')) steps.push_back(parse_step(meant));
  }
  return steps;
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

} // namespace emend::fake_agent
