#include "engine/verify/hidden_words.hpp"

#include <algorithm>
#include <cctype>

#include "base/strings.hpp"

namespace emend {
namespace {

constexpr const char* kLeftOut = "(Left out: words about inputs of a check that you cannot see.)";
constexpr std::size_t kShortest = 6; // of a text that is hidden in pieces; what is shorter is a value
constexpr std::size_t kPiece = 16;

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Without quotes and with single spaces: a judge writes code down as it likes.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (contains("'\"`\\", std::string_view(&c, 1))) continue;
    if (std::isspace(static_cast<unsigned char>(c)) == 0)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  return std::string(trim(out));
}

bool stands_alone(std::string_view text, std::string_view value) {
  for (std::size_t at = text.find(value); at != std::string_view::npos; at = text.find(value, at + 1)) {
    const std::size_t end = at + value.size();
    if ((at == 0 || !is_name(text[at - 1])) && (end == text.size() || !is_name(text[end]))) return true;
  }
  return false;
}

bool holds_piece(std::string_view sentence, std::string_view text, std::string_view known) {
  const std::size_t size = std::min(kPiece, text.size());
  for (std::size_t at = 0; at + size <= text.size(); ++at) {
    const std::string_view piece = text.substr(at, size);
    if (contains(sentence, piece) && !contains(known, piece)) return true;
  }
  return false;
}

// "a. b.c? d" -> "a.", " b.c?", " d".
std::vector<std::string_view> sentences_of(std::string_view line) {
  std::vector<std::string_view> found;
  std::size_t begin = 0;
  for (std::size_t i = 1; i < line.size(); ++i)
    if (line[i] == ' ' && contains(".!?;", line.substr(i - 1, 1))) {
      found.push_back(line.substr(begin, i - begin));
      begin = i;
    }
  found.push_back(line.substr(begin));
  return found;
}

} // namespace

HiddenWords::HiddenWords(std::string_view known) : known_(plain(known)) {}

void HiddenWords::hide_value(std::string_view value) {
  if (const std::string text = plain(value); !text.empty()) values_.insert(text);
}

void HiddenWords::hide_text(std::string_view text) {
  std::string words = plain(text);
  if (words.size() >= kShortest) texts_.push_back(std::move(words));
}

bool HiddenWords::quoted_in(std::string_view sentence) const {
  const std::string text = plain(sentence);
  const auto alone = [&](const std::string& value) { return stands_alone(text, value); };
  const auto in_pieces = [&](const std::string& hidden) { return holds_piece(text, hidden, known_); };
  return std::any_of(values_.begin(), values_.end(), alone) ||
         std::any_of(texts_.begin(), texts_.end(), in_pieces);
}

std::string HiddenWords::left_of(const std::string& text) const {
  if (empty()) return text;
  std::string left;
  bool any = false;
  for (const std::string_view line : lines_of(text)) {
    std::string kept;
    for (const std::string_view sentence : sentences_of(line)) {
      const bool quotes = quoted_in(sentence);
      any = any || quotes;
      if (!quotes) kept += sentence;
    }
    if (!kept.empty() || line.empty()) left += std::string(line.empty() ? "" : kept) + "\n";
  }
  if (!any && !quoted_in(text)) return text;
  if (quoted_in(left)) left.clear(); // over several lines
  return left + kLeftOut;
}

std::vector<std::string> HiddenWords::left_of(const std::vector<std::string>& items) const {
  std::vector<std::string> left;
  for (const std::string& item : items)
    if (!quoted_in(item)) left.push_back(item);
  return left;
}

} // namespace emend
