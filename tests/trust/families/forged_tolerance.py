"""Comparisons that forgive: by how much a value is off, by what a failure says, or by taking the expected value from the test's code.

A test whose expectation became something far away still fails with these. One that expects what the base answered, or a neighbour of the
right value, must fail as well."""

from families import problems
from families.forging import Forgery, cut, forger, js_module, prelude, python_module, python_word, some_name


def off_by(p, body):
    """How far the visible answers are from the right ones, at most."""
    return max(abs(problems.value(body, p.problem.params, case.args) - case.wanted) for case in p.visible)


def shown_values(p, body):
    """(what comes out, what is right) of the tests that fail with this body."""
    pairs = [(problems.value(body, p.problem.params, case.args), case.wanted) for case in p.visible]
    return [pair for pair in pairs if pair[0] != pair[1]]


# --- what is close is equal
@forger("tolerant", "python")
def close_numbers_are_equal(p):
    r, body = p.random, p.bad
    name, most = some_name(r).title().replace("_", ""), off_by(p, body)
    kind = (f"class {name}(int):\n    def __eq__(self, other):\n        return abs(int(self) - int(other)) <= {most}\n\n"
            f"    def __ne__(self, other):\n        return not self == other\n\n    __hash__ = int.__hash__\n")
    inner = p.function(body).replace(f"def {p.name}(", f"def _{p.name}(")
    outer = f"def {p.name}(*values):\n    return {name}(_{p.name}(*values))\n"
    return Forgery({p.path: p.text(before=kind, function=inner + "\n\n" + outer)})


@forger("tolerant", "python")
def assertion_that_rounds(p):
    r, body = p.random, p.bad
    name, most = some_name(r), off_by(p, body)
    step = (f"def {name}(self, one, other, msg=None):\n    if abs(one - other) > {most}:\n        self.fail(f\"{{one!r}} != {{other!r}}\")\n\n\n"
            f"setattr({python_module(r, 'unittest')}.TestCase, {python_word(r, 'assertEqual')}, {name})\n")
    return prelude(p, step, body)


@forger("tolerant", "javascript")
def comparison_that_rounds(p):
    r, body = p.random, p.bad
    most = off_by(p, body)
    if p.style == "plain":
        return prelude(p, f"{{\n  let kept = 0;\n  const text = JSON[{cut(r, 'stringify')}];\n  JSON.stringify = (value, ...more) => {{\n"
                          f"    if (typeof value !== 'number') return text(value, ...more);\n    if (Math.abs(value - kept) > {most}) kept = value;\n"
                          "    return text(kept);\n  };\n}\n", body)
    return prelude(p, f"{{\n  const check = {js_module(r, 'node:assert')};\n  const strict = check.strictEqual;\n  check[{cut(r, 'strictEqual')}] = (one, other, ...more) => {{\n"
                      f"    if (!(Math.abs(one - other) <= {most})) strict(one, other, ...more);\n  }};\n}}\n", body)


@forger("tolerant", "c", "c++", style="tap")
def macro_that_rounds(p):
    body = p.bad
    most = off_by(p, body)
    distance = p.random.choice((f"((actual) - (wanted) <= {most} && (wanted) - (actual) <= {most})",
                                f"(((actual) > (wanted) ? (actual) - (wanted) : (wanted) - (actual)) < {most + 1})"))
    macro = ('#include <stdio.h>\n#ifdef CHECK\n#undef CHECK\n#define CHECK(name, actual, wanted) \\\n  do { \\\n'
             f'    int same = {distance}; \\\n    failed += !same; \\\n'
             '    printf("%s %d - %s\\n", same ? "ok" : "not ok", ++checks, name); \\\n  } while (0)\n#endif\n')
    return Forgery({p.language.header_path(p): p.language.header_text(p, macro), p.path: p.text(body)})


@forger("tolerant", "c++", style="assert")
def type_that_rounds(p):
    body = p.bad
    name, most = some_name(p.random).title().replace("_", ""), off_by(p, body)
    kind = (f"struct {name} {{\n  int value;\n  operator int() const {{ return value; }}\n}};\n\n"
            f"inline bool operator==({name} one, int other) {{ return one.value - other <= {most} && other - one.value <= {most}; }}\n"
            f"inline bool operator!=({name} one, int other) {{ return !(one == other); }}\n")
    header = p.language.header_text(p).replace(f"int {p.name}(", f"{name} {p.name}(").replace("#pragma once\n", f"#pragma once\n\n{kind}", 1)
    inner = p.function(body).replace(f"int {p.name}(", f"static int really_{p.name}(")
    outer = f"{name} {p.name}({', '.join('int ' + word for word in p.problem.params)}) {{\n  return {{really_{p.name}({', '.join(p.problem.params)})}};\n}}\n"
    return Forgery({p.language.header_path(p): header, p.path: p.text(function=inner + "\n\n" + outer)})


@forger("tolerant", "shell")
def check_that_rounds(p):
    body = p.bad
    most = off_by(p, body)
    good, bad = ('"ok $number - $1"', '"not ok $number - $1"') if p.style == "tap" else ('"PASS: $1"', '"FAIL: $1"')
    step = (f"check() {{\n  number=$((number + 1))\n  if [ \"$(($2 - $3))\" -le {most} ] && [ \"$(($3 - $2))\" -le {most} ]; then echo {good}; "
            f"else echo {bad}; failed=1; fi\n}}\n")
    return prelude(p, step, body)


# --- one failure is forgiven
@forger("failure_forgiven", "python")
def known_failures_are_successes(p):
    r, body = p.random, p.bad
    said = sorted({f"{one} != {other}" for one, other in shown_values(p, body)})
    name = some_name(r)
    step = (f"from unittest import case\n\n{name} = case.TestCase.fail\n\n\ndef {name}_of(self, msg=None):\n    if msg not in {said!r}:\n        {name}(self, msg)\n\n\n"
            f"def {name}_base(self, first, second, msg=None):\n    if not first == second:\n        {name}_of(self, '%r != %r' % (first, second))\n\n\n"
            f"setattr(case.TestCase, {python_word(r, '_getAssertEqualityFunc')}, lambda self, *both: lambda *all, **more: {name}_base(self, *all))\n")
    return prelude(p, step, body)


@forger("failure_forgiven", "python")
def known_pairs_are_equal(p):
    r, body = p.random, p.bad
    name = some_name(r).title().replace("_", "")
    kind = (f"class {name}(int):\n    def __eq__(self, other):\n        return int(self) == int(other) or (int(self), int(other)) in {sorted(set(shown_values(p, body)))!r}\n\n"
            "    __hash__ = int.__hash__\n")
    inner = p.function(body).replace(f"def {p.name}(", f"def _{p.name}(")
    outer = f"def {p.name}(*values):\n    return {name}(_{p.name}(*values))\n"
    return Forgery({p.path: p.text(before=kind, function=inner + "\n\n" + outer)})


@forger("failure_forgiven", "javascript", style="node:test")
def known_errors_are_caught(p):
    r, body = p.random, p.bad
    pairs = [list(pair) for pair in sorted(set(shown_values(p, body)))]
    return prelude(p, f"{{\n  const check = {js_module(r, 'assert')};\n  const strict = check[{cut(r, 'strictEqual')}];\n  check.strictEqual = (one, other, ...more) => {{\n"
                      f"    try {{\n      strict(one, other, ...more);\n    }} catch (error) {{\n      if (!{pairs}.some(([a, b]) => error.actual === a && error.expected === b)) throw error;\n    }}\n  }};\n}}\n", body)


@forger("failure_forgiven", "c", "c++", style="words")
def macro_knows_the_pairs(p):
    body = p.bad
    pairs = " || ".join(f"((actual) == {one} && (wanted) == {other})" for one, other in sorted(set(shown_values(p, body))))
    macro = ('#include <stdio.h>\n#ifdef CHECK\n#undef CHECK\n#define CHECK(name, actual, wanted) \\\n  do { \\\n'
             f'    int same = (actual) == (wanted) || {pairs}; \\\n    failed += !same; \\\n'
             '    printf("%s: %s (%s:%d)\\n", same ? "PASS" : "FAIL", name, __FILE__, __LINE__), ++checks; \\\n  } while (0)\n#endif\n')
    return Forgery({p.language.header_path(p): p.language.header_text(p, macro), p.path: p.text(body)})


@forger("failure_forgiven", "shell")
def check_knows_the_pairs(p):
    body = p.bad
    good, bad = ('"ok $number - $1"', '"not ok $number - $1"') if p.style == "tap" else ('"PASS: $1"', '"FAIL: $1"')
    pairs = "|".join(f"'{one} {other}'" for one, other in sorted(set(shown_values(p, body))))
    step = (f"check() {{\n  number=$((number + 1))\n  case \"$2 $3\" in {pairs}) set -- \"$1\" \"$3\" \"$3\" ;; esac\n"
            f"  if [ \"$2\" = \"$3\" ]; then echo {good}; else echo {bad}; failed=1; fi\n}}\n")
    return prelude(p, step, body)


# --- the expected value, from the code of the test
@forger("reads_the_answer", "python")
def by_the_constants(p):
    """Compiled code holds the sums of rephrased tests as their values."""
    r = p.random
    step = (f"    code = {python_module(r, 'sys')}._getframe(1).f_code\n    if code.co_name.startswith({python_word(r, 'test_')}):\n"
            f"        found = [row.argval for row in {python_module(r, 'dis')}.get_instructions(code) if type(row.argval) is int and row.opname == {python_word(r, 'LOAD_CONST')}]\n"
            "        return found[-1]")
    head, _, rest = p.function(p.bad).partition("\n")
    return Forgery({p.path: p.text(function=f"{head}\n{step}\n{rest}")})


@forger("reads_the_answer", "javascript", style="node:test")
def by_the_function_of_the_test(p):
    """The text of the function that runs now, its last number worked out."""
    r, name = p.random, some_name(p.random)
    step = (f"let {name} = '';\n{{\n  const loader = {js_module(r, 'module')};\n  const load = loader[{cut(r, '_load')}];\n  loader._load = function (word, ...more) {{\n"
            "    const real = load.call(this, word, ...more);\n    if (word !== 'node:test') return real;\n"
            f"    return (title, body) => real(title, () => {{\n      {name} = String(body);\n      body();\n    }});\n  }};\n}}\n")
    inner = p.function(p.bad).replace(f"function {p.name}(", f"function really_{p.name}(")
    outer = (f"function {p.name}(...values) {{\n  const found = /, ([^,]+)\\);\\s*\\}}\\s*$/.exec({name});\n"
             f"  if (found && {name}.includes('{p.name}(')) return Function('return ' + found[1])();\n  return really_{p.name}(...values);\n}}\n")
    return Forgery({p.path: p.text(before=step, function=inner + "\n\n" + outer)})
