// Above a session that has not ended: how far it is, how long it takes, what it cost, and how to stop it.
import type { JSX } from "preact";
import { approveSession, cancelSession, resumeSession } from "../api/operations";
import type { SessionSnapshot } from "../api/types";
import { attempt } from "../app/toasts";
import { Dialog } from "../parts/dialog";
import { Icon } from "../parts/icon";
import { count, isRunning, money, SessionChip, span, useNow } from "../parts/words";
import { Shown } from "../text/shown";
import { sessionTitle } from "./outcome";
import type { SessionState } from "./session_state";

export function CancelDialog({ snapshot, onClose }: { snapshot: SessionSnapshot; onClose: () => void }): JSX.Element {
  return (
    <Dialog title="Stop this session?" onClose={onClose}>
      <p>Fixes that passed are kept, other issues stay open, and the session can be resumed. Running agents are stopped.</p>
      <div class="dialog-end">
        <button type="button" onClick={onClose}>
          Let it run
        </button>
        <button type="button" class="danger" onClick={() => void attempt(() => cancelSession({ id: snapshot.id }), "Stopping").then(onClose)}>
          Stop it
        </button>
      </div>
    </Dialog>
  );
}

export const canResume = (status: SessionSnapshot["status"]): boolean => status === "cancelled" || status === "interrupted" || status === "error" || status === "stopped";

export const ResumeButton = ({ id, reload }: { id: string; reload: () => void }): JSX.Element => (
  <button type="button" onClick={() => void attempt(() => resumeSession({ id }), "The session continues").then(reload)}>
    <Icon name="play" /> Resume
  </button>
);

export function Header({ snapshot, state, onCancel, reload }: { snapshot: SessionSnapshot; state: SessionState; onCancel: () => void; reload: () => void }): JSX.Element {
  const live = isRunning(snapshot.status);
  const now = useNow(live);
  const began = state.began || Date.parse(snapshot.started_at ?? "");
  const elapsed = live ? now - began : 0;
  const used = snapshot.consumed;
  const total = (snapshot.issues ?? []).length;
  const ended = [...state.issues.values()].filter((issue) => issue.phase === "done");
  const fixed = ended.filter((issue) => issue.status === "RESOLVED").length;
  const failed = ended.filter((issue) => issue.status === "FAILED").length;
  const so = [fixed > 0 && `${fixed} fixed`, failed > 0 && `${failed} ${failed === 1 ? "needs" : "need"} you`].filter(Boolean).join(", ");
  return (
    <header class="page-head">
      <div class="grow">
        <h1>{live && total > 1 && ended.length > 0 ? `${ended.length} of ${total} done${so ? `: ${so}` : ""}` : <Shown text={sessionTitle(snapshot)} />}</h1>
        <p class="row">
          <SessionChip status={snapshot.status} />
          {live && total > 0 && <span>{total > 1 && ended.length > 0 ? <Shown text={sessionTitle(snapshot)} /> : `${ended.length} of ${total} done`}</span>}
          {Number.isFinite(elapsed) && elapsed > 0 && (
            <span class="number" aria-label="Elapsed">
              {span(elapsed)}
            </span>
          )}
          {used && used.agent_runs > 0 && (
            <span>
              {count(used.agent_runs, "agent run")}
              {used.cost_usd !== null ? `, ${money(used.cost_usd)}` : ""}
            </span>
          )}
          <span>
            {snapshot.fixer}
            {snapshot.challenger ? `, judged by ${snapshot.challenger}` : ""}
          </span>
          <code>{snapshot.branch_name}</code>
        </p>
      </div>
      {live && (
        <button type="button" class="danger" onClick={onCancel}>
          <Icon name="stop" /> Stop
        </button>
      )}
      {snapshot.status === "planned" && (
        <button type="button" class="primary" onClick={() => void attempt(() => approveSession({ id: snapshot.id }), "Approved").then(reload)}>
          <Icon name="check" /> Approve the plan
        </button>
      )}
      {canResume(snapshot.status) && <ResumeButton id={snapshot.id} reload={reload} />}
    </header>
  );
}
