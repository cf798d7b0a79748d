import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { get } from "../api/client";
import { useResource } from "../api/resource";
import type { Page, Session } from "../api/types";
import { useActions } from "../app/keys";
import { repository } from "../app/repositories";
import { at, go, Link } from "../app/router";
import { toastError } from "../app/toasts";
import { Empty, Loaded } from "../parts/states";
import { Shown } from "../text/shown";
import { sessionTitle } from "./outcome";
import { isRunning, SessionChip, span, Time, useNow } from "../parts/words";

function Row({ session, current }: { session: Session; current: boolean }): JSX.Element {
  const live = isRunning(session.status);
  const now = useNow(live);
  const elapsed = live && session.started_at ? now - Date.parse(session.started_at) : (session.duration_ms ?? 0);
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (current) row.current?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <tr ref={row} data-current={current || undefined}>
      <td>
        <SessionChip status={session.status} />
      </td>
      <th scope="row">
        <Link to={at(`/sessions/${encodeURIComponent(session.id)}`)}>
          <Shown text={sessionTitle(session)} />
        </Link>
      </th>
      <td>
        <code class="path">{session.branch_name ?? session.id}</code>
      </td>
      <td class="clip-cell">{session.fixer}</td>
      <td class="clip-cell">{session.challenger ?? ""}</td>
      <td class="number">{elapsed > 0 ? span(elapsed) : ""}</td>
      <td>
        <Time at={session.started_at} />
      </td>
      <td class="clip-cell wide" title={session.detail ?? ""}>
        {session.detail}
      </td>
    </tr>
  );
}

export function Sessions(): JSX.Element {
  const id = repository.value?.id ?? null;
  const page = useResource(id && `sessions ${id}`, (signal) => get<Page<Session>>("/api/fix/sessions", { repository_id: id, limit: 50 }, signal), (event) => /^fix_session_|^fix_issue_completed/.test(event.type));
  const [older, setOlder] = useState<Page<Session> | null>(null);
  const [cursor, setCursor] = useState(-1);
  useEffect(() => setOlder(null), [id]);
  const all = [...(page.data?.data ?? []), ...(older?.data ?? [])];
  const next = older ? older.next_cursor : page.data?.next_cursor;
  const more = (): void => {
    get<Page<Session>>("/api/fix/sessions", { repository_id: id, limit: 50, cursor: next }).then((answer) => setOlder({ data: [...(older?.data ?? []), ...answer.data], next_cursor: answer.next_cursor }), toastError);
  };
  useActions([
    { keys: "j", what: "Next session", group: "Sessions", run: () => setCursor((n) => Math.min(all.length - 1, n + 1)) },
    { keys: "k", what: "Previous session", group: "Sessions", run: () => setCursor((n) => Math.max(0, n - 1)) },
    { keys: "Enter", what: "Open the session", group: "Sessions", run: () => all[cursor] && go(at(`/sessions/${encodeURIComponent(all[cursor].id)}`)) },
    { keys: "o", what: "Open the session", group: "Sessions", run: () => all[cursor] && go(at(`/sessions/${encodeURIComponent(all[cursor].id)}`)), hidden: true },
  ]);
  return (
    <div class="page">
      <h1>Sessions</h1>
      <Loaded from={page} rows={6}>
        {() =>
          all.length === 0 ? (
            <Empty icon="sessions" title="Nothing was fixed here yet.">
              Choose issues and press <kbd>f</kbd>: <Link to={at("/issues", { status: "OPEN" })}>open issues</Link>
            </Empty>
          ) : (
            <div class="table-scroll" tabIndex={0} role="group" aria-label="Sessions">
              <table class="table">
                <thead>
                  <tr>
                    {["State", "What", "Branch", "Fixer", "Judge", "Time", "Started", "Remark"].map((name) => (
                      <th key={name} scope="col">
                        {name}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {all.map((session, index) => (
                    <Row key={session.id} session={session} current={index === cursor} />
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
      {next && (
        <button type="button" onClick={more}>
          Older ones
        </button>
      )}
    </div>
  );
}
