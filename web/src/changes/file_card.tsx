// One file of a branch: its hunks, whose fix each of them is and what can be decided about it, comments on lines.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { getImageAddress } from "../api/operations";
import type { Issue } from "../api/types";
import { here, Link } from "../app/router";
import { toastError } from "../app/toasts";
import { openInEditor } from "../parts/editor";
import { EvidenceBadge } from "../parts/evidence";
import { Icon } from "../parts/icon";
import { copyText } from "../parts/states";
import { Chip } from "../parts/words";
import { Shown } from "../text/shown";
import { type Branch, expand, firstNew, lastNew, standingOf } from "./branch";
import { CommentForm, CommentList, type LinePlace } from "./decisions";
import { type DiffFile, type DiffLine, type Hunk, issuesOfHunk } from "./diff";
import { FileDiff, type Images } from "./diff_text";

export const Counts = ({ file }: { file: DiffFile }): JSX.Element => (
  <span class="counts">
    <span class="plus">+{file.added}</span> <span class="minus">−{file.removed}</span>
  </span>
);

// The line a comment is about: added and kept lines by their new number, removed ones by their old one.
const placeOfLine = (file: DiffFile, line: DiffLine): LinePlace => (line.kind === "-" ? { file: file.oldPath ?? file.path, line: line.old!, side: "old" } : { file: file.path, line: line.new!, side: "new" });
const isAt = (a: LinePlace, b: { file: string | null; line: number | null; side: string | null }): boolean => a.file === b.file && a.line === b.line && a.side === (b.side ?? "new");

// Where the change begins, in the file as the person has it checked out: without the fix.
export const firstChanged = (file: DiffFile): number => {
  const line = file.hunks[0]?.lines.find((one) => one.kind !== " ");
  return line?.old ?? line?.new ?? 1;
};

function imagesOf({ snapshot }: Branch, file: DiffFile): Images {
  const address = (path: string, rev: string | null | undefined): string => getImageAddress({ id: snapshot.repository_id, path, rev: rev ?? undefined });
  return { before: file.state === "added" ? null : address(file.oldPath ?? file.path, snapshot.base), after: file.state === "deleted" ? null : address(file.path, snapshot.tip ?? snapshot.branch_name) };
}

export interface Deciding {
  accept: (issue: Issue) => void;
  reject: (issue: Issue) => void;
  chosen: string | null;
}

export function FixRow({ branch, issue, deciding }: { branch: Branch; issue: Issue; deciding: Deciding }): JSX.Element {
  const standing = standingOf(branch, issue);
  const chosen = deciding.chosen === issue.code;
  const gone = standing === "rejected" || standing === "discarded";
  return (
    <div class={chosen ? "fix-row chosen" : "fix-row"} data-fix={issue.code}>
      <Link class="hunk-tag code-id" to={here({ of: issue.code })}>
        {issue.code}
      </Link>
      <span class="fix-title clip" title={issue.title}>
        <Shown text={issue.title} />
      </span>
      {!gone && <EvidenceBadge level={issue.evidence} />}
      {!gone && issue.last_score !== null && <span class="hint">judge {issue.last_score}</span>}
      {standing === "to decide" ? (
        <span class="actions">
          <button type="button" class="small" onClick={() => deciding.accept(issue)}>
            Accept<span class="visually-hidden"> the fix of {issue.code}</span> {chosen && <kbd aria-hidden="true">a</kbd>}
          </button>
          <button type="button" class="small bare" onClick={() => deciding.reject(issue)}>
            Reject<span class="visually-hidden"> the fix of {issue.code}</span> {chosen && <kbd aria-hidden="true">x</kbd>}
          </button>
        </span>
      ) : (
        <span class="actions">
          <Chip tone={standing === "accepted" || standing === "merged" ? "good" : "warn"}>{standing}</Chip>
          {standing === "accepted" && issue.status === "RESOLVED" && (
            <button type="button" class="small bare" onClick={() => deciding.reject(issue)}>
              Reject<span class="visually-hidden"> the fix of {issue.code}</span>
            </button>
          )}
        </span>
      )}
    </div>
  );
}

interface Props {
  file: DiffFile;
  branch: Branch;
  deciding: Deciding;
  layout: "unified" | "split";
  wrap: boolean;
  seen: boolean;
  onSeen: () => void;
  reload: () => void;
  eager: boolean;
}

export function FileCard({ file, branch, deciding, layout, wrap, seen, onSeen, reload, eager }: Props): JSX.Element {
  const [writing, setWriting] = useState<LinePlace | null>(null);
  const [, redraw] = useState(0);
  const issues = new Map((branch.snapshot.issues ?? []).map((issue) => [issue.code, issue]));
  const codes = (hunk: Hunk): string[] => issuesOfHunk(file, hunk, branch.owners);
  const candidates = (line: DiffLine): string[] => {
    const hunk = file.hunks.find((one) => one.lines.includes(line));
    const own = hunk ? codes(hunk) : [];
    return own.length > 0 ? own : [...branch.byIssue.keys()];
  };
  const comments = branch.comments.filter((comment) => comment.file === file.path || comment.file === file.oldPath);
  const under = (line: DiffLine): JSX.Element | null => {
    if (comments.length === 0 && writing === null) return null;
    const place = placeOfLine(file, line);
    const said = comments.filter((comment) => isAt(place, comment));
    const open = writing !== null && isAt(place, writing);
    if (said.length === 0 && !open) return null;
    return (
      <>
        {said.length > 0 && <CommentList comments={said} />}
        {open && <CommentForm session={branch.snapshot.id} place={place} issues={candidates(line)} onDone={(sent) => (setWriting(null), sent && reload())} />}
      </>
    );
  };
  const more = (at: number, where: "above" | "below"): void => void expand(branch, file, at, where).then(() => redraw((n) => n + 1), toastError);
  const head = (hunk: Hunk, at: number): JSX.Element => {
    const own = codes(hunk);
    const before = at > 0 ? codes(file.hunks[at - 1]!).join() : "";
    const around = hunk.header.replace(/^@@[^@]*@@ ?/, "");
    const hidden = file.state === "deleted" ? 0 : firstNew(hunk) - (at > 0 ? lastNew(file.hunks[at - 1]!) : 0) - 1;
    return (
      <>
        {own.join() !== before && own.map((code) => issues.has(code) && <FixRow key={code} branch={branch} issue={issues.get(code)!} deciding={deciding} />)}
        {own.length === 0 && branch.byIssue.size > 0 && <Chip tone="warn">not part of an issue</Chip>}
        {hidden > 0 ? (
          <button type="button" class="small bare diff-more" onClick={() => more(at, "above")}>
            <Icon name="down" /> {hidden === 1 ? "Show 1 more line" : `Show ${Math.min(hidden, 20)} more lines`}
          </button>
        ) : null}
        {around && <span class="diff-at">{around}</span>}
      </>
    );
  };
  const last = file.hunks.length - 1;
  return (
    <article class="file-card" id={`file-${file.path}`} data-file={file.path} aria-label={file.path}>
      <header class="file-head">
        <button type="button" class="bare" aria-expanded={!seen} aria-label={`${seen ? "Show" : "Hide"} ${file.path}`} onClick={onSeen}>
          <Icon name={seen ? "right" : "down"} />
        </button>
        <h2 class="clip" title={file.path}>
          <Shown ltr text={file.oldPath ? `${file.oldPath} → ${file.path}` : file.path} />
        </h2>
        <button type="button" class="bare" aria-label={`Copy the path ${file.path}`} onClick={() => void copyText(file.path, "Path")}>
          <Icon name="copy" />
        </button>
        {file.state !== "deleted" && (
          <button type="button" class="bare wide-only" aria-label={`Open ${file.path} in the editor`} title="Open in the editor (e)" onClick={() => openInEditor(branch.snapshot.repository_id, file.path, firstChanged(file))}>
            <Icon name="edit" />
          </button>
        )}
        {file.state !== "changed" && <Chip tone="plain">{file.state}</Chip>}
        <Counts file={file} />
        <span class="grow" />
        <label class="choice">
          <input type="checkbox" checked={seen} onChange={onSeen} /> Seen
        </label>
      </header>
      {!seen && (
        <FileDiff
          file={file}
          images={imagesOf(branch, file)}
          layout={layout}
          wrap={wrap}
          eager={eager}
          onLine={(line) => setWriting(placeOfLine(file, line))}
          under={under}
          head={head}
          foot={
            last >= 0 && !file.whole && !file.binary && file.state === "changed" ? (
              <button type="button" class="small bare diff-more" onClick={() => more(last, "below")}>
                <Icon name="down" /> Show more lines
              </button>
            ) : undefined
          }
        />
      )}
    </article>
  );
}
