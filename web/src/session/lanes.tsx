// Who does what while a session runs: one lane an agent, with its time, its cost and its last sentence; the checks have a lane of their own.
import type { JSX } from "preact";
import { Link } from "../app/router";
import { Chip, money, SeverityMark, span, useNow } from "../parts/words";
import type { SessionSnapshot } from "../api/types";
import { Shown } from "../text/shown";
import { issuePath } from "./result_rows";
import type { Lane, SessionState } from "./session_state";

const kWindowMs = 4 * 60_000;

export interface Worker {
  name: string;
  what: string;
  lanes: Lane[];
  cost: number | null;
}

// One after the other on one line; those that are at work at the same time have lines of their own.
function sideBySide(lanes: readonly Lane[]): Lane[][] {
  const lines: Lane[][] = [];
  for (const lane of lanes) {
    const free = lines.find((line) => {
      const last = line[line.length - 1]!;
      return last.end !== null && last.end <= lane.start;
    });
    if (free) free.push(lane);
    else lines.push([lane]);
  }
  return lines;
}

const sum = (lanes: readonly Lane[]): number | null => lanes.reduce<number | null>((total, lane) => (lane.cost === null ? total : (total ?? 0) + lane.cost), null);

// The agents in the order they began, "claude 1" and "claude 2" where one is at work twice; a judge is a worker of its own even if the same
// program fixes.
export function workersOf(state: SessionState): Worker[] {
  const kinds = new Map<string, { name: string; what: string; lanes: Lane[] }>();
  for (const lane of state.lanes) {
    const checks = lane.kind === "check" || lane.kind === "rescan";
    const name = checks ? "checks" : lane.name.split(" ")[0]!;
    const what = checks ? "run the project's commands" : lane.kind === "judge" || /challenger|judge/.test(lane.name) ? "judges" : "fixes";
    const kind = kinds.get(`${name} ${what}`) ?? { name, what, lanes: [] };
    kind.lanes.push(lane);
    kinds.set(`${name} ${what}`, kind);
  }
  return [...kinds.values()].flatMap(({ name, what, lanes }) => {
    const lines = sideBySide(lanes);
    return lines.map((line, index) => ({ name: lines.length > 1 ? `${name} ${index + 1}` : name, what, lanes: line, cost: sum(line) }));
  });
}

// The last words an agent printed in this run.
export function lastSentence(state: SessionState, lane: Lane): string {
  for (let index = state.log.length - 1; index >= 0; --index) {
    const line = state.log[index]!;
    const own = lane.run !== null ? line.run === lane.run : line.issue === lane.issue;
    if (own && line.channel !== "stderr" && line.text.trim()) return line.text.trim();
  }
  return "";
}

function Strip({ worker, from, now }: { worker: Worker; from: number; now: number }): JSX.Element {
  const percent = (ms: number): number => (Math.max(0, ms - from) / (now - from)) * 100;
  return (
    <span class="strip" aria-hidden="true">
      {worker.lanes
        .filter((lane) => (lane.end ?? now) > from)
        .map((lane) => (
          <i key={lane.key} class={lane.end === null ? "strip-now" : lane.ok === false ? "strip-bad" : "strip-good"} style={{ left: `${percent(lane.start)}%`, width: `${Math.max(0.8, percent(lane.end ?? now) - percent(lane.start))}%` }} title={`${lane.issue ?? ""} ${lane.detail}`}>
            {lane.issue}
          </i>
        ))}
    </span>
  );
}

function WorkerRow({ worker, state, snapshot, now, from }: { worker: Worker; state: SessionState; snapshot: SessionSnapshot; now: number; from: number }): JSX.Element {
  const current = worker.lanes.find((lane) => lane.end === null);
  const last = worker.lanes[worker.lanes.length - 1]!;
  const issue = snapshot.issues?.find((one) => one.code === (current ?? last).issue);
  const checks = worker.lanes.every((lane) => lane.kind === "check" || lane.kind === "rescan");
  const said = current && !checks ? lastSentence(state, current) : "";
  return (
    <li class="worker">
      <div class="worker-who">
        <b>{worker.name}</b>
        <span class="hint">{worker.what}</span>
      </div>
      <div class="worker-what">
        <p class="row">
          {current ? null : <Chip tone="quiet">idle</Chip>}
          {issue && <SeverityMark severity={issue.severity} />}
          {issue && (
            <Link class="code-id" to={issuePath(issue.code)}>
              {issue.code}
            </Link>
          )}
          <span class="clip">{issue ? <Shown text={issue.title} /> : (current ?? last).name}</span>
        </p>
        <p class="hint clip">{said ? <Shown text={`“${said}”`} /> : current ? (current ?? last).name : `Last: ${last.detail || last.name}`}</p>
        <Strip worker={worker} from={from} now={now} />
      </div>
      <div class="worker-cost number">
        <b>{current ? span(now - current.start) : "–"}</b>
        <span class="hint">{checks ? "no cost" : worker.cost === null ? "no price yet" : money(worker.cost)}</span>
      </div>
    </li>
  );
}

export function Lanes({ state, snapshot }: { state: SessionState; snapshot: SessionSnapshot }): JSX.Element | null {
  const now = useNow(true);
  const workers = workersOf(state);
  if (workers.length === 0) return null;
  const from = Math.max(Math.min(...state.lanes.map((lane) => lane.start)), now - kWindowMs);
  return (
    <section class="panel lanes" aria-label="Who does what">
      <div class="panel-head">
        <h2>Who does what</h2>
        <span class="hint end">{now - from >= kWindowMs ? "last 4 minutes" : `last ${span(now - from)}`}</span>
      </div>
      <ul>
        {workers.map((worker) => (
          <WorkerRow key={`${worker.name} ${worker.what}`} worker={worker} state={state} snapshot={snapshot} now={now} from={from} />
        ))}
      </ul>
    </section>
  );
}
