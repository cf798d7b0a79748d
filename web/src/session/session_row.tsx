import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Session } from "../api/types";
import { atRepository } from "../app/repositories";
import { Link } from "../app/router";
import { Icon } from "../parts/icon";
import { sentence } from "../parts/reasons";
import { isRunning, SessionChip, span, Time, useNow } from "../parts/words";
import { Shown } from "../text/shown";
import { sessionTitle } from "./outcome";

// A session in one row: its name, how it stands, and what can be done with it.
export function SessionRow({ session, why, actions, side, chosen = false }: { session: Session; why?: ComponentChildren; actions?: ComponentChildren; side?: ComponentChildren; chosen?: boolean }): JSX.Element {
  const live = isRunning(session.status);
  const now = useNow(live);
  const elapsed = live && session.started_at ? now - Date.parse(session.started_at) : (session.duration_ms ?? 0);
  const line = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (chosen) line.current?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  return (
    <li class={chosen ? "item chosen" : "item"} ref={line}>
      <Icon name={live ? "refresh" : "branch"} />
      <div class="item-title">
        <Link class="plain" data-row to={atRepository(session.repository_id, `/sessions/${encodeURIComponent(session.id)}`)}>
          <Shown text={sessionTitle(session)} />
        </Link>
        <code class="path">{session.branch_name ?? session.id}</code>
      </div>
      <div class="item-side">
        {elapsed > 0 && live && <span class="number hint">{span(elapsed)}</span>}
        {side ?? <SessionChip status={session.status} />}
      </div>
      <div class="item-more">
        <span class="why">
          {why ?? (
            <>
              {[session.fixer, session.challenger && `judged by ${session.challenger}`, !live && elapsed > 0 && span(elapsed)].filter(Boolean).join(", ")}.{" "}
              {session.detail && <Shown text={sentence(session.detail)} />} {!live && <Time at={session.started_at} />}
            </>
          )}
        </span>
        {actions && <span class="actions">{actions}</span>}
      </div>
    </li>
  );
}
