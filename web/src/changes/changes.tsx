// The branch of a session, to be decided about: files, hunks, which fix each hunk belongs to, how sure it is. Looking is not deciding.
import type { JSX } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useResource } from "../api/resource";
import type { Issue } from "../api/types";
import { useActions } from "../app/keys";
import { diffLayout, diffWrap } from "../app/preferences";
import { useName } from "../app/names";
import { at, go, here, Link, place } from "../app/router";
import { openInEditor } from "../parts/editor";
import { EvidenceBadge } from "../parts/evidence";
import { Icon } from "../parts/icon";
import { Empty, Loaded } from "../parts/states";
import { count, isRunning } from "../parts/words";
import { sessionTitle } from "../session/outcome";
import { Shown } from "../text/shown";
import { type Branch, fixesOf, loadBranch, standingOf } from "./branch";
import { acceptFix, DiscardDialog, fixAgain, RejectDialog } from "./decisions";
import { byFolder, type DiffFile } from "./diff";
import { Counts, FileCard, firstChanged, FixRow } from "./file_card";

const levels = ["proven", "repaired", "unbroken", "judged"];
const kTop = 108; // what the bars above cover

function Tree({ files, fixes, seen, filter, onFilter, show }: { files: DiffFile[]; fixes: Issue[]; seen: Set<string>; filter: string; onFilter: (text: string) => void; show: (path: string) => void }): JSX.Element {
  return (
    <nav class="tree" aria-label="Files">
      <input id="file-filter" type="search" aria-label="Find a file" placeholder="Find a file (t)" value={filter} onInput={(event) => onFilter(event.currentTarget.value)} onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()} />
      {byFolder(files).map(({ folder, files: inside }) => (
        <details key={folder} class="tree-folder" open>
          <summary title={folder}>
            <Icon name="folder" />
            <span class="clip tree-name">
              <Shown ltr text={folder || "At the top"} />
            </span>
            <span class="hint">{inside.length}</span>
          </summary>
          <ul>
            {inside.map((file) => (
              <li key={file.path}>
                <button type="button" class="tree-file" title={file.path} onClick={() => show(file.path)}>
                  <Icon name={seen.has(file.path) ? "check" : "file"} />
                  <span class="clip tree-name">
                    <Shown ltr text={file.path.slice(folder.length ? folder.length + 1 : 0)} />
                  </span>
                  <Counts file={file} />
                </button>
              </li>
            ))}
          </ul>
        </details>
      ))}
      <ul class="tree-levels wide-only">
        {levels.map((level) => {
          const n = fixes.filter((issue) => issue.evidence === level).length;
          return (
            n > 0 && (
              <li key={level} class="row">
                <EvidenceBadge level={level} /> <span class="hint">{count(n, "fix", "fixes")}</span>
              </li>
            )
          );
        })}
      </ul>
    </nav>
  );
}

// Where the reader was, for the time the tab is open.
function useReadingPosition(id: string): void {
  useLayoutEffect(() => {
    const key = `emend.at.${id}`;
    const was = Number(sessionStorage.getItem(key) ?? 0);
    if (was > 0) scrollTo(0, was);
    const keep = (): void => sessionStorage.setItem(key, String(Math.round(scrollY)));
    addEventListener("scroll", keep, { passive: true });
    return () => removeEventListener("scroll", keep);
  }, [id]);
}

function Review({ branch, reload }: { branch: Branch; reload: () => void }): JSX.Element {
  const { snapshot } = branch;
  const only = place.value.query.get("of");
  const [rejecting, setRejecting] = useState<Issue | null>(null);
  const [discarding, setDiscarding] = useState(false);
  const [filter, setFilter] = useState("");
  const [seen, setSeen] = useState<Set<string>>(new Set());
  const [chosen, setChosen] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  useReadingPosition(snapshot.id);
  const files = useMemo(() => (only ? (branch.byIssue.get(only) ?? []) : branch.files).filter((file) => file.path.toLowerCase().includes(filter.toLowerCase())), [branch, only, filter]);
  const fixes = fixesOf(branch);
  const open = fixes.filter((issue) => standingOf(branch, issue) === "to decide");
  const proven = open.filter((issue) => issue.evidence === "proven");
  const current = only ?? chosen ?? open[0]?.code ?? null;
  const again = fixes.filter((issue) => /rejected|discarded/.test(standingOf(branch, issue)) && issue.status === "OPEN").map((issue) => issue.code);
  const accept = (issues: Issue[]): void => void Promise.all(issues.map((issue) => acceptFix(snapshot.id, issue.code))).then(reload);
  const currentFix = (): Issue | undefined => open.find((issue) => issue.code === current);
  const decided = (done: boolean): void => {
    setRejecting(null);
    setDiscarding(false);
    if (done) reload();
  };
  const flip = (path: string): void => {
    const next = new Set(seen);
    if (!next.delete(path)) next.add(path);
    setSeen(next);
  };
  const show = (path: string): void => document.getElementById(`file-${path}`)?.scrollIntoView({ block: "start" });
  const step = (selector: string, by: number): void => {
    const all = [...(box.current?.querySelectorAll<HTMLElement>(selector) ?? [])];
    const now = all.findIndex((element) => element.getBoundingClientRect().top > kTop + 4);
    const next = by > 0 ? (now < 0 ? all.length - 1 : now) : Math.max(0, (now < 0 ? all.length : now) - 2);
    if (all[next]) scrollTo({ top: scrollY + all[next].getBoundingClientRect().top - kTop });
  };
  const stepFix = (by: number): void => {
    const rows = [...(box.current?.querySelectorAll<HTMLElement>("[data-fix]") ?? [])];
    const now = rows.findIndex((row) => row.dataset.fix === current);
    const next = rows[Math.max(0, Math.min(rows.length - 1, now + by))];
    if (!next) return;
    setChosen(next.dataset.fix!);
    next.scrollIntoView({ block: "center" });
  };
  const nearest = (): string | undefined => [...(box.current?.querySelectorAll<HTMLElement>("[data-file]") ?? [])].find((element) => element.getBoundingClientRect().bottom > 140)?.dataset.file;
  const edit = (): void => {
    const file = files.find((one) => one.path === nearest());
    if (file) openInEditor(snapshot.repository_id, file.path, firstChanged(file));
  };
  const turn = (): void => void (diffLayout.value = diffLayout.value === "split" ? "unified" : "split");
  useActions([
    { keys: "j", what: "Next fix", group: "Changes", run: () => stepFix(1) },
    { keys: "k", what: "Previous fix", group: "Changes", run: () => stepFix(-1) },
    { keys: "n", what: "Next file", group: "Changes", run: () => step("[data-file]", 1) },
    { keys: "p", what: "Previous file", group: "Changes", run: () => step("[data-file]", -1) },
    { keys: "]", what: "Next hunk", group: "Changes", run: () => step("[data-hunk]", 1) },
    { keys: "[", what: "Previous hunk", group: "Changes", run: () => step("[data-hunk]", -1) },
    { keys: "a", what: "Accept the chosen fix", group: "Changes", run: () => currentFix() && accept([currentFix()!]) },
    { keys: "x", what: "Reject the chosen fix", group: "Changes", run: () => setRejecting(fixes.find((issue) => issue.code === current && issue.status === "RESOLVED") ?? null) },
    { keys: "Shift+A", what: "Accept all proven fixes", group: "Changes", run: () => accept(proven) },
    { keys: "t", what: "Find a file", group: "Changes", run: () => document.getElementById("file-filter")?.focus() },
    { keys: "u", what: "One column or side by side", group: "Changes", run: turn },
    { keys: "w", what: "Wrap long lines", group: "Changes", run: () => (diffWrap.value = diffWrap.value === "on" ? "off" : "on") },
    { keys: "e", what: "Open the file in the editor", group: "Changes", run: edit },
    { keys: "v", what: "Seen", group: "Changes", run: () => nearest() && flip(nearest()!) },
    { keys: "Escape", what: "All fixes", group: "Changes", run: () => go(here({ of: null }), { replace: true }) },
  ]);
  const plus = files.reduce((sum, file) => sum + file.added, 0);
  const minus = files.reduce((sum, file) => sum + file.removed, 0);
  const deciding = { accept: (issue: Issue) => accept([issue]), reject: setRejecting, chosen: current };
  const left = levels.map((level) => [open.filter((issue) => issue.evidence === level).length, level] as const).filter(([n]) => n > 0);
  const hidden = fixes.filter((issue) => !branch.byIssue.has(issue.code) || /rejected|discarded/.test(standingOf(branch, issue)));
  return (
    <>
      <header class="page-head">
        <div class="grow">
          <h1>{fixes.length === 0 ? "No fix is on this branch" : `${count(fixes.length, "fix", "fixes")}, ${open.length === 0 ? "all decided" : `${open.length} still to decide`}`}</h1>
          <p>
            {count(files.length, "file")}, <span class="plus">+{plus}</span> <span class="minus">−{minus}</span>
            {only ? ` for ${only}. ` : " "}
            {only && <Link to={here({ of: null })}>Show all fixes</Link>} <code>{snapshot.branch_name}</code> against <code>{(snapshot.base ?? "").slice(0, 12)}</code>
          </p>
        </div>
        <div class="actions">
          <button type="button" class="wide-only" aria-pressed={diffLayout.value === "split"} onClick={turn}>
            Side by side <kbd aria-hidden="true">u</kbd>
          </button>
          <button type="button" class="wide-only" aria-pressed={diffWrap.value === "on"} onClick={() => (diffWrap.value = diffWrap.value === "on" ? "off" : "on")}>
            Wrap <kbd aria-hidden="true">w</kbd>
          </button>
          <Link class="button" to={at(`/sessions/${encodeURIComponent(snapshot.id)}`)}>
            The result
          </Link>
        </div>
      </header>
      {rejecting && <RejectDialog session={snapshot.id} issue={rejecting} onClose={decided} />}
      {discarding && <DiscardDialog snapshot={snapshot} onClose={decided} />}
      {branch.files.length === 0 ? (
        <Empty icon="branch" title={isRunning(snapshot.status) ? "Nothing is committed yet." : "This session changed nothing."} />
      ) : (
        <div class="changes-body" ref={box}>
          <Tree files={files} fixes={open} seen={seen} filter={filter} onFilter={setFilter} show={show} />
          <div class="changes-files">
            {hidden.length > 0 && (
              <section class="panel" aria-label="Taken back">
                {hidden.map((issue) => (
                  <FixRow key={issue.id} branch={branch} issue={issue} deciding={deciding} />
                ))}
              </section>
            )}
            {files.map((file, index) => (
              <FileCard key={`${only ?? ""} ${file.path}`} file={file} branch={branch} deciding={deciding} layout={diffLayout.value!} wrap={diffWrap.value === "on"} seen={seen.has(file.path)} onSeen={() => flip(file.path)} reload={reload} eager={index < 6} />
            ))}
            {files.length === 0 && <Empty title={only ? `No commit of this branch is about ${only}.` : "No matching file."} />}
          </div>
        </div>
      )}
      {fixes.length > 0 && (
        <div class="bar" role="toolbar" aria-label="Decide">
          <b>
            {fixes.length - open.length} of {fixes.length} decided
          </b>
          <span class="hint grow wide-only">{left.length > 0 ? `Left: ${left.map(([n, level]) => `${n} ${level}`).join(", ")}` : "Nothing is left to decide"}</span>
          {again.length > 0 && (
            <button type="button" onClick={() => void fixAgain(snapshot.id, again)}>
              Fix {again.join(", ")} again
            </button>
          )}
          {fixes.some((issue) => issue.status === "RESOLVED") && !isRunning(snapshot.status) && (
            <button type="button" onClick={() => setDiscarding(true)}>
              Discard all…
            </button>
          )}
          <button type="button" class={proven.length > 0 ? "primary" : undefined} disabled={proven.length === 0} onClick={() => accept(proven)}>
            Accept all proven ({proven.length}) <kbd aria-hidden="true">Shift A</kbd>
          </button>
        </div>
      )}
    </>
  );
}

export function Changes({ id }: { id: string }): JSX.Element {
  const branch = useResource(`branch ${id}`, (signal) => loadBranch(id, signal), (event) => event.session_id === id && /^(fix_commit_|fix_session_|fix_issue_accepted|fix_issue_rejected|fix_issue_discarded|fix_branch_|issue_updated|issue_commented)/.test(event.type));
  useName(id, branch.data && sessionTitle(branch.data.snapshot));
  return (
    <div class="changes">
      <Loaded from={branch} rows={8}>
        {(data) => <Review branch={data} reload={branch.reload} />}
      </Loaded>
    </div>
  );
}
