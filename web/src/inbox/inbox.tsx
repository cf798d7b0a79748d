// "What needs me": questions, approvals, failures, branches to look at, then what runs and what ended.
import type { ComponentChildren, JSX } from "preact";
import { useRef } from "preact/hooks";
import { get } from "../api/client";
import { useResource } from "../api/resource";
import type { Agent, Issue, Page, Session, Status } from "../api/types";
import { useActions } from "../app/keys";
import { repository } from "../app/repositories";
import { at, go, Link } from "../app/router";
import { Icon, type IconName } from "../parts/icon";
import { Empty, Loaded } from "../parts/states";
import { count, failureWords, isRunning, placeOf, SessionChip, SeverityMark, span, Time, useNow } from "../parts/words";
import { WantedTests } from "../issues/wanted_tests";
import { FirstRun } from "./first_run";
import { approvals, changesNeeds, finished, loadNeeds, type Needs, ready, running } from "./needs";
import { QuestionCard } from "./question_card";

function Section({ title, icon, items, children }: { title: string; icon: IconName; items: number; children: ComponentChildren }): JSX.Element | null {
  if (items === 0) return null;
  return (
    <section class="card inbox-section" aria-label={title}>
      <h2>
        <Icon name={icon} />
        {title}
        <span class="count">{items}</span>
      </h2>
      {children}
    </section>
  );
}

function FailedRow({ issue }: { issue: Issue }): JSX.Element {
  return (
    <li>
      <Link class="row-link" data-row to={at("/issues", { status: "FAILED", issue: issue.code })}>
        <SeverityMark severity={issue.severity} />
        <code class="code">{issue.code}</code>
        <span class="grow clip">{issue.title}</span>
        <span class="reason">{failureWords(issue.reason)}</span>
        <span class="where clip">{placeOf(issue)}</span>
      </Link>
      {issue.detail && <p class="row-detail">{issue.detail}</p>}
      {issue.detail?.includes("open-test") && <WantedTests issue={issue} />}
    </li>
  );
}

function SessionRow({ session, changes }: { session: Session; changes?: boolean }): JSX.Element {
  const live = isRunning(session.status);
  const now = useNow(live);
  const elapsed = live && session.started_at ? now - Date.parse(session.started_at) : (session.duration_ms ?? 0);
  return (
    <li>
      <Link class="row-link" data-row to={at(`/sessions/${encodeURIComponent(session.id)}${changes ? "/changes" : ""}`)}>
        <SessionChip status={session.status} />
        <code class="code">{session.branch_name ?? session.id}</code>
        <span class="grow">{count(session.issue_ids.length, "issue")}</span>
        {session.fixer && <span class="where">{session.fixer}</span>}
        {elapsed > 0 && <span class="number">{span(elapsed)}</span>}
        {!live && <Time at={session.started_at} />}
      </Link>
      {session.detail && <p class="row-detail">{session.detail}</p>}
    </li>
  );
}

function Sections({ needs }: { needs: Needs }): JSX.Element {
  const look = ready(needs);
  const over = finished(needs);
  const nothing = needs.questions.length + needs.failed.length + look.length + approvals(needs).length === 0;
  return (
    <>
      {nothing && (
        <Empty icon="check" title="Nothing is waiting for you.">
          {running(needs).length > 0 ? "Running work is below." : <Link to={at("/issues", { status: "OPEN" })}>See open issues</Link>}
        </Empty>
      )}
      <Section title="Questions" icon="question" items={needs.questions.length}>
        <div class="questions">
          {needs.questions.map((question) => (
            <QuestionCard key={question.id} question={question} />
          ))}
        </div>
      </Section>
      <Section title="Approvals" icon="play" items={approvals(needs).length}>
        <ul class="rows">
          {approvals(needs).map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      </Section>
      <Section title="Failed" icon="alert" items={needs.failed.length}>
        <ul class="rows">
          {needs.failed.map((issue) => (
            <FailedRow key={issue.id} issue={issue} />
          ))}
        </ul>
        {needs.moreFailed && (
          <p class="hint">
            These are the first 50. <Link to={at("/issues", { status: "FAILED" })}>All that failed</Link>
          </p>
        )}
      </Section>
      <Section title="Ready for review" icon="branch" items={look.length}>
        <ul class="rows">
          {look.map((session) => (
            <SessionRow key={session.id} session={session} changes />
          ))}
        </ul>
      </Section>
      <Section title="Running" icon="refresh" items={running(needs).length}>
        <ul class="rows">
          {running(needs).map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      </Section>
      <Section title="Recently finished" icon="check" items={over.length}>
        <ul class="rows">
          {over.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      </Section>
    </>
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
    { keys: "v", what: "View the first branch that is ready", group: "Inbox", run: () => needs.data && ready(needs.data)[0] && go(at(`/sessions/${ready(needs.data)[0]!.id}/changes`)) },
  ]);
  const first = total.data?.data.length === 0 && needs.data?.sessions.length === 0;
  return (
    <div class="inbox" ref={box}>
      <div class="inbox-main">
        <h1>Inbox</h1>
        {!id && (
          <Empty icon="inbox" title="This server has no repository yet.">
            <code>emend serve --repo DIR</code>
          </Empty>
        )}
        {first ? <FirstRun repository={repository.value!} /> : <Loaded from={needs} rows={5}>{(data) => <Sections needs={data} />}</Loaded>}
      </div>
      <Aside />
    </div>
  );
}
