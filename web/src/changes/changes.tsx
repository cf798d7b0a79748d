// The branch of a session, to be looked at like a pull request: files, hunks, and which issue each hunk belongs to.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { get, segment } from "../api/client";
import { useResource } from "../api/resource";
import type { Comment, Diff, Issue, Page, SessionSnapshot } from "../api/types";
import { useActions } from "../app/keys";
import { diffLayout, diffWrap, markViewed } from "../app/preferences";
import { at, go, here, Link, place } from "../app/router";
import { Icon } from "../parts/icon";
import { Empty, Loaded } from "../parts/states";
import { Chip, count, IssueChip, isRunning, SessionChip } from "../parts/words";
import { acceptFix, CommentForm, CommentList, DiscardDialog, fixAgain, RejectDialog, type LinePlace } from "./decisions";
import { type DiffFile, type DiffLine, issuesOfHunk, parseDiff } from "./diff";
import { FileDiff } from "./diff_text";

const kManyLines = 400;

interface Branch {
  snapshot: SessionSnapshot;
  files: DiffFile[];
  byIssue: Map<string, DiffFile[]>;
  comments: Comment[];
}

async function loadBranch(id: string, signal: AbortSignal): Promise<Branch> {
  const base = `/api/fix/sessions/${segment(id)}`;
  const [snapshot, whole, said] = await Promise.all([get<SessionSnapshot>(base, {}, signal), get<Diff>(`${base}/diff`, {}, signal), get<Page<Comment>>(`${base}/comments`, {}, signal)]);
  const committed = (snapshot.issues ?? []).filter((issue) => (snapshot.commits ?? []).some((commit) => commit.issue_ids.includes(issue.id)));
  const each = await Promise.all(committed.map((issue) => get<Diff>(`${base}/diff`, { issue: issue.code }, signal).then((diff) => [issue.code, parseDiff(diff.diff)] as const)));
  return { snapshot, files: parseDiff(whole.diff), byIssue: new Map(each), comments: said.data };
}

// The line a comment is about: added and kept lines by their new number, removed ones by their old one.
const placeOfLine = (file: DiffFile, line: DiffLine): LinePlace => (line.kind === "-" ? { file: file.oldPath ?? file.path, line: line.old!, side: "old" } : { file: file.path, line: line.new!, side: "new" });
const isAt = (a: LinePlace, b: { file: string | null; line: number | null; side: string | null }): boolean => a.file === b.file && a.line === b.line && a.side === (b.side ?? "new");

interface FileCardProps {
  file: DiffFile;
  branch: Branch;
  layout: "unified" | "split";
  wrap: boolean;
  viewed: boolean;
  onViewed: () => void;
  reload: () => void;
}

function FileCard({ file, branch, layout, wrap, viewed, onViewed, reload }: FileCardProps): JSX.Element {
  const [asked, setAsked] = useState(false);
  const [writing, setWriting] = useState<LinePlace | null>(null);
  const candidates = (line: DiffLine): string[] => {
    const hunk = file.hunks.find((one) => one.lines.includes(line));
    const own = hunk ? issuesOfHunk(file, hunk, branch.byIssue) : [];
    return own.length > 0 ? own : [...branch.byIssue.keys()];
  };
  const under = (line: DiffLine): JSX.Element | null => {
    const place = placeOfLine(file, line);
    const said = branch.comments.filter((comment) => isAt(place, comment));
    const open = writing !== null && isAt(place, writing);
    if (said.length === 0 && !open) return null;
    return (
      <>
        {said.length > 0 && <CommentList comments={said} />}
        {open && <CommentForm session={branch.snapshot.id} place={place} issues={candidates(line)} onDone={(sent) => (setWriting(null), sent && reload())} />}
      </>
    );
  };
  const large = file.added + file.removed > kManyLines;
  const codes = [...new Set(file.hunks.flatMap((hunk) => issuesOfHunk(file, hunk, branch.byIssue)))];
  return (
    <article class="file-card" id={`file-${file.path}`} data-file={file.path} aria-label={file.path}>
      <header class="file-head">
        <Icon name="file" />
        <h2 class="clip" title={file.path}>
          {file.oldPath ? `${file.oldPath} → ` : ""}
          {file.path}
        </h2>
        {file.state !== "changed" && <Chip tone="plain">{file.state}</Chip>}
        <Counts file={file} />
        {codes.map((code) => (
          <code key={code} class="code">
            {code}
          </code>
        ))}
        <span class="grow" />
        <label class="choice">
          <input type="checkbox" checked={viewed} onChange={onViewed} /> viewed
        </label>
      </header>
      {viewed ? null : large && !asked ? (
        <p class="diff-note">
          {count(file.added + file.removed, "changed line")}.{" "}
          <button type="button" onClick={() => setAsked(true)}>
            Show them
          </button>
        </p>
      ) : (
        <FileDiff
          file={file}
          layout={layout}
          wrap={wrap}
          onLine={(line) => setWriting(placeOfLine(file, line))}
          under={under}
          tag={(hunk) => {
            const of = issuesOfHunk(file, hunk, branch.byIssue);
            return of.length > 0 ? (
              of.map((code) => (
                <Link key={code} class="hunk-tag" to={here({ of: code })}>
                  {code}
                </Link>
              ))
            ) : branch.byIssue.size > 0 ? (
              <Chip tone="warn">not part of an issue</Chip>
            ) : null;
          }}
        />
      )}
    </article>
  );
}

const Counts = ({ file }: { file: DiffFile }): JSX.Element => (
  <span class="counts">
    <span class="plus">+{file.added}</span> <span class="minus">−{file.removed}</span>
  </span>
);

function Tree({ files, viewed, filter, onFilter, show }: { files: DiffFile[]; viewed: Set<string>; filter: string; onFilter: (text: string) => void; show: (path: string) => void }): JSX.Element {
  return (
    <nav class="tree" aria-label="Files">
      <input id="file-filter" type="search" aria-label="Filter files" placeholder="Filter files (t)" value={filter} onInput={(event) => onFilter(event.currentTarget.value)} onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()} />
      <ul>
        {files.map((file) => (
          <li key={file.path}>
            <button type="button" class="tree-file" title={file.path} onClick={() => show(file.path)}>
              <span class="clip tree-name">{file.path}</span>
              {viewed.has(file.path) && <Icon name="check" />}
              <Counts file={file} />
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function IssueBar({ branch, only, accept, reject }: { branch: Branch; only: string | null; accept: (issue: Issue) => void; reject: (issue: Issue) => void }): JSX.Element {
  const issues: Issue[] = branch.snapshot.issues ?? [];
  const accepted = new Set(branch.snapshot.accepted ?? []);
  const taken = new Map((branch.snapshot.withdrawals ?? []).map((one) => [one.issue_code, one.kind]));
  return (
    <ul class="change-issues" aria-label="Issues of this branch">
      {issues.map((issue) => (
        <li key={issue.id} class={only === issue.code ? "change-issue change-issue-on" : "change-issue"}>
          <Link to={here({ of: only === issue.code ? null : issue.code })} aria-current={only === issue.code ? "true" : undefined} title={issue.title}>
            <code class="code">{issue.code}</code>
            <span class="clip">{issue.title}</span>
          </Link>
          {taken.has(issue.code) ? <Chip tone="warn">{taken.get(issue.code)!}</Chip> : <IssueChip issue={issue} />}
          {issue.last_score !== null && <span class="score">{issue.last_score}</span>}
          {accepted.has(issue.code) && !taken.has(issue.code) && <Chip tone="good">accepted</Chip>}
          {issue.status === "RESOLVED" && issue.session_id === branch.snapshot.id && !taken.has(issue.code) && !accepted.has(issue.code) && (
            <button type="button" class="small" aria-label={`Accept the fix of ${issue.code}`} onClick={() => accept(issue)}>
              Accept
            </button>
          )}
          {issue.status === "RESOLVED" && issue.session_id === branch.snapshot.id && !taken.has(issue.code) && (
            <button type="button" class="small" aria-label={`Reject the fix of ${issue.code}`} onClick={() => reject(issue)}>
              Reject
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

function Review({ branch, reload }: { branch: Branch; reload: () => void }): JSX.Element {
  const [rejecting, setRejecting] = useState<Issue | null>(null);
  const [discarding, setDiscarding] = useState(false);
  const only = place.value.query.get("of");
  const [filter, setFilter] = useState("");
  const [viewed, setViewed] = useState<Set<string>>(new Set());
  const box = useRef<HTMLDivElement>(null);
  const files = useMemo(() => (only ? (branch.byIssue.get(only) ?? []) : branch.files).filter((file) => file.path.toLowerCase().includes(filter.toLowerCase())), [branch, only, filter]);
  const accept = (code: string): void => void acceptFix(branch.snapshot.id, code).then((done) => done && reload());
  const startReject = (code: string): void => setRejecting((branch.snapshot.issues ?? []).find((issue) => issue.code === code && issue.status === "RESOLVED") ?? null);
  const again = (branch.snapshot.withdrawals ?? []).map((one) => one.issue_code).filter((code) => (branch.snapshot.issues ?? []).some((issue) => issue.code === code && issue.status === "OPEN"));
  const decided = (done: boolean): void => {
    setRejecting(null);
    setDiscarding(false);
    if (done) reload();
  };
  const show = (path: string): void => document.getElementById(`file-${path}`)?.scrollIntoView({ block: "start" });
  const flip = (path: string): void => {
    const next = new Set(viewed);
    if (!next.delete(path)) next.add(path);
    setViewed(next);
  };
  const step = (selector: string, by: number): void => {
    const all = [...(box.current?.querySelectorAll<HTMLElement>(selector) ?? [])];
    const top = 120;
    const now = all.findIndex((element) => element.getBoundingClientRect().top > top + 4);
    const at_ = by > 0 ? (now < 0 ? all.length - 1 : now) : Math.max(0, (now < 0 ? all.length : now) - 2);
    const target = all[at_];
    if (target) scrollTo({ top: scrollY + target.getBoundingClientRect().top - top });
  };
  const nearest = (): string | undefined => [...(box.current?.querySelectorAll<HTMLElement>("[data-file]") ?? [])].find((element) => element.getBoundingClientRect().bottom > 140)?.dataset.file;
  useActions([
    { keys: "j", what: "Next hunk", group: "Changes", run: () => step("[data-hunk]", 1) },
    { keys: "k", what: "Previous hunk", group: "Changes", run: () => step("[data-hunk]", -1) },
    { keys: "n", what: "Next file", group: "Changes", run: () => step("[data-file]", 1) },
    { keys: "p", what: "Previous file", group: "Changes", run: () => step("[data-file]", -1) },
    { keys: "t", what: "Filter files", group: "Changes", run: () => document.getElementById("file-filter")?.focus() },
    { keys: "u", what: "Unified or split", group: "Changes", run: () => (diffLayout.value = diffLayout.value === "split" ? "unified" : "split") },
    { keys: "w", what: "Wrap long lines", group: "Changes", run: () => (diffWrap.value = diffWrap.value === "on" ? "off" : "on") },
    { keys: "v", what: "Viewed", group: "Changes", run: () => nearest() && flip(nearest()!) },
    { keys: "a", what: "Accept the fix of this issue", group: "Changes", run: () => only && accept(only) },
    { keys: "x", what: "Reject the fix of this issue", group: "Changes", run: () => only && startReject(only) },
    { keys: "Escape", what: "All issues", group: "Changes", run: () => go(here({ of: null }), { replace: true }) },
  ]);
  if (branch.files.length === 0)
    return (
      <Empty icon="branch" title={isRunning(branch.snapshot.status) ? "Nothing is committed yet." : "This session changed nothing."}>
        <Link to={at(`/sessions/${encodeURIComponent(branch.snapshot.id)}`)}>See the session</Link>
      </Empty>
    );
  const plus = files.reduce((sum, file) => sum + file.added, 0);
  const minus = files.reduce((sum, file) => sum + file.removed, 0);
  return (
    <>
      <IssueBar branch={branch} only={only} accept={(issue) => accept(issue.code)} reject={setRejecting} />
      {rejecting && <RejectDialog session={branch.snapshot.id} issue={rejecting} onClose={decided} />}
      {discarding && <DiscardDialog snapshot={branch.snapshot} onClose={decided} />}
      <div class="changes-bar">
        <span>
          {count(files.length, "file")}, <span class="plus">+{plus}</span> <span class="minus">−{minus}</span>
          {only ? ` for ${only}` : ""}
        </span>
        <span class="grow" />
        <button type="button" aria-pressed={diffLayout.value === "split"} onClick={() => (diffLayout.value = diffLayout.value === "split" ? "unified" : "split")}>
          Split
        </button>
        <button type="button" aria-pressed={diffWrap.value === "on"} onClick={() => (diffWrap.value = diffWrap.value === "on" ? "off" : "on")}>
          Wrap
        </button>
        {again.length > 0 && (
          <button type="button" class="primary" onClick={() => void fixAgain(branch.snapshot.id, again)}>
            Fix {again.join(", ")} again
          </button>
        )}
        {(branch.snapshot.issues ?? []).some((issue) => issue.status === "RESOLVED") && !isRunning(branch.snapshot.status) && (
          <button type="button" class="danger" onClick={() => setDiscarding(true)}>
            Discard
          </button>
        )}
        <a class="button" href={`/api/fix/sessions/${segment(branch.snapshot.id)}/diff?format=patch`} download={`${branch.snapshot.id}.patch`}>
          Patch
        </a>
      </div>
      <div class="changes-body" ref={box}>
        <Tree files={files} viewed={viewed} filter={filter} onFilter={setFilter} show={show} />
        <div class="changes-files">
          {files.map((file) => (
            <FileCard key={`${only ?? ""} ${file.path}`} file={file} branch={branch} layout={diffLayout.value!} wrap={diffWrap.value === "on"} viewed={viewed.has(file.path)} onViewed={() => flip(file.path)} reload={reload} />
          ))}
          {files.length === 0 && <Empty title={only ? `No commit of this branch is about ${only}.` : "No matching file."} />}
        </div>
      </div>
    </>
  );
}

export function Changes({ id }: { id: string }): JSX.Element {
  const branch = useResource(`branch ${id}`, (signal) => loadBranch(id, signal), (event) => event.session_id === id && /^(fix_commit_|fix_session_|fix_issue_accepted|fix_issue_rejected|fix_issue_discarded|fix_branch_|issue_updated|issue_commented)/.test(event.type));
  const over = branch.data && !isRunning(branch.data.snapshot.status);
  useEffect(() => {
    if (over) markViewed(id);
  }, [over, id]);
  return (
    <div class="changes">
      <header class="session-head">
        <h1>
          <Icon name="branch" />
          <span class="clip">Changes of {branch.data?.snapshot.branch_name ?? id}</span>
        </h1>
        {branch.data && <SessionChip status={branch.data.snapshot.status} />}
        <span class="grow" />
        <Link class="button" to={at(`/sessions/${encodeURIComponent(id)}`)}>
          The session
        </Link>
      </header>
      <Loaded from={branch} rows={8}>
        {(data) => <Review branch={data} reload={branch.reload} />}
      </Loaded>
    </div>
  );
}
