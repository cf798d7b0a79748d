// A fake agent's script: one step a line, a word and its arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace emend::fake_agent {

struct Step {
  std::string word;
  std::string rest;              // the line after the word, as written
  std::vector<std::string> args; // its words; "..." is a JSON string
};

// The first word, and the words after it.
Step parse_step(std::string_view line);

// Lines that are empty or begin with # are left out.
std::vector<Step> parse_script(std::string_view text);

std::string read_text(const std::string& path); // "" when it cannot be read

} // namespace emend::fake_agent
