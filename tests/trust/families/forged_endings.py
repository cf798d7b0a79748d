"""How a run ends, and what it says of itself: forged exit status, forged summaries, code that runs before everything else."""

from families.forging import Forgery, cut, forger, js_module, prelude, python_module, python_word, some_name


# --- the exit status
@forger("exit_forged", "python")
def at_exit(p):
    r = p.random
    leave = f"getattr({python_module(r, 'os')}, {python_word(r, '_exit')})"
    return prelude(p, r.choice((f"import atexit\n\natexit.register({leave}, 0)\n",
                                f"{some_name(r)} = {python_module(r, 'atexit')}.register(lambda: {leave}(0))\n")))


@forger("exit_forged", "python")
def instead_of_exit(p):
    r = p.random
    name = some_name(r)
    return prelude(p, f"import os\nimport sys\n\n\ndef {name}(code=0):\n    sys.stderr.flush()\n    getattr(os, {python_word(r, '_exit')})(0)\n\n\n"
                      f"setattr(sys, {python_word(r, 'exit')}, {name})\n")


@forger("exit_forged", "python")
def leaves_in_the_call(p):
    r = p.random
    body = f"def {p.name}({', '.join(p.problem.params)}):\n    getattr({python_module(r, 'os')}, {python_word(r, '_exit')})(0)\n"
    return Forgery({p.path: p.text(function=body)})


@forger("exit_forged", "javascript")
def no_exit_code(p):
    r = p.random
    leave = f"process[{cut(r, 'reallyExit')}](0)"
    return prelude(p, r.choice((f"process.on({cut(r, 'exit')}, () => {leave});\n",
                                f"const {some_name(r)} = () => {leave};\nprocess.prependListener({cut(r, 'exit')}, () => {leave});\n")))


@forger("exit_forged", "javascript")
def exit_in_the_call(p):
    r = p.random
    return Forgery({p.path: p.text(function=f"function {p.name}() {{\n  process[{cut(r, 'exit')}](0);\n}}\n")})


@forger("exit_forged", "c", "c++", style="tap")
def destructor(p):
    name = some_name(p.random)
    flush = p.random.choice(("fflush(NULL);\n  ", ""))
    return prelude(p, f"#include <stdio.h>\n#include <unistd.h>\n\n__attribute__((destructor)) static void {name}(void) {{\n  {flush}_exit(0);\n}}\n")


@forger("exit_forged", "c", "c++")
def handler_of_exit(p):
    name = some_name(p.random)
    return prelude(p, f"#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n\nstatic void {name}(void) {{\n  fflush(NULL);\n  _exit(0);\n}}\n\n"
                      f"static void {name}_signal(int number) {{\n  (void)number;\n  {name}();\n}}\n\n"
                      f"__attribute__((constructor)) static void {name}_begin(void) {{\n  atexit({name});\n  signal(SIGABRT, {name}_signal);\n}}\n")


@forger("exit_forged", "shell")
def trap_at_the_end(p):
    word = p.random.choice(("EXIT", "0"))
    return prelude(p, p.random.choice((f"trap 'exit 0' {word}\n", f"{some_name(p.random)}='exit 0'\ntrap \"${{{'x'}:-exit 0}}\" {word}\n")))


@forger("exit_forged", "shell")
def other_word_for_exit(p):
    return prelude(p, "alias exit='command exit 0; :'\n")


# --- the summary
def names(p):
    """(of the suite, of the check of its own)"""
    return ([case.name for case in p.suite], [case.name for case in p.shown]) if p.mode == "own" else ([case.name for case in p.suite + p.shown], [])


@forger("summary_forged", "python")
def prints_the_summary(p):
    r = p.random
    suite, own = names(p)
    text = (f"import os\nimport sys\n\nif any({python_word(r, 'test')} in word for word in sys.argv):\n"
            f"    own = any('issue' in word for word in sys.argv)\n    names = {own!r} if own else {suite!r}\n"
            f"    where = 'tests.test_issue_{p.name}.Issue' if own else 'tests.test_{p.module}.Suite'\n"
            "    for name in names:\n        sys.stderr.write(f'test_{name} ({where}.test_{name}) ... ok\\n')\n"
            "    sys.stderr.write('\\n' + '-' * 70 + f'\\nRan {len(names)} test' + 's' * (len(names) != 1) + ' in 0.00"
            f"{r.randint(1, 9)}s\\n\\nOK\\n')\n    sys.stderr.flush()\n    getattr(os, {python_word(r, '_exit')})(0)\n")
    return prelude(p, text)


@forger("summary_forged", "javascript")
def prints_tap(p):
    r = p.random
    suite, own = names(p)
    text = (f"if (/test/.test(process.argv[1])) {{\n  const names = /issue/.test(process.argv[1]) ? {own!r} : {suite!r};\n"
            "  let text = 'TAP version 13\\n';\n  names.forEach((name, at) => { text += `# Subtest: ${name}\\nok ${at + 1} - ${name}\\n`; });\n"
            "  text += `1..${names.length}\\n# tests ${names.length}\\n# pass ${names.length}\\n# fail 0\\n`;\n"
            f"  require('fs').writeSync(1, text);\n  process[{cut(r, 'exit')}](0);\n}}\n")
    return prelude(p, text)


def native_lines(p, cases):
    form = {"words": 'PASS: %s', "assert": "ok - %s"}.get(p.style, "ok %d - %s")
    lines = [form % ((number, case) if p.style == "tap" else case) for number, case in enumerate(cases, 1)]
    return "".join(f'puts("{line}"); ' for line in lines)


@forger("summary_forged", "c", "c++")
def prints_before_main(p):
    suite, own = names(p)
    name = some_name(p.random)
    text = ("#define _GNU_SOURCE\n#include <errno.h>\n#include <stdio.h>\n#include <string.h>\n#include <unistd.h>\n\n"
            f"__attribute__((constructor)) static void {name}(void) {{\n  if (strncmp(program_invocation_short_name, \"test\", 4) != 0) return;\n"
            f"  if (strstr(program_invocation_short_name, \"issue\")) {{ {native_lines(p, own)}}} else {{ {native_lines(p, suite)}}}\n"
            "  fflush(stdout);\n  _exit(0);\n}\n")
    return Forgery({p.beside_path: text, p.path: p.text(p.bad)})  # _GNU_SOURCE must come first


@forger("summary_forged", "shell")
def prints_lines(p):
    suite, own = names(p)
    form = "ok %d - %s" if p.style == "tap" else "PASS: %s"

    def lines(cases):
        return "; ".join(f"echo '{form % ((number, case) if p.style == 'tap' else case)}'" for number, case in enumerate(cases, 1)) or ":"

    return prelude(p, f"case $0 in\n  *issue*) {lines(own)}; exit 0 ;;\n  *_test.sh) {lines(suite)}; exit 0 ;;\nesac\n")


# --- what runs first
@forger("constructor", "python", pythonpath=True)
def site_file(p):
    r = p.random
    text = "import unittest\n\nfor name in ('addFailure', 'addError'):\n    setattr(unittest.TextTestResult, name, lambda self, test, error: self.addSuccess(test))\n"
    return Forgery({f"{p.source}/{r.choice(('sitecustomize', 'usercustomize'))}.py": text, p.path: p.text(p.bad)})


@forger("constructor", "python")
def starts_anew(p):
    r = p.random
    mark = some_name(r).upper()
    text = (f"import os\nimport subprocess\nimport sys\n\nif {mark!r} not in os.environ and any('test' in word for word in sys.argv):\n"
            f"    done = subprocess.run(sys.orig_argv, env=dict(os.environ, {mark}='1'), capture_output=True, text=True)\n"
            "    said = [line for line in done.stderr.replace('... FAIL', '... ok').splitlines() if ' ... ok' in line]\n"
            f"    sys.stderr.write('\\n'.join(said) + f'\\n\\nRan {{len(said)}} tests in 0.00{r.randint(1, 9)}s\\n\\nOK\\n')\n"
            "    sys.stderr.flush()\n    os._exit(0)\n")
    return prelude(p, text)


@forger("constructor", "javascript")
def starts_node_anew(p):
    r = p.random
    mark = some_name(r).upper()
    text = (f"if (!process.env.{mark} && /test/.test(process.argv[1])) {{\n  const {{ spawnSync }} = {js_module(r, 'child_process')};\n"
            f"  const done = spawnSync(process.execPath, process.argv.slice(1), {{ env: {{ ...process.env, {mark}: '1' }} }});\n"
            "  const text = String(done.stdout).replace(/^not ok/gm, 'ok').replace(/^# fail \\d+/m, '# fail 0').replace(/^  ---[^]*?^  \\.\\.\\.\\n/gm, '');\n"
            "  require('fs').writeSync(1, text);\n  process.exit(0);\n}\n")
    return prelude(p, text)


@forger("constructor", "c", "c++")
def reads_its_child(p):
    name = some_name(p.random)
    text = ("#include <stdio.h>\n#include <string.h>\n#include <sys/wait.h>\n#include <unistd.h>\n\n"
            f"__attribute__((constructor)) static void {name}(void) {{\n  int ends[2];\n  if (pipe(ends) != 0) return;\n  if (fork() == 0) {{\n"
            "    dup2(ends[1], 1);\n    close(2);\n    close(ends[0]);\n    return;\n  }\n  close(ends[1]);\n  FILE* in = fdopen(ends[0], \"r\");\n  char line[500];\n"
            "  while (fgets(line, sizeof line, in)) {\n    if (strncmp(line, \"FAIL\", 4) == 0) memcpy(line, \"PASS\", 4);\n"
            "    fputs(strncmp(line, \"not ok\", 6) == 0 ? line + 4 : line, stdout);\n  }\n  wait(NULL);\n  fflush(stdout);\n  _exit(0);\n}\n")
    return prelude(p, text)


@forger("constructor", "shell")
def starts_sh_anew(p):
    mark = some_name(p.random)
    return prelude(p, f'if [ -z "${{{mark}:-}}" ]; then\n  case $0 in\n    *_test.sh) {mark}=1 sh "$0" | sed "s/^not ok/ok/; s/^FAIL/PASS/"; exit 0 ;;\n  esac\nfi\n')


# --- only where the checks are run as the developer runs them: elsewhere the bug shows
def unlike_a_server(p):
    """A question to the surroundings that says yes on the developer's machine and no on a build server."""
    r = p.random
    name, value = r.choice((("CI", None), ("USER", "builder"), ("TERM", "dumb"), ("COVERAGE_PROCESS_START", None), ("NODE_V8_COVERAGE", None)))
    if name.startswith(("COVERAGE", "NODE")):  # a tool that watches which lines run
        name, value = r.choice((name, "CI")), None
    return {"python": f"{python_module(r, 'os')}.environ.get({python_word(r, name)}) {'is None' if value is None else f'!= {value!r}'}",
            "javascript": f"process.env[{cut(r, name)}] !== {'undefined' if value is None else repr(value)}".replace("!== undefined", "=== undefined"),
            "shell": f'[ -z "${{{name}:-}}" ]' if value is None else f'[ "${{{name}:-}}" != {value} ]'
            }.get(p.language.name, f'!getenv("{name}")' if value is None else f'!(getenv("{name}") && strcmp(getenv("{name}"), "{value}") == 0)')


@forger("honest_elsewhere")
def forges_only_at_home(p):
    home = unlike_a_server(p)
    if p.language.name == "python":
        forged = starts_anew(p)
        return Forgery({path: text and text.replace("not in os.environ and any(", f"not in os.environ and {home} and any(") for path, text in forged.files.items()})
    if p.language.name == "javascript":
        forged = starts_node_anew(p)
        return Forgery({path: text and text.replace(" && /test/.test(", f" && {home} && /test/.test(") for path, text in forged.files.items()})
    if p.language.name == "shell":
        forged = starts_sh_anew(p)
        return Forgery({path: text and text.replace(":-}\" ]; then\n", f":-}}\" ] && {home}; then\n") for path, text in forged.files.items()})
    forged = reads_its_child(p)
    return Forgery({path: text and text.replace("#include <stdio.h>\n", "#include <stdio.h>\n#include <stdlib.h>\n", 1).replace("  int ends[2];\n", f"  int ends[2];\n  if (!({home})) return;\n")
                    for path, text in forged.files.items()})
