// Who changed what, newest first: people, programs and emend itself, in a log that cannot be changed unseen.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { listAudit } from "../api/operations";
import type { AuditEntry } from "../api/types";
import { repositories } from "../app/repositories";
import { at, Link } from "../app/router";
import { toastError } from "../app/toasts";
import { Empty } from "../parts/states";
import { reasonWords, Time } from "../parts/words";
import { Shown } from "../text/shown";

// "issue.ignored" -> "ignored the issue".
const verbs: Record<string, string> = {
  "issue.commented": "commented on", "question.answered": "answered a question of", "question.skipped": "left to the fixer a question of", "test.opened": "let a fix change a test of", "test.closed": "closed a test of", "fix.accepted": "accepted the fix of", "fix.rejected": "rejected the fix of",
  "issue.duplicate": "marked as a duplicate", "trust.given": "allowed the commands of", "trust.revoked": "took back the commands of", "person.login_link": "made a login link for", "role.changed": "changed the role of", "token.created": "made the token", "token.revoked": "revoked the token", "plan.changed": "changed the plan of",
};
export const deedOf = (action: string): string => {
  const [thing = "", deed = ""] = action.split(".");
  return verbs[action] ?? `${reasonWords(deed)} the ${reasonWords(thing)}`;
};

const isCode = (subject: string): boolean => /^[A-Z]{2,}-\d+$/.test(subject);

function About({ entry }: { entry: AuditEntry }): JSX.Element {
  if (isCode(entry.subject)) return <Link to={at(`/issues/${entry.subject}`, { repo: entry.repository_id })}>{entry.subject}</Link>;
  if (entry.session_id && entry.subject === entry.session_id) return <Link to={at(`/sessions/${encodeURIComponent(entry.session_id)}`)}>{entry.session_id}</Link>;
  return (
    <code class="path">
      <Shown ltr text={entry.subject} />
    </code>
  );
}

const kAtOnce = 50;

export function AuditTab(): JSX.Element {
  const [actor, setActor] = useState("");
  const [kind, setKind] = useState("");
  const [rows, setRows] = useState<AuditEntry[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const load = (cursor: string | null): void =>
    void listAudit({ actor, action: kind, limit: kAtOnce, cursor }).then((page) => {
      setRows((now) => (cursor ? [...(now ?? []), ...page.data] : page.data));
      setNext(page.next_cursor);
    }, toastError);
  useEffect(() => {
    const soon = setTimeout(() => load(null), actor ? 200 : 0);
    return () => clearTimeout(soon);
  }, [actor, kind]);
  const nameOf = (id: string): string => repositories.value.find((one) => one.id === id)?.name ?? "";
  return (
    <section class="panel" aria-label="Audit log">
      <div class="panel-head">
        <h2>Audit log</h2>
        <span class="end row">
          <input type="search" aria-label="Who" placeholder="Who" value={actor} onInput={(event) => setActor(event.currentTarget.value)} />
          <select aria-label="What" value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
            <option value="">everything</option>
            {["issue", "question", "test", "fix", "session", "plan", "trust", "reproducer", "repository", "queue", "person", "role", "token"].map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </span>
      </div>
      {rows?.length === 0 && <Empty title={actor || kind ? "Nothing matches." : "Nobody has changed anything yet."} />}
      <ol class="plain-list">
        {rows?.map((entry) => (
          <li key={entry.n} class="person">
            <span class="hint audit-n">{entry.n}</span>
            <div class="grow">
              <p>
                <b>
                  <Shown text={entry.actor.name || entry.actor.kind} />
                </b>{" "}
                {deedOf(entry.action)} <About entry={entry} />
              </p>
              <p class="hint">
                {[entry.actor.via && `through ${entry.actor.via}`, nameOf(entry.repository_id), typeof entry.detail.reason === "string" ? reasonWords(entry.detail.reason) : ""].filter(Boolean).join(", ")}
              </p>
            </div>
            <span class="hint">
              <Time at={entry.time} />
            </span>
          </li>
        ))}
      </ol>
      <div class="panel-body row">
        {next && (
          <button type="button" onClick={() => load(next)}>
            Show older ones
          </button>
        )}
        <span class="hint">
          Each entry carries a digest over the one before it; <code>emend audit verify</code> checks the chain.
        </span>
      </div>
    </section>
  );
}
