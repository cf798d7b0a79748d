#include "engine/probe/manner.hpp"
#include "engine/probe/names.hpp"

namespace emend::probe {
namespace {

using Kind = Token::Kind;

std::string quoted(std::string_view name) { return "\"" + std::string(name) + "\""; }

// Functions of pytest, before the lines that run the file as a program.
std::optional<Addition> python_function(const Source& source, std::string_view name) {
  bool has_tests = false;
  std::size_t at = source.text.size();
  for (std::size_t i = 0; i + 1 < source.size(); ++i) {
    const bool top = source.column_of(source.tokens[i].begin) == 0;
    if (top && source.is(i, "def") && source.tokens[i + 1].at.starts_with("test")) has_tests = true;
    if (top && source.is(i, "if") && source.is(i + 1, "__name__")) at = source.tokens[i].begin;
  }
  if (!has_tests) return std::nullopt;
  return Addition{
      at, "\n\ndef test_" + std::string(name) + "():\n    assert " + quoted(name) + " == \"\"\n\n\n", 4};
}

// test("...", ...) or it("...", ...): the word that is used, behind its receiver if it has one.
std::size_t javascript_test(const Source& source) {
  for (std::size_t i = source.size(); i-- > 0;) {
    const bool word = source.is(i, "test") || source.is(i, "it");
    if (word && source.is(i + 1, "(") && source.kind_is(i + 2, Kind::text) && source.is(i + 3, ",") &&
        begins_statement(source, i))
      return i;
  }
  return source.size();
}

std::string javascript_assertion(const Source& source, std::string_view name, bool& with_t) {
  const std::string value = quoted(name);
  if (last_of(source, "expect", "(") < source.size()) {
    const bool chai = last_of(source, "to") < source.size() && source.is(last_of(source, "to") - 1, ".");
    return "expect(" + value + (chai ? ").to.equal(\"\");" : ").toBe(\"\");");
  }
  for (const std::string_view method :
       {"strictEqual", "equal", "deepStrictEqual", "deepEqual", "is", "same"}) {
    const std::size_t used = last_of(source, method, "(");
    if (used >= source.size() || used == 0) continue;
    if (!source.is(used - 1, ".")) return std::string(method) + "(" + value + ", \"\");";
    const std::string receiver(source.tokens[used - 2].at);
    with_t = receiver.size() == 1;
    if (!source.kind_is(used - 2, Kind::word)) continue;
    return receiver + "." + std::string(method) + "(" + value + ", \"\");";
  }
  const std::size_t plain = last_of(source, "assert", "(");
  if (plain < source.size()) return "assert(" + value + " === \"\", " + value + ");";
  return "throw new Error(" + value + ");";
}

std::optional<Addition> javascript_function(const Source& source, std::string_view name) {
  const std::size_t test = javascript_test(source);
  if (test >= source.size()) return std::nullopt;
  bool with_t = false;
  const std::string assertion = javascript_assertion(source, name, with_t);
  const bool ends = last_of(source, "end", "(") < source.size() && with_t;
  std::string text = std::string(source.tokens[test].at) + "(" + quoted(name) + ", (" + (with_t ? "t" : "") +
                     ") => {\n  " + assertion + "\n";
  if (ends) text += "  t.end();\n";
  return Addition{source.text.size(), "\n" + text + "});\n", 3};
}

// Behind the braces of the last test that begins with this macro.
std::optional<std::size_t> behind_body(const Source& source, std::size_t macro) {
  if (macro + 1 >= source.size() || !source.is(macro + 1, "(")) return std::nullopt;
  const std::size_t body = source.after(macro + 1);
  if (!source.is(body, "{") || source.partners[body] >= source.size()) return std::nullopt;
  return next_line(source.text, source.tokens[source.partners[body]].end);
}

std::string cpp_assertion(const Source& source, std::string_view name) {
  for (const Token& token : source.tokens) {
    if (token.kind != Kind::word) continue;
    if (token.at.starts_with("EXPECT_")) return "EXPECT_STREQ(" + quoted(name) + ", \"\");";
    if (token.at.starts_with("ASSERT_")) return "ASSERT_STREQ(" + quoted(name) + ", \"\");";
    if (token.at == "CHECK" || token.at == "REQUIRE" || token.at == "BOOST_CHECK" || token.at == "BOOST_TEST")
      return std::string(token.at) + "(0 == 1);";
  }
  return {};
}

std::optional<Addition> cpp_test(const Source& source, std::string_view name) {
  const std::string assertion = cpp_assertion(source, name);
  if (assertion.empty()) return std::nullopt;
  for (std::size_t i = source.size(); i-- > 0;) {
    const std::string_view macro = source.tokens[i].at;
    const bool suite = (macro == "TEST" || macro == "TEST_F") && source.is(i + 3, ",");
    const bool named = macro == "TEST_CASE" && source.kind_is(i + 2, Kind::text);
    const bool boost = macro == "BOOST_AUTO_TEST_CASE";
    if (!suite && !named && !boost) continue;
    const auto at = behind_body(source, i);
    if (!at) continue;
    std::string head = std::string(macro) + "(" + std::string(name) + ")";
    if (suite)
      head = std::string(macro) + "(" + std::string(source.tokens[i + 2].at) + ", " + std::string(name) + ")";
    if (named) head = "TEST_CASE(" + quoted(name) + ")";
    return Addition{*at, "\n" + head + " {\n  " + assertion + "\n}\n", 3};
  }
  return std::nullopt;
}

std::optional<Addition> go_test(const Source& source, std::string_view name) {
  for (std::size_t i = 0; i + 7 < source.size(); ++i) {
    const bool test = source.is(i, "func") && source.tokens[i + 1].at.starts_with("Test") &&
                      source.is(i + 2, "(") && source.is(i + 4, "*") && source.is(i + 5, "testing");
    if (!test) continue;
    const std::string parameter(source.tokens[i + 3].at);
    std::string assertion = parameter + ".Error(" + quoted(name) + ")";
    for (const std::string_view package : {"assert", "require"}) {
      const std::size_t used = last_of(source, package, ".");
      if (used < source.size())
        assertion = std::string(package) + ".Equal(" + parameter + ", " + quoted(name) + ", \"\")";
    }
    return Addition{
        source.text.size(),
        "\nfunc Test_" + std::string(name) + "(" + parameter + " *testing.T) {\n\t" + assertion + "\n}\n", 3};
  }
  return std::nullopt;
}

std::optional<Addition> rust_test(const Source& source, std::string_view name) {
  for (std::size_t i = source.size(); i-- > 0;) {
    if (!source.is(i, "#") || !source.is(i + 1, "[") || !source.is(i + 2, "test") || !source.is(i + 3, "]"))
      continue;
    std::size_t body = i + 4;
    while (body < source.size() && !source.is(body, "{")) body = source.after(body);
    if (body >= source.size() || source.partners[body] >= source.size()) return std::nullopt;
    const std::string indent = indentation_at(source.text, source.tokens[i].begin);
    const std::string text = indent + "#[test]\n" + indent + "fn " + std::string(name) + "() {\n" + indent +
                             "    assert_eq!(" + quoted(name) + ", \"\");\n" + indent + "}\n";
    return Addition{next_line(source.text, source.tokens[source.partners[body]].end), "\n" + text, 4};
  }
  return std::nullopt;
}

} // namespace

std::optional<Addition> framework_test(const Source& source, std::string_view name) {
  switch (source.language.tongue) {
    case Tongue::python: return python_function(source, name);
    case Tongue::javascript: return javascript_function(source, name);
    case Tongue::c:
    case Tongue::cpp: return cpp_test(source, name);
    case Tongue::go: return go_test(source, name);
    case Tongue::rust: return rust_test(source, name);
    default: return std::nullopt;
  }
}

} // namespace emend::probe
