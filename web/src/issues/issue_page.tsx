// One issue with an address of its own. A fix opens with its proof; an issue without one opens with its place and its reason.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { getIssue, getSession } from "../api/operations";
import { useResource } from "../api/resource";
import type { Issue } from "../api/types";
import { useActions } from "../app/keys";
import { repository } from "../app/repositories";
import { at, Link } from "../app/router";
import { acceptFix, RejectDialog } from "../changes/decisions";
import type { Remark } from "../changes/remarks";
import { openInEditor } from "../parts/editor";
import { Icon } from "../parts/icon";
import { Meter } from "../parts/meter";
import { reasonOf, sentence } from "../parts/reasons";
import { Empty, Loaded } from "../parts/states";
import { Chip, IssueChip, placeOf, reasonWords, SeverityMark, span } from "../parts/words";
import { Prose } from "../text/prose";
import { Shown } from "../text/shown";
import { type Attempts, isCandidate, type Tried, useAttempts } from "./attempts";
import { type Asking, BulkBar } from "./bulk_bar";
import { CodeFrame } from "./code_frame";
import { CompareAttempts } from "./compare_attempts";
import { Activity, Facts } from "./issue_detail";
import { Clauses, Proof, Story } from "./proof";
import { Said, useJudged } from "./judged_diff";
import { WantedTests } from "./wanted_tests";

function Panel({ title, end, children }: { title: string; end?: ComponentChildren; children: ComponentChildren }): JSX.Element {
  return (
    <section class="panel" aria-label={title}>
      <div class="panel-head">
        <h2>{title}</h2>
        {end && <span class="end hint">{end}</span>}
      </div>
      <div class="panel-body stack">{children}</div>
    </section>
  );
}

// rest: what the judges said about no line of the change; the other points stand in the change itself.
export function Judge({ tried, rest }: { tried: Tried; rest: readonly Remark[] }): JSX.Element | null {
  const verdict = tried.verdicts[tried.verdicts.length - 1];
  if (!verdict) return null;
  const score = tried.together?.score ?? verdict.score;
  const votes = tried.together ? tried.verdicts.filter((one) => typeof one.score === "number") : [];
  return (
    <Panel title={votes.length > 1 ? "Judges" : "Judge"} end={typeof score === "number" ? `${score} of 100, ${verdict.threshold} needed` : "no valid verdict"}>
      {votes.length <= 1 && Object.entries(verdict.quality_scores ?? {}).map(([name, value]) => <Meter key={name} name={reasonWords(name)} value={value} />)}
      {rest.map((remark, index) => (
        <Said key={index} remark={remark} />
      ))}
      <p class="hint">
        {tried.together ? `Votes: ${tried.together.votes}. ` : verdict.agent ? `${verdict.agent} judged. ` : ""}
        {tried.attempt.agent} fixed.{tried.attempt.claim === "contested" ? " It contested the verdict before this one." : ""}
      </p>
    </Panel>
  );
}

export function Attempt({ tried, open, candidate = false }: { tried: Tried; open: boolean; candidate?: boolean }): JSX.Element {
  const { attempt } = tried;
  const kept = attempt.result === "accepted";
  const { drawn, rest } = useJudged(tried, !kept);
  return (
    <details class="attempt" open={open}>
      <summary>
        <b>
          Attempt {attempt.cycle}
          {candidate && `, candidate of ${attempt.agent}`}
        </b>
        {attempt.claim === "contested" && <Chip tone="warn">contested</Chip>}
        <Chip tone={kept ? "good" : "bad"}>{kept ? "kept" : reasonOf(attempt.result, attempt.detail).what.toLowerCase()}</Chip>
        <span class="grow clip">{attempt.detail}</span>
        <span class="hint">
          {attempt.agent}, {span(attempt.duration_ms)}
        </span>
      </summary>
      {attempt.explanation && (
        <div class="say">
          <span class="who">{attempt.agent}:</span> <Prose text={attempt.explanation} />
        </div>
      )}
      {rest.map((remark, index) => (
        <Said key={index} remark={remark} bad={!kept} />
      ))}
      {tried.together && <p class="hint">Votes: {tried.together.votes}.</p>}
      {drawn}
    </details>
  );
}

// The attempt that counts: the last one that passed its round, else the last one.
const counts = (all: readonly Tried[]): Tried | undefined => [...all].reverse().find((one) => one.attempt.result === "accepted") ?? all[all.length - 1];

function Evidence({ issue, page }: { issue: Issue; page: Attempts }): JSX.Element {
  const best = counts(page.data);
  const judged = useJudged(best);
  const others = page.data.filter((one) => one !== best || best.attempt.result !== "accepted");
  const level = page.decision?.evidence ?? issue.evidence ?? "none";
  return (
    <>
      <Proof level={level} marks={page.decision?.marks ?? issue.marks} experiments={page.experiments ?? []} link={location.href} probed={page.story.some((line) => line.experiment === "probe")} />
      <div class="two">
        <div class="stack">
          {best?.attempt.result === "accepted" && best.diff && (
            <Panel title="The fix" end={`attempt ${best.attempt.cycle}, ${best.attempt.agent}`}>
              {judged.drawn}
              {best.attempt.explanation && (
                <div class="say">
                  <span class="who">{best.attempt.agent}, fixer:</span> <Prose text={best.attempt.explanation} />
                </div>
              )}
            </Panel>
          )}
          {page.story.length > 0 && (
            <Panel title="What was run" end={`${page.story.length} experiments and results`}>
              <Story lines={page.story} />
            </Panel>
          )}
          {others.length > 0 && (
            <Panel title={best?.attempt.result === "accepted" ? "Earlier attempts" : "Attempts"}>
              {others.map((tried, index) => (
                <Attempt key={tried.attempt.id} tried={tried} candidate={isCandidate(tried, page.data)} open={index === others.length - 1 && best?.attempt.result !== "accepted"} />
              ))}
            </Panel>
          )}
          {page.data.length > 1 && (
            <details class="panel how">
              <summary>
                <Icon name="right" /> Compare attempts side by side
              </summary>
              <CompareAttempts all={page.data} />
            </details>
          )}
          <Panel title="The issue">
            {issue.description_md && <Prose text={issue.description_md} />}
            <CodeFrame issue={issue} />
          </Panel>
          {page.decision && (
            <details class="panel how">
              <summary>The rules of the gate</summary>
              <Clauses decision={page.decision} />
            </details>
          )}
        </div>
        <aside class="stack" aria-label="About this issue">
          {best && <Judge tried={best} rest={judged.rest} />}
          <section class="panel" aria-label="Facts">
            <div class="panel-body">
              <Facts issue={issue} />
            </div>
          </section>
          <Panel title="History">
            <Activity issue={issue} />
          </Panel>
        </aside>
      </div>
    </>
  );
}

function Page({ issue, reload }: { issue: Issue; reload: () => void }): JSX.Element {
  const attempts = useAttempts(issue);
  const [asking, setAsking] = useState<Asking>(null);
  const [rejecting, setRejecting] = useState(false);
  const session = useResource(issue.session_id && `decided ${issue.session_id}`, (signal) => getSession({ id: issue.session_id! }, { signal }), (event) => event.session_id === issue.session_id && event.type === "fix_issue_accepted");
  const accepted = session.data?.accepted?.includes(issue.code) ?? false;
  const decidable = issue.status === "RESOLVED" && issue.session_id !== null;
  const open = issue.status === "OPEN" || issue.status === "FAILED";
  const accept = (): void => void (decidable && !accepted && acceptFix(issue.session_id!, issue.code).then((done) => done && (reload(), session.reload())));
  const edit = (): void => openInEditor(issue.repository_id, issue.file, issue.range?.start_line ?? 1);
  useActions([
    { keys: "a", what: "Accept the fix", group: "Issue", run: accept },
    { keys: "x", what: "Reject the fix", group: "Issue", run: () => decidable && setRejecting(true) },
    { keys: "f", what: "Fix", group: "Issue", run: () => open && setAsking({ what: "fix", codes: [issue.code] }) },
    { keys: "e", what: "Open the file in the editor", group: "Issue", run: edit },
    { keys: "i", what: "Ignore", group: "Issue", run: () => open && setAsking({ what: "ignore", codes: [issue.code] }) },
  ]);
  return (
    <div class="issue-page">
      <header class="page-head">
        <div class="grow">
          <p class="row">
            <SeverityMark severity={issue.severity} word />
            <code class="code-id">{issue.code}</code>
            {issue.status === "RESOLVED" ? <Chip tone="good">{accepted ? "fixed, accepted" : "fixed, waits for you"}</Chip> : <IssueChip issue={issue} />}
            <span class="path">
              <Shown ltr text={placeOf(issue)} />
            </span>
          </p>
          <h1>
            <Shown text={issue.title} />
          </h1>
          {issue.status === "FAILED" && (
            <p>
              <b>{reasonOf(issue.reason, issue.detail ?? "", issue.last_score).what}.</b> <Shown text={sentence(issue.detail ?? "")} />
            </p>
          )}
        </div>
        <div class="actions thumb">
          {decidable && !accepted && (
            <button type="button" class="primary" onClick={accept}>
              Accept the fix <kbd aria-hidden="true">a</kbd>
            </button>
          )}
          {decidable && (
            <button type="button" onClick={() => setRejecting(true)}>
              Reject… <kbd aria-hidden="true">x</kbd>
            </button>
          )}
          {open && (
            <button type="button" class="primary" onClick={() => setAsking({ what: "fix", codes: [issue.code] })}>
              {issue.status === "FAILED" ? "Try again…" : "Fix…"} <kbd aria-hidden="true">f</kbd>
            </button>
          )}
          {open && (
            <button type="button" onClick={() => setAsking({ what: "ignore", codes: [issue.code] })}>
              Ignore… <kbd aria-hidden="true">i</kbd>
            </button>
          )}
          {issue.file && (
            <button type="button" class="wide-only" onClick={edit}>
              <Icon name="edit" /> Editor <kbd aria-hidden="true">e</kbd>
            </button>
          )}
          {(issue.status === "IGNORED" || issue.status === "DUPLICATE") && (
            <button type="button" onClick={() => setAsking({ what: "reopen", codes: [issue.code] })}>
              Reopen…
            </button>
          )}
        </div>
      </header>
      <WantedTests issue={issue} />
      <Loaded from={attempts} rows={6}>
        {(page) => <Evidence issue={issue} page={page} />}
      </Loaded>
      <BulkBar repository={issue.repository_id} selected={new Set()} onClear={reload} asking={asking} ask={setAsking} />
      {rejecting && <RejectDialog session={issue.session_id!} issue={issue} onClose={(done) => (setRejecting(false), done && reload())} />}
    </div>
  );
}

export function IssuePage({ code }: { code: string }): JSX.Element {
  const id = repository.value?.id ?? null;
  const issue = useResource(id && `issue page ${id} ${code}`, (signal) => getIssue({ code, repository_id: id! }, { signal }), (event) => event.issue_code === code && event.type !== "fix_issue_streaming");
  if (issue.error?.status === 404)
    return (
      <Empty icon="issues" title={`There is no issue ${code} here.`}>
        <Link to={at("/issues")}>See all issues</Link>
      </Empty>
    );
  return (
    <Loaded from={issue} rows={8}>
      {(data) => <Page issue={data} reload={issue.reload} />}
    </Loaded>
  );
}
