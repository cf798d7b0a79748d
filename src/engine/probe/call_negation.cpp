#include <algorithm>
#include <optional>
#include <set>

#include "engine/probe/names.hpp"
#include "engine/probe/source.hpp"

namespace emend::probe {

std::optional<Range> bare_arguments(const Source& source, std::size_t begin) {
  if (source.language.tongue != Tongue::ruby || begin >= source.size() ||
      source.kind_is(begin, Token::Kind::line_end))
    return std::nullopt;
  static const std::set<std::string_view> kNoStart = {"do",  "if", "unless", "end",  "then",
                                                      "and", "or", "while",  "until"};
  const bool value = !source.kind_is(begin, Token::Kind::mark) || source.is(begin, "[") ||
                     source.is(begin, ":") || source.is(begin, "-");
  if (!value || kNoStart.contains(source.tokens[begin].at)) return std::nullopt;
  std::size_t end = begin;
  while (end < source.size() && (!source.kind_is(end, Token::Kind::line_end) || source.is(end - 1, ",")) &&
         !source.is(end, ";") && !source.is(end, "}") &&
         !(source.kind_is(end, Token::Kind::word) && kNoStart.contains(source.tokens[end].at)))
    end = source.after(end);
  return Range{begin, std::min(end, source.size())};
}

namespace {

using Kind = Token::Kind;
using Edits = std::optional<std::vector<Edit>>;

struct Link { // one name of a chain of calls, with its arguments
  std::size_t word = 0;
  std::optional<Range> arguments; // inside the brackets
};
struct Chain {
  std::vector<Link> links;
  Range range;
};

bool joins(const Source& source, std::size_t index) {
  static const std::set<std::string_view> kMarks = {".", "?.", "->", "::", "?->"};
  return index + 1 < source.size() && source.kind_is(index, Kind::mark) &&
         kMarks.contains(source.tokens[index].at) && source.kind_is(index + 1, Kind::word);
}

Chain chain_at(const Source& source, std::size_t index) {
  Chain chain;
  std::size_t at = index;
  while (true) {
    Link link{at++, {}};
    if (source.language.tongue == Tongue::rust && source.is(at, "!") &&
        (source.is(at + 1, "(") || source.is(at + 1, "[")))
      ++at;
    while (at < source.size() &&
           (source.is(at, "(") || (source.is(at, "[") && source.language.tongue != Tongue::ruby)) &&
           source.partners[at] < source.size()) {
      if (!link.arguments) link.arguments = Range{at + 1, source.partners[at]};
      at = source.after(at);
    }
    // A block in the place of arguments: expect { ... }.to
    if (source.language.tongue == Tongue::ruby && source.is(at, "{") && source.partners[at] < source.size() &&
        joins(source, source.after(at)))
      at = source.after(at);
    if (source.is(at, "!") && joins(source, at + 1)) ++at; // TypeScript: value!.name
    if (joins(source, at)) {
      chain.links.push_back(link);
      ++at;
      continue;
    }
    if (!link.arguments) {
      link.arguments = bare_arguments(source, at);
      if (link.arguments) at = link.arguments->end;
    }
    chain.links.push_back(link);
    chain.range = {index, at};
    return chain;
  }
}

class CallNegator {
public:
  CallNegator(const Source& source, const Chain& chain)
      : source_(source), chain_(chain), tongue_(source.language.tongue) {}

  Edits edits() const {
    if (tongue_ == Tongue::javascript) {
      if (const std::size_t at = find("expect"); at < chain_.links.size()) return expect(at);
      if (const std::size_t at = find("should"); at < chain_.links.size() && at > 0) return with_not(at);
    }
    if (tongue_ == Tongue::ruby && has_any({"expect", "should", "should_not", "is_expected"})) return rspec();
    // A keyword there, see statement_negations.
    const bool keyword = (tongue_ == Tongue::python || tongue_ == Tongue::java) && name(0) == "assert";
    if (keyword || !is_assertion()) return std::nullopt;
    for (const auto& found :
         {renamed(), thrown(), turned_operator(), matched(), wrapped(), other_literal()}) {
      if (found) return found;
    }
    return std::nullopt;
  }

private:
  [[nodiscard]] std::string_view name(std::size_t link) const {
    return source_.tokens[chain_.links[link].word].at;
  }
  [[nodiscard]] const Link& last() const { return chain_.links.back(); }
  [[nodiscard]] std::string_view last_name() const { return source_.tokens[last().word].at; }
  [[nodiscard]] std::vector<Range> arguments() const {
    return last().arguments ? source_.arguments_in(*last().arguments) : std::vector<Range>{};
  }
  [[nodiscard]] std::size_t find(std::string_view wanted) const {
    std::size_t at = 0;
    while (at < chain_.links.size() && name(at) != wanted) ++at;
    return at;
  }
  [[nodiscard]] bool has_any(std::initializer_list<std::string_view> names) const {
    return std::any_of(names.begin(), names.end(),
                       [&](auto each) { return find(each) < chain_.links.size(); });
  }

  [[nodiscard]] bool is_assertion() const {
    static const std::set<std::string_view> kReceivers = {"t",     "test",  "tap", "is",
                                                          "qunit", "QUnit", "tc",  "c"};
    if (!last().arguments) return false;
    for (std::size_t i = 0; i < chain_.links.size(); ++i) {
      if (names_assertion(name(i), tongue_)) return true;
    }
    if (chain_.links.size() == 1) return last_name() == "ok" || is_from_assert_module(last_name());
    return tongue_ == Tongue::javascript && chain_.links.size() == 2 && kReceivers.contains(name(0));
  }

  // import { equal } from "node:assert", const { equal } = require("assert")
  [[nodiscard]] bool is_from_assert_module(std::string_view used) const {
    if (tongue_ != Tongue::javascript) return false;
    for (std::size_t i = 1; i < source_.size(); ++i) {
      if (!source_.is(i, used) || import_begin(i) >= i) continue;
      for (std::size_t k = i;
           k < source_.size() && !source_.is(k, ";") && !source_.kind_is(k, Kind::line_end); ++k) {
        if (source_.kind_is(k, Kind::text))
          return source_.tokens[k].at.find("assert") != std::string_view::npos;
      }
    }
    return false;
  }

  [[nodiscard]] Edit insert(std::size_t offset, std::string with) const {
    return {offset, offset, std::move(with)};
  }
  [[nodiscard]] std::size_t end_of_link(std::size_t link) const {
    const std::size_t next =
        link + 1 < chain_.links.size() ? chain_.links[link + 1].word - 1 : chain_.range.end;
    return source_.tokens[next - 1].end;
  }

  // .not behind this link, or none if one is there already.
  [[nodiscard]] Edits with_not(std::size_t link) const {
    if (const std::size_t at = find("not"); at < chain_.links.size()) {
      const std::size_t word = chain_.links[at].word;
      return Edits({{source_.tokens[word - 1].begin, source_.tokens[word].end, ""}});
    }
    return Edits({insert(end_of_link(link), ".not")});
  }
  [[nodiscard]] Edits expect(std::size_t at) const {
    if (!chain_.links[at].arguments || at + 1 >= chain_.links.size()) return std::nullopt;
    const std::string_view next = name(at + 1);
    if (last_name() == "not" || last_name() == "resolves" || last_name() == "rejects" || last_name() == "to")
      return std::nullopt;
    return with_not(next == "resolves" || next == "rejects" ? at + 1 : at);
  }

  [[nodiscard]] Edits rspec() const {
    for (const Link& link : chain_.links) {
      const Token& word = source_.tokens[link.word];
      for (const auto& [one, other] : {std::pair("to", "not_to"),
                                       {"not_to", "to"},
                                       {"to_not", "to"},
                                       {"should", "should_not"},
                                       {"should_not", "should"}}) {
        if (word.at == one && link.word != chain_.range.begin) return Edits({{word.begin, word.end, other}});
      }
    }
    return std::nullopt;
  }

  // The name of the opposite in place of the name.
  [[nodiscard]] Edits renamed() const {
    if (tongue_ == Tongue::go && name(0) == "t") return std::nullopt;
    const Token& word = source_.tokens[last().word];
    const auto other = opposite_name(word.at, tongue_);
    if (!other || arguments().empty()) return std::nullopt;
    Edits edits = Edits({{word.begin, word.end, *other}});
    if (chain_.links.size() > 1 || tongue_ == Tongue::rust) return edits;
    if (defines(source_, word.at) && !defines(source_, *other)) return std::nullopt;
    if (!import_other(word.at, *other, *edits)) return std::nullopt;
    return edits;
  }

  // A name that is imported alone: its opposite has to be imported as well, in the same line.
  [[nodiscard]] bool import_other(std::string_view used, const std::string& other,
                                  std::vector<Edit>& edits) const {
    for (std::size_t i = 1; i < source_.size(); ++i) {
      if (source_.tokens[i].kind != Kind::word || source_.tokens[i].at != used) continue;
      const std::size_t begin = import_begin(i);
      if (begin >= i) continue;
      std::size_t end = i;
      while (end < source_.size() && !source_.is(end, ";") && !source_.kind_is(end, Kind::line_end)) ++end;
      bool local = false, there = false;
      for (std::size_t k = begin; k < end; ++k) {
        there = there || source_.is(k, other);
        local = local || (source_.kind_is(k, Kind::text) && source_.tokens[k].at.substr(1).starts_with("."));
      }
      local = local || (source_.is(begin, "from") && source_.is(begin + 1, "."));
      if (local) return false;
      if (there) return true;
      if (tongue_ == Tongue::java)
        edits.push_back(
            insert(source_.tokens[end].end, " " + std::string(source_.text_of({begin, i})) + other + ";"));
      else
        edits.push_back(insert(source_.tokens[i].end, ", " + other));
      return true;
    }
    return true;
  }
  // Where the import begins in which this name stands; `index` if it is no import.
  [[nodiscard]] std::size_t import_begin(std::size_t index) const {
    std::size_t begin = index;
    while (begin > 0 && !source_.is(begin - 1, ";") && !source_.kind_is(begin - 1, Kind::line_end) &&
           index - begin < 60)
      --begin;
    const bool imports = source_.is(begin, "import") || source_.is(begin, "from");
    bool requires_file = source_.is(begin, "const") || source_.is(begin, "let") || source_.is(begin, "var");
    if (requires_file) {
      const std::size_t close = source_.enclosing[index] < source_.size()
                                    ? source_.partners[source_.enclosing[index]]
                                    : source_.size();
      requires_file =
          close < source_.size() && source_.is(close + 1, "=") && source_.is(close + 2, "require");
    }
    const bool known = tongue_ == Tongue::java || tongue_ == Tongue::python || tongue_ == Tongue::javascript;
    return known && (imports || requires_file) ? begin : index;
  }

  // assert.throws(f, why) -> assert.doesNotThrow(f), EXPECT_THROW(f, type) -> EXPECT_NO_THROW(f), and back.
  [[nodiscard]] Edits thrown() const {
    struct Row {
      std::string_view one, other;
    };
    static const std::vector<Row> kRows = {{"throws", "doesNotThrow"},
                                           {"rejects", "doesNotReject"},
                                           {"doesNotThrow", "throws"},
                                           {"doesNotReject", "rejects"},
                                           {"EXPECT_THROW", "EXPECT_NO_THROW"},
                                           {"ASSERT_THROW", "ASSERT_NO_THROW"},
                                           {"EXPECT_ANY_THROW", "EXPECT_NO_THROW"},
                                           {"ASSERT_ANY_THROW", "ASSERT_NO_THROW"},
                                           {"EXPECT_NO_THROW", "EXPECT_ANY_THROW"},
                                           {"ASSERT_NO_THROW", "ASSERT_ANY_THROW"}};
    if (tongue_ != Tongue::javascript && tongue_ != Tongue::cpp) return std::nullopt;
    if (tongue_ == Tongue::javascript && chain_.links.size() == 1) return std::nullopt;
    const auto parts = arguments();
    for (const Row& row : kRows) {
      if (last_name() != row.one || parts.empty()) continue;
      const Token& word = source_.tokens[last().word];
      Edits edits = Edits({{word.begin, word.end, std::string(row.other)}});
      if (parts.size() > 1)
        edits->push_back(
            {source_.tokens[parts[0].end - 1].end, source_.tokens[parts.back().end - 1].end, ""});
      return edits;
    }
    return std::nullopt;
  }

  // g_assert_cmpint(a, ==, b)
  [[nodiscard]] Edits turned_operator() const {
    static const std::vector<std::pair<std::string_view, std::string_view>> kPairs = {
        {"==", "!="}, {"!=", "=="}, {"<", ">="}, {">=", "<"}, {">", "<="}, {"<=", ">"}};
    for (const Range& part : arguments()) {
      if (part.end - part.begin != 1) continue;
      const Token& token = source_.tokens[part.begin];
      for (const auto& [one, other] : kPairs) {
        if (token.is(one)) return Edits({{token.begin, token.end, std::string(other)}});
      }
    }
    return std::nullopt;
  }

  // A matcher is the last argument: EXPECT_THAT(x, Eq(1)), assertThat(x, is(1)).
  [[nodiscard]] Edits matched() const {
    const auto parts = arguments();
    if (parts.size() < 2) return std::nullopt;
    const bool gmock =
        tongue_ == Tongue::cpp && (last_name() == "EXPECT_THAT" || last_name() == "ASSERT_THAT");
    const bool hamcrest = tongue_ == Tongue::java && last_name() == "assertThat";
    if (!gmock && !hamcrest) return std::nullopt;
    const std::size_t begin = source_.tokens[parts.back().begin].begin,
                      end = source_.tokens[parts.back().end - 1].end;
    return Edits(
        {insert(begin, gmock ? "::testing::Not(" : "org.hamcrest.CoreMatchers.not("), insert(end, ")")});
  }

  [[nodiscard]] bool is_function(Range part) const {
    for (std::size_t i = part.begin; i < part.end; i = source_.after(i)) {
      if (source_.is(i, "=>") || source_.is(i, "lambda") || source_.is(i, "function") ||
          source_.is(i, "fn") || source_.is(i, "func"))
        return true;
    }
    return false;
  }
  // It compares or combines truth values, so its own value is one.
  [[nodiscard]] bool is_condition(Range part) const {
    static const std::set<std::string_view> kMarks = {"==", "!=", "===", "!==", "<=", ">=", "&&", "||", "=~"};
    static const std::set<std::string_view> kWords = {"and", "or", "not", "in", "is", "instanceof"};
    if (part.empty() || is_function(part)) return false;
    if (source_.is(part.begin, "!")) return true;
    for (std::size_t i = part.begin; i < part.end; i = source_.after(i)) {
      const Token& token = source_.tokens[i];
      if (token.kind == Kind::mark && kMarks.contains(token.at)) return true;
      const bool spaced = token.begin > 0 && source_.text[token.begin - 1] == ' ' &&
                          source_.text.substr(token.end).starts_with(" ");
      if ((token.is("<") || token.is(">")) && spaced) return true;
      if (token.kind == Kind::word && kWords.contains(token.at) &&
          (tongue_ == Tongue::python || token.is("instanceof")))
        return true;
    }
    return false;
  }

  // assert(x) -> assert(!(x)); of several arguments the only condition.
  [[nodiscard]] Edits wrapped() const {
    if (chain_.links.size() > 1 && tongue_ == Tongue::java && last_name() != "that") {
      if (!names_assertion(last_name(), tongue_)) return std::nullopt;
    }
    const auto parts = arguments();
    std::vector<Range> conditions;
    std::copy_if(parts.begin(), parts.end(), std::back_inserter(conditions),
                 [&](Range part) { return is_condition(part); });
    if (conditions.size() == 1 && asserts_truth(last_name(), tongue_)) return negated(source_, conditions[0]);
    if (!conditions.empty() || parts.empty() || parts.size() > 2 || is_function(parts[0]))
      return std::nullopt;
    if (!certainly_truth() || is_literal(parts[0])) return std::nullopt;
    if (parts.size() == 2 && tongue_ != Tongue::rust && !source_.kind_is(parts[1].begin, Kind::text))
      return std::nullopt;
    return negated(source_, parts[0]);
  }
  [[nodiscard]] bool is_literal(Range part) const {
    return part.end - part.begin == 1 &&
           (source_.kind_is(part.begin, Kind::text) || source_.kind_is(part.begin, Kind::number));
  }
  // Known to take a truth value even where the argument does not look like one.
  [[nodiscard]] bool certainly_truth() const {
    if (!asserts_truth(last_name(), tongue_)) return false;
    const auto words = words_of(last_name());
    const bool macro = std::none_of(last_name().begin(), last_name().end(),
                                    [](unsigned char c) { return std::islower(c) != 0; });
    const bool says_so = std::any_of(words.begin(), words.end(), [](const std::string& word) {
      return word == "assert" || word == "ok" || word == "true";
    });
    return macro || says_so;
  }

  // Equality without an opposite: another literal in place of the one that is compared.
  [[nodiscard]] Edits other_literal() const {
    const auto parts = arguments();
    if (parts.size() != 2 || !names_equality(last_name()) || names_not(last_name())) return std::nullopt;
    std::optional<Token> literal;
    for (const Range& part : parts) {
      const Token& token = source_.tokens[part.begin];
      const bool one = part.end - part.begin == 1 && (token.kind == Kind::number || token.kind == Kind::text);
      if (one && literal) return std::nullopt;
      if (one) literal = token;
    }
    if (!literal) return std::nullopt;
    if (literal->kind == Kind::number) {
      if (literal->at.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
      return Edits({insert(literal->begin, "1")});
    }
    const bool plain = literal->at.size() > 1 && (literal->at[0] == '"' || literal->at[0] == '\'') &&
                       literal->at.back() == literal->at[0] && !literal->at.starts_with("\"\"\"") &&
                       !literal->at.starts_with("'''");
    if (!plain) return std::nullopt;
    return Edits({insert(literal->end - 1, "~")});
  }
  static bool names_not(std::string_view name) {
    const auto words = words_of(name);
    return std::find(words.begin(), words.end(), "not") != words.end() ||
           std::find(words.begin(), words.end(), "ne") != words.end();
  }

  const Source& source_;
  const Chain& chain_;
  Tongue tongue_;
};

} // namespace

std::vector<Negation> call_negations(const Source& source) {
  std::vector<Negation> found;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source.tokens[i].kind != Kind::word || !begins_statement(source, i)) continue;
    const Chain chain = chain_at(source, i);
    auto edits = CallNegator(source, chain).edits();
    // A body behind the call: this is its definition.
    const bool defined = source.is(chain.range.end, "{") && chain.links.size() == 1;
    if (!edits || defined || is_in_helper(source, i)) continue;
    found.push_back({source.tokens[i].begin, source.tokens[std::min(chain.range.end, source.size()) - 1].end,
                     std::move(*edits)});
  }
  return found;
}

} // namespace emend::probe
