#include "adapters/analyzers/sentences.hpp"

#include <set>

namespace emend {

namespace {

// Words English text cannot do without; none of them is a keyword of a common language. The first ones are no
// words of its neighbours.
constexpr std::array<std::string_view, 20> kEnglish = {
    "the", "this", "that", "these", "those",  "which", "are", "have",  "your", "you",
    "it",  "its",  "they", "their", "should", "must",  "can", "there", "been", "does"};
constexpr std::array<std::string_view, 20> kSmallWords = {
    "a",   "an",   "of", "to", "be",   "will", "has",  "when", "by",  "we",
    "was", "were", "at", "on", "only", "each", "also", "but",  "our", "how"};
// Beside these a word is the name of something.
constexpr std::array<std::string_view, 30> kNaming = {
    "called",  "named",    "word",      "words",    "name",  "command", "option",    "options",
    "flag",    "function", "method",    "variable", "field", "fields",  "parameter", "package",
    "module",  "library",  "key",       "keyword",  "type",  "tag",     "branch",    "user",
    "project", "tool",     "directory", "folder",   "file",  "class"};

// The run of bytes without blanks around a place.
std::string_view token_at(std::string_view text, std::size_t at) {
  std::size_t begin = at, end = at;
  while (begin > 0 && !is_space(text[begin - 1])) --begin;
  while (end < text.size() && !is_space(text[end])) ++end;
  return text.substr(begin, end - begin);
}

} // namespace

bool is_small_word(std::string_view word) { return one_of(word, kEnglish) || one_of(word, kSmallWords); }

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && (is_letter(text[end]) || text[end] == '\'')) ++end;
    if (end > i) words.push_back(text.substr(i, end - i));
    i = end + 1;
  }
  return words;
}

std::string_view sentence_at(std::string_view text, std::size_t at) {
  const auto ends = [&](std::size_t i) {
    return (text[i] == '.' || text[i] == '!' || text[i] == '?') &&
           (i + 1 == text.size() || is_space(text[i + 1]));
  };
  std::size_t begin = at, end = at;
  while (begin > 0 && !ends(begin - 1)) --begin;
  while (end < text.size() && !ends(end)) ++end;
  return text.substr(begin, end - begin);
}

bool stands_alone(std::string_view text, std::size_t at, std::size_t length) {
  std::string_view token = token_at(text, at);
  if (token.starts_with('(')) token.remove_prefix(1);
  while (!token.empty() && contains(".,;!?)", token.substr(token.size() - 1))) token.remove_suffix(1);
  return token.size() == length && token.data() == text.data() + at;
}

bool is_english(std::string_view text) {
  std::set<std::string> sure, found;
  std::size_t hits = 0;
  const auto words = words_of(text);
  for (const std::string_view word : words) {
    const std::string lower = to_lower(word);
    const bool core = one_of(lower, kEnglish);
    if (core) sure.insert(lower);
    if (core || one_of(lower, kSmallWords)) found.insert(lower), ++hits;
  }
  return !sure.empty() && found.size() >= 2 && hits * 10 >= words.size();
}

// Backticks: a run opens, the next run of the same length closes.
bool in_code_span(std::string_view text, std::size_t at) {
  for (std::size_t i = text.find('`'); i < at; i = text.find('`', i)) {
    std::size_t length = 0;
    while (i + length < text.size() && text[i + length] == '`') ++length;
    std::size_t close = i + length;
    for (;;) {
      close = text.find('`', close);
      if (close == std::string_view::npos) break;
      std::size_t run = 0;
      while (close + run < text.size() && text[close + run] == '`') ++run;
      if (run == length) break;
      close += run;
    }
    if (close == std::string_view::npos)
      i += length; // a lone backtick
    else if (close >= at)
      return true;
    else
      i = close + length;
  }
  return false;
}

bool in_link(std::string_view text, std::size_t at) {
  int depth = 0;
  for (std::size_t i = 0; i < at; ++i) {
    if (text[i] == '[') ++depth;
    if (text[i] == ']' && depth > 0) --depth;
  }
  if (depth > 0) return true;
  const auto target = text.substr(0, at).rfind("](");
  return target != std::string_view::npos &&
         text.substr(target, at - target).find(')') == std::string_view::npos;
}

// An opening quotation mark before it that is not closed before it.
bool in_quotes(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  if (std::count(before.begin(), before.end(), '"') % 2 == 1) return true;
  for (const auto& [open, close] : {std::pair{"\xE2\x80\x9C", "\xE2\x80\x9D"},
                                    {"\xC2\xAB", "\xC2\xBB"},
                                    {"\xE2\x80\x98", "\xE2\x80\x99"}}) {
    const auto opened = before.rfind(open);
    if (opened != std::string_view::npos && before.find(close, opened) == std::string_view::npos) return true;
  }
  bool open = false;
  for (std::size_t i = 0; i < at; ++i) {
    if (text[i] != '\'') continue;
    const bool first = i == 0 || is_space(text[i - 1]) || text[i - 1] == '(';
    const bool last = i + 1 == text.size() || !std::isalnum(static_cast<unsigned char>(text[i + 1]));
    if (first && !last)
      open = true;
    else if (last && !first)
      open = false;
  }
  return open;
}

bool has_tag(std::string_view text) {
  for (std::size_t i = text.find('<'); i != std::string_view::npos; i = text.find('<', i + 1))
    if (i + 1 < text.size() && (is_letter(text[i + 1]) || text[i + 1] == '/' || text[i + 1] == '!'))
      return true;
  return false;
}

bool is_codelike(std::string_view line) {
  const std::string_view text = trim(line);
  if (text.empty()) return false;
  if (contains(";{}\\", text.substr(text.size() - 1)) || text.front() == '@' || text.front() == '\\' ||
      text.front() == ':')
    return true;
  static constexpr std::array<std::string_view, 10> kOpeners = {"if ",   "elif ", "else",   "for ", "while ",
                                                                "with ", "def ",  "class ", "try",  "except"};
  if (text.ends_with(':') && starts_with_any(text, kOpeners)) return true;
  for (const std::string_view part :
       {"==", "!=", "+=", " = ", "&&", "||", "->", "=>", "::", "//", "();", "#include"})
    if (contains(text, part)) return true;
  return false;
}

bool is_named_by_neighbours(std::string_view text, std::size_t at, std::size_t length) {
  const auto before = words_of(text.substr(0, at)), after = words_of(text.substr(at + length));
  const bool named = (!before.empty() && one_of(to_lower(before.back()), kNaming)) ||
                     (!after.empty() && one_of(to_lower(after.front()), kNaming));
  if (named) return true;
  const std::string_view rest = trim(text.substr(at + length));
  return trim(text.substr(0, at)).empty() &&
         (rest.starts_with('-') || rest.starts_with("\xE2\x80\x93") || rest.starts_with("\xE2\x80\x94"));
}

} // namespace emend
