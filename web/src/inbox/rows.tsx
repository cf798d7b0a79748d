// The rows of the inbox: what it is; why it is here; what can be done about it at once.
import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { newKey } from "../api/client";
import { approveSession, resumeSession, startFix } from "../api/operations";
import type { Issue, Needs, Session } from "../api/types";
import { atRepository, nameOfRepository, repositories } from "../app/repositories";
import { go, Link } from "../app/router";
import { attempt } from "../app/toasts";
import { acceptFix } from "../changes/decisions";
import type { Asking } from "../issues/bulk_bar";
import { CheckOutput } from "../issues/check_output";
import { WantedTests } from "../issues/wanted_tests";
import { openInEditor } from "../parts/editor";
import { reasonOf, sentence } from "../parts/reasons";
import { copyText } from "../parts/states";
import { count, placeOf, SeverityMark } from "../parts/words";
import { PullRequestDialog } from "../session/pull_request";
import { SessionRow } from "../session/session_row";
import { Shown } from "../text/shown";
import { levelCounts } from "./needs";

export type Ask = (repository: string, asking: Asking) => void;
type Branch = Needs["ready"][number];

export const RepositoryChip = ({ id }: { id: string }): JSX.Element | null => (repositories.value.length > 1 ? <span class="chip chip-line">{nameOfRepository(id)}</span> : null);

const sessionPath = (session: Session, part = ""): string => atRepository(session.repository_id, `/sessions/${encodeURIComponent(session.id)}${part}`);

function IssueTitle({ issue }: { issue: Issue }): JSX.Element {
  const path = atRepository(issue.repository_id, `/issues/${encodeURIComponent(issue.code)}`);
  return (
    <div class="item-title">
      <Link class="code-id" data-row to={path}>
        {issue.code}
      </Link>
      <Link class="plain" to={path} tabIndex={-1} title={issue.title}>
        <Shown text={issue.title} />
      </Link>
    </div>
  );
}

// Where it is; a click opens it there in the person's editor.
function Place({ issue }: { issue: Issue }): JSX.Element {
  const place = placeOf(issue);
  if (!issue.file) return <span class="path clip">{place}</span>;
  return (
    <button type="button" class="path clip place-button" title={`${place}: open in the editor`} onClick={() => openInEditor(issue.repository_id, issue.file, issue.range?.start_line ?? 1)}>
      <Shown ltr text={place} />
      <span class="visually-hidden">, open in the editor</span>
    </button>
  );
}

export function OpenRow({ issue }: { issue: Issue }): JSX.Element {
  return (
    <li class="item">
      <SeverityMark severity={issue.severity} />
      <IssueTitle issue={issue} />
      <div class="item-side">
        <Place issue={issue} />
      </div>
    </li>
  );
}

export function DismissalRow({ dismissal }: { dismissal: NonNullable<Needs["dismissals"]>[number] }): JSX.Element {
  return (
    <li class="item">
      <SeverityMark severity={dismissal.issue.severity} />
      <IssueTitle issue={dismissal.issue} />
      <div class="item-side">
        <span class="hint">
          <Shown text={dismissal.by} /> closed its thread on #{dismissal.pull_request} without a fix
        </span>
      </div>
    </li>
  );
}

const tryNow = (issue: Issue): Promise<boolean> =>
  attempt(async () => {
    const started = await startFix({ repository_id: issue.repository_id, issue_ids: [issue.code] }, { once: newKey() });
    go(atRepository(issue.repository_id, `/sessions/${encodeURIComponent(started.session_id)}`));
  });

export function FailedRow({ issue, ask }: { issue: Issue; ask: Ask }): JSX.Element {
  const [open, setOpen] = useState(false);
  const why = reasonOf(issue.reason, issue.detail ?? "", issue.last_score);
  return (
    <li class="item">
      <SeverityMark severity={issue.severity} />
      <IssueTitle issue={issue} />
      <div class="item-side wide-only">
        <Place issue={issue} />
        <RepositoryChip id={issue.repository_id} />
      </div>
      <div class="item-more">
        <span class="why why-short" title={issue.detail ?? undefined}>
          <b>{why.what}.</b> <Shown text={sentence(issue.detail ?? "")} />
        </span>
        <span class="actions">
          <button type="button" class="small" onClick={() => ask(issue.repository_id, { what: "fix", codes: [issue.code] })}>
            Try again…<span class="visually-hidden"> {issue.code}</span>
          </button>
          <button type="button" class="small bare" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? "Hide the output" : "Show the output"}
            <span class="visually-hidden"> of {issue.code}</span>
          </button>
          <button type="button" class="small bare" onClick={() => ask(issue.repository_id, { what: "ignore", codes: [issue.code] })}>
            Ignore…<span class="visually-hidden"> {issue.code}</span>
          </button>
        </span>
      </div>
      {open && (
        <div class="item-below">
          <CheckOutput issue={issue} />
          <p class="row">
            <button type="button" class="small" onClick={() => void tryNow(issue)}>
              Try again now<span class="visually-hidden"> {issue.code}</span>
            </button>
            <span class="hint">As configured; the fixer reads why it failed.</span>
          </p>
        </div>
      )}
      {issue.detail?.includes("open-test") && (
        <div class="item-below">
          <WantedTests issue={issue} />
        </div>
      )}
    </li>
  );
}

// With all issues of a session at hand its name says more than their number.
const named = (session: Session, issues: Issue[]): Session => (issues.length === session.issue_ids.length ? ({ ...session, issues } as Session) : session);

function Row({ session, fixes = [], why, actions }: { session: Session; fixes?: Issue[]; why: ComponentChildren; actions: ComponentChildren }): JSX.Element {
  return <SessionRow session={named(session, fixes)} side={<RepositoryChip id={session.repository_id} />} why={why} actions={actions} />;
}

export function PlanRow({ session, reload }: { session: Session; reload: () => void }): JSX.Element {
  const approve = (): void => void attempt(() => approveSession({ id: session.id }), "Approved").then(reload);
  return (
    <Row
      session={session}
      why={<b>Starts when you approve its plan.</b>}
      actions={
        <>
          <button type="button" class="small" onClick={approve}>
            Approve<span class="visually-hidden"> {session.id}</span>
          </button>
          <Link class="button small bare" to={sessionPath(session)}>
            Look at the plan
          </Link>
        </>
      }
    />
  );
}

export function ReadyRow({ branch, reload }: { branch: Branch; reload: () => void }): JSX.Element {
  const { session, fixes } = branch;
  const proven = fixes.filter((issue) => issue.evidence === "proven");
  const accept = (): void => void Promise.all(proven.map((issue) => acceptFix(session.id, issue.code))).then(reload);
  return (
    <Row
      session={session}
      fixes={fixes}
      why={
        <>
          <b>
            {count(fixes.length, "fix waits", "fixes wait")} for your decision: {levelCounts(fixes)}.
          </b>{" "}
          Nothing is pushed.
        </>
      }
      actions={
        <>
          {proven.length > 0 && (
            <button type="button" class="small" onClick={accept}>
              Accept {proven.length} proven<span class="visually-hidden"> of {session.branch_name}</span>
            </button>
          )}
          <Link class={proven.length > 0 ? "button small bare" : "button small"} to={sessionPath(session, "/changes")}>
            Review<span class="visually-hidden"> {session.branch_name}</span>
          </Link>
        </>
      }
    />
  );
}

export function TakenRow({ branch }: { branch: Branch }): JSX.Element {
  const [pulling, setPulling] = useState(false);
  const { session, fixes } = branch;
  return (
    <>
      <Row
        session={session}
        fixes={fixes}
        why={
          <>
            <b>{fixes.length === 1 ? "The fix is accepted" : `All ${fixes.length} fixes are accepted`}:</b> {levelCounts(fixes)}. It leaves this list once it is merged.
          </>
        }
        actions={
          <>
            <button type="button" class="small" onClick={() => setPulling(true)}>
              Create a pull request…<span class="visually-hidden"> of {session.branch_name}</span>
            </button>
            <button type="button" class="small bare" onClick={() => void copyText(`git merge ${session.branch_name}`, "Command")}>
              Copy the merge command<span class="visually-hidden"> of {session.branch_name}</span>
            </button>
          </>
        }
      />
      {pulling && <PullRequestDialog session={session} onClose={() => setPulling(false)} />}
    </>
  );
}

export function StoppedRow({ session, reload }: { session: Session; reload: () => void }): JSX.Element {
  const resume = (): void => void attempt(() => resumeSession({ id: session.id }), "The session continues").then(reload);
  return (
    <Row
      session={session}
      why={
        <>
          <b>Stopped before it was done.</b> <Shown text={sentence(session.detail ?? "")} />
        </>
      }
      actions={
        <>
          <button type="button" class="small" onClick={resume}>
            Resume<span class="visually-hidden"> {session.id}</span>
          </button>
          <Link class="button small bare" to={sessionPath(session)}>
            Look at it
          </Link>
        </>
      }
    />
  );
}
