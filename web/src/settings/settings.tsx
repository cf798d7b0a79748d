// What is configured and where it comes from, whether everything is there, and this browser's own choices.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ApiError, ask, get, segment, withQuery } from "../api/client";
import { useResource } from "../api/resource";
import type { Agent, Config, Page, RepositoryDetail, Status } from "../api/types";
import { singleKeys, theme } from "../app/preferences";
import { repositories, repository } from "../app/repositories";
import { go, here, place } from "../app/router";
import { Empty, Loaded } from "../parts/states";
import { Tabs } from "../parts/tabs";
import { Chip, span, Time, type Tone } from "../parts/words";

// A file of the repository is named from its root.
const nearer = (origin: string): string => (repository.value && origin.startsWith(`${repository.value.path}/`) ? origin.slice(repository.value.path.length + 1) : origin);
const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function ConfigTab({ id }: { id: string }): JSX.Element {
  const [wanted, setWanted] = useState("");
  const [own, setOwn] = useState(false);
  const config = useResource(`config ${id}`, (signal) => get<Config>("/api/config", { repository_id: id }, signal));
  return (
    <Loaded from={config} rows={8}>
      {(data) => {
        const rows = data.settings.filter((row) => (!own || row.origin !== "built-in") && `${row.key} ${shown(row.value)} ${row.origin}`.toLowerCase().includes(wanted.toLowerCase()));
        return (
          <>
            <div class="row">
              <input type="search" aria-label="Search settings" placeholder="Search settings" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
              <label class="choice">
                <input type="checkbox" checked={own} onChange={() => setOwn(!own)} /> only what somebody set
              </label>
            </div>
            <p class="hint">{data.files.length > 0 ? `Read from ${data.files.map(nearer).join(", ")}.` : "No configuration file was found; these are the defaults."} Settings are changed in those files.</p>
            <div class="table-scroll" tabIndex={0} role="group" aria-label="Settings">
              <table class="table">
                <thead>
                  <tr>
                    <th scope="col">Key</th>
                    <th scope="col">Value</th>
                    <th scope="col">From</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row) => (
                    <tr key={row.key}>
                      <th scope="row">
                        <code>{row.key}</code>
                      </th>
                      <td class="setting-value">{shown(row.value)}</td>
                      <td>{row.origin === "built-in" ? <span class="hint">built-in</span> : <span title={row.origin}>{nearer(row.origin)}</span>}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            {rows.length === 0 && <Empty title="No matching setting." />}
          </>
        );
      }}
    </Loaded>
  );
}

interface Fact {
  check: string;
  state: "ok" | "warning" | "missing";
  detail: string;
  remedy: string;
}

const tones: Record<Fact["state"], Tone> = { ok: "good", warning: "warn", missing: "bad" };

interface Health {
  config: Config;
  agents: Agent[];
  repository: RepositoryDetail;
  status: Status;
}

async function loadHealth(id: string, signal: AbortSignal): Promise<Health> {
  const [config, agents, detail, status] = await Promise.all([
    get<Config>("/api/config", { repository_id: id }, signal),
    get<Page<Agent>>("/api/agents", {}, signal),
    get<RepositoryDetail>(`/api/repositories/${segment(id)}`, {}, signal),
    get<Status>("/api/status", {}, signal),
  ]);
  return { config, agents: agents.data, repository: detail, status };
}

export function factsOf({ config, agents, repository: one, status }: Health): Fact[] {
  const value = (key: string): unknown => config.settings.find((row) => row.key === key)?.value;
  const commands = value("verify.commands");
  const untrusted = one.command_files.filter((file) => !file.trusted);
  const facts: Fact[] = [{ check: "server", state: "ok", detail: `emend ${status.version}`, remedy: "" }];
  facts.push({ check: "repository", state: one.head ? "ok" : "missing", detail: one.head ? `${one.path} at ${one.head.slice(0, 12)}` : `${one.path} has no commit`, remedy: one.head ? "" : "make a first commit" });
  for (const warning of one.warnings) facts.push({ check: "repository", state: "warning", detail: warning, remedy: "" });
  facts.push(untrusted.length === 0 ? { check: "trust", state: "ok", detail: "everything is trusted", remedy: "" } : { check: "trust", state: "missing", detail: `${untrusted[0]!.path} ${untrusted[0]!.trusted_before ? "changed since it was trusted" : "is not trusted"}`, remedy: "emend trust --show, then emend trust" });
  const tested = Array.isArray(commands) && commands.length > 0;
  facts.push({ check: "verify commands", state: tested ? "ok" : "warning", detail: tested ? commands.map((command) => (typeof command === "object" && command ? String((command as { name?: string }).name ?? JSON.stringify(command)) : String(command))).join(", ") : "none: fixes are not tested", remedy: tested ? "" : "emend init" });
  facts.push({ check: "agents", state: agents.length > 0 ? "ok" : "warning", detail: agents.length > 0 ? agents.map((agent) => agent.name).join(", ") : "no coding agent was found", remedy: agents.length > 0 ? "" : "emend doctor shows how to connect one; emend fix --safe works without" });
  return facts;
}

function HealthTab({ id }: { id: string }): JSX.Element {
  const health = useResource(`health ${id}`, (signal) => loadHealth(id, signal));
  return (
    <Loaded from={health} rows={5}>
      {(data) => (
        <>
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Check</th>
                <th scope="col">State</th>
                <th scope="col">Detail</th>
                <th scope="col">What to do</th>
              </tr>
            </thead>
            <tbody>
              {factsOf(data).map((fact, index) => (
                <tr key={index}>
                  <th scope="row">{fact.check}</th>
                  <td>
                    <Chip tone={tones[fact.state]}>{fact.state}</Chip>
                  </td>
                  <td>{fact.detail}</td>
                  <td>{fact.remedy && <code>{fact.remedy}</code>}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p class="hint">
            <code>emend doctor</code> looks deeper: it starts every program once.
          </p>
        </>
      )}
    </Loaded>
  );
}

// One tiny question to an agent: does it answer?
function TestButton({ name, id }: { name: string; id: string }): JSX.Element {
  const [state, setState] = useState<{ busy?: boolean; ok?: string; error?: ApiError }>({});
  const test = (): void => {
    setState({ busy: true });
    ask<{ model: string; duration_ms: number }>("POST", withQuery(`/api/agents/${segment(name)}/test`, { repository_id: id })).then(
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

function AgentsTab({ id }: { id: string }): JSX.Element {
  const health = useResource(`health ${id}`, (signal) => loadHealth(id, signal));
  const roles = ["fix.agent", "fix_challenger.agent", "clarify.agent", "plan.agent", "pr.agents"];
  return (
    <Loaded from={health} rows={3}>
      {({ agents, config }) => (
        <>
          <h2>Found on this machine</h2>
          {agents.length === 0 ? (
            <Empty title="No coding agent was found.">
              <code>emend doctor</code> shows how to connect one. Without one, <code>emend fix --safe</code> applies safe fix-its.
            </Empty>
          ) : (
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
          )}
          <h2>Roles</h2>
          <p class="hint">A test asks one short question; it may cost a fraction of a cent.</p>
          <dl class="facts-list">
            {config.settings
              .filter((row) => roles.includes(row.key) && row.value !== "" && row.value !== null)
              .map((row) => (
                <div key={row.key}>
                  <dt>
                    <code>{row.key}</code>
                  </dt>
                  <dd class="row">
                    {shown(row.value)}
                    {typeof row.value === "string" && <TestButton name={row.value} id={id} />}
                  </dd>
                </div>
              ))}
          </dl>
        </>
      )}
    </Loaded>
  );
}

function RepositoriesTab(): JSX.Element {
  return (
    <>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Directory</th>
            <th scope="col">Served since</th>
          </tr>
        </thead>
        <tbody>
          {repositories.value.map((one) => (
            <tr key={one.id}>
              <th scope="row">{one.name}</th>
              <td class="setting-value">{one.path}</td>
              <td>
                <Time at={one.added_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">
        Repositories are added and trusted at the terminal: <code>emend serve --repo DIR</code>, <code>emend trust</code>.
      </p>
    </>
  );
}

function BrowserTab(): JSX.Element {
  return (
    <div class="choices">
      <fieldset>
        <legend>Theme</legend>
        {(["auto", "light", "dark"] as const).map((one) => (
          <label key={one} class="choice">
            <input type="radio" name="theme" checked={theme.value === one} onChange={() => (theme.value = one)} /> {one === "auto" ? "system setting" : one}
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend>Keyboard</legend>
        <label class="choice">
          <input type="checkbox" checked={singleKeys.value === "on"} onChange={() => (singleKeys.value = singleKeys.value === "on" ? "off" : "on")} /> single keys do things (<kbd>j</kbd>, <kbd>f</kbd>, <kbd>?</kbd> …)
        </label>
      </fieldset>
      <p class="hint">These settings are stored in this browser.</p>
    </div>
  );
}

const tabs = [
  { id: "config", name: "Configuration" },
  { id: "health", name: "Health" },
  { id: "agents", name: "Agents" },
  { id: "repositories", name: "Repositories" },
  { id: "browser", name: "This browser" },
] as const;

export function Settings(): JSX.Element {
  const id = repository.value?.id;
  const tab = place.value.query.get("tab") ?? "config";
  return (
    <div class="page">
      <h1>Settings</h1>
      <Tabs tabs={tabs} current={tab} label="Settings" onTurn={(next) => go(here({ tab: next === "config" ? null : next }), { replace: true })}>
        {tab === "browser" ? <BrowserTab /> : tab === "repositories" ? <RepositoriesTab /> : !id ? <Empty title="This server has no repository yet." /> : tab === "health" ? <HealthTab id={id} /> : tab === "agents" ? <AgentsTab id={id} /> : <ConfigTab id={id} />}
      </Tabs>
    </div>
  );
}
