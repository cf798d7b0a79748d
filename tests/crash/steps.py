"""The engine is killed: at every step of its journal, at any time, and while it recovers from that."""

import signal
import time

from result import Result

PLAIN = 0.35  # of the plays are killed once; the others while they recover as well


def killed(done):
    return done.returncode == -signal.SIGKILL


def at_step(arena, step, random, chained=True):
    """None: the work has no such step any more."""
    result = Result("step", f"{arena.kind.name}, step {step}")
    arena.restore()
    done = arena.run(env={"EMEND_TEST_CRASH_AT": str(step)})
    if not killed(done):
        result.problems += arena.problems(arena.outcome(done.returncode))
        return result, True
    result.kills = 1
    after_kill(arena, result, random)
    if chained and random.random() > PLAIN:
        recover_and_die(arena, result, random, step)
    return end_well(arena, result), False


def after_kill(arena, result, random):
    if random.random() < 0.5:
        arena.kill_all()
    result.problems += arena.problems()


def recover_and_die(arena, result, random, step):
    for _ in range(random.choice((1, 1, 2))):
        at = random.randint(1, max(4, step))  # as far as it has come, at most
        result.what += f", again at {at}"
        done = arena.go_on(env={"EMEND_TEST_CRASH_AT": str(at)})
        if not killed(done):
            break
        result.kills += 1
        result.recovering += 1
        after_kill(arena, result, random)


def end_well(arena, result):
    done = arena.go_on()
    result.stderr = done.stderr
    result.problems += arena.problems(arena.outcome(done.returncode))
    return result


def at_any_time(arena, random):
    """SIGKILL to the engine alone, to everything at once, to the engine and its guardians, to a guardian, or to whatever runs below one."""
    target = random.choice(("engine", "engine", "all", "engine and guardians", "guardian", "child"))
    result = Result("random", f"{arena.kind.name}, {target}")
    arena.restore()
    child = arena.spawn(*arena.command)
    result.kills = strike(arena, child, target, random)
    done = arena.finish(child)
    if target.startswith(("engine", "all")) and random.random() < 0.4:
        result.problems += arena.problems()
        session = arena.unfinished() if arena.kind.session else None
        if session != "":  # otherwise all is done
            again = arena.spawn(*(["sessions", "resume", session, "--json"] if session else arena.command))
            result.kills += strike(arena, again, target, random)
            result.recovering += 1
            arena.finish(again)
    if done.returncode < 0 and not killed(done):
        result.problems.append(f"it ended by signal {-done.returncode}: {done.stderr[-500:]}")
    return end_after_fault(arena, result)


def strike(arena, child, target, random):
    time.sleep(random.uniform(0, arena.seconds * 1.1))
    if target == "engine":
        child.kill()
    elif target == "all":
        arena.kill_all()
        child.kill()
    elif target == "engine and guardians":  # agents and checks are nobody's children then
        child.kill()
        for pid, words in arena.w.processes_left():
            if "emend-exec" in words:
                arena.kill_quietly(pid)
    else:
        return strike_below(arena, child, target)
    return 1


def strike_below(arena, child, target):
    for _ in range(200):
        for pid, words in arena.w.processes_left():
            guardian = "emend-exec" in words
            if pid != child.pid and guardian == (target == "guardian"):
                return arena.kill_quietly(pid)
        if child.poll() is not None:
            return 0
        time.sleep(0.005)
    return 0


def end_after_fault(arena, result):
    """After a fault that may have cost an attempt: resumed, and what failed by it can be fixed by the next command."""
    done = arena.go_on()
    result.stderr += done.stderr
    outcome = arena.outcome(done.returncode)
    again = arena.fix_the_rest() if arena.wanted.difference(outcome) else None
    if again is None:  # an attempt that was begun anew may have come to another tree
        result.problems += arena.problems(outcome, only=("exit_code", "issues", "sessions", "committed", "questions", "kept"))
        return result
    result.again += 1
    result.stderr += again.stderr
    result.problems += arena.problems(arena.outcome(done.returncode), only=("issues",))
    return result
