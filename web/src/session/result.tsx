// A session that ended: what was fixed, what needs a person and why, what it cost, and how to take it. How it came about is last.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import type { SessionSnapshot } from "../api/types";
import { useActions } from "../app/keys";
import { at, go, Link } from "../app/router";
import { acceptFix, fixAgain, RejectDialog } from "../changes/decisions";
import { type Asking, BulkBar } from "../issues/bulk_bar";
import { sentence } from "../parts/reasons";
import { copyText } from "../parts/states";
import { Time } from "../parts/words";
import { Shown } from "../text/shown";
import { type Outcome, outcomesOf, resultTitle, sessionTitle } from "./outcome";
import { Cost, FixedRow, Figures, Group, issuePath, NeedsRow, QuietRow } from "./result_rows";
import type { SessionState } from "./session_state";
import { PullRequestDialog } from "./pull_request";
import { TakeIt } from "./take_it";

const changesPath = (id: string, of?: string): string => at(`/sessions/${encodeURIComponent(id)}/changes`, { of });

interface Props {
  snapshot: SessionSnapshot;
  state: SessionState;
  reload: () => void;
  children: ComponentChildren; // how it went
}

export function Result({ snapshot, state, reload, children }: Props): JSX.Element {
  const [asking, setAsking] = useState<Asking>(null);
  const [rejecting, setRejecting] = useState<Outcome | null>(null);
  const [pulling, setPulling] = useState(false);
  const [cursor, setCursor] = useState(0);
  const all = outcomesOf(snapshot, state);
  const of = (wanted: Outcome["state"]): Outcome[] => all.filter((one) => one.state === wanted);
  const [fixed, needs, taken, left] = [of("fixed"), of("needs"), of("taken back"), of("left")];
  const rows = [...fixed, ...needs];
  const chosen = rows[Math.min(cursor, rows.length - 1)];
  const choose = (outcome: Outcome): void => setCursor(rows.indexOf(outcome));
  const accept = (outcomes: Outcome[]): void => void Promise.all(outcomes.filter((one) => !one.accepted).map((one) => acceptFix(snapshot.id, one.issue.code))).then(reload);
  const proven = fixed.filter((one) => one.level === "proven" && !one.accepted);
  const again = [...needs, ...left].filter((one) => one.issue.status === "FAILED" || one.issue.status === "OPEN").map((one) => one.issue.code);
  const refix = taken.filter((one) => one.issue.status === "OPEN").map((one) => one.issue.code);
  const accepted = fixed.filter((one) => one.accepted).length;
  useActions([
    { keys: "j", what: "Next issue", group: "Result", run: () => setCursor((n) => Math.min(rows.length - 1, n + 1)) },
    { keys: "k", what: "Previous issue", group: "Result", run: () => setCursor((n) => Math.max(0, n - 1)) },
    { keys: "Enter", what: "Open the issue", group: "Result", run: () => chosen && go(issuePath(chosen.issue.code)) },
    { keys: "a", what: "Accept the chosen fix", group: "Result", run: () => chosen?.state === "fixed" && accept([chosen]) },
    { keys: "x", what: "Reject the chosen fix", group: "Result", run: () => chosen?.state === "fixed" && chosen.issue.status === "RESOLVED" && setRejecting(chosen) },
    { keys: "Shift+A", what: "Accept all proven fixes", group: "Result", run: () => accept(proven) },
    { keys: "f", what: "Try the chosen issue again", group: "Result", run: () => chosen?.state === "needs" && setAsking({ what: "fix", codes: [chosen.issue.code] }) },
    { keys: "m", what: "Copy the merge command", group: "Result", run: () => fixed.length > 0 && void copyText(`git merge ${snapshot.branch_name}`, "Command") },
  ]);
  return (
    <div class="result">
      <header class="page-head">
        <div class="grow">
          <h1>{resultTitle(all, snapshot.status)}</h1>
          <p>
            <Shown text={sessionTitle(snapshot)} />. Started <Time at={snapshot.started_at} />. Fixed by {snapshot.fixer}
            {snapshot.challenger ? `, judged by ${snapshot.challenger}` : ""}.
          </p>
        </div>
        {fixed.length > 0 && (
          <Link class="button" to={changesPath(snapshot.id)}>
            Review the changes <kbd aria-hidden="true">v</kbd>
          </Link>
        )}
      </header>
      {(snapshot.detail || state.problem) && (
        <p class="note" role="status">
          <Shown text={sentence(snapshot.detail ?? state.problem!.message)} />
        </p>
      )}
      <Figures snapshot={snapshot} state={state} fixed={fixed} />
      <Cost snapshot={snapshot} />
      <div class="two">
        <div class="stack">
          <Group
            title="Fixed"
            icon="check"
            items={fixed.length}
            hint={accepted === 0 ? "Nothing is accepted yet" : `${accepted} accepted`}
            end={
              proven.length > 0 && (
                <button type="button" class="small" onClick={() => accept(proven)}>
                  Accept {proven.length} proven <kbd aria-hidden="true">Shift A</kbd>
                </button>
              )
            }
          >
            {fixed.map((outcome) => (
              <FixedRow key={outcome.issue.id} outcome={outcome} chosen={outcome === chosen} onChoose={() => choose(outcome)} accept={() => accept([outcome])} reject={() => setRejecting(outcome)} />
            ))}
          </Group>
          <Group title="Needs you" icon="alert" items={needs.length} end={<span class="hint">Worst first</span>}>
            {needs.map((outcome) => (
              <NeedsRow key={outcome.issue.id} outcome={outcome} chosen={outcome === chosen} onChoose={() => choose(outcome)} ask={setAsking} />
            ))}
          </Group>
          <Group title="Left as it was" icon="stop" items={taken.length + left.length}>
            {[...taken, ...left].map((outcome) => (
              <QuietRow key={outcome.issue.id} outcome={outcome} />
            ))}
          </Group>
          {children}
        </div>
        <aside class="stack" aria-label="What to do with it">
          <TakeIt snapshot={snapshot} fixed={fixed.length} onPull={() => setPulling(true)} />
          {again.length + refix.length > 0 && (
            <section class="panel" aria-label="Next">
              <div class="panel-head">
                <h2>Next</h2>
              </div>
              <div class="panel-body stack">
                {again.length > 0 && (
                  <button type="button" class="wide" onClick={() => setAsking({ what: "fix", codes: again })}>
                    {again.length === 1 ? `Fix ${again[0]} again…` : `Fix the ${again.length} others again…`}
                  </button>
                )}
                {refix.length > 0 && (
                  <button type="button" class="wide" onClick={() => void fixAgain(snapshot.id, refix)}>
                    Fix {refix.join(", ")} again
                  </button>
                )}
                <p class="hint">The fixer reads why it failed before, and what you said about it.</p>
              </div>
            </section>
          )}
          <section class="panel" aria-label="About it">
            <div class="panel-body">
              <dl class="pairs">
                <dt>Base</dt>
                <dd>
                  <code>{(snapshot.base ?? "").slice(0, 12)}</code>
                </dd>
                <dt>Branch</dt>
                <dd>
                  <code>{snapshot.branch_name}</code>
                </dd>
                <dt>Session</dt>
                <dd>
                  <code>{snapshot.id}</code>
                </dd>
                <dt>Link</dt>
                <dd>
                  <button type="button" class="link" onClick={() => void copyText(location.href, "Link")}>
                    Copy a link to this page
                  </button>
                </dd>
              </dl>
            </div>
          </section>
        </aside>
      </div>
      <BulkBar repository={snapshot.repository_id} selected={new Set()} onClear={reload} asking={asking} ask={setAsking} />
      {rejecting && <RejectDialog session={snapshot.id} issue={rejecting.issue} onClose={(done) => (setRejecting(null), done && reload())} />}
      {pulling && <PullRequestDialog session={snapshot} onClose={() => setPulling(false)} />}
    </div>
  );
}
