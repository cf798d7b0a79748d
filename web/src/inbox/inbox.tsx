// "What needs me": questions, approvals, failures, branches to look at, then what runs and what ended.
import type { ComponentChildren, JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { get, post, segment } from "../api/client";
import { useResource } from "../api/resource";
import type { Agent, Issue, Page, Session, Status } from "../api/types";
import { useActions } from "../app/keys";
import { repository } from "../app/repositories";
import { at, go, Link } from "../app/router";
import { Icon, type IconName } from "../parts/icon";
import { Empty, Loaded } from "../parts/states";
import { reasonOf, sentence } from "../parts/reasons";
import { count, placeOf, SeverityMark, Time } from "../parts/words";
import { attempt } from "../app/toasts";
import { acceptFix } from "../changes/decisions";
import { type Asking, BulkBar } from "../issues/bulk_bar";
import { WantedTests } from "../issues/wanted_tests";
import { SessionRow } from "../session/session_row";
import { Shown } from "../text/shown";
import { FirstRun } from "./first_run";
import { approvals, changesNeeds, finished, loadNeeds, type Needs, needsYou, type Ready, running } from "./needs";
import { QuestionCard } from "./question_card";

function Section({ title, icon, items, hint, children }: { title: string; icon: IconName; items: number; hint?: string; children: ComponentChildren }): JSX.Element | null {
  if (items === 0) return null;
  return (
    <section class="panel inbox-section" aria-label={title}>
      <div class="panel-head">
        <Icon name={icon} />
        <h2>{title}</h2>
        <span class="count">{items}</span>
        {hint && <span class="hint end wide-only">{hint}</span>}
      </div>
      {children}
    </section>
  );
}

function FailedRow({ issue, ask }: { issue: Issue; ask: (asking: Asking) => void }): JSX.Element {
  const why = reasonOf(issue.reason, issue.detail ?? "", issue.last_score);
  return (
    <li class="item">
      <SeverityMark severity={issue.severity} />
      <div class="item-title">
        <Link class="code-id" data-row to={at(`/issues/${encodeURIComponent(issue.code)}`)}>
          {issue.code}
        </Link>
        <Link class="plain" to={at(`/issues/${encodeURIComponent(issue.code)}`)} tabIndex={-1} title={issue.title}>
          <Shown text={issue.title} />
        </Link>
      </div>
      <div class="item-side wide-only">
        <span class="path clip">
          <Shown ltr text={placeOf(issue)} />
        </span>
      </div>
      <div class="item-more">
        <span class="why why-short" title={issue.detail ?? undefined}>
          <b>{why.what}.</b> <Shown text={sentence(issue.detail ?? "")} />
        </span>
        <span class="actions">
          <button type="button" class="small" onClick={() => ask({ what: "fix", codes: [issue.code] })}>
            Try again…<span class="visually-hidden"> {issue.code}</span>
          </button>
          <button type="button" class="small bare" onClick={() => ask({ what: "ignore", codes: [issue.code] })}>
            Ignore…<span class="visually-hidden"> {issue.code}</span>
          </button>
        </span>
      </div>
      {issue.detail?.includes("open-test") && (
        <div class="item-below">
          <WantedTests issue={issue} />
        </div>
      )}
    </li>
  );
}

function ReadyRow({ ready, reload }: { ready: Ready; reload: () => void }): JSX.Element {
  const { session, fixes } = ready;
  const proven = fixes.filter((issue) => issue.evidence === "proven");
  const levels = ["proven", "repaired", "unbroken", "judged"].map((level) => [fixes.filter((issue) => issue.evidence === level).length, level] as const).filter(([n]) => n > 0);
  const accept = (): void => void Promise.all(proven.map((issue) => acceptFix(session.id, issue.code))).then(reload);
  return (
    <SessionRow
      session={session}
      why={
        <>
          <b>
            {count(fixes.length, "fix waits", "fixes wait")} for your decision: {levels.map(([n, level]) => `${n} ${level}`).join(", ")}.
          </b>{" "}
          Nothing is pushed.
        </>
      }
      actions={
        <>
          {proven.length > 0 && (
            <button type="button" class="small" onClick={accept}>
              Accept {proven.length} proven
            </button>
          )}
          <Link class="button small" to={at(`/sessions/${encodeURIComponent(session.id)}/changes`)}>
            Review<span class="visually-hidden"> {session.branch_name}</span>
          </Link>
        </>
      }
    />
  );
}

function Sections({ needs, reload, ask }: { needs: Needs; reload: () => void; ask: (asking: Asking) => void }): JSX.Element {
  const over = finished(needs);
  const waiting = approvals(needs);
  const approve = (session: Session): void => void attempt(() => post(`/api/fix/sessions/${segment(session.id)}/approve`), "Approved").then(reload);
  return (
    <div class="stack">
      {needsYou(needs) === 0 && (
        <Empty icon="check" title="Nothing needs you.">
          {running(needs).length > 0 ? "Running work is below." : <Link to={at("/issues", { status: "OPEN" })}>See open issues</Link>}
        </Empty>
      )}
      <Section title="Waiting for your answer" icon="question" items={needs.questions.length} hint="An agent stands still until you answer">
        <div class="questions">
          {needs.questions.map((question) => (
            <QuestionCard key={question.id} question={question} />
          ))}
        </div>
      </Section>
      <Section title="For you to decide" icon="flag" items={waiting.length + needs.ready.length}>
        <ul>
          {waiting.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              why={<b>Starts when you approve its plan.</b>}
              actions={
                <>
                  <button type="button" class="small" onClick={() => approve(session)}>
                    Approve
                  </button>
                  <Link class="button small" to={at(`/sessions/${encodeURIComponent(session.id)}`)}>
                    Look at the plan
                  </Link>
                </>
              }
            />
          ))}
          {needs.ready.map((ready) => (
            <ReadyRow key={ready.session.id} ready={ready} reload={reload} />
          ))}
        </ul>
      </Section>
      <Section title="Could not be fixed" icon="alert" items={needs.failed.length} hint="Worst first">
        <ul>
          {needs.failed.map((issue) => (
            <FailedRow key={issue.id} issue={issue} ask={ask} />
          ))}
        </ul>
        {needs.moreFailed && (
          <p class="hint panel-body">
            These are the first 50. <Link to={at("/issues", { status: "FAILED" })}>All that failed</Link>
          </p>
        )}
      </Section>
      <Section title="Running" icon="refresh" items={running(needs).length}>
        <ul>
          {running(needs).map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      </Section>
      <Section title="Recently finished" icon="check" items={over.length}>
        <ul>
          {over.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      </Section>
    </div>
  );
}

function Aside(): JSX.Element {
  const agents = useResource("agents", (signal) => get<Page<Agent>>("/api/agents", {}, signal));
  const status = useResource("status aside", (signal) => get<Status>("/api/status", {}, signal), (event) => event.type.startsWith("fix_session_"));
  return (
    <aside class="inbox-aside" aria-label="This machine">
      <section class="card">
        <h2>Agents</h2>
        <Loaded from={agents} rows={2}>
          {(page) =>
            page.data.length === 0 ? (
              <p class="hint">
                No coding agent was found. <code>emend fix --safe</code> works without one; <code>emend doctor</code> says how to connect one.
              </p>
            ) : (
              <ul class="facts">
                {page.data.map((agent) => (
                  <li key={agent.name}>
                    <span class="dot dot-good" aria-hidden="true" />
                    {agent.name}
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </section>
      <section class="card">
        <h2>Server</h2>
        <Loaded from={status} rows={2}>
          {(state) => (
            <ul class="facts">
              <li>emend {state.version}</li>
              <li>{state.queue.paused ? "queue paused" : state.queue.depth > 0 ? count(state.queue.depth, "job") + " waiting" : "nothing waits"}</li>
              <li>
                started <Time at={state.started_at} />
              </li>
            </ul>
          )}
        </Loaded>
      </section>
    </aside>
  );
}

// j and k move the focus through all rows, whatever section they are in.
export function moveFocus(box: HTMLElement | null, step: number): void {
  const rows = [...(box?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
  const now = rows.findIndex((row) => row === document.activeElement || row.contains(document.activeElement));
  rows[Math.max(0, Math.min(rows.length - 1, now + step))]?.focus();
}

export function Inbox(): JSX.Element {
  const id = repository.value?.id ?? null;
  const box = useRef<HTMLDivElement>(null);
  const needs = useResource(id && `needs ${id}`, () => loadNeeds(id!), changesNeeds);
  const total = useResource(id && `any ${id}`, (signal) => get<Page<Issue>>("/api/issues", { repository_id: id, limit: 1 }, signal), (event) => event.type === "review_completed" || event.type === "issue_updated");
  useActions([
    { keys: "j", what: "Next row", group: "Inbox", run: () => moveFocus(box.current, 1) },
    { keys: "k", what: "Previous row", group: "Inbox", run: () => moveFocus(box.current, -1) },
    { keys: "a", what: "Answer the first question", group: "Inbox", run: () => box.current?.querySelector<HTMLElement>(".question textarea")?.focus() },
    { keys: "Shift+A", what: "Open the first waiting plan", group: "Inbox", run: () => needs.data && approvals(needs.data)[0] && go(at(`/sessions/${approvals(needs.data)[0]!.id}`)) },
    { keys: "v", what: "View the first branch that is ready", group: "Inbox", run: () => needs.data?.ready[0] && go(at(`/sessions/${needs.data.ready[0].session.id}/changes`)) },
  ]);
  const [asking, setAsking] = useState<Asking>(null);
  const waits = needs.data && needsYou(needs.data);
  const first = total.data?.data.length === 0 && needs.data?.sessions.length === 0;
  return (
    <div class="inbox" ref={box}>
      <div class="inbox-main">
        <header class="page-head">
          <div class="grow">
            <h1>{waits === undefined || first ? "Inbox" : waits === 0 ? "Nothing needs you" : waits === 1 ? "1 thing needs you" : `${waits} things need you`}</h1>
            {waits !== undefined && waits > 0 && (
              <p class="wide-only">
                Worst first. <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> opens.
              </p>
            )}
          </div>
        </header>
        {!id && (
          <Empty icon="inbox" title="This server has no repository yet.">
            <code>emend serve --repo DIR</code>
          </Empty>
        )}
        {first ? <FirstRun repository={repository.value!} /> : <Loaded from={needs} rows={5}>{(data) => <Sections needs={data} reload={needs.reload} ask={setAsking} />}</Loaded>}
      </div>
      <Aside />
      {id && <BulkBar repository={id} selected={new Set()} onClear={needs.reload} asking={asking} ask={setAsking} />}
    </div>
  );
}
