// What each line of a text is: prose, a heading, code, a quotation.
#include <algorithm>

#include "adapters/analyzers/code_mask.hpp"
#include "adapters/analyzers/sentences.hpp"
#include "adapters/analyzers/spelling.hpp"

namespace emend {

namespace {

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

} // namespace

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

} // namespace emend
