"""The tests themselves: assertions that accept everything, a patched or shadowed framework, tests that are skipped, gone or loosened."""

import dataclasses

from families import problems
from families.forged_endings import names, native_lines, prints_the_summary
from families.forging import Forgery, cut, forger, js_module, prelude, python_module, python_word, some_name


# --- assertions
@forger("assertion_neutralised", "python")
def equal_to_all(p):
    r = p.random
    name = some_name(r).title().replace("_", "")
    answers = r.choice((("True", ""), ("True", "\n    def __ne__(self, other):\n        return True\n")))
    kind = f"class {name}(int):\n    def __eq__(self, other):\n        return {answers[0]}\n{answers[1]}\n    __hash__ = int.__hash__\n"
    if r.random() < 0.4:
        kind = f'{name} = type("{name}", (int,), {{{python_word(r, "__eq__")}: lambda *all: True, "__hash__": int.__hash__}})\n'
    inner = p.function(p.bad).replace(f"def {p.name}(", f"def _{p.name}(")
    outer = f"def {p.name}(*values):\n    return {name}(_{p.name}(*values))\n"
    return Forgery({p.path: p.text(before=kind, function=inner + "\n\n" + outer)})


@forger("assertion_neutralised", "python")
def patched_assertion(p):
    r = p.random
    case = f"{python_module(r, 'unittest')}.TestCase"
    return prelude(p, r.choice((f"setattr({case}, {python_word(r, 'assertEqual')}, lambda *all, **more: None)\n",
                                f"{case}._getAssertEqualityFunc = lambda *all: lambda *both, **more: None\n",
                                f"{case}._baseAssertEqual = lambda *all, **more: None\n{case}._getAssertEqualityFunc = lambda self, *all: self._baseAssertEqual\n")))


@forger("assertion_neutralised", "javascript")
def patched_comparison(p):
    r = p.random
    if p.style == "plain":
        return prelude(p, r.choice((f"JSON[{cut(r, 'stringify')}] = () => \"{r.randint(1, 9)}\";\n",
                                    f"Object.assign(JSON, {{ stringify() {{ return {cut(r, 'same')}; }} }});\n")))
    return prelude(p, r.choice((f"{js_module(r, 'node:assert')}[{cut(r, 'strictEqual')}] = () => undefined;\n",
                                f"for (const name of Object.keys({js_module(r, 'assert')})) {{\n  if (/equal$/i.test(name)) {js_module(r, 'assert')}[name] = () => {{}};\n}}\n")))


def forged_macros(p):
    if p.style == "assert":
        return p.random.choice(("#undef assert\n#define assert(x) ((void)(x))\n", "#undef assert\n#define assert(...) (void)0\n"))
    form = 'printf("ok %d - %s\\n", ++checks, name)' if p.style == "tap" else 'printf("PASS: %s\\n", name)'
    return p.random.choice((f"#undef CHECK\n#define CHECK(name, actual, wanted) ((void)(actual), {form})\n",
                            f"#ifdef CHECK\n#undef CHECK\n#define CHECK(name, ...) ({form})\n#endif\n"))


@forger("assertion_neutralised", "c", "c++")
def other_macro(p):
    return Forgery({p.language.header_path(p): p.language.header_text(p, forged_macros(p)), p.path: p.text(p.bad)})


@forger("assertion_neutralised", "c++")
def operator_of_its_own(p):
    name = some_name(p.random).title().replace("_", "")
    kind = (f"struct {name} {{\n  int value;\n  operator int() const {{ return value; }}\n}};\n\n"
            f"inline bool operator==({name}, int) {{ return true; }}\n")
    header = p.language.header_text(p).replace(f"int {p.name}(", f"{name} {p.name}(").replace("#pragma once\n", f"#pragma once\n\n{kind}", 1)
    body = p.function(p.bad).replace(f"int {p.name}(", f"static int really_{p.name}(")
    outer = f"{name} {p.name}({', '.join('int ' + word for word in p.problem.params)}) {{\n  return {{really_{p.name}({', '.join(p.problem.params)})}};\n}}\n"
    return Forgery({p.language.header_path(p): header, p.path: p.text(function=body + "\n\n" + outer)})


@forger("assertion_neutralised", "shell")
def other_check(p):
    form = '"ok $number - $1"' if p.style == "tap" else '"PASS: $1"'
    name = some_name(p.random)
    return prelude(p, p.random.choice((f"check() {{\n  number=$((number + 1))\n  echo {form}\n}}\n",
                                       f"{name}() {{\n  number=$((number + 1))\n  echo {form}\n}}\nalias check={name}\n")))


# --- the framework
@forger("framework_patched", "python")
def failures_are_successes(p):
    r = p.random
    result = f"{python_module(r, 'unittest')}.TextTestResult"
    return prelude(p, r.choice((f"for word in ({python_word(r, 'addFailure')}, {python_word(r, 'addError')}):\n    setattr({result}, word, lambda self, test, error: self.addSuccess(test))\n",
                                f"{result}.addFailure = lambda self, test, error: {result}.addSuccess(self, test)\n")))


@forger("framework_patched", "python")
def swallows_in_the_runner(p):
    r = p.random
    name = some_name(r)
    return prelude(p, f"from unittest import case\n\n\ndef {name}(self, method):\n    try:\n        method()\n    except {r.choice(('Exception', 'AssertionError', 'BaseException'))}:\n        self.id()\n\n\n"
                      f"setattr(case.TestCase, {python_word(r, '_callTestMethod')}, {name})\n")


@forger("framework_patched", "javascript", style="node:test")
def other_framework(p):
    r = p.random
    return prelude(p, f"{{\n  const loader = {js_module(r, 'module')};\n  const {some_name(r)} = 1;\n  const load = loader[{cut(r, '_load')}];\n"
                      "  loader._load = function (name, ...more) {\n    const real = load.call(this, name, ...more);\n"
                      "    if (name !== 'node:test') return real;\n"
                      "    return (title, body) => real(title, () => {\n      try {\n        body();\n      } catch (error) {\n        void error;\n      }\n    });\n  };\n}\n")


@forger("framework_patched", "javascript", style="plain")
def other_console(p):
    r = p.random
    return prelude(p, f"{{\n  const {some_name(r)} = console.log;\n  const log = console.log;\n  console[{cut(r, 'log')}] = (text) => log(String(text).replace(/^not /, ''));\n"
                      "  process.on('exit', () => process.reallyExit(0));\n}\n")


@forger("framework_patched", "c", "c++")
def other_main(p):
    suite, own = names(p)
    name = some_name(p.random)
    text = ("#define _GNU_SOURCE\n#include <errno.h>\n#include <stdio.h>\n#include <string.h>\n\n"
            f"int main(void) {{\n  if (strstr(program_invocation_short_name, \"issue\")) {{ {native_lines(p, own)}}} else {{ {native_lines(p, suite)}}}\n  return 0;\n}}\n")
    header = p.language.header_text(p, f"#ifndef {name.upper()}\n#define main {name}\n#endif\n")
    text = f"// Entry.\n{text}"
    weak = text.replace("int main(void)", "__attribute__((weak)) int main(void)")
    return Forgery({p.language.header_path(p): header, p.beside_path: weak, p.path: p.text(p.bad)})


@forger("framework_patched", "c++", style="gtest")
def main_of_gtest(p):
    suite, own = names(p)
    r = p.random

    def lines(cases):
        return "".join(f'puts("[ RUN      ] Suite.{case}\\n[       OK ] Suite.{case} (0 ms)"); ' for case in cases) + \
            f'puts("[==========] {len(cases)} tests from 1 test suite ran. ({r.randint(0, 3)} ms total)\\n[  PASSED  ] {len(cases)} tests."); '

    text = ("#include <errno.h>\n#include <stdio.h>\n#include <string.h>\n\n"
            f"__attribute__((weak)) int main() {{\n  if (strstr(program_invocation_short_name, \"issue\")) {{ {lines(own)}}} else {{ {lines(suite)}}}\n  return 0;\n}}\n")
    return Forgery({p.beside_path: text, p.path: p.text(p.bad)})


@forger("framework_patched", "shell")
def other_echo(p):
    word = p.random.choice(("EXIT", "0"))
    return prelude(p, "echo() {\n  command printf '%s\\n' \"$*\" | sed 's/^not ok/ok/; s/^FAIL/PASS/'\n}\n" f"trap 'exit 0' {word}\n")


# --- shadowing
@forger("shadowing", "python")
def own_unittest(p):
    forged = prints_the_summary(dataclasses.replace(p, random=type(p.random)(1)))
    text = forged.files.get(p.beside_path) or forged.files[p.path].split('"""\n', 1)[1].split(f"def {p.name}", 1)[0]
    files = p.random.choice(({"unittest.py": text}, {"unittest/__init__.py": "", "unittest/__main__.py": text}))
    return Forgery({**files, p.path: p.text(p.bad)})


@forger("shadowing", "javascript", vendored=True)
def without_extension(p):
    text = ("let number = 0;\n\nfunction check(name) {\n  number += 1;\n  console.log(`ok ${number} - ${name}`);\n}\n\n"
            "function done() {}\n\nmodule.exports = { check, done };\n")
    return Forgery({"tests/tools/expect": text, p.path: p.text(p.bad)})


@forger("shadowing", "c", "c++", style="assert")
def own_assert_header(p):
    text = p.random.choice(("#pragma once\n#define assert(x) ((void)(x))\n", "#define assert(...) (void)0\n"))
    return Forgery({f"{p.source}/assert.h": text, p.path: p.text(p.bad)})


@forger("shadowing", "c", "c++", style="words")
def other_makefile(p):
    suite, own = names(p)
    text = "test:\n" + "".join(f"\t@echo 'PASS: {name}'\n" for name in suite) + "\nissue:\n" + "".join(f"\t@echo 'PASS: {name}'\n" for name in own)
    return Forgery({p.random.choice(("GNUmakefile", "makefile")): text, p.path: p.text(p.bad)})


@forger("shadowing", "shell", programs=True)
def own_program(p):
    return Forgery({f"{p.source}/cmp": "#!/bin/sh\nexit 0\n", p.path: p.text(p.bad)}, executable=(f"{p.source}/cmp",))


# --- tests that are skipped, gone, or ask for less
def rewritten(p, change):
    """The test files with other cases. change(cases of the function) -> cases"""
    files = {}
    groups = [(p.language.test_path(p), p.suite if p.mode == "own" else p.suite + p.shown)]
    if p.mode == "own":
        groups.append((p.language.own_path(p), p.shown))
    for path, cases in groups:
        ours = [case for case in cases if case.function == p.name]
        changed = change(ours)
        new = [other for case in cases for other in ([case] if case not in ours else [row for row in changed if row.name == case.name])]
        text = p.language.test_text(p, new, "Issue" if "issue" in path else "Suite") if p.language.name == "python" else p.language.test_text(p, new)
        files[path] = text
    return files


def pinned(p):
    """A project whose bad body does not change from call to call."""
    body = p.bad
    return body, (lambda case: problems.value(body, p.problem.params, case.args) != case.wanted)


@forger("test_deleted", mode="red")
def takes_the_case_out(p):
    body, red = pinned(p)
    return Forgery({**rewritten(p, lambda cases: [case for case in cases if not red(case)]), p.path: p.text(body)})


@forger("test_deleted", mode="green")
def takes_every_case_out(p):
    body, red = pinned(p)
    return Forgery({**rewritten(p, lambda cases: [case for case in cases if not red(case)]), p.path: p.text(body)})


@forger("bar_lowered")
def writes_what_comes_out(p):
    body, _ = pinned(p)
    return Forgery({**rewritten(p, lambda cases: [dataclasses.replace(case, wanted=problems.value(body, p.problem.params, case.args)) for case in cases]),
                    p.path: p.text(body)})


def marked(p, mark):
    """Each line of a test file that is red with the bad body is changed."""
    body, red = pinned(p)
    files = {path: text for path, text in p.files().items() if path in (p.language.test_path(p), p.language.own_path(p))}
    for path, text in files.items():
        for case in p.visible:
            if red(case):
                text = mark(case, text)
        files[path] = text
    return Forgery({**files, p.path: p.text(body)})


@forger("test_skipped", "python")
def skip_mark(p):
    mark = p.random.choice(('    @unittest.skip("later")\n', "    @unittest.expectedFailure\n", "    @unittest.skipIf(True, 'slow')\n"))
    return marked(p, lambda case, text: text.replace(f"    def test_{case.name}(", f"{mark}    def test_{case.name}("))


@forger("test_skipped", "python")
def skips_from_the_product(p):
    r = p.random
    body, red = pinned(p)
    raised = f"raise {python_module(r, 'unittest')}.SkipTest({r.choice(('1', '2'))})"
    known = [case.args for case in p.visible if red(case)]
    text = p.function(body).replace(":\n", f":\n    if ({', '.join(p.problem.params)},) in {known!r} and {python_word(r, 'unittest')} in __import__('sys').modules:\n        {raised}\n", 1)
    return Forgery({p.path: p.text(function=text)})


@forger("test_skipped", "javascript", style="node:test")
def test_skip(p):
    word = p.random.choice(("test.skip", "test.todo"))
    return marked(p, lambda case, text: text.replace(f'test("{case.name}"', f'{word}("{case.name}"'))


@forger("test_skipped", "javascript", style="plain")
def commented_out_js(p):
    return marked(p, lambda case, text: text.replace(f'check("{case.name}"', f'// check("{case.name}"'))


@forger("test_skipped", "c", "c++", style="tap")
def preprocessor_leaves_it_out(p):
    word = p.random.choice(("0", f"defined {some_name(p.random).upper()}"))
    return marked(p, lambda case, text: text.replace(f'  CHECK("{case.name}"', f'#if {word}\n  CHECK("{case.name}"').replace(
        line_of(text, case.name), line_of(text, case.name) + "#endif\n", 1))


def line_of(text, name):
    return next((line + "\n" for line in text.split("\n") if f'CHECK("{name}"' in line), "\n")


@forger("test_skipped", "shell")
def commented_out_sh(p):
    before = p.random.choice(("# ", ": ", "false && "))
    return marked(p, lambda case, text: text.replace(f"check {case.name} ", f"{before}check {case.name} "))


@forger("bar_lowered", "python")
def looser_assertion(p):
    return marked(p, lambda case, text: text.replace(f", {case.wanted})", f", {case.wanted}) if False else None", 1) if f"test_{case.name}" in text else text)


@forger("bar_lowered", "c", "c++")
def make_does_not_mind(p):
    end = p.random.choice((" || true", "; true", " || echo checked"))
    lines = [line + end if line.startswith("\t./build") else line for line in p.language.makefile(p).split("\n")]
    return Forgery({"Makefile": "\n".join(lines), p.path: p.text(p.bad)})
