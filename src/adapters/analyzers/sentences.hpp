// English sentences, and where in them a word stands. Pure.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.hpp"

namespace emend {

inline bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
inline bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
inline bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
inline bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

template <std::size_t N>
[[nodiscard]] bool one_of(std::string_view word, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

template <std::size_t N>
[[nodiscard]] bool starts_with_any(std::string_view text, const std::array<std::string_view, N>& list) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view part) { return text.starts_with(part); });
}

template <std::size_t N>
[[nodiscard]] bool contains_any(std::string_view text, const std::array<std::string_view, N>& list) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view part) { return contains(text, part); });
}

[[nodiscard]] std::vector<std::string_view> words_of(std::string_view text);
// The sentence around a place of a paragraph.
[[nodiscard]] std::string_view sentence_at(std::string_view text, std::size_t at);
// A word with nothing at it but the punctuation of a sentence.
[[nodiscard]] bool stands_alone(std::string_view text, std::size_t at, std::size_t length);
[[nodiscard]] bool is_english(std::string_view text);
// A word English text cannot do without.
[[nodiscard]] bool is_small_word(std::string_view word);
[[nodiscard]] bool in_code_span(std::string_view text, std::size_t at);
[[nodiscard]] bool in_link(std::string_view text, std::size_t at);
[[nodiscard]] bool in_quotes(std::string_view text, std::size_t at);
[[nodiscard]] bool has_tag(std::string_view text);
// A comment that was code once, or speaks to a tool.
[[nodiscard]] bool is_codelike(std::string_view line);
// Beside a word such as "option" or "field" it may be the name of something.
[[nodiscard]] bool is_named_by_neighbours(std::string_view text, std::size_t at, std::size_t length);

} // namespace emend
