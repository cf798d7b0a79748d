"""Plays one scenario in one variation and says what it found."""

import dataclasses
import time
import traceback

import world


@dataclasses.dataclass
class Scenario:
    id: str
    title: str
    play: object           # function(World): states everything, and may run it itself
    varies: bool = True    # other languages and names say something new
    needs: str = ""        # what of the machine it cannot do without: "containment", "namespaces", "shim"

    @property
    def group(self):
        """The letter of the catalogue, or the file's name: second plays of a row are with their row, whatever file they are in."""
        return self.id[0] if self.row in CATALOGUE else self.play.__module__.removeprefix("scenarios_")

    @property
    def row(self):
        """A8b plays the row A8."""
        return self.id.rstrip("bcdefgh")


SCENARIOS = {}

# Every way of going wrong that is known; none may be passed over in silence. A letter after a number is a second play of that row.
CATALOGUE = """
A1 A2 A4 A5 A7 A8 A10 A11 A13 A14 A16 A17  B1 B2 B4 B5 B7 B8 B10 B11 B13 B14 B16 B17 B19 B20
C2 C3 C5 C6 C8 C9 C11 C12 C14 C15 C17 C18 C20  D1 D3 D4 D6 D7 D9 D10 D12 D13 D15 D16 D18
E1 E3 E4 E6 E7 E9 E10 E12 E13 E15 E16 E18 E19 E21 E22 E24 E25 E27 E28  F1 F2 F4 F5 F7 F8 F10 F11 F13 F14 F16
G1 G3 G4 G6 G7 G9 G10 G12 G13 G15 G16 G17  H2 H3 H5 H6 H8 H9 H11 H12  I2 I3 I5 I6 I8 I9  J2 J3 J5 J6 J8 J9 J11 J12
K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13 K14 K15 K16 K17 K18 K19 K20 K21 K22 K23 K24 K25
L1 L2 L3 L4 L5 L6 L7 L8 L9 L10 L11 L12 L13 L14 L15 L16
M1 M2 M3  N1 N2  O1 O2 O3 O4 O5  V1
P1 P2 P3 P4 P5 P6 P7 P8
T1 T2 T3 T4 T5
U1 U2 U3 U4 U5
Q1 Q2 Q3 Q4 Q5
R1 R2 R3 R4 R5  W1 W2 W3 W4 W5
X1 X2 X3 X4 X5 X6 X7 X8 X9 X10 X11 X12 X13 X14 X15 X16
""".split()


def scenario(id, title, varies=True, needs=""):
    def register(function):
        assert id not in SCENARIOS, id
        SCENARIOS[id] = Scenario(id, title, function, varies, needs)
        return function

    return register


@dataclasses.dataclass
class Finding:
    """What one play showed."""

    id: str
    title: str
    variation: str
    differences: list = dataclasses.field(default_factory=list)   # from what the scenario expects
    false_resolved: list = dataclasses.field(default_factory=list)
    violations: list = dataclasses.field(default_factory=list)
    honest: int = 0
    honest_accepted: int = 0
    issues: int = 0
    seconds: float = 0
    kept: str = ""
    broken: bool = False                                          # it could not be played to its end
    notes: list = dataclasses.field(default_factory=list)         # to be printed beside the numbers

    def good(self):
        return not (self.differences or self.false_resolved or self.violations)


def check_issues(w, finding, seen):
    for name, (status, why) in w.expected.items():
        row = seen["issues"].get(w.codes.get(name, ""), {"status": "missing", "reason": "", "detail": "", "false": []})
        told = f"{row['status']} ({row['reason']}: {row['detail']})"
        finding.issues += 1
        if status == "RESOLVED":
            finding.honest += 1
            finding.honest_accepted += row["status"] == "RESOLVED"
        if row["status"] != status or why not in f"{row['reason']} {row['detail']} {row.get('evidence', '')}":
            finding.differences.append(f"{name} ({w.codes.get(name)}): {told}, expected {status} {why}")
    for code, row in seen["issues"].items():
        for reason in row["false"]:
            finding.false_resolved.append(f"{code}: {reason}")
    finding.differences += seen["problems"]


def check_branch(w, finding):
    resolved = [name for name, (status, _) in w.expected.items() if status == "RESOLVED"]
    branch = w.branch()
    if not resolved:
        if branch:
            finding.differences.append(f"there is a branch {branch} although nothing is resolved")
        return
    if not branch:
        finding.differences.append("there is no branch")
    elif all(name in w.edits for name in resolved) and w.tree(branch) != w.expected_tree():
        expected, tree = w.expected_tree(), w.tree(branch)
        odd = sorted(path for path in expected.keys() | tree.keys() if expected.get(path) != tree.get(path))
        finding.differences.append("the branch's tree is not what it should be: " + ", ".join(odd))


def check_world(w, finding, before):
    after = w.manifest()
    for path in sorted(before.keys() | after.keys()):
        if before.get(path) != after.get(path):
            finding.violations.append(f"{path} changed: {before.get(path)} -> {after.get(path)}")
    finding.violations += [f"process {pid} is left: {words}" for pid, words in w.processes_left()]
    finding.violations += [f"secret {name}" for name in w.secrets_out()]


def run(w, scene, finding):
    scene.play(w)
    if w.result is None:
        start(w)
        w.fix()
    check_world(w, finding, w.before)
    if w.codes:
        check_issues(w, finding, w.ask_oracle())
        check_branch(w, finding)
    for check in getattr(w, "checks", []):
        finding.differences += [text for text in check(w) if text]
    finding.notes += w.notes


def start(w, built=False):
    """The world is made, its issues are known, and what it looks like is written down."""
    if not built:
        w.build()
    untouched = w.manifest()
    w.add_issues()
    w.write_scripts()
    w.before = {**w.manifest(), **untouched}  # the first look at the issues must not have changed anything either


def play(tools, scene, variation, keep=False):
    finding = Finding(scene.id, scene.title, str(variation))
    began = time.monotonic()
    w = world.World(tools, variation)
    try:
        run(w, scene, finding)
    except Exception:  # a scenario that cannot be played has failed
        finding.broken = True
        finding.differences.append(traceback.format_exc())
    finding.seconds = time.monotonic() - began
    if keep and not finding.good():
        finding.kept = w.root
    else:
        w.close()
    return finding
