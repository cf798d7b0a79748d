#!/usr/bin/env python3
"""Where the mutants' program differs from the product: each row changes one place of one source below src/. The product's own sources know
nothing of it.

    mutations.py --files                   the changed sources, one a line
    mutations.py --write FILE OUTPUT       the changed copy of one of them
    mutations.py --check                   whether every row still fits

A row finds its place by the text that stands there, whatever its line breaks. It must stand there exactly once: a row that does not fit any
more is an error and says which. `without("P4")` asks the variable EMEND_GATE_WITHOUT; see mutant.cpp."""

import os
import re
import sys
from typing import NamedTuple

SOURCES = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src"))
ASKED = re.compile(r'without\("(\w+)"\)')


class Mutation(NamedTuple):
    file: str
    old: str
    new: str


def after(file, anchor, added):
    return Mutation(file, anchor, f"{anchor}\n{added}")


def instead(file, old, new):
    return Mutation(file, old, new)


MUTATIONS = [
    # P1, P2, P3: what the patch alone decides.
    instead("engine/patch/static_clauses.cpp", "passed ? ClauseState::passed", "passed || without(id) ? ClauseState::passed"),
    # P4, P5, P6: checks, lost tests, reproducers.
    instead("engine/verify/comparison.cpp", "if (!now.passed()) return", 'if (!now.passed() && !without("P4")) return'),
    instead("engine/verify/comparison.cpp", "const auto lost = lost_tests(before.tests, now.tests);",
            'const auto lost = without("P5") ? std::vector<std::string>{} : lost_tests(before.tests, now.tests);'),
    instead("engine/verify/comparison.cpp", "if (ran_nothing(now)) comparison.", 'if (ran_nothing(now) && !without("P5")) comparison.'),
    instead("engine/verify/comparison.cpp", "const auto fresh = new_failures(before_.tests, now_.tests);",
            'const auto fresh = without("P5") ? std::vector<std::string>{} : new_failures(before_.tests, now_.tests);'),
    instead("engine/verify/comparison.cpp", "bool refuse(const std::string& why) { add_failure(",
            'bool refuse(const std::string& why) { if (!without("P6")) add_failure('),
    instead("engine/verify/comparison.cpp", "const std::string why = still_failing(before_.tests, now_.tests);",
            'const std::string why = without("P6") ? "" : still_failing(before_.tests, now_.tests);'),
    instead("engine/session/turn_checks.cpp", "if (check.end == Reproduced::End::refuted) return",
            'if (check.end == Reproduced::End::refuted && !without("P6")) return'),
    after("engine/gate/reproducer_clause.cpp", 'const char* name = "reproduced";',
          'if (without("P6")) return spared("P6", name, "left out");'),
    # P7: analyzers run again.
    after("engine/verify/scan_comparison.cpp", "std::vector<SeenFinding> against;", 'if (without("P7")) return against;'),
    after("engine/verify/scan_comparison.cpp", "std::string rescan_problem(const Rescan& rescan, const Issue& issue, const Patch& patch) {",
          'if (without("P7")) return {};'),
    # P8: the judge.
    after("engine/gate/gate.cpp", 'const char* name = "judged";', 'if (without("P8")) return passed("P8", name, "left out");'),
    after("engine/session/unit_turn.cpp", "if (!verdict) return TurnEnd{};",
          'if (without("P8")) return TurnEnd{.result = AttemptResult::accepted, .detail = "not judged"};'),
    # P9, P10: the commit and the proof.
    after("engine/gate/gate.cpp", 'if (!in.taken_back.empty()) return failed("P9", name, "a person rejected it: " + in.taken_back);',
          'if (without("P9")) return passed("P9", name, "left out");'),
    instead("engine/branch/commit.cpp", "TRY(context.ports.repository.publish(session.branch, tip, session.base));",
            "if (auto published = context.ports.repository.publish(session.branch, tip, session.base); !published && !without(\"P9\"))\n"
            "    return fail(std::move(published).error());"),
    instead("engine/gate/gate.cpp", "change.proofs.push_back(", 'if (!without("P10")) change.proofs.push_back('),
    instead("adapters/sql/migrations.cpp", "TRY(database.execute(database.ruled(step.rules)));",
            'if (!without("P10")) TRY(database.execute(database.ruled(step.rules)));'),
    # R1, R2, R5: git.
    after("adapters/git/git_program.cpp", "const std::vector<std::string>& safety_flags() {",
          'static const std::vector<std::string> none;\n  if (without("R1")) return none;'),
    instead("adapters/git/git_program.cpp", "spec.env = call.user_config ?", 'spec.env = call.user_config || without("R1") ?'),
    after("adapters/git/snapshot.cpp", "const auto old = base.find(entry.path);",
          "constexpr std::int64_t kLatelyNs = 3'600'000'000'000;\n  if (without(\"R2\") && old != base.end())\n"
          "    return old->second.size == entry.size && entry.modified_ns < now_ns() - kLatelyNs;"),
    instead("adapters/git/user_repository.cpp", 'const std::string index = (scratch.path() / "index").string();',
            'const std::string index = without("R5") ? repository.git_dir + "/index" : (scratch.path() / "index").string();'),
    # R3, R4: processes.
    instead("adapters/process/supervised_runner.cpp", "known_(namespaces == Namespaces::never)",
            'known_(namespaces == Namespaces::never || without("R3"))'),
    instead("adapters/process/guarded_child.cpp", "static const std::vector<std::string> no_variables;",
            'static const std::vector<std::string> no_variables =\n      without("R3") ? std::vector<std::string>{"EMEND_GATE_WITHOUT=R3"}'
            '\n      : without("own_ipc") ? std::vector<std::string>{"EMEND_GATE_WITHOUT=own_ipc"} : std::vector<std::string>{};'),
    after("exec/guardian.cpp", "while (reap()) {", 'if (leader_ended_ && emend::without("R3")) break;'),
    after("exec/guardian.cpp", "int sweep_descendants() {", 'if (emend::without("R3")) return 0;'),
    after("adapters/process/run_loop.cpp", "void RunLoop::keep_limits() {", 'if (without("R4")) return;'),
    # R6, R7: what is begun, and who owns the repository.
    instead("engine/session/unit_loop.cpp", "TRY(context_.log.apply(std::move(begin)));",
            'if (!without("R6")) TRY(context_.log.apply(std::move(begin)));'),
    instead("engine/claims/repository_lock.cpp", '(repository.id() + ".lock")',
            '(repository.id() + (without("R7") ? "." + std::to_string(::getpid()) : "") + ".lock")'),
    # Experiments.
    instead("engine/verify/comparison.cpp", "support.own_judge || !support.alive)",
            'support.own_judge || (!support.alive && !emend::without("alive")))'),
    instead("engine/verify/probe_reading.cpp", "return !is_for(probe, issue_id); });",
            'return !is_for(probe, issue_id) || (without("probe_silent") && !is_literal(probe)); });'),
    instead("engine/verify/test_side.cpp", "if (wording == Wording::same) return Patch{};",
            'if (wording == Wording::same || without("reword")) return Patch{};'),
    after("engine/verify/elsewhere.cpp", "std::vector<std::string> fails_elsewhere(const Verification& here, const Verification& there) {",
          'if (without("elsewhere")) return {};'),
    after("engine/verify/probing.cpp", "Result<bool> Prober::probe_otherwise(const ProbedTree& tree, const std::vector<ProbedFix>& fixes, std::stop_token stop) {",
          'if (without("other_turn")) return true;'),
    instead("engine/verify/elsewhere.cpp", "TRY_ASSIGN(twist_, draw_());", 'if (!without("other_scale")) { TRY_ASSIGN(twist_, draw_()); }'),
    after("engine/verify/comparison.cpp", "FailsAgain again;",
          'if (emend::without("fails_again")) { again.reproduced = !comparison.reproducers.empty(); return again; }'),
    instead("engine/verify/probe_reading.cpp", "if (!is_asked_for(probes, id)) reading.unexpected.push_back(id);",
            'if (!is_asked_for(probes, id) && !without("exact_set")) reading.unexpected.push_back(id);'),
    after("engine/verify/failure_words.cpp", "bool fails_otherwise(const CommandRun& before, const CommandRun& now, const std::string& id) {",
          'if (without("fails_otherwise")) return false;'),
    instead("engine/verify/verify_again.cpp", "if (worse.empty()) return true;", 'if (worse.empty() || without("seen_twice")) return true;'),
    instead("engine/verify/comparison.cpp", "if (foreign_.size() <= kFew ||", 'if (without("too_good") || foreign_.size() <= kFew ||'),
    instead("engine/verify/probing.cpp", "if (fixes.size() != 1) return plan;", 'if (fixes.size() != 1 || without("breakage")) return plan;'),
    instead("engine/verify/turning.cpp", "if (!twist && turn != Turn::other) twist = negate_at(",
            'if (!twist && turn != Turn::other && !without("negation")) twist = negate_at('),
    instead("engine/verify/turning.cpp", "std::optional<Twist> twist = turn == Turn::negated ?",
            'std::optional<Twist> twist = turn == Turn::negated || without("value") ?'),
    instead("engine/verify/turning.cpp", "if (!sentinel) break;", 'if (!sentinel || without("sentinel")) break;'),
    instead("engine/verify/probing.cpp", "manner.sentinels && i < turned;", 'manner.sentinels && !without("sentinel") && i < turned;'),
    instead("engine/verify/turning.cpp", "std::optional<Probe> probe = as_literal(flip_data(path, text), ids, files);",
            'auto probe = without("data_flip") ? std::optional<Probe>{} : as_literal(flip_data(path, text), ids, files);'),
    instead("engine/verify/probing.cpp", "const std::vector<std::string> near = near_tests(",
            'if (without("guard")) continue;\n    const std::vector<std::string> near = near_tests('),
    instead("engine/verify/turning.cpp", "if (!twist || files.is_turned(path, twist->line)) continue;",
            'if (!twist || files.is_turned(path, twist->line) || without("data_beside") || without("data_flip")) continue;'),
    instead("engine/verify/probe_reading.cpp", "reading.void_because = not_run(", 'if (!without("void_run")) reading.void_because = not_run('),
    instead("engine/verify/probe_reading.cpp", "if (wants_control) reading = without_control(",
            'if (wants_control && !without("control")) reading = without_control('),
    instead("engine/verify/elsewhere.cpp", "if (borne) continue;", 'if (borne || without("draws")) continue;'),
    instead("engine/verify/verify_again.cpp", "run.wavers = disagree(", 'run.wavers = !without("wavers") && disagree('),
    instead("engine/session/turn_checks.cpp", "turn.notes.insert(turn.notes.end(), check.notes.begin(), check.notes.end());",
            'if (!without("near_inputs")) turn.notes.insert(turn.notes.end(), check.notes.begin(), check.notes.end());'),
    after("engine/session/turn_checks.cpp", "bool wants_coverage(const UnitTurn& turn) {", 'if (without("executed")) return false;'),
    instead("engine/judge/challenge.cpp", "for (const std::string& note : seen.notes)",
            'if (!without("notes")) for (const std::string& note : seen.notes)'),
    instead("engine/judge/challenge.cpp", "if (canaries_sent_[&judge] >= context_.policy().canaries) return true;",
            'if (canaries_sent_[&judge] >= context_.policy().canaries || without("canary")) return true;'),
    instead("engine/patch/scope.cpp", "if (change.becomes_binary())", 'if (change.becomes_binary() && !without("hidden_bytes"))'),
    instead("exec/isolation.cpp", "const int flags = CLONE_NEWNS | CLONE_NEWIPC |", 'const int flags = CLONE_NEWNS | (emend::without("own_ipc") ? 0 : CLONE_NEWIPC) |'),
    instead("engine/context/check_environment.cpp", "if (!help && !second) return env;",
            'if (!help && !second && !without("neutral_look")) return env;'),
    instead("model/verification.cpp", "if (!passed() || tests.own_failures == 0) return;",
            'if (!passed() || tests.own_failures == 0 || without("contradiction")) return;'),
    after("engine/context/check_environment.cpp", "Status forget_beside(const CheckPlace& place, const Workspace& workspace) {",
          'if (without("layers")) return {};'),
    instead("engine/patch/apart.cpp", "if (is_own_test(issue_file, change)) {", 'if (is_own_test(issue_file, change) && !without("shown")) {'),
    instead("engine/patch/apart.cpp", 'if (!is_own_test("", change) ||', 'if (!is_own_test("", change) || without("shown") ||'),
    instead("engine/patch/apart.cpp", 'if (is_own_test("", change) &&', 'if (is_own_test("", change) && !without("shown") &&'),
    instead("engine/patch/apart.cpp", "!judging_kind(change.path).empty() ||", '(!judging_kind(change.path).empty() && !without("shown")) ||'),
    instead("engine/patch/scope.cpp", "if (test || used.contains(path)) return {};", 'if (test || used.contains(path) || without("unneeded")) return {};'),
    after("model/reproducer.cpp", "bool Reproducer::red(const CommandRun& run) const {", 'const bool inside = without("outside");'),
    after("model/reproducer.cpp", "bool Reproducer::green(const CommandRun& run) const {", 'const bool inside = without("outside");'),
    instead("model/reproducer.cpp", "if (independent()) return ran(run) && !run.values", "if (independent() && !inside) return ran(run) && !run.values"),
    instead("model/reproducer.cpp", "if (independent()) return ran(run) && wrong_values", "if (independent() && !inside) return ran(run) && wrong_values"),
]
PROLOGUE = "#include <unistd.h>\n#include <string_view>\nnamespace emend {{ bool without(std::string_view part); }}\n#line 1 \"{}\"\n"


def files():
    return sorted({mutation.file for mutation in MUTATIONS})


def asked():
    """Names of what the mutants' program can leave out."""
    return {name for mutation in MUTATIONS for name in ASKED.findall(mutation.new)}


def changed(file, text, mutations):
    """The text with each of these mutations in it. ValueError when one does not fit."""
    for mutation in mutations:
        places = list(re.finditer(r"\s+".join(map(re.escape, mutation.old.split())), text))
        if len(places) != 1:
            found = "is not there any more" if not places else f"stands there {len(places)} times"
            raise ValueError(f"{file}: the text a mutation changes {found}; bring tests/trust/mutations.py up to date:\n  {mutation.old}")
        text = text[:places[0].start()] + mutation.new + text[places[0].end():]
    return text


def mutated(file):
    path = os.path.join(SOURCES, file)
    if not os.path.exists(path):
        raise ValueError(f"{file}: no such file below src/; bring tests/trust/mutations.py up to date")
    with open(path, encoding="utf-8") as source:
        text = source.read()
    return PROLOGUE.format(path) + changed(file, text, [mutation for mutation in MUTATIONS if mutation.file == file])


def main(arguments):
    if arguments == ["--files"]:
        print("\n".join(files()))
    elif arguments == ["--check"]:
        for file in files():
            mutated(file)
    elif len(arguments) == 3 and arguments[0] == "--write":
        text = mutated(arguments[1])
        os.makedirs(os.path.dirname(arguments[2]), exist_ok=True)
        with open(arguments[2], "w", encoding="utf-8") as output:
            output.write(text)
    else:
        raise ValueError("usage: mutations.py --files | --check | --write FILE OUTPUT")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except ValueError as problem:
        sys.exit(f"mutations.py: {problem}")
