#include "engine/agents/safe_lines.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kContextLines = 2;
constexpr std::size_t kContextBytes = 4'000; // of a line
constexpr std::size_t kLongestKey = 64'000;

} // namespace

std::string SafeLines::add(std::string_view line) {
  std::string clean = clean_text(line);
  std::replace(clean.begin(), clean.end(), '\n', ' ');
  const std::size_t begin = clean.rfind("-----BEGIN "), end = clean.rfind("-----END ");
  if (begin != std::string::npos && (end == std::string::npos || end < begin))
    in_key_ = true;
  else if (end != std::string::npos)
    in_key_ = false;
  held_ += clean + "\n";
  return in_key_ && held_.size() < kLongestKey ? std::string() : release();
}

std::string SafeLines::finish() { return release(); }

// Redacting keeps the number of lines, so the lines before can be cut off again.
std::string SafeLines::release() {
  if (held_.empty()) return {};
  in_key_ = false;
  std::string context;
  for (const std::string& line : before_) context += line + "\n";
  std::string text = redactor_.redact(context + held_);
  for (std::size_t i = 0; i < before_.size(); ++i) text.erase(0, text.find('\n') + 1);
  for (const std::string_view line : lines_of(held_)) before_.emplace_back(line.substr(0, kContextBytes));
  while (before_.size() > kContextLines) before_.pop_front();
  held_.clear();
  return text;
}

} // namespace emend
