// One session. While it runs: stages, steps and issues at the left, what happens at the right. Once it ended: its result.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { approveSession, getSession } from "../api/operations";
import { useResource } from "../api/resource";
import type { SessionSnapshot } from "../api/types";
import { useActions } from "../app/keys";
import { useName } from "../app/names";
import { at, go, here, Link, place } from "../app/router";
import { announce, attempt } from "../app/toasts";
import { Icon } from "../parts/icon";
import { Failed, Loaded, Skeleton } from "../parts/states";
import { Tabs } from "../parts/tabs";
import { Chip, count, isRunning, reasonWords, statusWord } from "../parts/words";
import { ChecksTab } from "./checks_tab";
import { EventsTab } from "./events_tab";
import { Lanes } from "./lanes";
import { LogTab } from "./log_tab";
import { sessionTitle } from "./outcome";
import { PlanTab } from "./plan_tab";
import { Result } from "./result";
import { CancelDialog, canResume, Header, ResumeButton } from "./session_header";
import { type IssueState, newIssue, type SessionState, stages } from "./session_state";
import { RunsTab } from "./runs_tab";
import { TimelineTab } from "./timeline_tab";
import { useSession } from "./use_session";
import { VerdictsTab } from "./verdicts_tab";

const stageNames: Record<(typeof stages)[number], string> = { plan: "Plan", fix: "Fix", verify: "Verify", judge: "Judge", commit: "Commit" };

function StageBar({ state, status }: { state: SessionState; status: SessionSnapshot["status"] }): JSX.Element {
  const live = isRunning(status) || status === "planned";
  const now = stages.indexOf(state.stage);
  return (
    <ol class="stages" aria-label="Stages">
      {stages.map((stage, index) => (
        <li key={stage} class={index < now ? "stage stage-past" : index === now && live ? "stage stage-now" : "stage"} aria-current={index === now && live ? "step" : undefined}>
          {stageNames[stage]}
        </li>
      ))}
    </ol>
  );
}

const phaseWords: Record<IssueState["phase"], string> = { waiting: "waiting", fixing: "being fixed", verifying: "being verified", judging: "being judged", accepted: "passed its round", failed: "sent back", done: "done" };

function IssueLine({ issue, snapshot, chosen }: { issue: IssueState; snapshot: SessionSnapshot; chosen: boolean }): JSX.Element {
  const known = snapshot.issues?.find((one) => one.code === issue.code);
  const status = (issue.status ?? (isRunning(snapshot.status) ? null : known?.status)) as Parameters<typeof statusWord>[0] | null;
  const tone = status ? (status === "RESOLVED" || status === "MERGED" ? "good" : status === "FAILED" ? "bad" : "plain") : issue.phase === "failed" ? "warn" : issue.phase === "waiting" ? "quiet" : issue.phase === "accepted" ? "good" : "busy";
  return (
    <li>
      <Link class="step-issue" to={here({ of: chosen ? null : issue.code })} aria-current={chosen ? "true" : undefined} title={issue.detail || known?.title}>
        <code class="code">{issue.code}</code>
        <Chip tone={tone}>{status ? statusWord(status) : phaseWords[issue.phase]}</Chip>
        {issue.cycle > 1 && <span class="hint">round {issue.cycle}</span>}
        {issue.score !== null && <span class="score">{issue.score}</span>}
        <span class="step-title clip">{known?.title}</span>
      </Link>
    </li>
  );
}

function Steps({ state, snapshot, chosen }: { state: SessionState; snapshot: SessionSnapshot; chosen: string | null }): JSX.Element {
  const placed = new Set([...state.steps.values()].flatMap((step) => step.issues));
  const rest = [...state.issues.values()].filter((issue) => !placed.has(issue.code));
  const line = (issue: IssueState | undefined): JSX.Element | null => (issue ? <IssueLine key={issue.code} issue={{ ...issue }} snapshot={snapshot} chosen={issue.code === chosen} /> : null);
  const unstarted = (snapshot.issues ?? []).filter((issue) => !state.issues.has(issue.code)).map((issue) => newIssue(issue.code));
  return (
    <nav class="steps" aria-label="Steps and issues">
      {[...state.steps.values()].sort((a, b) => a.step - b.step).map((step) => (
        <section key={step.step}>
          <h2>
            Step {step.step} of {state.totalSteps} <Chip tone={step.state === "done" ? "good" : isRunning(snapshot.status) ? "busy" : "quiet"}>{step.state === "done" || isRunning(snapshot.status) ? step.state : "not ended"}</Chip>
          </h2>
          {step.reason && <p class="hint">{step.reason}</p>}
          <ul>{step.issues.map((code) => line(state.issues.get(code)))}</ul>
        </section>
      ))}
      {(rest.length > 0 || unstarted.length > 0) && (
        <section>
          <h2>{state.steps.size > 0 ? "Not begun" : "Issues"}</h2>
          <ul>{[...rest, ...unstarted].map(line)}</ul>
        </section>
      )}
    </nav>
  );
}

const aboutState = /^(fix_session_|fix_issue_completed|fix_commit_created|agent_run_completed|fix_step_|fix_plan_|fix_issue_rejected|fix_issue_discarded|issue_updated)/;

export function Session({ id }: { id: string }): JSX.Element {
  const snapshot = useResource(`session ${id}`, (signal) => getSession({ id }, { signal }), (event) => event.session_id === id && aboutState.test(event.type));
  // A session that waits in the queue has no number yet: all of its events are to come.
  const { state, caughtUp, error } = useSession(id, snapshot.data ? (snapshot.data.seq ?? 0) : undefined);
  const [stopping, setStopping] = useState(false);
  const asked = place.value.query.get("tab");
  const tab = asked ?? (snapshot.data?.status === "planned" ? "plan" : "log");
  const only = place.value.query.get("of");
  const turn = (next: string): void => go(here({ tab: next }), { replace: true });
  const told = useRef(0);
  useEffect(() => {
    const last = state.events[state.events.length - 1];
    if (!last || last.seq === told.current) return;
    told.current = last.seq;
    if (last.type === "fix_issue_completed") announce(`${last.issue_code} ${reasonWords(String(last.status).toLowerCase())}${typeof last.score === "number" ? `, score ${last.score}` : ""}`);
  });
  useName(id, snapshot.data && sessionTitle(snapshot.data));
  const codes = [...state.issues.keys()];
  const pick = (step: number): void => {
    if (codes.length === 0) return;
    const now = only ? codes.indexOf(only) : step > 0 ? -1 : codes.length;
    go(here({ of: codes[(now + step + codes.length) % codes.length] ?? null }), { replace: true });
  };
  useActions([
    { keys: "l", what: "Log", group: "Session", run: () => turn("log") },
    { keys: "t", what: "Timeline", group: "Session", run: () => turn("timeline") },
    { keys: "n", what: "Next issue", group: "Session", run: () => pick(1) },
    { keys: "p", what: "Previous issue", group: "Session", run: () => pick(-1) },
    { keys: "Escape", what: "All issues", group: "Session", run: () => go(here({ of: null }), { replace: true }) },
    { keys: "v", what: "Review changes", group: "Session", run: () => go(at(`/sessions/${encodeURIComponent(id)}/changes`)) },
    { keys: "Shift+A", what: snapshot.data?.status === "planned" ? "Approve the plan" : "Accept all proven fixes", group: "Session", hidden: snapshot.data?.status !== "planned", run: () => snapshot.data?.status === "planned" && void attempt(() => approveSession({ id }), "Approved").then(snapshot.reload) },
    { keys: "Ctrl+.", what: "Stop the session", group: "Session", run: () => isRunning(snapshot.data?.status) && setStopping(true) },
  ]);
  const tabs = [
    { id: "log", name: "Log" },
    { id: "timeline", name: "Timeline" },
    { id: "plan", name: "Plan" },
    { id: "checks", name: "Verification", count: state.checks.length },
    { id: "verdicts", name: "Judgement", count: state.verdicts.length },
    { id: "runs", name: "Runs" },
    { id: "events", name: "Events" },
  ];
  const over = snapshot.data && !isRunning(snapshot.data.status) && snapshot.data.status !== "planned";
  const body = (data: SessionSnapshot): JSX.Element => (
    <div class="session-body">
      <Steps state={state} snapshot={data} chosen={only} />
      <Tabs tabs={tabs} current={tab} label="About this session" onTurn={turn}>
        {!caughtUp && state.seq === 0 && tab !== "plan" && tab !== "runs" && isRunning(data.status) === false ? (
          <Skeleton rows={5} />
        ) : tab === "timeline" ? (
          <TimelineTab state={state} only={only} live={isRunning(data.status)} />
        ) : tab === "plan" ? (
          <PlanTab id={id} editable={data.status === "planned"} />
        ) : tab === "checks" ? (
          <ChecksTab state={state} only={only} />
        ) : tab === "verdicts" ? (
          <VerdictsTab state={state} only={only} />
        ) : tab === "runs" ? (
          <RunsTab snapshot={data} only={only} />
        ) : tab === "events" ? (
          <EventsTab state={state} only={only} />
        ) : (
          <LogTab state={state} only={only} live={isRunning(data.status)} />
        )}
      </Tabs>
    </div>
  );
  return (
    <Loaded from={snapshot} rows={6}>
      {(data) =>
        over && (caughtUp || error) ? (
          <>
            {error && <Failed error={error} />}
            {canResume(data.status) && (
              <p class="note row">
                <span class="grow">The session ended before it was done. What was fixed is kept.</span>
                <ResumeButton id={id} reload={snapshot.reload} />
              </p>
            )}
            <Result snapshot={data} state={state} reload={snapshot.reload}>
              <details class="panel how" open={asked !== null} onToggle={(event) => event.currentTarget.open !== (asked !== null) && go(here({ tab: event.currentTarget.open ? "timeline" : null }), { replace: true })}>
                <summary>
                  <Icon name="right" /> How it went
                  <span class="hint end">{`${count(state.lanes.length, "run")}, ${count(state.log.length, "line")} of log, ${count(state.events.length, "event")}`}</span>
                </summary>
                {asked !== null && body(data)}
              </details>
            </Result>
          </>
        ) : over ? (
          <Skeleton rows={6} />
        ) : (
          <div class="session">
            <Header snapshot={data} state={state} onCancel={() => setStopping(true)} reload={snapshot.reload} />
            <StageBar state={state} status={data.status} />
            {data.status === "interrupted" && <p class="note">The session was interrupted. The server continues it automatically; if it does not, resume it.</p>}
            {data.status === "planned" && <p class="note">The plan waits for your approval. You can change it first.</p>}
            {data.status === "queued" && <p class="note">Waiting: one session at a time can run in a repository.</p>}
            {error && <Failed error={error} />}
            {isRunning(data.status) && <Lanes state={state} snapshot={data} />}
            {body(data)}
            {stopping && <CancelDialog snapshot={data} onClose={() => (setStopping(false), snapshot.reload())} />}
          </div>
        )
      }
    </Loaded>
  );
}
