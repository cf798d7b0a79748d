import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Empty } from "../parts/states";
import { eventText } from "./event_text";
import type { SessionState } from "./session_state";

const isFailure = (event: { type: string; [member: string]: unknown }): boolean =>
  event.type === "fix_session_error" || event.type === "containment_violation" || event.passed === false || event.valid === false || event.status === "FAILED" || (event.type === "fix_cycle_completed" && event.result !== "accepted") || (event.type === "agent_run_completed" && event.state !== "ok");

export function EventsTab({ state, only }: { state: SessionState; only: string | null }): JSX.Element {
  const [failures, setFailures] = useState(false);
  const shown = state.events.filter((event) => (!only || !event.issue_code || event.issue_code === only) && (!failures || isFailure(event)));
  return (
    <>
      <label class="choice">
        <input type="checkbox" checked={failures} onChange={() => setFailures(!failures)} /> only what went wrong
      </label>
      {shown.length === 0 ? (
        <Empty title={failures ? "No errors." : "Nothing has happened yet."} />
      ) : (
        <div class="table-scroll" tabIndex={0} role="group" aria-label="Events">
          <table class="table events">
            <thead>
              <tr>
                {["Number", "Time", "Issue", "What"].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((event) => (
                <tr key={event.seq} class={isFailure(event) ? "event-bad" : undefined}>
                  <td class="number">{event.seq}</td>
                  <td class="number">{event.ts.slice(11, 23)}</td>
                  <td>{event.issue_code && <code class="code">{event.issue_code}</code>}</td>
                  <td title={event.type}>{eventText(event)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
