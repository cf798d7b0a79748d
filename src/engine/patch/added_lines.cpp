#include "engine/patch/added_lines.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "base/strings.hpp"
#include "model/line_diff.hpp"

namespace emend {
namespace {

constexpr auto npos = std::string_view::npos;

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view first_word(std::string_view code) {
  code = trim(code);
  return code.substr(
      0, static_cast<std::size_t>(std::find_if_not(code.begin(), code.end(), is_word) - code.begin()));
}

// A comma behind the last row of a table is no change of that row.
std::string comparable(const Region& region) {
  std::string text;
  for (std::string_view line : region.text) {
    while (!line.empty() &&
           (line.back() == ',' || std::isspace(static_cast<unsigned char>(line.back())) != 0))
      line.remove_suffix(1);
    text += std::string(line) + "\n";
  }
  return text;
}

// Lines after which nothing is asked any more: brackets, the result that is handed on, a last message.
bool is_closing(std::string_view code) {
  static const std::set<std::string_view> words = {
      "return", "exit",    "end",     "fi",      "done", "esac",    "echo", "printf", "puts",
      "print",  "println", "fprintf", "console", "std",  "process", "sys",  "os"};
  code = trim(code);
  return code.find_first_not_of("()[]{};,") == npos || words.contains(first_word(code));
}

// Ends the test with a result of its own.
bool leaves(std::string_view code) {
  static const std::set<std::string_view> words = {"return", "exit",  "exec",    "goto", "quit",
                                                   "true",   "raise", "process", "sys",  "os"};
  return trim(code) == ":" || words.contains(first_word(code));
}

bool imports(std::string_view code) {
  static const RE2 import(
      R"(^\s*(?:import|from|use|using|#\s*include|require|require_relative|package|load)\b|^\s*(?:const|let|var)\b.*\brequire\()");
  return RE2::PartialMatch(piece(code), import);
}

// `from a import b` that became `from a import b, c`.
bool imports_more(std::string_view before, std::string_view after) {
  if (!imports(before) || !imports(after)) return false;
  const auto words_of = [](std::string_view text) {
    std::vector<std::string_view> words;
    for (std::size_t i = 0; i < text.size();) {
      const std::size_t begin = i;
      while (i < text.size() && is_word(text[i])) ++i;
      if (i > begin) words.push_back(text.substr(begin, i - begin));
      if (i < text.size()) ++i;
    }
    return words;
  };
  const auto old_words = words_of(before), new_words = words_of(after);
  std::size_t kept = 0;
  for (const std::string_view word : new_words) {
    if (kept < old_words.size() && word == old_words[kept])
      ++kept;
    else if (word == "as")
      return false; // another thing under a known name
  }
  return kept == old_words.size();
}

// Opens a block for new tests; whether an old one stands in it now, its context says.
bool opens_group(std::string_view code) {
  static const RE2 group(
      R"(^\s*(?:(?:public|export|default|abstract|final|static|inline)\s+)*(?:class|struct|namespace|mod|impl|interface|trait|module|[fx]?describe|context|suite|feature)\b)");
  return RE2::PartialMatch(piece(code), group);
}

// The name a line outside of functions declares; empty = it declares none.
std::string declared_name(std::string_view code, CodeKind kind) {
  static const RE2 assigned(
      R"(^\s*(?:export\s+|const\s+|let\s+|var\s+|val\s+|final\s+|static\s+)*([A-Za-z_]\w*)\s*(?::[^=]*)?:?=[^=])");
  static const RE2 declared(R"(([A-Za-z_]\w*)\s*(?:\[[^\]]*\]|\([^()]*\))?\s*(?:=[^=].*|;)\s*$)");
  static const RE2 macro(R"(^\s*#\s*define\s+(\w+))");
  std::string name;
  if (RE2::PartialMatch(piece(code), macro, &name)) return name;
  if (kind == CodeKind::shell || kind == CodeKind::none) return {};
  const RE2& pattern = kind == CodeKind::semicolons ? declared : assigned;
  (void)RE2::PartialMatch(piece(code), pattern, &name);
  return name;
}

bool is_condition(std::string_view code) {
  static const RE2 directive(R"(^\s*#\s*(?:if|ifdef|ifndef|else|elif|endif)\b)");
  return RE2::PartialMatch(piece(code), directive);
}

// Compares two regions line by line and keeps track of the brackets that are open in the new one.
class RegionComparison {
public:
  RegionComparison(const Region& before, const Region& after, CodeKind kind, RegionKind region,
                   const std::set<std::string_view>& known)
      : before_(before), after_(after), kind_(kind), region_(region), known_(known) {}

  std::optional<Difference> run() {
    const std::string old_text = comparable(before_), new_text = comparable(after_);
    const LineDiff diff = diff_lines(old_text, new_text);
    find_end(diff);
    std::size_t o = 0, n = 0;
    while (o < diff.old_lines.size() || n < diff.new_lines.size()) {
      const std::size_t first_old = o, first_new = n;
      while (o < diff.old_lines.size() && diff.removed[o]) ++o;
      while (n < diff.new_lines.size() && diff.added[n]) ++n;
      if (auto found = replaced(first_old, o, first_new, n)) return found;
      if (o >= diff.old_lines.size() || n >= diff.new_lines.size()) continue;
      if (trim(before_.code[o]) != trim(after_.code[n]) &&
          without_comma(before_.code[o]) != without_comma(after_.code[n]))
        return difference(o, n); // the same text, but quoted or commented now
      follow(after_.code[n], false);
      ++o, ++n;
    }
    return std::nullopt;
  }

private:
  static std::string_view without_comma(std::string_view code) {
    code = trim(code);
    if (code.ends_with(',')) code.remove_suffix(1);
    return trim(code);
  }

  [[nodiscard]] Difference difference(std::optional<std::size_t> o, std::optional<std::size_t> n) const {
    Difference found;
    if (o) found.old_line = before_.numbers[*o], found.before = trim(before_.text[*o]);
    if (n) found.new_line = after_.numbers[*n], found.after = trim(after_.text[*n]);
    return found;
  }

  // New lines at or behind this one come after everything old that asks something.
  void find_end(const LineDiff& diff) {
    end_ = 0;
    for (std::size_t n = 0; n < diff.new_lines.size(); ++n) {
      if (diff.added[n] || trim(after_.code[n]).empty()) continue;
      if (is_closing(after_.code[n]))
        closing_ += std::string(after_.code[n]) + "\n";
      else
        end_ = n + 1, closing_.clear();
    }
  }

  // Old lines [o, o_end) gave way to new lines [n, n_end).
  std::optional<Difference> replaced(std::size_t o, std::size_t o_end, std::size_t n, std::size_t n_end) {
    for (; o < o_end; ++o) {
      if (trim(before_.code[o]).empty()) continue;
      if (region_ == RegionKind::test || n >= n_end || !imports_more(before_.text[o], after_.text[n]))
        return difference(o, n < n_end ? std::optional(n) : std::nullopt);
      follow(after_.code[n], true);
      ++n;
    }
    for (; n < n_end; ++n) {
      if (!may_be_added(n)) return difference(std::nullopt, n);
      follow(after_.code[n], true);
    }
    return std::nullopt;
  }

  void follow(std::string_view code, bool added) {
    for (const char c : code) {
      if (c == '(' || c == '[' || c == '{') open_.push_back({c, added});
      if ((c == ')' || c == ']' || c == '}') && !open_.empty()) open_.pop_back();
    }
  }

  [[nodiscard]] bool may_be_added(std::size_t n) const {
    const std::string_view code = trim(after_.code[n]);
    if (code.empty() || kind_ == CodeKind::none) return true; // data: what is there stays there
    if (!open_.empty() && open_.back().added) return true;    // inside of what was added before it
    if (is_row(n)) return true;
    if (region_ != RegionKind::test && stands_outside(code)) return true;
    const bool in_call = !open_.empty() && open_.back().bracket != '{'; // one argument more changes the call
    return region_ != RegionKind::between_tests && n >= end_ && !in_call && !leaves(code) &&
           !starts_over(code);
  }

  // A case more in a table: begins as a value does, within brackets of the table.
  [[nodiscard]] bool is_row(std::size_t n) const {
    if (open_.empty()) return false;
    const std::string_view row = trim(after_.text[n]);
    const char table = open_.back().bracket, first = row.front();
    const bool literal = first == '"' || first == '\'' || first == '`' || first == '-' ||
                         std::isdigit(static_cast<unsigned char>(first)) != 0;
    if (table == '[') return first != ']';
    if (table == '(') return literal || first == '(' || first == '[' || first == '{';
    return first == '{' || (literal && row.find('(') == npos);
  }

  [[nodiscard]] bool stands_outside(std::string_view code) const {
    if (code.find_first_not_of("()[]{};,") == npos || imports(code) || opens_group(code)) return true;
    if (kind_ == CodeKind::semicolons && is_condition(code)) return true;
    const std::string name = declared_name(code, kind_);
    return !name.empty() && !known_.contains(name);
  }

  // `failures = 0` just before `return failures` takes back what was found.
  [[nodiscard]] bool starts_over(std::string_view code) const {
    static const RE2 assigned(R"(\b([A-Za-z_]\w*)\s*=\s*([^\s=;]+))");
    const std::set<std::string_view> handed_on = identifiers(closing_);
    re2::StringPiece rest = piece(code);
    std::string name, value;
    while (RE2::FindAndConsume(&rest, assigned, &name, &value))
      if (handed_on.contains(name) && first_value(name) == value) return true;
    return false;
  }

  [[nodiscard]] std::string first_value(const std::string& name) const {
    const RE2 assigned(R"(\b)" + name + R"(\s*=\s*([^\s=;]+))");
    std::string value;
    for (const std::string_view line : before_.code)
      if (RE2::PartialMatch(piece(line), assigned, &value)) break;
    return value;
  }

  struct Bracket {
    char bracket;
    bool added;
  };

  const Region& before_;
  const Region& after_;
  CodeKind kind_;
  RegionKind region_;
  const std::set<std::string_view>& known_;
  std::vector<Bracket> open_;
  std::size_t end_ = 0;
  std::string closing_; // the lines that follow the end
};

} // namespace

std::set<std::string_view> identifiers(std::string_view masked) {
  std::set<std::string_view> words;
  for (std::size_t i = 0; i < masked.size();) {
    const std::size_t begin = i;
    while (i < masked.size() && is_word(masked[i])) ++i;
    if (i > begin) words.insert(masked.substr(begin, i - begin));
    if (i < masked.size()) ++i;
  }
  return words;
}

std::optional<Difference> first_change(const Region& before, const Region& after, CodeKind kind,
                                       RegionKind region, const std::set<std::string_view>& known) {
  return RegionComparison(before, after, kind, region, known).run();
}

} // namespace emend
