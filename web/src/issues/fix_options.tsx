// What a person may decide about a session before it starts: who fixes, who judges, what it may cost.
import type { JSX } from "preact";
import type { Agent, StartRequest } from "../api/types";

const scopes = [
  { value: "need", text: "what the issue needs" },
  { value: "file", text: "its file" },
  { value: "directory", text: "its directory" },
  { value: "repository", text: "anything but protected files" },
] as const;

export interface Chosen {
  agent: string;
  challenger: string;
  budget: string; // dollars
  minutes: string;
  scope: string;
  safe: boolean;
  approve: boolean;
}

export const nothingChosen: Chosen = { agent: "", challenger: "", budget: "", minutes: "", scope: "", safe: false, approve: false };

// Only what differs from the configuration is sent.
export function optionsOf(chosen: Chosen): Partial<StartRequest> {
  const options: NonNullable<StartRequest["options"]> = {};
  if (chosen.safe) options.safe = true;
  else {
    if (chosen.agent) options.agent = chosen.agent;
    if (chosen.challenger) options.challenger = chosen.challenger;
    if (chosen.scope) options.scope = chosen.scope as (typeof scopes)[number]["value"];
    if (Number(chosen.budget) > 0) options.max_cost_usd = Number(chosen.budget);
  }
  if (Number(chosen.minutes) >= 1) options.max_minutes = Math.round(Number(chosen.minutes));
  if (chosen.approve) options.approve = "plan";
  return Object.keys(options).length > 0 ? { options } : {};
}

export function FixOptions({ chosen, onChoose, agents }: { chosen: Chosen; onChoose: (next: Chosen) => void; agents: Agent[] }): JSX.Element {
  const set = (change: Partial<Chosen>): void => onChoose({ ...chosen, ...change });
  const who = (name: "agent" | "challenger", label: string): JSX.Element => (
    <label class="field">
      {label}
      <select value={chosen[name]} disabled={chosen.safe} onChange={(event) => set({ [name]: event.currentTarget.value })}>
        <option value="">as configured</option>
        {agents.map((agent) => (
          <option key={agent.name} value={agent.name}>
            {agent.name}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <fieldset class="fix-options">
      <legend class="visually-hidden">How</legend>
      <div class="fix-fields">
        {who("agent", "Fixed by")}
        {who("challenger", "Judged by")}
        <label class="field">
          May change
          <select value={chosen.scope} disabled={chosen.safe} onChange={(event) => set({ scope: event.currentTarget.value })}>
            <option value="">as configured</option>
            {scopes.map((scope) => (
              <option key={scope.value} value={scope.value}>
                {scope.text}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          Most it may cost, in $
          <input type="number" min="0" step="0.1" inputMode="decimal" placeholder="no limit" disabled={chosen.safe} value={chosen.budget} onInput={(event) => set({ budget: event.currentTarget.value })} />
        </label>
        <label class="field">
          Most it may take, in minutes
          <input type="number" min="1" step="1" inputMode="numeric" placeholder="no limit" value={chosen.minutes} onInput={(event) => set({ minutes: event.currentTarget.value })} />
        </label>
      </div>
      <label class="choice">
        <input type="checkbox" checked={chosen.safe} onChange={() => set({ safe: !chosen.safe })} /> only safe fix-its of analyzers: no agent, no cost
      </label>
      <label class="choice">
        <input type="checkbox" checked={chosen.approve} onChange={() => set({ approve: !chosen.approve })} /> wait for my approval of the plan before anything is fixed
      </label>
    </fieldset>
  );
}
