// Whether a spelling correction may be made where nobody looks at it: only in plain English prose. Pure;
// reads no files.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace emend {

// How the repository uses a word, in any letter case.
struct WordUse {
  std::size_t prose = 0; // in running text, this place included
  std::size_t names = 0; // in code, strings, code spans, links and file names, or written like a name
  bool complete = true;  // everything was counted
};

// A file prepared for questions about the words in it. The text outlives it.
class SpellingText {
public:
  SpellingText(std::string_view file, std::string_view text);

  // Why the word at `offset` must not be replaced without a person or an agent looking at it, as a part of a
  // sentence
  // ("it is in code"). Empty = the correction is safe.
  [[nodiscard]] std::string why_not_safe(std::size_t offset, std::string_view word,
                                         std::string_view replacement, const WordUse& use) const;

  // Whether the word at `offset` stands for something other than itself: an identifier, a part of one, a
  // proper name, a link.
  [[nodiscard]] bool is_name(std::size_t offset, std::size_t length) const;

private:
  enum class Kind { markdown, restructured, plain, comments, other };
  enum class Form { prose, item, blank, code, quote, heading, markup };
  struct Line {
    std::size_t start = 0;          // of the whole line
    std::size_t begin = 0, end = 0; // of its words: without markers of comments and list items
    Form form = Form::prose;        // item = prose that begins a list item
    int level = 0;                  // of a heading
  };
  struct Paragraph {
    std::string text;   // its lines, joined by a blank each
    std::size_t at = 0; // of the word
  };

  [[nodiscard]] static Kind kind_of(std::string_view file);
  [[nodiscard]] std::string_view view(const Line& line) const {
    return text_.substr(line.begin, line.end - line.begin);
  }
  void split_lines();
  void keep_comments();
  void classify();
  [[nodiscard]] bool underlines(std::size_t line) const;
  void mark_headings();
  void mark_block(std::size_t first, std::size_t indent, Form form);
  [[nodiscard]] std::size_t line_at(std::size_t offset) const;
  [[nodiscard]] bool in_prose(const Line& line, std::size_t offset) const;
  [[nodiscard]] Paragraph paragraph_at(std::size_t offset) const;
  [[nodiscard]] std::string why_not_here(std::size_t offset) const;
  [[nodiscard]] std::string why_not_in_section(std::size_t line) const;

  std::string_view file_, text_;
  Kind kind_;
  std::string kinds_; // of comments: per byte, see code_mask.hpp
  std::vector<Line> lines_;
};

} // namespace emend
