import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { listSessions } from "../api/operations";
import { useResource } from "../api/resource";
import type { Page, Session } from "../api/types";
import { useActions } from "../app/keys";
import { repository } from "../app/repositories";
import { at, go, Link } from "../app/router";
import { toastError } from "../app/toasts";
import { Empty, Loaded } from "../parts/states";
import { SessionRow } from "./session_row";

export function Sessions(): JSX.Element {
  const id = repository.value?.id ?? null;
  const page = useResource(id && `sessions ${id}`, (signal) => listSessions({ repository_id: id!, limit: 50 }, { signal }), (event) => /^fix_session_|^fix_issue_completed/.test(event.type));
  const [older, setOlder] = useState<Page<Session> | null>(null);
  const [cursor, setCursor] = useState(-1);
  useEffect(() => setOlder(null), [id]);
  const all = [...(page.data?.data ?? []), ...(older?.data ?? [])];
  const next = older ? older.next_cursor : page.data?.next_cursor;
  const more = (): void => {
    listSessions({ repository_id: id!, limit: 50, cursor: next }).then((answer) => setOlder({ data: [...(older?.data ?? []), ...answer.data], next_cursor: answer.next_cursor }), toastError);
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
            <section class="panel" aria-label="Sessions">
              <ul>
                {all.map((session, index) => (
                  <SessionRow key={session.id} session={session} chosen={index === cursor} />
                ))}
              </ul>
            </section>
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
