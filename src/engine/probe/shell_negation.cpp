#include <algorithm>
#include <optional>
#include <set>

#include "engine/probe/names.hpp"
#include "engine/probe/source.hpp"

namespace emend::probe {
namespace {

using Kind = Token::Kind;
using Edits = std::optional<std::vector<Edit>>;

bool ends_command(const Source& source, std::size_t i) {
  static const std::set<std::string_view> kMarks = {";", "&", "&&", "||", "|", ";;", ")"};
  return i >= source.size() || source.kind_is(i, Kind::line_end) ||
         (source.kind_is(i, Kind::mark) && kMarks.contains(source.tokens[i].at));
}

// One command of a shell, and what it is joined to.
struct Command {
  Range range;
  std::size_t end = 0; // the operator behind it
};

std::size_t end_of_command(const Source& source, std::size_t i) {
  if (source.is(i, "[[")) {
    while (i < source.size() && !source.is(i, "]]") && !source.kind_is(i, Kind::line_end)) ++i;
  }
  while (!ends_command(source, i)) ++i;
  return i;
}

bool fails_at_command(const Source& source, std::size_t i) {
  if (!source.kind_is(i, Kind::word)) return false;
  const std::string_view name = source.tokens[i].at;
  if (name == "false") return true;
  const bool status = name == "exit" || name == "return";
  if (status)
    return source.kind_is(i + 1, Kind::word) && !source.is(i + 1, "0") &&
           source.tokens[i + 1].at.find('$') == std::string_view::npos;
  if (name == "echo" || name == "printf") return false;
  const std::size_t equals = name.find('=');
  if (equals != std::string_view::npos) { // failures=$((failures + 1))
    const std::string_view value = name.substr(equals + 1);
    return names_failure(name.substr(0, equals)) && value != "0" && !value.empty() && value != "false";
  }
  return names_failure(name) || name == "not_ok";
}

bool fails_in(const Source& source, Range range) {
  bool start = true;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    if (start && fails_at_command(source, i)) return true;
    start = ends_command(source, i) || source.is(i, "{") || source.is(i, "then") || source.is(i, "else") ||
            source.is(i, "do") || source.is(i, "((");
    if (source.is(i, "((") && i + 1 < range.end && names_failure(source.tokens[i + 1].at))
      return true; // ((failures++))
  }
  return false;
}

std::optional<std::string_view> opposite_operator(std::string_view word) {
  static const std::vector<std::pair<std::string_view, std::string_view>> kPairs = {
      {"=", "!="},    {"==", "!="},   {"!=", "="},    {"-eq", "-ne"}, {"-ne", "-eq"},
      {"-lt", "-ge"}, {"-ge", "-lt"}, {"-gt", "-le"}, {"-le", "-gt"}};
  for (const auto& [one, other] : kPairs) {
    if (word == one) return other;
  }
  return std::nullopt;
}

class ShellNegator {
public:
  explicit ShellNegator(const Source& source) : source_(source) {
    const std::string_view first =
        source.text.substr(0, std::min(source.text.find('\n'), source.text.size()));
    stops_at_failure_ = first.find("bats") != std::string_view::npos ||
                        source.text.find("\n@test ") != std::string_view::npos ||
                        source.text.starts_with("@test ") ||
                        (first.starts_with("#!") && first.find(" -e") != std::string_view::npos);
    for (std::size_t i = 0; i + 1 < source.size(); ++i) {
      const std::string_view option = source.tokens[i + 1].at;
      if (source.is(i, "set") &&
          ((option.starts_with("-") && option.find('e') != std::string_view::npos && option != "-o") ||
           option == "-o"))
        stops_at_failure_ = stops_at_failure_ || option != "-o" || source.is(i + 2, "errexit");
    }
  }

  std::vector<Negation> all() {
    bool start = true;
    for (std::size_t i = 0; i < source_.size(); ++i) {
      if (start && source_.kind_is(i, Kind::word)) look_at(i);
      static const std::set<std::string_view> kOpeners = {"then", "else", "do", "{", "(", "elif"};
      start = source_.kind_is(i, Kind::line_end) || source_.is(i, ";") || source_.is(i, ";;") ||
              source_.is(i, "&") || kOpeners.contains(source_.tokens[i].at) ||
              (source_.is(i, ")") && !source_.is(i + 1, ")"));
    }
    return std::move(found_);
  }

private:
  void look_at(std::size_t i) {
    if (source_.is(i, "if")) return look_at_branch(i);
    const std::size_t end = end_of_command(source_, i);
    if (source_.is(end, "|")) return look_at_list(i, end_of_pipeline(end), true);
    look_at_list(i, end, false);
  }

  [[nodiscard]] std::size_t end_of_pipeline(std::size_t end) const {
    while (source_.is(end, "|")) end = end_of_command(source_, end + 1);
    return end;
  }

  void keep(Range range, Edits edits) {
    if (!edits || in_helper(range.begin)) return;
    found_.push_back(
        {source_.tokens[range.begin].begin, source_.tokens[range.end - 1].end, std::move(*edits)});
  }

  // A function such as check() or fail(): all assertions of the file go through it.
  [[nodiscard]] bool in_helper(std::size_t index) const {
    std::size_t depth = 0;
    for (std::size_t i = index; i-- > 0;) {
      if (source_.is(i, "}")) ++depth;
      if (!source_.is(i, "{")) continue;
      if (depth > 0) {
        --depth;
        continue;
      }
      std::size_t name = i;
      while (name > 0 && (source_.kind_is(name - 1, Kind::line_end) || source_.is(name - 1, "(") ||
                          source_.is(name - 1, ")")))
        --name;
      if (name == 0) return false;
      const std::string_view called = source_.tokens[name - 1].at;
      if (called.starts_with("@test") || called.starts_with("test")) return false;
      return name < i && (names_assertion(called, Tongue::shell) || names_failure(called) || called == "ok" ||
                          called == "is");
    }
    return false;
  }

  // cond || fail, cond && pass || fail, cond && fail; without an operator where the shell stops at a failure.
  void look_at_list(std::size_t begin, std::size_t end, bool pipeline) {
    std::size_t last = end;
    std::vector<std::size_t> ors, ands;
    int braces = 0;
    for (; last < source_.size(); ++last) {
      if (source_.is(last, "{")) ++braces;
      if (source_.is(last, "}") && --braces < 0) break;
      const bool joined = last > 0 && (source_.is(last - 1, "||") || source_.is(last - 1, "&&"));
      if (braces == 0 && ((source_.kind_is(last, Kind::line_end) && !joined) || source_.is(last, ";") ||
                          source_.is(last, ")") || source_.is(last, ";;")))
        break;
      if (braces == 0 && source_.is(last, "||")) ors.push_back(last);
      if (braces == 0 && source_.is(last, "&&")) ands.push_back(last);
    }
    const Range list{begin, last};
    if (ors.empty() && ands.empty()) return keep(list, alone(Range{begin, end}, pipeline));
    const bool or_fails = !ors.empty() && fails_in(source_, {ors.back() + 1, last});
    const bool and_fails = ors.empty() && fails_in(source_, {ands.back() + 1, last});
    const bool one_condition =
        (or_fails && ors.size() == 1 && ands.size() <= 1 && (ands.empty() || ands[0] < ors[0])) ||
        (and_fails && ands.size() == 1);
    if (!one_condition) return;
    keep(list, condition(Range{begin, end}));
  }

  void look_at_branch(std::size_t word) {
    std::size_t then = word + 1, depth = 1, otherwise = 0, end = word + 1;
    while (then < source_.size() && !source_.is(then, "then")) ++then;
    for (end = then + 1; end < source_.size() && depth > 0; ++end) {
      const bool start = ends_command(source_, end - 1) || source_.is(end - 1, "then") ||
                         source_.is(end - 1, "else") || source_.is(end - 1, "do");
      if (!start) continue;
      if (source_.is(end, "if")) ++depth;
      if (source_.is(end, "fi")) --depth;
      if (depth == 1 && source_.is(end, "elif")) return;
      if (depth == 1 && source_.is(end, "else")) otherwise = end;
    }
    if (depth > 0) return;
    const Range body{then + 1, otherwise == 0 ? end - 1 : otherwise},
        rest{otherwise == 0 ? end - 1 : otherwise + 1, end - 1};
    if (fails_in(source_, body) == fails_in(source_, rest)) return;
    std::size_t stop = end_of_command(source_, word + 1);
    if (source_.is(stop, "|")) stop = end_of_pipeline(stop);
    if (source_.is(stop, "&&") || source_.is(stop, "||")) return keep({word, end}, joined({word + 1, then}));
    keep({word, end}, condition({word + 1, stop}));
  }

  // a && b, up to the `then` behind it: turned around as one.
  [[nodiscard]] Edits joined(Range range) const {
    std::size_t last = range.end;
    while (last > range.begin && (source_.kind_is(last - 1, Kind::line_end) || source_.is(last - 1, ";")))
      --last;
    if (last == range.begin) return std::nullopt;
    const std::size_t from = source_.tokens[range.begin].begin, to = source_.tokens[last - 1].end;
    return Edits({{from, from, "! { "}, {to, to, "; }"}});
  }

  // The condition of a list or a branch: "!" before it, or the one that is there taken away.
  [[nodiscard]] Edits condition(Range range) const {
    if (range.empty() || !source_.kind_is(range.begin, Kind::word)) return std::nullopt;
    const Token& first = source_.tokens[range.begin];
    if (first.is("!")) return Edits({{first.begin, source_.tokens[range.begin + 1].begin, ""}});
    if (auto edits = bracket(range)) return edits;
    return Edits({{first.begin, first.begin, "! "}});
  }

  // [ a = b ], test a = b, [[ a == b ]]: the operator turned, or "!" in front.
  [[nodiscard]] Edits bracket(Range range) const {
    const bool test = source_.is(range.begin, "test"), single = source_.is(range.begin, "[");
    if (!test && !single && !source_.is(range.begin, "[[")) return std::nullopt;
    const std::size_t from = range.begin + 1, to = test ? range.end : range.end - 1;
    if (from >= to) return std::nullopt;
    const Token& first = source_.tokens[from];
    for (std::size_t i = from; i < to; ++i) {
      const std::string_view word = source_.tokens[i].at;
      if (word == "-a" || word == "-o" || word == "&&" || word == "||" || word == "(") return std::nullopt;
    }
    if (first.is("!")) return Edits({{first.begin, source_.tokens[from + 1].begin, ""}});
    if (to - from == 3) {
      const Token& middle = source_.tokens[from + 1];
      if (const auto other = opposite_operator(middle.at))
        return Edits({{middle.begin, middle.end, std::string(*other)}});
    }
    return Edits({{first.begin, first.begin, "! "}});
  }

  // A command whose failure fails the test by itself.
  [[nodiscard]] Edits alone(Range range, bool pipeline) const {
    const std::string_view name = source_.tokens[range.begin].at;
    const std::size_t past = source_.tokens[range.end - 1].end;
    if (const auto other = opposite_name(name, Tongue::shell);
        other && names_assertion(name, Tongue::shell)) {
      const Token& word = source_.tokens[range.begin];
      const bool own = source_.text.find(std::string(name) + "()") != std::string_view::npos ||
                       source_.text.find(std::string(name) + " ()") != std::string_view::npos;
      const bool both = source_.text.find(*other + "()") != std::string_view::npos ||
                        source_.text.find(*other + " ()") != std::string_view::npos;
      if (!own || both) return Edits({{word.begin, word.end, *other}});
    }
    if (!stops_at_failure_) return std::nullopt;
    if (!pipeline) {
      if (auto edits = bracket(range)) return edits;
    }
    static const std::set<std::string_view> kComparing = {"cmp", "diff", "grep", "egrep", "fgrep"};
    const bool not_alone = source_.is(range.begin, "!");
    std::size_t last_command = range.begin;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (source_.is(i, "|")) last_command = i + 1;
    }
    if (not_alone || !kComparing.contains(source_.tokens[last_command].at)) return std::nullopt;
    // "!" alone does not stop a shell.
    return Edits({{source_.tokens[range.begin].begin, source_.tokens[range.begin].begin, "! "},
                  {past, past, " || false"}});
  }

  const Source& source_;
  bool stops_at_failure_ = false;
  std::vector<Negation> found_;
};

} // namespace

std::vector<Negation> shell_negations(const Source& source) { return ShellNegator(source).all(); }

} // namespace emend::probe
