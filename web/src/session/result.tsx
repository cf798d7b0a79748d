// A session that ended: what was fixed, what needs a person and why, what it cost, and how to take it. How it came about is last.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { segment } from "../api/client";
import type { SessionSnapshot } from "../api/types";
import { useActions } from "../app/keys";
import { at, go, Link } from "../app/router";
import { acceptFix, fixAgain, RejectDialog } from "../changes/decisions";
import { type Asking, BulkBar } from "../issues/bulk_bar";
import { CheckOutput } from "../issues/check_output";
import { Dialog } from "../parts/dialog";
import { EvidenceBadge } from "../parts/evidence";
import { Icon } from "../parts/icon";
import { reasonOf, sentence } from "../parts/reasons";
import { copyText } from "../parts/states";
import { Chip, count, money, placeOf, SeverityMark, span, Time } from "../parts/words";
import { Shown } from "../text/shown";
import { evidenceCounts, type Outcome, outcomesOf, resultTitle, sessionTitle } from "./outcome";
import type { SessionState } from "./session_state";

export const issuePath = (code: string): string => at(`/issues/${encodeURIComponent(code)}`);
const changesPath = (id: string, of?: string): string => at(`/sessions/${encodeURIComponent(id)}/changes`, { of });

function Command({ text }: { text: string }): JSX.Element {
  return (
    <div class="command">
      <code>{text}</code>
      <button type="button" class="small bare" aria-label={`Copy ${text}`} onClick={() => void copyText(text, "Command")}>
        <Icon name="copy" />
      </button>
    </div>
  );
}

function Figures({ snapshot, state, fixed }: { snapshot: SessionSnapshot; state: SessionState; fixed: Outcome[] }): JSX.Element {
  const [best, ...others] = evidenceCounts(fixed);
  const used = snapshot.consumed;
  const sum = (of: (one: Outcome) => number): number => fixed.reduce((total, one) => total + of(one), 0);
  const figure = (name: string, value: ComponentChildren, more: string): JSX.Element => (
    <div class="tally-one">
      <dt>{name}</dt>
      <dd>
        {value}
        <small>{more}</small>
      </dd>
    </div>
  );
  return (
    <dl class="panel tally">
      {figure("Evidence", best ?? "none", others.length > 0 ? `and ${others.join(", ")}` : fixed.length === 0 ? "no fix passed" : "")}
      {figure(
        "Size",
        <>
          <span class="plus">+{sum((one) => one.added)}</span> <span class="minus">−{sum((one) => one.removed)}</span>
        </>,
        count((snapshot.commits ?? []).length, "commit"),
      )}
      {figure("Cost", !used || used.cost_usd === null ? "unknown" : money(used.cost_usd), !used || used.cost_usd === null ? "the agents report no price" : fixed.length > 0 ? `${money(used.cost_usd / fixed.length)} for each fix` : "nothing was bought with it")}
      {figure("Time", span(snapshot.duration_ms ?? 0), `${count(used?.agent_runs ?? 0, "agent run")}, ${count(state.checks.length, "check run")}`)}
    </dl>
  );
}

function Head({ outcome, side, children }: { outcome: Outcome; side: ComponentChildren; children: ComponentChildren }): JSX.Element {
  const { issue } = outcome;
  return (
    <>
      <SeverityMark severity={issue.severity} />
      <div class="item-title">
        <Link class="code-id" to={issuePath(issue.code)}>
          {issue.code}
        </Link>
        <Link class="plain" to={issuePath(issue.code)} title={issue.title}>
          <Shown text={issue.title} />
        </Link>
      </div>
      <div class="item-side">{side}</div>
      <div class="item-more">{children}</div>
    </>
  );
}

interface RowProps {
  outcome: Outcome;
  chosen: boolean;
  onChoose: () => void;
}

function FixedRow({ outcome, chosen, onChoose, accept, reject }: RowProps & { accept: () => void; reject: () => void }): JSX.Element {
  const { issue } = outcome;
  return (
    <li class={chosen ? "item chosen" : "item"} aria-current={chosen ? "true" : undefined} onClick={onChoose}>
      <Head outcome={outcome} side={<EvidenceBadge level={outcome.level} />}>
        <span class="why">
          <span class="path">
            <Shown ltr text={placeOf(issue)} />
          </span>{" "}
          <span class="number">
            <span class="plus">+{outcome.added}</span> <span class="minus">−{outcome.removed}</span>
          </span>{" "}
          {outcome.score !== null && `judge ${outcome.score} of 100`}
          {outcome.rounds > 1 && `, attempt ${outcome.rounds}`}
        </span>
        <span class="actions">
          {outcome.accepted ? (
            <Chip tone="good">accepted</Chip>
          ) : (
            <button type="button" class="small" onClick={accept}>
              Accept<span class="visually-hidden"> the fix of {issue.code}</span> {chosen && <kbd aria-hidden="true">a</kbd>}
            </button>
          )}
          {issue.status === "RESOLVED" && (
            <button type="button" class="small bare" onClick={reject}>
              Reject<span class="visually-hidden"> the fix of {issue.code}</span> {chosen && <kbd aria-hidden="true">x</kbd>}
            </button>
          )}
        </span>
      </Head>
    </li>
  );
}

function NeedsRow({ outcome, chosen, onChoose, ask }: RowProps & { ask: (asking: Asking) => void }): JSX.Element {
  const [open, setOpen] = useState(false);
  const { issue } = outcome;
  const why = reasonOf(outcome.reason, outcome.detail, outcome.score, outcome.threshold);
  const mine = issue.status === "FAILED" || issue.status === "OPEN"; // else it was decided meanwhile
  return (
    <li class={chosen ? "item chosen" : "item"} aria-current={chosen ? "true" : undefined} onClick={onChoose}>
      <Head
        outcome={outcome}
        side={
          <span class="path clip">
            <Shown ltr text={placeOf(issue)} />
          </span>
        }
      >
        <span class="why why-short" title={outcome.detail}>
          <b>{why.what}.</b> <Shown text={sentence(outcome.detail)} />
          {outcome.rounds > 1 && ` Tried ${outcome.rounds} times.`}
        </span>
        <span class="actions">
          {mine && (
            <button type="button" class="small" onClick={() => ask({ what: "fix", codes: [issue.code] })}>
              Try again…<span class="visually-hidden"> {issue.code}</span>
            </button>
          )}
          <button type="button" class="small bare" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? "Hide the output" : "Show the output"}
            <span class="visually-hidden"> of {issue.code}</span>
          </button>
          {mine && (
            <button type="button" class="small bare" onClick={() => ask({ what: "ignore", codes: [issue.code] })}>
              Ignore…<span class="visually-hidden"> {issue.code}</span>
            </button>
          )}
        </span>
      </Head>
      {open && (
        <div class="item-below">
          <CheckOutput issue={issue} />
        </div>
      )}
    </li>
  );
}

function QuietRow({ outcome }: { outcome: Outcome }): JSX.Element {
  return (
    <li class="item">
      <Head outcome={outcome} side={<Chip tone="quiet">{outcome.state === "taken back" ? outcome.how : "not tried"}</Chip>}>
        <span class="why">
          <span class="path">
            <Shown ltr text={placeOf(outcome.issue)} />
          </span>
        </span>
      </Head>
    </li>
  );
}

function Group({ title, icon, items, hint, end, children }: { title: string; icon: "check" | "alert" | "stop"; items: number; hint?: string; end?: ComponentChildren; children: ComponentChildren }): JSX.Element | null {
  if (items === 0) return null;
  return (
    <section class="panel" aria-label={title}>
      <div class="panel-head">
        <Icon name={icon} />
        <h2>{title}</h2>
        <span class="count">{items}</span>
        {hint && <span class="hint wide-only">{hint}</span>}
        <span class="end actions">{end}</span>
      </div>
      <ul>{children}</ul>
    </section>
  );
}

function PullRequestDialog({ snapshot, onClose }: { snapshot: SessionSnapshot; onClose: () => void }): JSX.Element {
  const command = `emend pr create --session ${snapshot.id} --push`;
  return (
    <Dialog title="Create a pull request" onClose={onClose}>
      <p>
        emend pushes only when you say so, in your terminal, with your own access. This pushes <code>{snapshot.branch_name}</code> and opens a pull request that holds the proof of each fix:
      </p>
      <Command text={command} />
      <div class="dialog-end">
        <button type="button" onClick={onClose}>
          Close
        </button>
        <button type="button" class="primary" onClick={() => void copyText(command, "Command").then(onClose)}>
          Copy the command
        </button>
      </div>
    </Dialog>
  );
}

function TakeIt({ snapshot, fixed, onPull }: { snapshot: SessionSnapshot; fixed: number; onPull: () => void }): JSX.Element | null {
  const commits = (snapshot.commits ?? []).length;
  if (commits === 0 || fixed === 0) return null;
  return (
    <section class="panel take" aria-label="Take it">
      <div class="panel-body stack">
        <h2>
          <Icon name="branch" /> Take it
        </h2>
        <p class="soft">
          {count(commits, "commit")} on <code>{snapshot.branch_name}</code>. <strong>Nothing is pushed.</strong> A fix that you reject is left out.
        </p>
        <button type="button" class="primary wide" onClick={onPull}>
          Create a pull request…
        </button>
        <Command text={`git merge ${snapshot.branch_name}`} />
        <p class="row">
          <a href={`/api/fix/sessions/${segment(snapshot.id)}/diff?format=patch`} download={`${snapshot.id}.patch`}>
            Save as a patch
          </a>
          <span class="hint">for git apply</span>
        </p>
      </div>
    </section>
  );
}

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
      {pulling && <PullRequestDialog snapshot={snapshot} onClose={() => setPulling(false)} />}
    </div>
  );
}
