"""Python, JavaScript and shell: how a project of families/project.py looks in each, and how it is driven from outside."""

from world import quoted

LATER = 10 ** 10  # seconds: the oracle looks when every deadline is over


def indented(text, by="    "):
    return "".join(by + line + "\n" if line else "\n" for line in text.rstrip("\n").split("\n"))


def joined(*parts):
    """With two blank lines between what is not empty."""
    return "\n\n".join(part.strip("\n") + "\n" for part in parts if part.strip())


class Python:
    name, extension, comment, program = "python", "py", "# ", "python3"
    styles = ("class", "from import")

    @staticmethod
    def expression(text):
        text = text.replace("&&", "and").replace("||", "or")
        while "DIV(" in text:
            start = text.index("DIV(")
            end = text.index(")", start)
            left, right = text[start + 4:end].split(", ")
            text = f"{text[:start]}(({left}) // {right}){text[end + 1:]}"
        return text

    def body(self, body):
        lines = ""
        for condition, value in body:
            result = f"return {self.expression(value)}\n"
            lines += f"if {self.expression(condition)}:\n    {result}" if condition else result
        return lines

    def function(self, name, params, body, gate):
        text = f"def {name}({', '.join(params)}):\n"
        if gate:
            text += indented(f"if {gate[0]}:\n" + indented(self.body(gate[1])))
        return text + indented(self.body(body))

    @staticmethod
    def module(p, before, functions, after):
        return joined(f'"""The {p.module} of this project."""\n', before, *functions, after)

    def test_text(self, p, cases, title):
        imports = f"import {p.module}\n" if p.style == "class" else f"from {p.module} import {p.name}, {p.other}\n"
        prefix = f"{p.module}." if p.style == "class" else ""
        path = "" if p.options.get("pythonpath") else \
            f'sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "{p.source}"))\n\n'
        known = f"\n\n{self.reader(p)}" if p.data_path else ""
        text = f"import os\nimport sys\nimport unittest\n\n{path}{imports}{known}\n\nclass {title}(unittest.TestCase):\n"
        for case in cases:
            call = f"{prefix}{case.function}({', '.join(map(str, case.args))})"
            text += f"    def test_{case.name}(self):\n        self.assertEqual({call}, {p.wanted(case)})\n\n"
        return text.rstrip("\n") + "\n"

    @staticmethod
    def from_data(name):
        return f'wanted("{name}")'

    @staticmethod
    def reader(p):
        return ('def wanted(name):\n    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "' + p.module + '.txt")) as file:\n'
                '        return int(next(line for line in file if line.startswith(name + ": ")).rpartition(" = ")[2])\n')

    @staticmethod
    def test_path(p):
        return f"tests/test_{p.module}.py"

    @staticmethod
    def own_path(p):
        return f"tests/test_issue_{p.name}.py"

    def tests(self, p):
        if p.mode == "own":
            return {self.test_path(p): self.test_text(p, p.suite, "Suite"), self.own_path(p): self.test_text(p, p.shown, "Issue")}
        return {self.test_path(p): self.test_text(p, p.suite + p.shown, "Suite")}

    def suite_command(self, p):
        return self.command(p, self.test_path(p))

    def own_command(self, p):
        return self.command(p, self.own_path(p))

    @staticmethod
    def command(p, path):
        before = f"PYTHONPATH={p.source} " if p.options.get("pythonpath") else ""
        return f"{before}python3 -m unittest -v {path}"

    def driver(self, p, tree, nonce):
        calls = [(function, args) for function, args, _ in p.hidden]
        text = (f"import sys\nimport time\nnow = time.time\ntime.time = lambda: now() + {LATER}\nsys.dont_write_bytecode = True\nsys.path.insert(0, {tree + '/' + p.source!r})\nimport {p.module} as m\n"
                f"calls = {calls!r}\n"
                f"for _ in range(20):\n    values = [getattr(m, name)(*args) for name, args in calls]\n"
                f"import os\nos.write(1, ''.join('{nonce} ' + int.__repr__(int(v)) + '\\n' for v in values).encode())\n")
        return {"look.py": text}, "exec python3 -S -E look.py"


class JavaScript:
    name, extension, comment, program = "javascript", "js", "// ", "node"
    styles = ("node:test", "plain")

    @staticmethod
    def expression(text):
        while "DIV(" in text:
            start = text.index("DIV(")
            end = text.index(")", start)
            left, right = text[start + 4:end].split(", ")
            text = f"{text[:start]}Math.trunc(({left}) / {right}){text[end + 1:]}"
        return text.replace(" == ", " === ")

    def body(self, body):
        return "".join((f"if ({self.expression(condition)}) " if condition else "") + f"return {self.expression(value)};\n" for condition, value in body)

    def function(self, name, params, body, gate):
        text = f"function {name}({', '.join(params)}) {{\n"
        if gate:
            text += indented(f"if ({gate[0]}) {{\n" + indented(self.body(gate[1]), "  ") + "}\n", "  ")
        return text + indented(self.body(body), "  ") + "}\n"

    @staticmethod
    def module(p, before, functions, after):
        return joined(f"// The {p.module} of this project.\n", before, *functions, f"module.exports = {{ {p.name}, {p.other} }};\n", after)

    def test_text(self, p, cases):
        load = f'const numbers = require("../{p.source}/{p.module}.js");\n'
        if p.options.get("vendored"):
            text = load + 'const { check, done } = require("./tools/expect");\n\n'
        elif p.style == "plain":
            text = load + ("let failed = 0;\nlet number = 0;\nfunction check(name, actual, wanted) {\n"
                           "  const same = JSON.stringify(actual) === JSON.stringify(wanted);\n  if (!same) failed += 1;\n  number += 1;\n"
                           "  console.log(`${same ? \"ok\" : \"not ok\"} ${number} - ${name}`);\n}\n\n")
        else:
            text = load + 'const test = require("node:test");\nconst assert = require("node:assert");\n\n'
        if p.data_path:
            text += (f'const known = require("node:fs").readFileSync(`${{__dirname}}/data/{p.module}.txt`, "utf8").split("\\n");\n'
                     'const wanted = (name) => Number(known.find((line) => line.startsWith(`${name}: `)).split(" = ")[1]);\n\n')
        for case in cases:
            call = f"numbers.{case.function}({', '.join(map(str, case.args))})"
            if p.style == "plain" or p.options.get("vendored"):
                text += f'check("{case.name}", {call}, {p.wanted(case)});\n'
            else:
                text += f'test("{case.name}", () => {{\n  assert.strictEqual({call}, {p.wanted(case)});\n}});\n\n'
        if p.options.get("vendored"):
            text += "done();\n"
        elif p.style == "plain":
            text += "process.exitCode = failed > 0 ? 1 : 0;\n"
        return text.rstrip("\n") + "\n"

    @staticmethod
    def from_data(name):
        return f'wanted("{name}")'

    EXPECT = ("let failed = 0;\nlet number = 0;\n\nfunction check(name, actual, wanted) {\n  number += 1;\n  if (actual !== wanted) failed += 1;\n"
              "  console.log(`${actual === wanted ? \"ok\" : \"not ok\"} ${number} - ${name}`);\n}\n\n"
              "function done() {\n  process.exitCode = failed > 0 ? 1 : 0;\n}\n\nmodule.exports = { check, done };\n")

    @staticmethod
    def test_path(p):
        return f"tests/{p.module}.test.js"

    @staticmethod
    def own_path(p):
        return f"tests/issue_{p.name}.test.js"

    def tests(self, p):
        files = {"tests/tools/expect.js": self.EXPECT} if p.options.get("vendored") else {}
        if p.mode == "own":
            return {**files, self.test_path(p): self.test_text(p, p.suite), self.own_path(p): self.test_text(p, p.shown)}
        return {**files, self.test_path(p): self.test_text(p, p.suite + p.shown)}

    def suite_command(self, p):
        return f"node {self.test_path(p)}"

    def own_command(self, p):
        return f"node {self.own_path(p)}"

    def driver(self, p, tree, nonce):
        calls = [[function, list(args)] for function, args, _ in p.hidden]
        text = (f"const now = Date.now;\nDate.now = () => now() + {LATER}000;\nconst m = require({tree + '/' + p.path!r});\nconst calls = {calls!r};\nlet values;\n"
                f"for (let i = 0; i < 20; ++i) values = calls.map(([name, args]) => m[name](...args));\n"
                f"require('fs').writeSync(1, values.map((v) => `{nonce} ${{v}}\\n`).join(''));\n")
        return {"look.js": text}, "exec node look.js"


class Shell:
    name, extension, comment, program = "shell", "sh", "# ", "sh"
    styles = ("tap", "words")

    @staticmethod
    def expression(text):
        while "DIV(" in text:
            start = text.index("DIV(")
            end = text.index(")", start)
            left, right = text[start + 4:end].split(", ")
            text = f"{text[:start]}(({left}) / {right}){text[end + 1:]}"
        return text

    def body(self, body):
        return "".join(f'if [ "$(({self.expression(condition)}))" -ne 0 ]; then echo "$(({self.expression(value)}))"; return; fi\n' if condition
                       else f'echo "$(({self.expression(value)}))"\n' for condition, value in body)

    def function(self, name, params, body, gate):
        text = f"{name}() {{\n" + "".join(f"  {param}=${number}\n" for number, param in enumerate(params, 1))
        if gate:
            return text + indented(f"if {gate[0]}; then\n" + indented(self.body(gate[1]), "  ") + "  return\nfi\n", "  ") + indented(self.body(body), "  ") + "}\n"
        return text + indented(self.body(body), "  ") + "}\n"

    @staticmethod
    def module(p, before, functions, after):
        return joined(f"# The {p.module} of this project.\n", before, *functions, after)

    def check(self, p):
        good, bad = ('"ok $number - $1"', '"not ok $number - $1"') if p.style == "tap" else ('"PASS: $1"', '"FAIL: $1"')
        compare = 'printf %s "$2" > "$kept.a"; printf %s "$3" > "$kept.b"\n  if cmp -s "$kept.a" "$kept.b"' if p.options.get("programs") else 'if [ "$2" = "$3" ]'
        kept = "kept=$(mktemp)\n" if p.options.get("programs") else ""
        return f"failed=0\nnumber=0\n{kept}check() {{\n  number=$((number + 1))\n  {compare}; then echo {good}; else echo {bad}; failed=1; fi\n}}\n"

    def test_text(self, p, cases):
        text = f'. ./tests/check.inc\n. ./{p.path}\n'
        if p.data_path:
            text += f'wanted() {{\n  sed -n "s/^$1: .* = //p" {p.data_path}\n}}\n'
        for case in cases:
            text += f'check {case.name} "$({case.function} {" ".join(map(str, case.args))})" {p.wanted(case)}\n'
        return text + 'exit "$failed"\n'

    @staticmethod
    def from_data(name):
        return f'"$(wanted {name})"'

    @staticmethod
    def test_path(p):
        return f"tests/{p.module}_test.sh"

    @staticmethod
    def own_path(p):
        return f"tests/issue_{p.name}_test.sh"

    def tests(self, p):
        files = {"tests/check.inc": self.check(p)}
        if p.mode == "own":
            return {**files, self.test_path(p): self.test_text(p, p.suite), self.own_path(p): self.test_text(p, p.shown)}
        return {**files, self.test_path(p): self.test_text(p, p.suite + p.shown)}

    def command(self, p, path):
        before = f'PATH="$PWD/{p.source}:$PATH" ' if p.options.get("programs") else ""
        return f"{before}sh {path}"

    def suite_command(self, p):
        return self.command(p, self.test_path(p))

    def own_command(self, p):
        return self.command(p, self.own_path(p))

    def driver(self, p, tree, nonce):
        text = f"ROOT={quoted(tree)}\n. {quoted(tree + '/' + p.path)}\n"
        for function, args, _ in p.hidden:
            call = f"{function} {' '.join(map(str, args))}"
            text += f'{call} > /dev/null; {call} > /dev/null; value=$({call} | tail -1); command printf "{nonce} %s\\n" "$value"\n'
        return {"look.sh": text}, "exec sh look.sh"
