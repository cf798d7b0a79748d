// What a person decides about a session's fixes: take one back, have it made again, throw all away, say what is wrong with a line.
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { newKey } from "../api/client";
import * as operations from "../api/operations";
import { commentOnSession, discardSession, refixIssues, rejectFix } from "../api/operations";
import type { Comment, Issue, SessionSnapshot, Withdrawn } from "../api/types";
import { at, go } from "../app/router";
import { attempt, toast } from "../app/toasts";
import { Dialog } from "../parts/dialog";
import { count, Time } from "../parts/words";
import { Shown } from "../text/shown";


function told(done: Withdrawn, word: string): void {
  toast(`${done.withdrawn.map((one) => one.issue_code).join(", ") || "Nothing"}: ${done.again ? `was ${word} before` : word}`);
  if (done.advice) toast(done.advice, "failed");
}

export function RejectDialog({ session, issue, onClose }: { session: string; issue: Issue; onClose: (done: boolean) => void }): JSX.Element {
  const [reason, setReason] = useState("");
  const [busy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    setBusy(true);
    const done = await attempt(async () => told(await rejectFix({ id: session }, { issue: issue.code, reason: reason.trim() }, { once: newKey() }), "rejected"));
    setBusy(false);
    if (done) onClose(true);
  };
  return (
    <Dialog title={`Reject the fix of ${issue.code}`} onClose={() => onClose(false)}>
      <form onSubmit={(event) => (event.preventDefault(), void send())}>
        <p>The issue is open again. Its change is undone by a commit on top of the branch, after the project's checks pass without it.</p>
        <label class="field">
          What is wrong with it? Whoever fixes it next reads this.
          <textarea rows={3} required maxLength={20000} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
        </label>
        <div class="dialog-end">
          <button type="button" onClick={() => onClose(false)}>
            Keep the fix
          </button>
          <button type="submit" class="danger" disabled={busy || !reason.trim()}>
            {busy ? "Checking the other fixes…" : "Reject"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

export function DiscardDialog({ snapshot, onClose }: { snapshot: SessionSnapshot; onClose: (done: boolean) => void }): JSX.Element {
  const [reason, setReason] = useState("");
  const [busy, setBusy] = useState(false);
  const solved = (snapshot.issues ?? []).filter((issue) => issue.status === "RESOLVED").length;
  const send = async (): Promise<void> => {
    setBusy(true);
    const done = await attempt(async () => told(await discardSession({ id: snapshot.id }, reason.trim() ? { reason: reason.trim() } : {}, { once: newKey() }), "discarded"));
    setBusy(false);
    if (done) onClose(true);
  };
  return (
    <Dialog title={`Discard ${snapshot.branch_name ?? snapshot.id}`} onClose={() => onClose(false)}>
      <form onSubmit={(event) => (event.preventDefault(), void send())}>
        <p>
          {count(solved, "resolved issue")} {solved === 1 ? "is" : "are"} open again, and the branch is deleted if it is as emend left it and nobody stands on it. Proofs and history stay.
        </p>
        <label class="field">
          Why? (if you like)
          <textarea rows={2} maxLength={20000} value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
        </label>
        <div class="dialog-end">
          <button type="button" onClick={() => onClose(false)}>
            Keep it
          </button>
          <button type="submit" class="danger" disabled={busy}>
            Discard
          </button>
        </div>
      </form>
    </Dialog>
  );
}

export const acceptFix = (session: string, code: string): Promise<boolean> => attempt(() => operations.acceptFix({ id: session }, { issue: code }, { once: newKey() }), `${code}: accepted`);

export const fixAgain = (session: string, issues: string[]): Promise<boolean> =>
  attempt(async () => {
    const started = await refixIssues({ id: session }, issues.length > 0 ? { issues } : {}, { once: newKey() });
    go(at(`/sessions/${encodeURIComponent(started.session_id)}`));
  });

export interface LinePlace {
  file: string;
  line: number;
  side: "old" | "new";
}

export function CommentForm({ session, place, issues, onDone }: { session: string; place: LinePlace; issues: string[]; onDone: (sent: boolean) => void }): JSX.Element {
  const [text, setText] = useState("");
  const [issue, setIssue] = useState(issues[0] ?? "");
  const field = useRef<HTMLTextAreaElement>(null);
  // Browsers heed `autofocus` only while a page is loaded.
  useLayoutEffect(() => {
    const back = document.activeElement;
    field.current?.focus();
    return () => {
      if (back instanceof HTMLElement && back.isConnected) back.focus();
    };
  }, []);
  const send = async (): Promise<void> => {
    const done = await attempt(() => commentOnSession({ id: session }, { issue, text: text.trim(), ...place }, { once: newKey() }), `${issue}: comment added for the next fixer`);
    if (done) onDone(true);
  };
  return (
    <form class="comment-form" onSubmit={(event) => (event.preventDefault(), void send())}>
      <div class="row">
        <span class="hint grow">
          Line {place.line}, {place.side === "new" ? "as it is now" : "as it was"}
        </span>
        {issues.length > 1 && (
          <label class="row">
            about
            <select value={issue} onChange={(event) => setIssue(event.currentTarget.value)}>
              {issues.map((code) => (
                <option key={code}>{code}</option>
              ))}
            </select>
          </label>
        )}
      </div>
      <textarea ref={field} aria-label="Comment" rows={2} maxLength={20000} value={text} placeholder="What should be different here?" onInput={(event) => setText(event.currentTarget.value)} onKeyDown={(event) => event.key === "Escape" && (event.preventDefault(), onDone(false))} />
      <div class="row">
        <button type="submit" class="primary" disabled={!text.trim() || !issue}>
          Comment
        </button>
        <button type="button" onClick={() => onDone(false)}>
          Cancel
        </button>
      </div>
    </form>
  );
}

export function CommentList({ comments }: { comments: Comment[] }): JSX.Element {
  return (
    <ul class="comments">
      {comments.map((comment) => (
        <li key={comment.id}>
          <span class="hint">
            {comment.by && <b><Shown text={comment.by} /></b>} <code class="code">{comment.issue_code}</code> <Time at={comment.at} />
          </span>
          <p>{comment.text}</p>
        </li>
      ))}
    </ul>
  );
}
