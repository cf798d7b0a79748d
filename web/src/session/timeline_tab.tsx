// A waterfall of agent runs and checks.
import type { JSX } from "preact";
import { Empty } from "../parts/states";
import { span, useNow } from "../parts/words";
import type { Lane, SessionState } from "./session_state";

const kindWords: Record<Lane["kind"], string> = { agent: "agent", check: "check", rescan: "analyzers", judge: "judge" };

export function TimelineTab({ state, only, live }: { state: SessionState; only: string | null; live: boolean }): JSX.Element {
  const now = useNow(live);
  const lanes = state.lanes.filter((lane) => !only || lane.issue === only || lane.issue === null);
  if (lanes.length === 0) return <Empty title="No agent and no check has run yet." />;
  const from = Math.min(...lanes.map((lane) => lane.start));
  const to = Math.max(...lanes.map((lane) => lane.end ?? now), from + 1);
  const percent = (ms: number): number => ((ms - from) / (to - from)) * 100;
  return (
    <div class="timeline">
      <p class="hint">
        {span(to - from)} from the first to the last; <span class="key key-agent">agent</span> <span class="key key-check">check</span> <span class="key key-judge">judge</span>
      </p>
      <table class="timeline-table">
        <thead class="visually-hidden">
          <tr>
            <th scope="col">Issue</th>
            <th scope="col">What</th>
            <th scope="col">When</th>
            <th scope="col">How long</th>
          </tr>
        </thead>
        <tbody>
          {lanes.map((lane) => {
            const end = lane.end ?? now;
            const left = percent(lane.start);
            return (
              <tr key={lane.key}>
                <td class="lane-issue">{lane.issue && <code class="code">{lane.issue}</code>}</td>
                <td class="lane-name clip-cell" title={`${kindWords[lane.kind]}: ${lane.name}`}>
                  {lane.name}
                </td>
                <td class="lane-track">
                  <span class={`lane lane-${lane.kind} ${lane.ok === false ? "lane-failed" : lane.end === null ? "lane-open" : ""}`} style={{ marginLeft: `${left}%`, width: `${Math.max(0.4, percent(end) - left)}%` }} title={lane.detail}>
                    <span class="visually-hidden">{lane.end === null ? "running" : lane.detail}</span>
                  </span>
                </td>
                <td class="number">
                  {span(end - lane.start)} {lane.ok === false && <span class="lane-word">{lane.detail || "failed"}</span>}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
