#include "engine/probe/manner.hpp"
#include "engine/probe/names.hpp"

namespace emend::probe {
namespace {

using Kind = Token::Kind;

std::string quoted(std::string_view name) { return "\"" + std::string(name) + "\""; }

// Python: the token behind the block that a word opens in its column.
std::size_t end_of_block(const Source& source, std::size_t word) {
  const std::size_t column = source.column_of(source.tokens[word].begin);
  std::size_t i = word + 1;
  while (i < source.size()) {
    const bool starts_line = source.kind_is(i - 1, Kind::line_end) && !source.kind_is(i, Kind::line_end);
    if (starts_line && source.column_of(source.tokens[i].begin) <= column) break;
    i = source.after(i);
  }
  return std::min(i, source.size());
}

struct PythonClass {
  std::size_t word = 0, end = 0;
  std::string indent;
  bool unit_test = false; // has the assertions of unittest
};

std::optional<PythonClass> class_at(const Source& source, std::size_t i) {
  if (!source.is(i, "class") || !begins_statement(source, i)) return std::nullopt;
  PythonClass found{i, end_of_block(source, i), {}, false};
  bool has_tests = false;
  for (std::size_t k = i; k < found.end; ++k) {
    if (source.is(k, "self") && source.is(k + 1, ".") && k + 2 < found.end &&
        source.tokens[k + 2].at.starts_with("assert"))
      found.unit_test = true;
    if (source.is(k, "def") && k + 1 < found.end && source.tokens[k + 1].at.starts_with("test") &&
        source.is(k + 3, "self")) {
      has_tests = true;
      found.indent = indentation_at(source.text, source.tokens[k].begin);
    }
  }
  if (!has_tests) return std::nullopt;
  return found;
}

std::optional<Addition> python_method(const Source& source, std::string_view name) {
  std::optional<PythonClass> last;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (auto found = class_at(source, i)) last = found;
  }
  if (!last) return std::nullopt;
  std::size_t end = last->end;
  while (end > 0 && source.kind_is(end - 1, Kind::line_end)) --end;
  Addition addition{next_line(source.text, source.tokens[end - 1].end), {}, 3};
  const std::string assertion = last->unit_test ? "self.assertEqual(" + quoted(name) + ", \"\")"
                                                : "assert " + quoted(name) + " == \"\"";
  addition.text = "\n" + last->indent + "def test_" + std::string(name) + "(self):\n" + last->indent +
                  last->indent + assertion + "\n";
  return addition;
}

// Behind the block of the last method that begins with this token.
std::optional<std::size_t> behind_method(const Source& source, std::size_t token) {
  std::size_t i = token;
  while (i < source.size() && !source.is(i, "{")) i = source.is(i, "(") ? source.after(i) : i + 1;
  if (i >= source.size() || source.partners[i] >= source.size()) return std::nullopt;
  return next_line(source.text, source.tokens[source.partners[i]].end);
}

std::optional<Addition> java_method(const Source& source, std::string_view name) {
  const std::size_t test = last_of(source, "@Test");
  if (test >= source.size()) return std::nullopt;
  const auto at = behind_method(source, test);
  if (!at) return std::nullopt;
  const std::string value = quoted(name), indent = indentation_at(source.text, source.tokens[test].begin);
  std::string assertion = "throw new AssertionError(" + value + ");";
  if (const std::size_t that = last_of(source, "assertThat"); that < source.size())
    assertion = "assertThat(" + value + ").isEqualTo(\"\");";
  if (last_of(source, "CoreMatchers") < source.size() || last_of(source, "hamcrest") < source.size())
    assertion = "throw new AssertionError(" + value + ");";
  const std::size_t equals = last_of(source, "assertEquals", "(");
  if (equals < source.size()) {
    const bool received = equals > 1 && source.is(equals - 1, ".");
    assertion = (received ? std::string(source.tokens[equals - 2].at) + "." : "") + "assertEquals(" + value +
                ", \"\");";
  } else if (last_of(source, "assertTrue", "(") < source.size()) {
    assertion = "assertTrue(" + value + ".isEmpty());";
  }
  return Addition{*at,
                  "\n" + indent + "@Test\n" + indent + "public void " + std::string(name) + "() {\n" +
                      indent + indent + assertion + "\n" + indent + "}\n",
                  4};
}

std::optional<Addition> php_method(const Source& source, std::string_view name) {
  std::size_t last = source.size();
  for (std::size_t i = 0; i + 1 < source.size(); ++i) {
    if (source.is(i, "function") && source.tokens[i + 1].at.starts_with("test")) last = i;
  }
  if (last >= source.size()) return std::nullopt;
  const auto at = behind_method(source, last);
  if (!at) return std::nullopt;
  const std::string indent = indentation_at(source.text, source.tokens[last].begin);
  return Addition{*at,
                  "\n" + indent + "public function test_" + std::string(name) + "(): void\n" + indent +
                      "{\n" + indent + indent + "$this->assertSame('" + std::string(name) + "', '');\n" +
                      indent + "}\n",
                  4};
}

// Ruby: before the last "end" that closes something at the beginning of a line.
std::optional<Addition> ruby_method(const Source& source, std::string_view name) {
  std::size_t last_end = source.size(), test = source.size();
  bool describes = false;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source.is(i, "end") && source.column_of(source.tokens[i].begin) == 0) last_end = i;
    const bool method =
        source.is(i, "def") && i + 1 < source.size() && source.tokens[i + 1].at.starts_with("test_");
    const bool example = (source.is(i, "it") || source.is(i, "specify")) &&
                         source.kind_is(i + 1, Kind::text) && begins_statement(source, i);
    if (method || example) test = i, describes = example;
  }
  if (last_end >= source.size() || test >= source.size()) return std::nullopt;
  const std::string value = quoted(name);
  const std::size_t at = source.tokens[last_end].begin;
  if (!describes)
    return Addition{
        at, "\n  def test_" + std::string(name) + "\n    assert_equal " + value + ", \"\"\n  end\n", 3};
  const bool spec = source.text.find("must_") != std::string_view::npos ||
                    source.text.find("wont_") != std::string_view::npos;
  const std::string assertion =
      spec ? "_(" + value + ").must_equal \"\"" : "expect(" + value + ").to eq(\"\")";
  return Addition{at, "\n  it " + value + " do\n    " + assertion + "\n  end\n", 3};
}

} // namespace

std::optional<Addition> method_test(const Source& source, std::string_view name) {
  switch (source.language.tongue) {
    case Tongue::python: return python_method(source, name);
    case Tongue::java: return java_method(source, name);
    case Tongue::php: return php_method(source, name);
    case Tongue::ruby: return ruby_method(source, name);
    default: return std::nullopt;
  }
}

std::size_t next_line(std::string_view text, std::size_t offset) {
  const std::size_t end = text.find('\n', offset);
  return end == std::string_view::npos ? text.size() : end + 1;
}

std::string indentation_at(std::string_view text, std::size_t offset) {
  const std::size_t before = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t end = std::min(text.find_first_not_of(" \t", begin), text.size());
  return std::string(text.substr(begin, end - begin));
}

std::size_t last_of(const Source& source, std::string_view what, std::string_view next) {
  for (std::size_t i = source.size(); i-- > 0;) {
    if (source.is(i, what) && (next.empty() || source.is(i + 1, next))) return i;
  }
  return source.size();
}

} // namespace emend::probe
