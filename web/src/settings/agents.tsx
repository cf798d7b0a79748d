// The agents of this machine: which there are, whether they answer, and who plays which role.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ApiError } from "../api/client";
import { testAgent } from "../api/operations";
import { useResource } from "../api/resource";
import type { Agent, Config } from "../api/types";
import { Empty, Loaded } from "../parts/states";
import { capital, Chip, reasonWords, span } from "../parts/words";
import { EditDialog } from "./edit_setting";
import { loadHealth } from "./health";
import { shown } from "./setting_words";

// One tiny question to an agent: does it answer?
function TestButton({ name, id }: { name: string; id: string }): JSX.Element {
  const [state, setState] = useState<{ busy?: boolean; ok?: string; error?: ApiError }>({});
  const test = (): void => {
    setState({ busy: true });
    testAgent({ name, repository_id: id }).then(
      (answer) => setState({ ok: `answers${answer.model ? ` as ${answer.model}` : ""}, ${span(answer.duration_ms)}` }),
      (problem: unknown) => setState({ error: problem instanceof ApiError ? problem : new ApiError(0, "unexpected", String(problem)) }),
    );
  };
  return (
    <span class="row">
      <button type="button" class="small" disabled={state.busy} aria-label={`Test ${name}`} onClick={test}>
        {state.busy ? "Asking…" : "Test"}
      </button>
      {state.ok && <Chip tone="good">{state.ok}</Chip>}
      {state.error && <span class="reason">{state.error.message}</span>}
    </span>
  );
}

const roles = ["fix.agent", "fix_challenger.agent", "clarify.agent", "plan.agent", "pr.agents", "pr.voters"];
const roleWords: Record<string, string> = { "fix.agent": "fixes", "fix_challenger.agent": "judges", "clarify.agent": "asks questions", "plan.agent": "plans", "pr.agents": "vote on pull requests", "pr.voters": "vote on pull requests" };

export function AgentsTab({ id }: { id: string }): JSX.Element {
  const health = useResource(`health ${id}`, (signal) => loadHealth(id, signal));
  const [editing, setEditing] = useState<Config["settings"][number] | null>(null);
  return (
    <Loaded from={health} rows={3}>
      {({ agents, config }) => (
        <>
          <h2>Found on this machine</h2>
          {agents.length === 0 ? (
            <Empty title="No coding agent was found.">
              <code>emend doctor</code> shows how to connect one. Without one, safe fix-its still work.
            </Empty>
          ) : (
            <Found agents={agents} id={id} />
          )}
          <h2>Roles</h2>
          <p class="hint">A test asks one short question; it may cost a fraction of a cent.</p>
          <table class="table roles">
            <thead>
              <tr>
                <th scope="col">Role</th>
                <th scope="col">Agent</th>
                <th scope="col">Test</th>
                <th scope="col">
                  <span class="visually-hidden">Change</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {config.settings
                .filter((row) => roles.includes(row.key))
                .map((row) => (
                  <tr key={row.key}>
                    <th scope="row">
                      {capital(roleWords[row.key] ?? reasonWords(row.key))} <code class="hint">{row.key}</code>
                    </th>
                    <td>{row.value === "" || row.value === null || (Array.isArray(row.value) && row.value.length === 0) ? <span class="hint">chosen among what is installed</span> : shown(row.value)}</td>
                    <td>{typeof row.value === "string" && row.value !== "" && <TestButton name={row.value} id={id} />}</td>
                    <td class="number">
                      <button type="button" class="small" aria-label={`Choose who ${roleWords[row.key] ?? row.key}`} onClick={() => setEditing(row)}>
                        Choose…
                      </button>
                    </td>
                  </tr>
                ))}
            </tbody>
          </table>
          {editing && <EditDialog id={id} setting={editing} files={config.files} list={agents.map((agent) => agent.name)} onClose={(changed) => (setEditing(null), changed && health.reload())} />}
        </>
      )}
    </Loaded>
  );
}

function Found({ agents, id }: { agents: Agent[]; id: string }): JSX.Element {
  return (
    <table class="table">
      <thead>
        <tr>
          <th scope="col">Agent</th>
          <th scope="col">Family</th>
          <th scope="col">Program</th>
          <th scope="col">Test</th>
        </tr>
      </thead>
      <tbody>
        {agents.map((agent) => (
          <tr key={agent.name}>
            <th scope="row">{agent.name}</th>
            <td>{agent.family}</td>
            <td class="setting-value">{agent.path}</td>
            <td>
              <TestButton name={agent.name} id={id} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
