// Whether everything is there that a fix needs, and what to do about what is missing.
import type { JSX } from "preact";
import { getConfig, getRepository, getStatus, listAgents } from "../api/operations";
import { useResource } from "../api/resource";
import type { Agent, Config, RepositoryDetail, Status } from "../api/types";
import { here, Link } from "../app/router";
import { Loaded } from "../parts/states";
import { Chip, type Tone } from "../parts/words";

interface Fact {
  check: string;
  state: "ok" | "warning" | "missing";
  detail: string;
  remedy: string;
}

const kSetCommands = "set the commands that check it"; // in a terminal emend init guesses them

const tones: Record<Fact["state"], Tone> = { ok: "good", warning: "warn", missing: "bad" };

interface Health {
  config: Config;
  agents: Agent[];
  repository: RepositoryDetail;
  status: Status;
}

export async function loadHealth(id: string, signal: AbortSignal): Promise<Health> {
  const [config, agents, detail, status] = await Promise.all([
    getConfig({ repository_id: id }, { signal }),
    listAgents({ signal }),
    getRepository({ id }, { signal }),
    getStatus({ signal }),
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
  facts.push(untrusted.length === 0 ? { check: "trust", state: "ok", detail: "everything is trusted", remedy: "" } : { check: "trust", state: "missing", detail: `${untrusted[0]!.path} ${untrusted[0]!.trusted_before ? "changed since it was trusted" : "is not trusted"}`, remedy: "allow them in Repositories" });
  const tested = Array.isArray(commands) && commands.length > 0;
  facts.push({ check: "verify commands", state: tested ? "ok" : "warning", detail: tested ? commands.map((command) => (typeof command === "object" && command ? String((command as { name?: string }).name ?? JSON.stringify(command)) : String(command))).join(", ") : "none: fixes are not tested", remedy: tested ? "" : kSetCommands });
  facts.push({ check: "agents", state: agents.length > 0 ? "ok" : "warning", detail: agents.length > 0 ? agents.map((agent) => agent.name).join(", ") : "no coding agent was found", remedy: agents.length > 0 ? "" : "emend doctor shows how to connect one; emend fix --safe works without" });
  return facts;
}

const Remedy = (): JSX.Element => (
  <>
    <Link to={here({ tab: "config", key: "verify.commands" })}>{kSetCommands}</Link>; Repositories sets them up where there is no emend.toml
  </>
);

export function HealthTab({ id }: { id: string }): JSX.Element {
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
                  <td>{fact.check === "trust" && fact.remedy ? <Link to={here({ tab: "repositories" })}>{fact.remedy}</Link> : fact.remedy === kSetCommands ? <Remedy /> : fact.remedy && <code>{fact.remedy}</code>}</td>
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
