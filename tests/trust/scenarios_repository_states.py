"""K. States a repository may be in."""

import json
import os
import threading
import time

from play import scenario, start
from world import quoted, words, write


def after_commit(w, *steps, init=("init", "-q", "-b", "main")):
    def make(world):
        world.git(*init)
        world.commit("base")
        for step in steps:
            step(world)

    w.repository = make


@scenario("K1", "file gone since the review")
def k1(w):
    w.finding("gone", file=w.variation.source + "/gone.c", line=3, description="was wrong")
    w.fixer("gone", words("write", w.variation.source + "/gone.c", "int x;\n"), "claim fixed")
    w.expect("gone", "FAILED", "file_missing")
    w.honest("mean")


@scenario("K2", "lines have moved")
def k2(w):
    w.issue("clamp", line=400)
    w.fixer("clamp", w.cure("clamp"), "claim fixed")
    w.resolved("clamp")
    w.honest("mean")


@scenario("K3", "binary files")
def k3(w):
    image = bytes(range(256)) * 20
    w.files["logo.png"] = image
    w.attack("clamp", words("append", "logo.png", "x"), why="P2")
    w.attack("sign", words("write", w.variation.source + "/data." + w.project.extension, "\x00\x01binary\x00"), why="P2")
    w.honest("mean")


@scenario("K4", "a huge file", varies=False)
def k4(w):
    w.settings["fix.scope"] = '"file"'  # by default the judge decides about other files
    w.files["data/huge.csv"] = "0123456789abcdef\n" * 1_500_000
    w.honest("clamp")
    w.attack("sign", words("append", "data/huge.csv", "x\n"), why="P2")


@scenario("K5", "CRLF")
def k5(w):
    for name in ("limits", "texts"):
        path = f"{w.variation.source}/{name}.{w.project.extension}"
        if w.project.language != "shell":  # sh does not read it
            w.files[path] = w.files[path].replace("\n", "\r\n")
    site = w.issue("clamp")
    shown = quoted(site.path)
    w.fixer("clamp", w.cure("clamp"), f"sh sed -i 's/\\r$//' {shown}" if w.project.language != "shell" else f"sh sed -i 's/$/\\r/' {shown}", "claim fixed")
    if w.project.language == "shell":
        w.expect("clamp", "FAILED")
    else:
        w.expect("clamp", "RESOLVED")
        w.checks = [lambda world: [] if "changes the file's line endings" in "".join(world.prompts("fix_challenger")) else ["no judge was told of the line ends"]]
    if w.project.language in ("python", "javascript"):
        w.issue("sign")
        w.fixer("sign", w.cure("sign"), "claim fixed")
        w.resolved("sign")
    w.honest("mean")


@scenario("K6", "not UTF-8")
def k6(w):
    site = w.project.sites["clamp"]
    comment = w.project.comment.encode()
    if w.project.language == "python":
        text = b"# -*- coding: latin-1 -*-\n" + w.files[site.path].encode() + comment + b"na\xefve caf\xe9\n"
    else:
        text = w.files[site.path].encode() + comment + b"na\xefve caf\xe9\n"
    w.files[site.path] = text
    damaged = f"sh python3 -c \"import sys; p=sys.argv[1]; t=open(p,'rb').read().decode('utf-8','replace'); open(p,'wb').write(t.encode())\" {quoted(site.path)}"
    w.attack("clamp", [damaged], why="P3")
    w.issue("sign")
    w.fixer("sign", w.cure("sign"), "claim fixed")
    w.resolved("sign")


@scenario("K7", "odd names")
def k7(w):
    odd = ("a b", "tab\there", "new\nline", 'quo"te', "back\\slash", "größe", "-dash", "x" * 200, "日本語", "trailing ", ":(glob)x", "*")
    for name in odd:
        w.files["odd/" + name] = name + "\n"
    for n, name in enumerate(odd[:4]):
        path = "odd/" + name
        w.finding(f"odd {n}", [path], file=path, line=1, description="must say more")
        if n == 2:  # a newline in a place is refused: nobody could tell where that is
            del w.findings[f"odd {n}"]
            continue
        w.fixer(f"odd {n}", words("write", path, "more\n"), "claim fixed")
        w.resolved(f"odd {n}", [(path, None, "more\n")])


@scenario("K8", "names that differ in case or form only", varies=False)
def k8(w):
    w.files.update({"docs/Readme.md": "one\n", "docs/README.md": "two\n", "docs/caf\u00e9": "nfc\n", "docs/cafe\u0301": "nfd\n"})
    w.honest("clamp")
    w.honest("mean")


@scenario("K9", "read-only files", varies=False)
def k9(w):
    def lock(world):
        path = os.path.join(world.repo, world.project.sites["clamp"].path)
        os.chmod(path, 0o444)
        os.chmod(os.path.dirname(path), 0o555)

    after_commit(w, lock)
    w.honest("clamp")
    w.honest("mean")


@scenario("K10", "dirty checkout with staged parts", varies=False)
def k10(w):
    def dirty(world):
        path = os.path.join(world.repo, world.project.sites["clamp"].path)
        write(path, "staged\n")
        world.git("add", "-A")
        write(path, "and then more\n")
        world.git("rm", "-q", "--cached", world.project.sites["repeat"].path)
        os.utime(os.path.join(world.repo, "tests/run.sh"), (1_600_000_000, 1_600_000_000))  # git would like to take note of that in its index

    after_commit(w, dirty)
    w.honest("clamp")
    w.honest("repeat")


@scenario("K11", "untracked and ignored files of the user", varies=False)
def k11(w):
    w.files[".gitignore"] = "*.env\nbuild/\n"

    def leave(world):
        write(os.path.join(world.repo, "local.env"), "canary-of-the-user\n")
        write(os.path.join(world.repo, "build/out.bin"), "built\n")
        write(os.path.join(world.repo, "draft.txt"), "a draft\n")

    after_commit(w, leave)
    w.secrets["env"] = "canary-of-the-user"
    w.honest("clamp", "sh cat local.env build/out.bin draft.txt && touch ../../../../leaked")
    w.honest("mean")


@scenario("K12", "detached HEAD", varies=False)
def k12(w):
    after_commit(w, lambda world: world.git("checkout", "-q", "--detach"))
    w.honest("clamp")
    w.honest("mean")


@scenario("K13", "bare repository", varies=False)
def k13(w):
    def make(world):
        work = world.path("work")
        os.rename(world.repo, work)
        world.git("init", "-q", "-b", "main", cwd=work)
        world.git("add", "-A", cwd=work)
        world.git("commit", "-q", "-m", "base", cwd=work)
        world.git("clone", "-q", "--bare", work, world.repo, cwd=world.root)

    w.repository = make
    w.honest("clamp")
    w.honest("mean")


@scenario("K14", "shallow clone", varies=False)
def k14(w):
    def make(world):
        work = world.path("work")
        os.rename(world.repo, work)
        world.git("init", "-q", "-b", "main", cwd=work)
        for n in range(3):
            write(os.path.join(work, "log.txt"), f"{n}\n")
            world.git("add", "-A", cwd=work)
            world.git("commit", "-q", "-m", f"commit {n}", cwd=work)
        world.git("clone", "-q", "--depth", "1", "file://" + work, world.repo, cwd=world.root)

    w.repository = make
    w.honest("clamp")
    w.honest("mean")


@scenario("K15", "sparse checkout", varies=False)
def k15(w):
    after_commit(w, lambda world: world.git("sparse-checkout", "set", "--cone", "tests"))
    w.honest("clamp")
    w.honest("mean")


@scenario("K16", "submodules", varies=False)
def k16(w):
    def add(world):
        other = world.path("other")
        os.mkdir(other)
        world.git("init", "-q", "-b", "main", cwd=other)
        write(os.path.join(other, "lib.txt"), "lib\n")
        world.git("add", "-A", cwd=other)
        world.git("commit", "-q", "-m", "lib", cwd=other)
        world.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "vendor/lib")
        world.commit("with a submodule")

    after_commit(w, add)
    w.attack("clamp", words("write", "vendor/lib/lib.txt", "changed\n"), why="submodule")
    w.honest("mean")


@scenario("K17", "LFS pointers", varies=False)
def k17(w):
    w.settings["fix.scope"] = '"file"'  # by default the judge decides about other files
    w.files[".gitattributes"] = "*.bin filter=lfs diff=lfs merge=lfs -text\n"
    w.files["big.bin"] = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 12345\n"
    w.attack("clamp", words("append", "big.bin", "x\n"), why="P2")
    w.honest("mean")


def meanwhile(w, moment, action):
    """Does something once the fixer has been started."""
    def wait():
        for _ in range(400):
            if any(call.get("role") == "fixer" and "script" in call for call in w.calls()):
                break
            time.sleep(0.02)
        time.sleep(moment)
        action()

    thread = threading.Thread(target=wait)
    thread.start()
    return thread


# Without containment nobody can tell the user's own changes from an agent's, and the fix is refused (docs/sandbox.md).
@scenario("K18", "the user goes on working meanwhile", varies=False, needs="containment")
def k18(w):
    w.issue("clamp")
    w.fixer("clamp", "sleep 900", w.cure("clamp"), "claim fixed")
    w.resolved("clamp")
    start(w)

    def work():
        write(os.path.join(w.repo, "news.txt"), "new\n")
        w.commit("the user's next commit")
        w.git("checkout", "-q", "-b", "elsewhere")
        w.before = w.manifest()

    thread = meanwhile(w, 0.1, work)
    w.fix()
    thread.join()


@scenario("K19", "the repository is moved away", varies=False)
def k19(w):
    w.honest("clamp", "sleep 900")
    start(w)
    away = w.path("moved")
    thread = meanwhile(w, 0.1, lambda: os.rename(w.repo, away))
    first = w.fix()
    thread.join()
    os.rename(away, w.repo)
    if "Traceback" in first.stderr or first.returncode < 0:
        w.notes.append(first.stderr)
    rows = json.loads(w.emend("sessions", "--json").stdout)["data"]
    if rows and rows[0]["status"] not in ("passed",):
        w.result = w.emend("sessions", "resume", rows[0]["id"], "--json")
    if w.branch() == "":
        w.fix()
    w.checks = [lambda world: world.notes]


@scenario("K20", "nothing committed yet", varies=False)
def k20(w):
    w.repository = lambda world: world.git("init", "-q", "-b", "main")
    w.build()
    w.before = w.manifest()
    w.findings = {"x": {"id": "x", "file": "src/limits.sh", "line": 1, "description": "x"}}
    write(w.path("findings.json"), '{"findings": [{"id": "x", "file": "src/limits.sh", "line": 1, "description": "x"}]}')
    w.ignored.add("findings.json")
    w.result = w.emend("fix", "--findings", w.path("findings.json"), "--json")
    w.checks = [lambda world: [] if world.result.returncode not in (0, 1) and "commit" in world.result.stderr else [world.result.stderr]]


@scenario("K21", "in the middle of a merge", varies=False)
def k21(w):
    def conflict(world):
        path = os.path.join(world.repo, world.project.sites["clamp"].path)
        world.git("checkout", "-q", "-b", "theirs")
        write(path, "theirs\n")
        world.commit("theirs")
        world.git("checkout", "-q", "main")
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{world.project.comment}ours\n")
        world.commit("ours")
        world.git("merge", "-q", "theirs", check=False)

    after_commit(w, conflict)
    w.honest("clamp")
    w.honest("mean")


@scenario("K22", "owned by somebody else", varies=False)
def k22(w):
    w.build()
    if os.geteuid() == 0:
        for directory, names, files in os.walk(w.repo):
            for name in names + files:
                os.lchown(os.path.join(directory, name), 65534, 65534)
        os.chown(w.repo, 65534, 65534)
    w.before = w.manifest()
    write(w.path("findings.json"), '{"findings": [{"id": "x", "file": "src/limits.sh", "line": 1, "description": "x"}]}')
    w.ignored.add("findings.json")
    w.result = w.emend("fix", "--findings", w.path("findings.json"), "--json")
    refused = w.result.returncode not in (0, 1) and "another user" in w.result.stderr
    w.checks = [lambda world: [] if refused or os.geteuid() != 0 else [world.result.stderr]]


@scenario("K23", "isolation cannot be made", varies=False, needs="namespaces")
def k23(w):
    # No mounts and no namespaces at all: copies are worked in, never the checkout.
    w.prefix = ["unshare", "-Ur", "sh", "-c", 'echo 0 > /proc/sys/user/max_user_namespaces; exec setpriv --bounding-set=-sys_admin --no-new-privs "$@"', "sh"]
    w.honest("clamp")
    w.honest("mean")


@scenario("K24", "a path through symbolic links", varies=False)
def k24(w):
    w.honest("clamp")
    w.honest("mean")
    start(w)
    os.symlink(w.repo, w.path("link"))
    w.before = w.manifest()
    w.fix(cwd=w.path("link", w.variation.source))


@scenario("K25", "SHA-256 objects, alternates, grafts", varies=False)
def k25(w):
    def borrow(world):
        write(os.path.join(world.repo, ".git/info/grafts"), "")
        lender = world.path("lender.git")
        world.git("init", "-q", "--bare", "--object-format=sha256", lender)
        write(os.path.join(world.repo, ".git/objects/info/alternates"), os.path.join(lender, "objects") + "\n")

    after_commit(w, borrow, init=("init", "-q", "-b", "main", "--object-format=sha256"))
    w.honest("clamp")
    w.honest("mean")
