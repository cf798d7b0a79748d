// "What needs me", over all repositories: questions, decisions, failures with a next step, branches to take; then what ran.
import type { ComponentChildren, JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { listIssues } from "../api/operations";
import { useResource } from "../api/resource";
import type { Repository } from "../api/types";
import { useActions } from "../app/keys";
import { atRepository, namedRepository, repositories } from "../app/repositories";
import { at, go, here, Link } from "../app/router";
import { type Asking, BulkBar } from "../issues/bulk_bar";
import { Icon, type IconName } from "../parts/icon";
import { Empty, Loaded } from "../parts/states";
import { count } from "../parts/words";
import { SessionRow } from "../session/session_row";
import { Aside } from "./aside";
import { FirstRun } from "./first_run";
import { changesNeeds, finished, type Inboxed, loadNeeds, needTitle, ofRepository, running } from "./needs";
import { QuestionCard } from "./question_card";
import { ReviewButton } from "./review";
import { type Ask, DismissalRow, FailedRow, OpenRow, PlanRow, ReadyRow, StoppedRow, TakenRow } from "./rows";

function Section({ title, icon, items, hint, children }: { title: string; icon: IconName; items: number; hint?: string; children: ComponentChildren }): JSX.Element | null {
  if (items === 0) return null;
  return (
    <section class="panel inbox-section" aria-label={title}>
      <div class="panel-head">
        <Icon name={icon} />
        <h2>{title}</h2>
        <span class="count">{items.toLocaleString("en")}</span>
        {hint && <span class="hint end wide-only">{hint}</span>}
      </div>
      {children}
    </section>
  );
}

const kWorst = 5;

// Nothing waits: what would be worth a look?
function Quiet({ repository, busy, ask }: { repository: Repository; busy: boolean; ask: Ask }): JSX.Element {
  const open = useResource(`worst ${repository.id}`, (signal) => listIssues({ repository_id: repository.id, status: "OPEN", sort: "worst", limit: kWorst }, { signal }), (event) => event.type === "issue_updated" || event.type === "review_completed");
  const worst = open.data?.data ?? [];
  if (worst.length === 0)
    return (
      <Empty icon="check" title={open.data ? "No issue is open." : "Looking for open issues"}>
        {busy ? "Running work is beside." : <ReviewButton repository={repository.id} name="Review again" />}
      </Empty>
    );
  return (
    <section class="panel" aria-label="Worth a look">
      <div class="panel-head">
        <Icon name="issues" />
        <h2>Worth a look</h2>
        <span class="end actions">
          <Link class="button bare" to={atRepository(repository.id, "/issues", { status: "OPEN" })}>
            See open issues
          </Link>
          <button type="button" class="primary" onClick={() => ask(repository.id, { what: "fix", codes: worst.map((issue) => issue.code) })}>
            Fix {worst.length === 1 ? "it" : `these ${worst.length}`}…
          </button>
        </span>
      </div>
      <ul>
        {worst.map((issue) => (
          <OpenRow key={issue.id} issue={issue} />
        ))}
      </ul>
    </section>
  );
}

function Sections({ needs, reload, ask }: { needs: Inboxed; reload: () => void; ask: Ask }): JSX.Element {
  const over = finished(needs);
  const failures = needs.failed.length + needs.stopped.length;
  const dismissals = needs.dismissals ?? [];
  const more = needs.failed_total > needs.failed.length;
  return (
    <div class="stack">
      {needs.total === 0 && repositories.value[0] && <Quiet repository={namedRepository.value ?? repositories.value[0]} busy={running(needs).length > 0} ask={ask} />}
      <Section title="Waiting for your answer" icon="question" items={needs.questions.length} hint="An agent stands still until you answer">
        <div class="questions">
          {needs.questions.map((question, index) => (
            <QuestionCard key={`${question.repository_id} ${question.id}`} question={question} keys={index === 0} onAnswered={reload} />
          ))}
        </div>
      </Section>
      <Section title="For you to decide" icon="flag" items={needs.plans.length + needs.ready.length + dismissals.length}>
        <ul>
          {needs.plans.map((session) => (
            <PlanRow key={session.id} session={session} reload={reload} />
          ))}
          {dismissals.map((one) => (
            <DismissalRow key={one.issue.id} dismissal={one} />
          ))}
          {needs.ready.map((branch) => (
            <ReadyRow key={branch.session.id} branch={branch} reload={reload} />
          ))}
        </ul>
      </Section>
      <Section title="Could not be fixed" icon="alert" items={failures} hint="Each with the next step, worst first">
        <ul>
          {needs.stopped.map((session) => (
            <StoppedRow key={session.id} session={session} reload={reload} />
          ))}
          {needs.failed.map((issue) => (
            <FailedRow key={issue.id} issue={issue} ask={ask} />
          ))}
        </ul>
        {more && (
          <p class="hint panel-body">
            These are the worst {needs.failed.length} of {needs.failed_total.toLocaleString("en")}. <Link to={at("/issues", { status: "FAILED" })}>All that failed</Link>
          </p>
        )}
      </Section>
      <Section title="Ready to take" icon="branch" items={needs.taken.length} hint="Accepted, not merged yet">
        <ul>
          {needs.taken.map((branch) => (
            <TakenRow key={branch.session.id} branch={branch} />
          ))}
        </ul>
      </Section>
      {needs.older_branches > 0 && (
        <p class="hint">
          {count(needs.older_branches, "older branch", "older branches")} with fixes are not listed here. <Link to={at("/sessions")}>All sessions</Link>
        </p>
      )}
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

function Pills({ needs }: { needs: Inboxed }): JSX.Element | null {
  const known = repositories.value;
  if (known.length < 2) return null;
  const chosen = namedRepository.value?.id ?? null;
  const pill = (id: string | null, name: string, n: number): JSX.Element => (
    <Link key={name} class="pill" to={here({ repo: id })} aria-current={chosen === id ? "true" : undefined}>
      {name} <span class="count">{n.toLocaleString("en")}</span>
    </Link>
  );
  return (
    <nav class="pills" aria-label="Repositories of the inbox">
      {pill(null, "All", needs.total)}
      {known.map((one) => pill(one.id, one.name, needs.repositories.find((row) => row.id === one.id)?.total ?? 0))}
    </nav>
  );
}

// j and k move the focus through all rows, whatever section they are in.
export function moveFocus(box: HTMLElement | null, step: number): void {
  const rows = [...(box?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
  const now = rows.findIndex((row) => row === document.activeElement || row.contains(document.activeElement));
  rows[Math.max(0, Math.min(rows.length - 1, now + step))]?.focus();
}

export function Inbox(): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const all = useResource("needs", loadNeeds, changesNeeds);
  const only = namedRepository.value;
  const single = only ?? (repositories.value.length === 1 ? repositories.value[0]! : null);
  const known = useResource(single && `any ${single.id}`, (signal) => listIssues({ repository_id: single!.id, limit: 1 }, { signal }), (event) => event.type === "review_completed" || event.type === "issue_updated");
  const [asking, setAsking] = useState<{ repository: string; asking: Asking }>({ repository: "", asking: null });
  const needs = all.data && ofRepository(all.data, only?.id ?? null);
  const press = (selector: string) => () => box.current?.querySelector<HTMLElement>(selector)?.click();
  useActions([
    { keys: "j", what: "Next row", group: "Inbox", run: () => moveFocus(box.current, 1) },
    { keys: "k", what: "Previous row", group: "Inbox", run: () => moveFocus(box.current, -1) },
    { keys: "a", what: "Answer the first question", group: "Inbox", run: () => box.current?.querySelector<HTMLElement>(".question textarea")?.focus() },
    ...[1, 2, 3].map((n) => ({ keys: String(n), what: `Pick answer ${n} of the first question`, group: "Inbox", run: press(`.question [data-answer="${n}"]`) })),
    { keys: "Shift+A", what: "Open the first waiting plan", group: "Inbox", run: () => needs?.plans[0] && go(atRepository(needs.plans[0].repository_id, `/sessions/${needs.plans[0].id}`)) },
    { keys: "f", what: "Fix what is worth a look, when nothing waits", group: "Inbox", run: press('[aria-label="Worth a look"] button.primary') },
    { keys: "v", what: "View the first branch that is ready", group: "Inbox", run: () => needs?.ready[0] && go(atRepository(needs.ready[0].session.repository_id, `/sessions/${needs.ready[0].session.id}/changes`)) },
  ]);
  const ask: Ask = (repository, what) => setAsking({ repository, asking: what });
  if (single && known.data?.data.length === 0 && needs && needs.sessions.length === 0) return <FirstRun repository={single} />;
  return (
    <div class="inbox" ref={box}>
      <div class="inbox-main">
        <header class="page-head">
          <div class="grow">
            <h1>{needs ? needTitle(needs.total) : "Inbox"}</h1>
            {needs && needs.total > 0 && (
              <p class="wide-only">
                {repositories.value.length > 1 ? `${only ? only.name : count(repositories.value.length, "repository", "repositories")}, worst first. ` : "Worst first. "}
                <kbd>j</kbd> <kbd>k</kbd> move, <kbd>Enter</kbd> opens{needs.questions.length > 0 ? ", 1 to 3 pick an answer" : ""}.
              </p>
            )}
          </div>
          {all.data && <Pills needs={all.data} />}
        </header>
        {repositories.value.length === 0 && (
          <Empty icon="inbox" title="This server has no repository yet.">
            <Link class="button primary" to={at("/settings", { tab: "repositories" })}>
              Add a repository
            </Link>
          </Empty>
        )}
        <Loaded from={{ ...all, data: needs }} rows={5}>
          {(data) => <Sections needs={data} reload={all.reload} ask={ask} />}
        </Loaded>
      </div>
      <Aside running={needs ? running(needs) : []} />
      {asking.repository && <BulkBar repository={asking.repository} selected={new Set()} onClear={all.reload} asking={asking.asking} ask={(next) => setAsking({ ...asking, asking: next })} />}
    </div>
  );
}
