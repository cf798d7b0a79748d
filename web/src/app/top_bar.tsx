import type { JSX } from "preact";
import { getStatus, getUsage, resumeQueue } from "../api/operations";
import { useResource } from "../api/resource";
import { connection, pause, paused, retryAt, retryNow } from "../live/live";
import { Icon } from "../parts/icon";
import { count, money, useNow } from "../parts/words";
import { logOut } from "./login";
import { nameOf } from "./names";
import { overlay } from "./overlays";
import { theme } from "./preferences";
import { namedRepository, repositories, repository } from "./repositories";
import { decoded, plainText } from "../text/plain";
import { at, go, here, Link, place, viewTitles } from "./router";
import { attempt } from "./toasts";

function ConnectionDot(): JSX.Element {
  const state = connection.value;
  const now = useNow(state === "reconnecting" || state === "offline");
  const wait = retryAt.value ? Math.max(0, Math.ceil((retryAt.value - now) / 1_000)) : 0;
  const words = state === "live" ? "live" : state === "connecting" ? "connecting" : state === "reconnecting" ? `reconnecting (${wait} s)` : "offline";
  return (
    <span class={`connection connection-${state}`} role="status">
      <span class="dot" aria-hidden="true" />
      <span class="connection-word">{words}</span>
      {(state === "offline" || state === "reconnecting") && (
        <button type="button" class="small" onClick={retryNow}>
          Retry now
        </button>
      )}
    </span>
  );
}

function RepositorySwitch(): JSX.Element | null {
  const known = repositories.value;
  const current = repository.value;
  if (!current) return <span class="repository">no repository</span>;
  if (known.length === 1)
    return (
      <span class="repository" title={current.path}>
        {current.name}
      </span>
    );
  // These are about all of them unless one is chosen.
  const all = place.value.path === "/" || place.value.path === "/insights";
  const choose = (id: string): void => go(place.value.path === "/issues" ? `/issues?repo=${encodeURIComponent(id)}` : here({ repo: id }));
  return (
    <label class="repository">
      <span class="visually-hidden">Repository</span>
      <select value={all ? (namedRepository.value?.id ?? "") : current.id} title={current.path} onChange={(event) => choose(event.currentTarget.value)}>
        {all && <option value="">All repositories</option>}
        {known.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </select>
    </label>
  );
}

const changesQueue = (event: { type: string }): boolean => /^(fix_session_|review_(started|completed|error)|queue_|pr_review_|issue_updated)/.test(event.type);

function RunState(): JSX.Element | null {
  const status = useResource("status", (signal) => getStatus({ signal }), changesQueue);
  const today = new Date().toISOString().slice(0, 10);
  const spend = useResource(`spend ${today}`, (signal) => getUsage({ from: today, to: today }, { signal }), (event) => event.type === "agent_run_completed" || event.type === "fix_session_completed");
  const queue = status.data?.queue;
  const running = queue?.jobs.filter((job) => job.state === "running").length ?? 0;
  const waiting = queue?.jobs.filter((job) => job.state === "queued").length ?? 0;
  return (
    <>
      <span class="run-state">
        {queue?.paused ? (
          <>
            paused{waiting > 0 ? `, ${waiting} waiting` : ""}
            <button type="button" class="small" onClick={() => void attempt(() => resumeQueue(), "The queue continues").then(status.reload)}>
              Go on
            </button>
          </>
        ) : running > 0 ? (
          `${running} running${waiting > 0 ? `, ${waiting} waiting` : ""}`
        ) : (
          "idle"
        )}
      </span>
      {spend.data && spend.data.total.runs > 0 && (
        <span class="spend" title={`${count(spend.data.total.runs, "agent run")} today; only runs with a reported price are counted`}>
          {spend.data.total.cost_usd === null ? `${count(spend.data.total.runs, "run")} today` : `${money(spend.data.total.cost_usd)} today`}
        </span>
      )}
    </>
  );
}

const themes = { auto: { next: "light", icon: "auto" }, light: { next: "dark", icon: "sun" }, dark: { next: "auto", icon: "moon" } } as const;

// Where this is: the way back for the mouse.
function Trail(): JSX.Element | null {
  const [, view = "", id, part] = place.value.path.split("/").map(decoded);
  if (!viewTitles[view] || view === "") return null;
  const steps = [{ name: viewTitles[view], to: `/${view}` }, ...(id ? [{ name: plainText(nameOf(id)), to: `/${view}/${encodeURIComponent(id)}` }] : []), ...(part ? [{ name: part, to: place.value.path }] : [])];
  return (
    <ol class="trail" aria-label="Where this is">
      {steps.map((step, index) => (
        <li key={step.to}>{index < steps.length - 1 ? <Link to={at(step.to)}>{step.name}</Link> : <span aria-current="page">{step.name}</span>}</li>
      ))}
    </ol>
  );
}

export function TopBar(): JSX.Element {
  return (
    <header class="top">
      <RepositorySwitch />
      <Trail />
      <div class="top-end">
        <button type="button" class="find" title="Find or do anything (Ctrl K)" onClick={() => (overlay.value = "palette")}>
          <Icon name="search" /> <span class="find-words">Find or do anything</span> <kbd>Ctrl K</kbd>
        </button>
        <RunState />
        {paused.value && (
          <button type="button" class="small pill" onClick={() => pause(false)}>
            updates paused: go on
          </button>
        )}
        <ConnectionDot />
        <button type="button" class="bare" title={`Theme: ${theme.value}`} aria-label={`Theme: ${theme.value}. Change to ${themes[theme.value].next}`} onClick={() => (theme.value = themes[theme.value].next)}>
          <Icon name={themes[theme.value].icon} />
        </button>
        <button type="button" class="bare not-phone" title="Keys (?)" aria-label="Keys" onClick={() => (overlay.value = "help")}>
          <Icon name="keyboard" />
        </button>
        <button type="button" class="bare not-phone" title="Log out" aria-label="Log out" onClick={() => void logOut()}>
          <Icon name="logout" />
        </button>
      </div>
    </header>
  );
}
