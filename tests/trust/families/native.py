"""C and C++: built by make, tested by a few macros, assert() or GoogleTest."""

from families.languages import indented, joined

TAP = ('#include <stdio.h>\n\nstatic int checks = 0;\nstatic int failed = 0;\n\n'
       '#define CHECK(name, actual, wanted) \\\n  do { \\\n    int same = (actual) == (wanted); \\\n    failed += !same; \\\n'
       '    printf("%s %d - %s\\n", same ? "ok" : "not ok", ++checks, name); \\\n  } while (0)\n')
# What is expected, from the data of the tests.
WANTED = ('#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\nstatic int wanted(const char* name) {\n  static char line[200];\n  FILE* file = fopen("PATH", "r");\n'
          '  while (file && fgets(line, sizeof line, file))\n    if (strncmp(line, name, strlen(name)) == 0 && line[strlen(name)] == \':\') {\n      fclose(file);\n'
          '      return atoi(strstr(line, " = ") + 3);\n    }\n  abort();\n}\n\n')
WORDS = TAP.replace('printf("%s %d - %s\\n", same ? "ok" : "not ok", ++checks, name);',
                    'printf("%s: %s (%s:%d)\\n", same ? "PASS" : "FAIL", name, __FILE__, __LINE__), ++checks;')


class C:
    name, extension, header, comment, program, compiler = "c", "c", "h", "// ", "gcc", "cc"
    styles = ("tap", "words", "assert")

    @staticmethod
    def expression(text):
        while "DIV(" in text:
            start = text.index("DIV(")
            end = text.index(")", start)
            left, right = text[start + 4:end].split(", ")
            text = f"{text[:start]}(({left}) / {right}){text[end + 1:]}"
        return text

    def body(self, body):
        return "".join((f"if ({self.expression(condition)}) " if condition else "") + f"return {self.expression(value)};\n" for condition, value in body)

    @staticmethod
    def head(name, params):
        return f"int {name}({', '.join('int ' + param for param in params)})"

    def function(self, name, params, body, gate):
        text = self.head(name, params) + " {\n"
        if gate:
            text += indented(f"if ({gate[0]}) {{\n" + indented(self.body(gate[1]), "  ") + "}\n", "  ")
        return text + indented(self.body(body), "  ") + "}\n"

    def module(self, p, before, functions, after):
        return joined(f"// The {p.module} of this project.\n", f'#include "{p.module}.{self.header}"\n', before, *functions, after)

    def header_path(self, p):
        return f"{p.source}/{p.module}.{self.header}"

    def header_text(self, p, more=""):
        heads = f"{self.head(p.name, p.problem.params)};\n{self.head(p.other, p.beside.params)};\n"
        return joined("#pragma once\n", heads, more)

    def test_text(self, p, cases):
        if p.style == "gtest":
            text = f'#include "{p.module}.{self.header}"\n\n#include <gtest/gtest.h>\n\n'
            for case in cases:
                text += f"TEST(Suite, {case.name}) {{\n  EXPECT_EQ({self.call(case)}, {p.wanted(case)});\n}}\n\n"
            return text.rstrip("\n") + "\n"
        if p.style == "assert":
            text = "#include <assert.h>\n#include <stdio.h>\n\n" + f'#include "{p.module}.{self.header}"\n\n'
            text += WANTED.replace("PATH", p.data_path) if p.data_path else ""
            for case in cases:
                text += f'static void {case.name}(void) {{\n  assert({self.call(case)} == {p.wanted(case)});\n  printf("ok - {case.name}\\n");\n}}\n\n'
            return text + "int main(void) {\n" + "".join(f"  {case.name}();\n" for case in cases) + "  return 0;\n}\n"
        known = WANTED.replace("PATH", p.data_path) if p.data_path else ""
        text = f'#include "check.h"\n#include "{p.module}.{self.header}"\n\n{known}int main(void) {{\n'
        for case in cases:
            text += f'  CHECK("{case.name}", {self.call(case)}, {p.wanted(case)});\n'
        return text + "  return failed > 0;\n}\n"

    @staticmethod
    def from_data(name):
        return f'wanted("{name}")'

    @staticmethod
    def call(case):
        return f"{case.function}({', '.join(map(str, case.args))})"

    def test_path(self, p):
        return f"tests/test_{p.module}.{self.extension}"

    def own_path(self, p):
        return f"tests/test_issue_{p.name}.{self.extension}"

    def makefile(self, p):
        libraries = " -lgtest -lgtest_main -pthread" if p.style == "gtest" else ""
        names = [self.test_path(p)] + ([self.own_path(p)] if p.mode == "own" else [])
        text = "CFLAGS ?= -g\n\nall: test\n\n"
        for path in names:
            program = path.rpartition("/")[2].rpartition(".")[0]
            word = "test" if path == names[0] else "issue"
            text += (f"{word}: build/{program}\n\t./build/{program}\n\nbuild/{program}: $(wildcard {p.source}/*) {path}\n\t@mkdir -p build\n"
                     f"\t@{self.compiler} $(CFLAGS) -I{p.source} -o $@ $(wildcard {p.source}/*.{self.extension}) {path}{libraries}\n\n")
        return text.rstrip("\n") + "\n"

    def tests(self, p):
        files = {self.header_path(p): self.header_text(p), "Makefile": self.makefile(p)}
        if p.style in ("tap", "words"):
            files["tests/check.h"] = TAP if p.style == "tap" else WORDS
        if p.mode == "own":
            return {**files, self.test_path(p): self.test_text(p, p.suite), self.own_path(p): self.test_text(p, p.shown)}
        return {**files, self.test_path(p): self.test_text(p, p.suite + p.shown)}

    @staticmethod
    def suite_command(p):
        return "make -s test"

    @staticmethod
    def own_command(p):
        return "make -s issue"

    def driver(self, p, tree, nonce):
        text = f'#include <stdio.h>\n{self.head(p.name, p.problem.params)};\n{self.head(p.other, p.beside.params)};\nint main(void) {{\n'
        text += f"  int values[{len(p.hidden)}];\n  for (int i = 0; i < 20; ++i) {{\n"
        text += "".join(f"    values[{n}] = {name}({', '.join(map(str, args))});\n" for n, (name, args, _) in enumerate(p.hidden))
        text += f'  }}\n  for (int i = 0; i < {len(p.hidden)}; ++i) printf("{nonce} %d\\n", values[i]);\n  fflush(stdout);\n  return 0;\n}}\n'
        name = f"look.{self.extension}"
        more = " -lgtest -pthread" if p.style == "gtest" else ""
        return {name: text}, f"{self.compiler} -w -o look {name} {tree}/{p.source}/*.{self.extension} -I{tree}/{p.source}{more} && exec ./look"


class Cpp(C):
    name, extension, header, program, compiler = "c++", "cpp", "hpp", "g++", "c++"
    styles = ("tap", "words", "assert")
