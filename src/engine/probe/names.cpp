#include "engine/probe/names.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "base/strings.hpp"

namespace emend::probe {
namespace {

using Words = std::vector<std::string>;
using WordSet = std::set<std::string, std::less<>>;

const WordSet kAsserting = {"assert", "asserts", "asserting", "assertion", "assertions", "expect",  "expects",
                            "check",  "checks",  "require",   "requires",  "ensure",     "ensures", "verify",
                            "must",   "wont",    "should",    "refute",    "confirm",    "chk"};
// Say nothing about what is asserted: frameworks' prefixes, types, and how bad a failure is.
const WordSet kFillers = {
    "test", "tests", "cu",    "ck",    "tc",    "g",      "boost",  "fatal",  "warn", "debug",  "prop", "tap",
    "int",  "uint",  "str",   "ptr",   "mem",   "hex",    "long",   "char",   "size", "string", "ull",  "num",
    "that", "is",    "to",    "be",    "of",    "than",   "all",    "my",     "a",    "an",     "the",  "msg",
    "bool", "value", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "int8", "int16",  "me",   "t"};
const WordSet kTruth = {"ok",    "true", "that",  "test", "cond", "condition", "always",
                        "debug", "prop", "boost", "cu",   "ck",   "tap",       "my",
                        "soft",  "hard", "fatal", "unit", "msg",  "message",   "now",
                        "here",  "is",   "it",    "t",    "g",    "m",         "pass"};
const WordSet kFailing = {"fail",   "fails", "failed", "failing",     "failure", "failures", "fatal",
                          "fatalf", "error", "errorf", "errors",      "bad",     "die",      "panic",
                          "abort",  "throw", "raise",  "unreachable", "nok",     "broken",   "failnow"};

struct Pair {
  Words one, other;
  std::optional<Tongue> only;
};
// Each is the negation of the other. Longer ones first.
const std::vector<Pair> kPairs = {
    {{"greater", "than", "or", "equal", "to"}, {"less", "than"}, Tongue::java},
    {{"less", "than", "or", "equal", "to"}, {"greater", "than"}, Tongue::java},
    {{"greater", "than", "or", "equal"}, {"less", "than"}, {}},
    {{"less", "than", "or", "equal"}, {"greater", "than"}, {}},
    {{"greater", "equal"}, {"less"}, Tongue::python},
    {{"less", "equal"}, {"greater"}, Tongue::python},
    {{"greater", "or", "equal"}, {"less"}, {}},
    {{"less", "or", "equal"}, {"greater"}, {}},
    {{"not", "is", "instance"}, {"is", "instance"}, {}},
    {{"at", "least"}, {"below"}, {}},
    {{"at", "most"}, {"above"}, {}},
    {{"does", "not", "contain"}, {"contains"}, Tongue::java},
    {{"does", "not", "match"}, {"match"}, Tongue::javascript},
    {{"no", "error"}, {"error"}, Tongue::go},
    {{"streq"}, {"strne"}, {}},
    {{"strcaseeq"}, {"strcasene"}, {}},
    {{"true"}, {"false"}, {}},
    {{"eq"}, {"ne"}, {}},
    {{"lt"}, {"ge"}, {}},
    {{"gt"}, {"le"}, {}},
    {{"lte"}, {"gt"}, {}},
    {{"gte"}, {"lt"}, {}},
    {{"truthy"}, {"falsy"}, {}},
};
// A "not" goes before these; words such as deep and strict stay with them.
const WordSet kNegatable = {"equal",   "equals",   "same",      "null",    "nil",      "none",
                            "in",      "contains", "contain",   "empty",   "zero",     "match",
                            "matches", "regex",    "regexp",    "include", "includes", "ok",
                            "exists",  "instance", "undefined", "has",     "been"};
const WordSet kDegrees = {"deep", "strict", "almost", "deeply", "strictly", "identical"};

enum class Style { camel, snake, capitals };
Style style_of(std::string_view name) {
  const bool lower =
      std::any_of(name.begin(), name.end(), [](unsigned char c) { return std::islower(c) != 0; });
  if (!lower) return Style::capitals;
  return name.find('_') != std::string_view::npos ? Style::snake : Style::camel;
}

std::string joined(const Words& words, std::string_view like) {
  const Style style = style_of(like);
  if (style == Style::snake) return join(words, "_");
  if (style == Style::capitals) return to_upper(join(words, "_"));
  std::string out;
  for (const std::string& word : words) {
    std::string part = word;
    const bool first_is_small = out.empty() && std::islower(static_cast<unsigned char>(like[0])) != 0;
    if (!first_is_small) part[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(part[0])));
    out += part;
  }
  return out;
}

std::size_t find_run(const Words& words, const Words& run) {
  const auto found = std::search(words.begin(), words.end(), run.begin(), run.end());
  return found == words.end() ? Words::size_type(-1) : static_cast<std::size_t>(found - words.begin());
}

// All words besides those at [at, at + count) are known to say nothing about what is asserted.
bool rest_is_plain(const Words& words, std::size_t at, std::size_t count) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i >= at && i < at + count) continue;
    if (!kAsserting.contains(words[i]) && !kFillers.contains(words[i])) return false;
  }
  return true;
}

Words replaced(Words words, std::size_t at, std::size_t count, const Words& with) {
  words.erase(words.begin() + static_cast<std::ptrdiff_t>(at),
              words.begin() + static_cast<std::ptrdiff_t>(at + count));
  words.insert(words.begin() + static_cast<std::ptrdiff_t>(at), with.begin(), with.end());
  return words;
}

std::optional<Words> by_pair(const Words& words, Tongue tongue) {
  for (const Pair& pair : kPairs) {
    if (pair.only && pair.only != tongue) continue;
    for (const auto& [from, to] : {std::pair(&pair.one, &pair.other), std::pair(&pair.other, &pair.one)}) {
      const std::size_t at = find_run(words, *from);
      if (at != Words::size_type(-1) && rest_is_plain(words, at, from->size()))
        return replaced(words, at, from->size(), *to);
    }
  }
  return std::nullopt;
}

// assertNotEqual -> assertEqual.
std::optional<Words> without_not(const Words& words) {
  const auto found = std::find(words.begin(), words.end(), "not");
  if (found == words.end()) return std::nullopt;
  const std::size_t at = static_cast<std::size_t>(found - words.begin());
  std::size_t end = at + 1;
  while (end < words.size() && (kDegrees.contains(words[end]) || kNegatable.contains(words[end]))) ++end;
  const bool is_not = end == at + 1 && end == words.size() && at > 0 && words[at - 1] == "is";
  if ((end == at + 1 && !is_not) || !rest_is_plain(words, at, end - at)) return std::nullopt;
  return replaced(words, at, 1, {});
}

// assertEqual -> assertNotEqual, deepStrictEqual -> notDeepStrictEqual, assertIs -> assertIsNot.
std::optional<Words> with_not(const Words& words) {
  std::size_t at = 0;
  while (at < words.size() && !kDegrees.contains(words[at]) && !kNegatable.contains(words[at])) ++at;
  std::size_t end = at;
  while (end < words.size() && (kDegrees.contains(words[end]) || kNegatable.contains(words[end]))) ++end;
  if (end > at && words[end - 1] != "ok" && kNegatable.contains(words[end - 1]) &&
      rest_is_plain(words, at, end - at))
    return replaced(words, at, 0, {"not"});
  if (at == words.size() && words.size() > 1 && words.back() == "is" && rest_is_plain(words, 0, 0))
    return replaced(words, at, 0, {"not"});
  return std::nullopt;
}

// unittest's equalities of one type have no opposites of their own: assertListEqual -> assertEqual.
Words without_type(Words words, Tongue tongue) {
  static const WordSet kTypes = {"list", "dict", "set", "tuple", "sequence", "multi", "line"};
  const auto typed = [](const std::string& word) { return kTypes.contains(word); };
  if (tongue == Tongue::python && words.size() > 2 && words.back() == "equal" && words.front() == "assert")
    words.erase(std::remove_if(words.begin(), words.end(), typed), words.end());
  return words;
}

std::optional<Words> by_first_word(Words words, Tongue tongue) {
  static const WordSet kNoOpposite = {"raises", "raise", "throws", "silent", "send", "mock", "nothing"};
  if (words.size() < 2 ||
      std::any_of(words.begin(), words.end(), [](auto& word) { return kNoOpposite.contains(word); }))
    return std::nullopt;
  const bool bats = tongue == Tongue::shell && (words[1] == "output" || words[1] == "line");
  if (tongue != Tongue::ruby && !bats) return std::nullopt;
  for (const auto& [one, other] :
       {std::pair("assert", "refute"), {"refute", "assert"}, {"must", "wont"}, {"wont", "must"}}) {
    if (words.front() != one) continue;
    words.front() = other;
    return words;
  }
  return std::nullopt;
}

// Names whose frameworks have another opposite than their words say.
std::optional<std::string> special(std::string_view name, Tongue tongue) {
  struct Row {
    std::string_view one, other;
    std::optional<Tongue> only;
  };
  static const std::vector<Row> kRows = {
      {"BOOST_CHECK_EQUAL", "BOOST_CHECK_NE", {}},
      {"BOOST_CHECK_NE", "BOOST_CHECK_EQUAL", {}},
      {"BOOST_REQUIRE_EQUAL", "BOOST_REQUIRE_NE", {}},
      {"BOOST_REQUIRE_NE", "BOOST_REQUIRE_EQUAL", {}},
      {"CHECK_FALSE", "CHECK", Tongue::cpp},
      {"REQUIRE_FALSE", "REQUIRE", Tongue::cpp},
      {"assert_null", "assert_non_null", Tongue::c},
      {"assert_non_null", "assert_null", Tongue::c},
      {"assert_success", "assert_failure", Tongue::shell},
      {"assert_failure", "assert_success", Tongue::shell},
  };
  for (const Row& row : kRows) {
    if (name == row.one && (!row.only || row.only == tongue)) return std::string(row.other);
  }
  return std::nullopt;
}

} // namespace

std::vector<std::string> words_of(std::string_view name) {
  Words words;
  std::string word;
  const auto flush = [&] {
    if (!word.empty()) words.push_back(to_lower(word));
    word.clear();
  };
  const Style style = style_of(name);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    const bool next_small = i + 1 < name.size() && std::islower(static_cast<unsigned char>(name[i + 1])) != 0;
    const bool after_small = i > 0 && std::isupper(static_cast<unsigned char>(name[i - 1])) == 0;
    if (std::isalnum(c) == 0) {
      flush();
      continue;
    }
    if (style != Style::capitals && std::isupper(c) != 0 && (after_small || next_small)) flush();
    word += name[i];
  }
  flush();
  return words;
}

bool names_assertion(std::string_view name, Tongue tongue) {
  // These load files; Mockito's verify and jest's expect have rules of their own.
  if ((tongue == Tongue::javascript || tongue == Tongue::php || tongue == Tongue::ruby) && name == "require")
    return false;
  if (tongue == Tongue::java && name == "verify") return false;
  const Words words = words_of(name);
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return kAsserting.contains(word); });
}

bool asserts_truth(std::string_view name, Tongue tongue) {
  const Words words = words_of(name);
  const bool plain = std::all_of(words.begin(), words.end(), [](const std::string& word) {
    return kAsserting.contains(word) || kTruth.contains(word);
  });
  if (!plain) return false;
  return names_assertion(name, tongue) || name == "ok";
}

bool names_equality(std::string_view name) {
  const Words words = words_of(name);
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word == "eq" || word == "equal" || word == "equals" || word == "same" || word == "streq";
  });
}

bool names_failure(std::string_view name) {
  const Words words = words_of(name);
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return kFailing.contains(word); });
}

std::optional<std::string> opposite_name(std::string_view name, Tongue tongue) {
  if (name.empty()) return std::nullopt;
  if (auto known = special(name, tongue)) return known;
  const Words words = without_type(words_of(name), tongue);
  for (const auto& found :
       {by_pair(words, tongue), without_not(words), by_first_word(words, tongue), with_not(words)}) {
    if (found && !found->empty()) return joined(*found, name);
  }
  return std::nullopt;
}

} // namespace emend::probe
