#include "adapters/analyzers/spelling.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "adapters/analyzers/code_mask.hpp"
#include "adapters/analyzers/file_choice.hpp"
#include "base/strings.hpp"

namespace emend {

namespace {

constexpr std::size_t kOften = 3; // a slip happens a few times; what stands there more often is meant
constexpr std::size_t kLongestParagraph = 20'000;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

template <std::size_t N>
bool one_of(std::string_view word, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

template <std::size_t N>
bool starts_with_any(std::string_view text, const std::array<std::string_view, N>& list) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view part) { return text.starts_with(part); });
}

template <std::size_t N>
bool contains_any(std::string_view text, const std::array<std::string_view, N>& list) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view part) { return contains(text, part); });
}

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
constexpr std::array<std::string_view, 12> kPast = {"changelog", "changes",   "change-log", "change_log",
                                                    "history",   "news",      "release",    "relnote",
                                                    "whatsnew",  "whats-new", "upgrad",     "migrat"};
constexpr std::array<std::string_view, 15> kLegal = {
    "license",     "licence", "copying", "copyright",  "notice",     "patents", "authors", "contributors",
    "maintainers", "credits", "thanks",  "acknowledg", "codeowners", "legal",   "sponsors"};
constexpr std::array<std::string_view, 6> kLegalWords = {
    "copyright", "license", "licence", "warranty", "all rights reserved", "spdx"};
constexpr std::array<std::string_view, 6> kAboutSpelling = {"typo",    "misspel", "spelling",
                                                            "spelled", "spelt",   "(sic"};

std::string_view stem_of(std::string_view name) {
  return name.substr(0, name.find('.') == 0 ? name.size() : name.find('.'));
}

// "1.2.3", "v2.0-rc1", "2020-05-01": what is said there was said then.
bool is_version(std::string_view text) {
  while (!text.empty() && (!std::isalnum(static_cast<unsigned char>(text.front())))) text.remove_prefix(1);
  for (const std::string_view word : {"version ", "release ", "v"})
    if (text.starts_with(word)) text.remove_prefix(word.size());
  std::size_t digits = 0;
  while (digits < text.size() && std::isdigit(static_cast<unsigned char>(text[digits]))) ++digits;
  if (digits == 0 || digits + 1 >= text.size() || !std::isdigit(static_cast<unsigned char>(text[digits + 1])))
    return false;
  return text[digits] == '.' || (text[digits] == '-' && digits == 4);
}

std::string why_not_file(std::string_view file, bool comments) {
  const std::string name = to_lower(file_name(file)), path = to_lower(file);
  const std::string_view stem = stem_of(name);
  if (starts_with_any(stem, kPast) || is_version(name) ||
      in_directory(path,
                   {"changelog", "changelogs", "changelog.d", "changes", "news", "newsfragments", "releases",
                    "release-notes", "release_notes", "whatsnew", "history", "blog", "posts", "_posts"}))
    return "the file is a record of the past";
  if (starts_with_any(stem, kLegal)) return "the file contains legal text or names of people";
  if (in_directory(
          path, {"testdata", "test_data", "test-data", "fixture", "fixtures", "__fixtures__", "snapshots",
                 "__snapshots__", "golden", "goldens", "expected", "corpus", "data", "cases", "testcases"}))
    return "the file is data";
  if (!comments && in_directory(path, {"test", "tests", "testing", "spec", "locale", "locales", "i18n",
                                       "l10n", "translations", "po", "templates"}))
    return "the file is data of tests or of a program";
  return {};
}

// Blanks in front; a tab goes to the next column of four.
std::size_t indent_of(std::string_view line) {
  std::size_t column = 0;
  for (const char c : line) {
    if (c == ' ')
      ++column;
    else if (c == '\t')
      column += 4 - column % 4;
    else
      break;
  }
  return column;
}

// Bytes of "- ", "* ", "12. ", "a) " with the blanks behind it; 0 = no list item.
std::size_t marker_length(std::string_view text) {
  std::size_t end = 0;
  if (!text.empty() && (text[0] == '-' || text[0] == '*' || text[0] == '+'))
    end = 1;
  else {
    while (end < text.size() && end < 9 && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
    if (end == 0 && text.starts_with("#")) end = 1; // reStructuredText: "#."
    if (end == 0 || end >= text.size() || (text[end] != '.' && text[end] != ')')) return 0;
    ++end;
  }
  const std::size_t blanks = text.find_first_not_of(" \t", end);
  if (blanks == end || blanks == std::string_view::npos) return 0;
  return blanks;
}

// A line of one punctuation character: underlines, overlines, rulers.
char ruler(std::string_view line) {
  const std::string_view text = trim(line);
  if (text.size() < 2 || std::isalnum(static_cast<unsigned char>(text[0])) || is_space(text[0])) return 0;
  return text.find_first_not_of(text[0]) == std::string_view::npos ? text[0] : '\0';
}

bool is_table_rule(std::string_view line) {
  const std::string_view text = trim(line);
  return contains(text, "== ") && text.find_first_not_of("= ") == std::string_view::npos;
}

// The tag after whose end text is text again; empty = it ends on this line or there is none.
std::string raw_end(std::string_view line) {
  const std::string lower = to_lower(line);
  for (const auto& [open, close] : {std::pair{"<!--", "-->"},
                                    {"<pre", "</pre>"},
                                    {"<script", "</script>"},
                                    {"<style", "</style>"},
                                    {"<code", "</code>"},
                                    {"<blockquote", "</blockquote>"},
                                    {"<table", "</table>"}}) {
    const auto at = lower.rfind(open);
    if (at != std::string::npos && lower.find(close, at) == std::string::npos) return close;
  }
  return {};
}

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

// The sentence around a place of a paragraph.
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

// The run of bytes without blanks around a place.
std::string_view token_at(std::string_view text, std::size_t at) {
  std::size_t begin = at, end = at;
  while (begin > 0 && !is_space(text[begin - 1])) --begin;
  while (end < text.size() && !is_space(text[end])) ++end;
  return text.substr(begin, end - begin);
}

// A word with nothing at it but the punctuation of a sentence.
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

// A comment that was code once, or speaks to a tool.
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

bool is_rearranged(std::string_view a, std::string_view b) {
  std::string first(a), second(b);
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  return first == second;
}

std::string why_not_these(std::string_view word, std::string_view replacement) {
  if (replacement.empty() || replacement.find_first_of(",|") != std::string_view::npos)
    return "there are several candidates";
  if (std::any_of(word.begin(), word.end(), is_upper)) return "it has capital letters, so it may be a name";
  if (!std::all_of(word.begin(), word.end(), is_lower)) return "it is not a plain word";
  if (std::any_of(replacement.begin(), replacement.end(), is_upper)) return "the letter case would change";
  if (word.size() < 3 || (word.size() == 3 && !is_rearranged(word, replacement)))
    return "it is too short to be sure";
  return {};
}

std::string why_not_neighbours(std::string_view text, std::size_t at, std::size_t length) {
  const auto before = words_of(text.substr(0, at)), after = words_of(text.substr(at + length));
  const bool named = (!before.empty() && one_of(to_lower(before.back()), kNaming)) ||
                     (!after.empty() && one_of(to_lower(after.front()), kNaming));
  if (named) return "it may be the name of something";
  const std::string_view rest = trim(text.substr(at + length));
  const bool defined =
      trim(text.substr(0, at)).empty() &&
      (rest.starts_with('-') || rest.starts_with("\xE2\x80\x93") || rest.starts_with("\xE2\x80\x94"));
  return defined ? "it may be the name of something" : "";
}

} // namespace

SpellingText::SpellingText(std::string_view file, std::string_view text)
    : file_(file), text_(text), kind_(kind_of(file)) {
  if (kind_ == Kind::other) return;
  split_lines();
  if (kind_ == Kind::comments) keep_comments();
  mark_headings();
  classify();
}

SpellingText::Kind SpellingText::kind_of(std::string_view file) {
  if (has_extension(file, {"md", "markdown"})) return Kind::markdown;
  if (has_extension(file, {"rst"})) return Kind::restructured;
  if (has_extension(file, {"txt"})) {
    const std::string stem(stem_of(to_lower(file_name(file))));
    static constexpr std::array<std::string_view, 8> kReadable = {
        "readme", "install", "contributing", "hacking", "building", "faq", "todo", "security"};
    const bool documents =
        in_directory(to_lower(file), {"doc", "docs", "documentation"}) && stem != "cmakelists";
    return documents || starts_with_any(stem, kReadable) ? Kind::plain : Kind::other;
  }
  const Syntax syntax = syntax_of(file); // only where comments can be told for certain
  return syntax == Syntax::c || syntax == Syntax::python || syntax == Syntax::rust ? Kind::comments
                                                                                   : Kind::other;
}

void SpellingText::split_lines() {
  for (std::size_t begin = 0; begin < text_.size();) {
    std::size_t end = std::min(text_.find('\n', begin), text_.size());
    const std::size_t next = end + 1;
    if (end > begin && text_[end - 1] == '\r') --end;
    lines_.push_back({begin, begin, end});
    begin = next;
  }
}

// Leaves of each line what its comment says; lines with code on them, and what they say beside it, are left
// out.
void SpellingText::keep_comments() {
  kinds_ = mask_code(text_, syntax_of(file_)).kinds;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    Line& line = lines_[i];
    bool comment = !(i == 0 && view(line).starts_with("#!"));
    for (std::size_t at = line.begin; at < line.end && comment; ++at)
      comment = is_space(text_[at]) || kinds_[at] == '/';
    if (!comment) {
      line.begin = line.end;
      line.form = Form::markup;
      continue;
    }
    while (line.begin < line.end && is_space(text_[line.begin])) ++line.begin;
    while (line.begin < line.end && contains("/*#!", text_.substr(line.begin, 1))) ++line.begin;
    if (view(line).ends_with("*/")) line.end -= 2;
    if (view(line).starts_with(' ')) ++line.begin;
  }
}

bool SpellingText::underlines(std::size_t line) const {
  if (line == 0 || line >= lines_.size() || kind_ == Kind::comments) return false;
  const char c = ruler(view(lines_[line]));
  if (c == 0 || trim(view(lines_[line - 1])).empty()) return false;
  return kind_ == Kind::restructured ? trim(view(lines_[line])).size() >= 3 : c == '=' || c == '-';
}

void SpellingText::mark_headings() {
  std::string styles; // of reStructuredText: the level is the order in which they came
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    if (!underlines(i) || ruler(view(lines_[i - 1])) != 0) continue;
    const char c = ruler(view(lines_[i]));
    if (styles.find(c) == std::string::npos) styles += c;
    const int level = kind_ == Kind::restructured ? static_cast<int>(styles.find(c)) + 1 : c == '=' ? 1 : 2;
    // A setext heading may have several lines; all of them belong to it.
    for (std::size_t above = i; above-- > 0 && !trim(view(lines_[above])).empty() && i - above < 4;) {
      lines_[above].form = Form::heading;
      lines_[above].level = level;
      if (kind_ == Kind::restructured) break;
    }
    lines_[i].form = Form::markup;
  }
}

// The lines that follow and are indented deeper, with the blank ones between them.
void SpellingText::mark_block(std::size_t first, std::size_t indent, Form form) {
  for (std::size_t i = first; i < lines_.size(); ++i) {
    if (trim(view(lines_[i])).empty()) continue;
    if (indent_of(view(lines_[i])) <= indent) return;
    lines_[i].form = form;
  }
}

void SpellingText::classify() {
  std::vector<std::size_t> columns = {0}; // where the text of the open list items begins
  std::string raw, fence;
  const std::size_t slack = kind_ == Kind::markdown ? 3 : 0;
  bool front = kind_ == Kind::markdown && !lines_.empty() && trim(view(lines_[0])) == "---";
  bool quoted = false, table = false;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    Line& line = lines_[i];
    const std::string_view whole = view(line), text = trim(whole);
    if (front) {
      line.form = Form::markup;
      front = i == 0 || (text != "---" && text != "...");
      continue;
    }
    if (!fence.empty()) {
      line.form = Form::code;
      if (text.starts_with(fence) && text.find_first_not_of(fence[0]) == std::string_view::npos)
        fence.clear();
      continue;
    }
    if (!raw.empty()) {
      line.form = Form::code;
      if (contains(to_lower(text), raw)) raw.clear();
      continue;
    }
    if (text.empty()) {
      if (line.form == Form::prose) line.form = Form::blank;
      quoted = table = false;
      continue;
    }
    const std::size_t indent = indent_of(whole);
    std::string_view rest = text;
    if (const std::size_t marker = marker_length(text); marker > 0) rest = trim(text.substr(marker));
    if (kind_ != Kind::restructured && (rest.starts_with("```") || rest.starts_with("~~~"))) {
      line.form = Form::code;
      fence = std::string(rest.substr(0, std::min(rest.find_first_not_of(rest[0]), rest.size())));
      continue;
    }
    if (kind_ == Kind::markdown) {
      if (raw = raw_end(text); !raw.empty()) {
        line.form = Form::code;
        continue;
      }
    }
    if (line.form != Form::prose) continue; // a heading, or part of a block
    if (kind_ == Kind::markdown && text.starts_with('#')) {
      line.form = Form::heading;
      line.level = static_cast<int>(std::min(text.find_first_not_of('#'), text.size()));
      continue;
    }
    if (kind_ == Kind::restructured) {
      const bool directive = text.starts_with(".. ") || text == "..";
      const bool field = text.starts_with(':') && text.find(':', 1) != std::string_view::npos;
      const bool prompt = text.starts_with(">>>") || text.starts_with("$ ");
      if (directive || field || prompt) {
        line.form = Form::markup;
        mark_block(i + 1, indent, Form::code);
        continue;
      }
      if (text.ends_with("::")) mark_block(i + 1, indent, Form::code);
      const bool term = i + 1 < lines_.size() && !trim(view(lines_[i + 1])).empty() &&
                        marker_length(text) == 0 && indent_of(view(lines_[i + 1])) > indent;
      if (term) {
        line.form = Form::heading;
        continue;
      }
    }
    table = table || is_table_rule(text);
    quoted = quoted || rest.starts_with('>');
    while (columns.size() > 1 && indent < columns.back()) columns.pop_back();
    if (table || ruler(text) != 0 || contains(text, "|") ||
        starts_with_any(text, std::array<std::string_view, 4>{"!!!", "???", ":::", "%"}))
      line.form = Form::markup;
    else if (quoted)
      line.form = Form::quote;
    else if (indent > columns.back() + slack)
      line.form = Form::code;
    else if (text.starts_with('[') && contains(text, "]:"))
      line.form = Form::markup;
    else if (kind_ == Kind::comments && is_codelike(text))
      line.form = Form::code;
    else if (const std::size_t marker = marker_length(text); marker > 0) {
      columns.push_back(indent + marker);
      line.form = Form::item;
      line.begin += whole.find_first_not_of(" \t") + marker;
    } else
      line.begin += std::min(whole.find_first_not_of(" \t"), whole.size());
  }
}

std::size_t SpellingText::line_at(std::size_t offset) const {
  const auto after = std::upper_bound(lines_.begin(), lines_.end(), offset,
                                      [](std::size_t at, const Line& line) { return at < line.start; });
  return after == lines_.begin() ? 0 : static_cast<std::size_t>(after - lines_.begin()) - 1;
}

bool SpellingText::in_prose(const Line& line, std::size_t offset) const {
  return (line.form == Form::prose || line.form == Form::item) && offset >= line.begin && offset < line.end;
}

SpellingText::Paragraph SpellingText::paragraph_at(std::size_t offset) const {
  const std::size_t here = line_at(offset);
  std::size_t first = here, last = here;
  while (first > 0 && lines_[first].form == Form::prose &&
         (lines_[first - 1].form == Form::prose || lines_[first - 1].form == Form::item))
    --first;
  while (last + 1 < lines_.size() && lines_[last + 1].form == Form::prose) ++last;
  Paragraph paragraph;
  for (std::size_t i = first; i <= last && paragraph.text.size() < kLongestParagraph; ++i) {
    if (i == here) paragraph.at = paragraph.text.size() + (offset - lines_[i].begin);
    paragraph.text += view(lines_[i]);
    paragraph.text += ' ';
  }
  return paragraph;
}

std::string SpellingText::why_not_here(std::size_t offset) const {
  if (kind_ == Kind::other || lines_.empty()) return "it is not in prose";
  const Line& line = lines_[line_at(offset)];
  if (in_prose(line, offset)) return {};
  switch (line.form) {
    case Form::heading: return "it is in a heading, and links may lead there";
    case Form::quote: return "it is in a quotation";
    case Form::code: return "it is in code";
    default: return "it is not in prose";
  }
}

// What sections are about is told by the headings they are under.
std::string SpellingText::why_not_in_section(std::size_t line) const {
  int level = 100;
  for (std::size_t i = line; i-- > 0;) {
    const Line& heading = lines_[i];
    if (heading.form != Form::heading || heading.level == 0 || heading.level >= level) continue;
    level = heading.level;
    std::string title = to_lower(view(heading));
    title.erase(0, std::min(title.find_first_not_of("#*[ \t"), title.size()));
    if (starts_with_any(title, kPast) || is_version(title) || contains(title, "changelog") ||
        contains(title, "release note"))
      return "the section is a record of the past";
    if (starts_with_any(title, kLegal)) return "the section contains legal text or names of people";
  }
  return {};
}

std::string SpellingText::why_not_safe(std::size_t offset, std::string_view word,
                                       std::string_view replacement, const WordUse& use) const {
  if (std::string why = why_not_these(word, replacement); !why.empty()) return why;
  if (std::string why = why_not_file(file_, kind_ == Kind::comments); !why.empty()) return why;
  if (std::string why = why_not_here(offset); !why.empty()) return why;
  if (std::string why = why_not_in_section(line_at(offset)); !why.empty()) return why;
  const Paragraph paragraph = paragraph_at(offset);
  const std::string_view text = paragraph.text;
  const std::size_t at = paragraph.at;
  if (text.size() >= kLongestParagraph || at + word.size() > text.size() ||
      text.substr(at, word.size()) != word)
    return "it is not in prose";
  if (!stands_alone(text, at, word.size())) return "it is part of something longer";
  if (in_code_span(text, at)) return "it is in code";
  if (in_link(text, at)) return "it is in a link";
  if (in_quotes(text, at)) return "it is in a quotation";
  if (has_tag(text) || text.find_first_of("{}$|") != std::string_view::npos)
    return "there is markup around it";
  const std::string lower = to_lower(text);
  if (contains_any(lower, kLegalWords)) return "it is in legal text";
  if (contains_any(lower, kAboutSpelling)) return "the text is about spelling";
  const std::string_view sentence = sentence_at(text, at);
  const auto words = words_of(sentence);
  if (words.size() < 4 || !is_english(text)) return "it is not in an English sentence";
  const bool both = replacement.size() > 3 && !one_of(replacement, kEnglish) &&
                    !one_of(replacement, kSmallWords) &&
                    std::find(words.begin(), words.end(), replacement) != words.end();
  if (both) return "the text has both spellings";
  if (std::string why = why_not_neighbours(text, at, word.size()); !why.empty()) return why;
  if (!use.complete) return "the repository is too large to look for other uses of the word";
  if (use.names > 0) return "the repository uses it as a name";
  if (use.prose > kOften) return "it occurs often in the repository";
  return {};
}

bool SpellingText::is_name(std::size_t offset, std::size_t length) const {
  const std::string_view word = text_.substr(offset, length);
  if (!stands_alone(text_, offset, length)) return true;
  if (kind_ == Kind::other) {
    const std::size_t begin =
        text_.rfind('\n', offset) == std::string_view::npos ? 0 : text_.rfind('\n', offset) + 1;
    const std::string_view before = trim(text_.substr(begin, offset - begin));
    return !before.starts_with('#') && !before.starts_with("//") && !before.starts_with('*');
  }
  if (kind_ == Kind::comments && kinds_[offset] != '/') return true;
  const Line& line = lines_[line_at(offset)];
  if (line.form == Form::code) return true;
  if (!in_prose(line, offset)) return false;
  const Paragraph paragraph = paragraph_at(offset);
  if (paragraph.at + length > paragraph.text.size()) return false;
  if (in_code_span(paragraph.text, paragraph.at) || in_link(paragraph.text, paragraph.at)) return true;
  if (std::all_of(word.begin(), word.end(), is_lower)) return false;
  // Capital letters are a sentence's own at its beginning only.
  const bool capital = is_upper(word[0]) && std::all_of(word.begin() + 1, word.end(), is_lower);
  const std::string_view sentence = sentence_at(paragraph.text, paragraph.at);
  const auto lead = static_cast<std::size_t>(paragraph.text.data() + paragraph.at - sentence.data());
  return !capital || !trim(sentence.substr(0, lead)).empty();
}

} // namespace emend
