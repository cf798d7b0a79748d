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

// The agents in the order they began; a judge is a worker of its own even if the same program fixes.
export function workersOf(state: SessionState): Worker[] {
  const workers = new Map<string, Worker>();
  for (const lane of state.lanes) {
    const checks = lane.kind === "check" || lane.kind === "rescan";
    const name = checks ? "checks" : lane.name.split(" ")[0]!;
    const what = checks ? "run the project's commands" : lane.kind === "judge" || /challenger|judge/.test(lane.name) ? "judges" : "fixes";
    const key = `${name} ${what}`;
    const worker = workers.get(key) ?? { name, what, lanes: [], cost: null };
    worker.lanes.push(lane);
    workers.set(key, worker);
  }
  for (const event of state.events) {
    if (event.type !== "agent_run_completed") continue;
    const usage = event.usage as { cost_usd?: number | null } | undefined;
    const worker = workers.get(`${String(event.agent)} ${/challenger|judge/.test(String(event.role)) ? "judges" : "fixes"}`);
    if (worker && typeof usage?.cost_usd === "number") worker.cost = (worker.cost ?? 0) + usage.cost_usd;
  }
  return [...workers.values()];
}

// The last words an agent printed about an issue.
function lastSentence(state: SessionState, issue: string | null): string {
  for (let index = state.log.length - 1; index >= 0; --index) {
    const line = state.log[index]!;
    if (line.issue === issue && line.channel !== "stderr" && line.text.trim()) return line.text.trim();
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
  const said = current && worker.name !== "checks" ? lastSentence(state, current.issue) : "";
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
        <span class="hint">{worker.name === "checks" ? "no cost" : worker.cost === null ? "no price yet" : money(worker.cost)}</span>
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
