#include "adapters/analyzers/spelling.hpp"

#include <algorithm>

#include "adapters/analyzers/code_mask.hpp"
#include "adapters/analyzers/file_choice.hpp"
#include "adapters/analyzers/sentences.hpp"

namespace emend {

namespace {

constexpr std::size_t kOften = 3; // a slip happens a few times; what stands there more often is meant
constexpr std::size_t kLongestParagraph = 20'000;

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
  const bool both = replacement.size() > 3 && !is_small_word(replacement) &&
                    std::find(words.begin(), words.end(), replacement) != words.end();
  if (both) return "the text has both spellings";
  if (is_named_by_neighbours(text, at, word.size())) return "it may be the name of something";
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
