// Beside the inbox: what runs now, how the week went, which agents are there.
import type { JSX } from "preact";
import { getTrends, listAgents } from "../api/operations";
import { useResource } from "../api/resource";
import type { Session } from "../api/types";
import { notifications } from "../app/preferences";
import { atRepository } from "../app/repositories";
import { at, Link } from "../app/router";
import { Loaded } from "../parts/states";
import { count, money, span, useNow } from "../parts/words";
import { sessionTitle } from "../session/outcome";
import { Shown } from "../text/shown";
import { canNotify, wantNotifications } from "./notify";

function RunningOne({ session }: { session: Session }): JSX.Element {
  const now = useNow(true);
  const elapsed = session.started_at ? now - Date.parse(session.started_at) : 0;
  return (
    <li>
      <div class="row">
        <Link class="plain grow" to={atRepository(session.repository_id, `/sessions/${encodeURIComponent(session.id)}`)}>
          <b>
            <Shown text={sessionTitle(session)} />
          </b>
        </Link>
        <span class="hint number">{elapsed > 0 ? span(elapsed) : ""}</span>
      </div>
      <p class="hint">
        {session.status === "queued" ? "waits for its turn" : [session.fixer, session.challenger && `judged by ${session.challenger}`].filter(Boolean).join(", ")}
      </p>
    </li>
  );
}

export function Aside({ running }: { running: Session[] }): JSX.Element {
  const agents = useResource("agents", (signal) => listAgents({ signal }));
  const week = useResource("this week", (signal) => getTrends({ weeks: 1 }, { signal }), (event) => event.type === "fix_session_completed");
  return (
    <aside class="inbox-aside stack" aria-label="Beside it">
      {running.length > 0 && (
        <section class="panel" aria-label="Running now">
          <div class="panel-head">
            <h2>Running now</h2>
            <span class="count">{running.length}</span>
          </div>
          <ul class="panel-body stack">
            {running.map((session) => (
              <RunningOne key={session.id} session={session} />
            ))}
          </ul>
        </section>
      )}
      <section class="panel" aria-label="This week">
        <div class="panel-head">
          <h2>This week</h2>
          <Link class="hint end" to={at("/insights")}>
            Trends
          </Link>
        </div>
        <div class="panel-body">
          <Loaded from={week} rows={3}>
            {({ weeks }) => {
              const now = weeks[weeks.length - 1]!;
              return (
                <dl class="pairs">
                  <dt>Found</dt>
                  <dd class="number">{now.found.toLocaleString("en")}</dd>
                  <dt>Fixed</dt>
                  <dd class="number">{now.fixes.toLocaleString("en")}</dd>
                  <dt>Accepted</dt>
                  <dd class="number">{now.accepted.toLocaleString("en")}</dd>
                  <dt>Cost</dt>
                  <dd class="number">{now.cost_usd === null ? "no price known" : now.fixes > 0 ? `${money(now.cost_usd)}, ${money(now.cost_usd / now.fixes)} each` : money(now.cost_usd)}</dd>
                </dl>
              );
            }}
          </Loaded>
        </div>
      </section>
      <section class="panel" aria-label="Agents">
        <div class="panel-head">
          <h2>Agents</h2>
          <Link class="hint end" to={at("/settings", { tab: "agents" })}>
            Test them
          </Link>
        </div>
        <div class="panel-body">
          <Loaded from={agents} rows={1}>
            {(page) => <p class="hint">{page.data.length === 0 ? "No coding agent was found. Fix-its of analyzers work without one." : `${count(page.data.length, "agent")}: ${page.data.map((agent) => agent.name).join(", ")}`}</p>}
          </Loaded>
        </div>
      </section>
      {canNotify() && notifications.value === "off" && (
        <button type="button" onClick={() => void wantNotifications()}>
          Tell me in the browser when something needs me
        </button>
      )}
    </aside>
  );
}
