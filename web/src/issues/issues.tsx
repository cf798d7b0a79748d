// The list of issues with its facets and, beside it, the one that is looked at. Everything chosen is in the address.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { get, segment } from "../api/client";
import { useResource } from "../api/resource";
import type { Facets, Issue, LiveEvent } from "../api/types";
import { useActions } from "../app/keys";
import { repository } from "../app/repositories";
import { at, go, here, Link, place } from "../app/router";
import { onLive } from "../live/live";
import { ReviewButton } from "../inbox/review";
import { EvidenceBadge } from "../parts/evidence";
import { Icon } from "../parts/icon";
import { Empty, Failed, Skeleton } from "../parts/states";
import { count, IssueChip, placeOf, SeverityMark, Time } from "../parts/words";
import { type ListHandle, VirtualList } from "../parts/virtual_list";
import { Shown } from "../text/shown";
import { BulkBar, type Asking } from "./bulk_bar";
import { FacetList } from "./facets";
import { IssueDetail } from "./issue_detail";
import { IssueWindow, type Order, orders } from "./issue_window";
import { apiQuery, filtersOf, filterNames, type Filters, parseQuery, queryText } from "./query";

const kRow = 44;
const kCard = 96; // on a phone
const narrow = typeof matchMedia === "undefined" ? null : matchMedia("(max-width: 43.75em)");

function useRowHeight(): number {
  const [card, setCard] = useState(narrow?.matches ?? false);
  useEffect(() => {
    const change = (): void => setCard(narrow?.matches ?? false);
    narrow?.addEventListener("change", change);
    return () => narrow?.removeEventListener("change", change);
  }, []);
  return card ? kCard : kRow;
}

const aboutIssues = (event: LiveEvent): boolean => event.type === "issue_updated" || event.type === "fix_issue_completed" || event.type === "fix_issue_started" || event.type === "review_completed";

// The rows of these filters. Rows change in place; new ones wait behind a button, so that nothing moves under the pointer.
function useWindow(repositoryId: string | null, filters: Filters, order: Order, total: number | undefined): { list: IssueWindow | null; fresh: number; reload: () => void } {
  const [, redraw] = useState(0);
  const [round, setRound] = useState(0);
  const key = JSON.stringify(filters);
  const list = useMemo(() => (repositoryId ? new IssueWindow(repositoryId, filters, order, () => redraw((n) => n + 1)) : null), [repositoryId, key, order, round]);
  const begun = useRef<{ list: IssueWindow | null; total: number | undefined }>({ list: null, total: undefined });
  if (begun.current.list !== list) begun.current = { list, total };
  if (begun.current.total === undefined) begun.current.total = total;
  useEffect(() => {
    list?.want(0, 0);
    return () => list?.stop();
  }, [list]);
  useEffect(
    () =>
      onLive((event) => {
        if (!repositoryId || !event.issue_code || !aboutIssues(event) || !list || list.find(event.issue_code) < 0) return;
        get<Issue>(`/api/issues/${segment(event.issue_code)}`, { repository_id: repositoryId }).then((issue) => list.put(issue), () => {});
      }),
    [list, repositoryId],
  );
  const fresh = Math.max(0, (total ?? 0) - (begun.current.total ?? 0));
  return {
    list,
    fresh,
    reload: () => {
      begun.current = { list: null, total: undefined };
      setRound((n) => n + 1);
    },
  };
}

const folderOf = (issue: Issue | undefined): string => (issue?.file?.includes("/") ? issue.file.slice(0, issue.file.lastIndexOf("/") + 1) : "");

interface RowProps {
  issue: Issue | undefined;
  height: number;
  folder: string | null; // of a group that begins here
  index: number;
  current: boolean;
  selected: boolean;
  onSelect: (issue: Issue, range: boolean) => void;
}

function Row({ issue, folder, height, index, current, selected, onSelect }: RowProps): JSX.Element {
  if (!issue)
    return (
      <div class="issue-row issue-row-empty" role="row" aria-rowindex={index + 1} style={{ height: `${height}px` }}>
        <div role="gridcell" class="skeleton-row">
          <span class="visually-hidden">Loading</span>
        </div>
      </div>
    );
  const open = here({ issue: issue.code });
  return (
    <div
      id={`row-${index}`}
      class={folder === null ? "issue-row" : "issue-row issue-row-group"}
      role="row"
      aria-rowindex={index + 1}
      aria-selected={selected}
      data-current={current || undefined}
      style={{ height: `${height}px` }}
      onClick={(event) => !(event.target as HTMLElement).closest("input, a") && go(open, { replace: true })}
    >
      <div role="gridcell" class="cell-select">
        <input type="checkbox" tabIndex={-1} aria-label={`Select ${issue.code}`} checked={selected} onClick={(event) => onSelect(issue, event.shiftKey)} />
      </div>
      <div role="gridcell">
        <SeverityMark severity={issue.severity} />
      </div>
      <div role="gridcell" class="cell-code">
        <code class="code">{issue.code}</code>
      </div>
      <div role="gridcell" class="cell-title">
        <Link to={open} tabIndex={-1} class="clip">
          <Shown text={issue.title} />
        </Link>
        <span class="where clip" title={placeOf(issue)}>
          {folder !== null && <b class="group-name">{folder || "no folder"} </b>}
          <Shown ltr text={folder === null ? placeOf(issue) : placeOf(issue).slice(folder.length)} />
          {issue.rule_id ? ` · ${issue.rule_id}` : ""}
        </span>
      </div>
      <div role="gridcell" class="cell-found clip">{issue.found_by.map((one) => one.agent).join(", ")}</div>
      <div role="gridcell" class="cell-status">
        {issue.substatus === "regressed" && <span class="chip chip-warn">regressed</span>}
        {issue.status === "RESOLVED" && issue.evidence ? <EvidenceBadge level={issue.evidence} /> : <IssueChip issue={issue} />}
      </div>
      <div role="gridcell" class="cell-age">
        <Time at={issue.created_at} />
      </div>
    </div>
  );
}

function QueryBox({ filters }: { filters: Filters }): JSX.Element {
  const text = queryText(filters);
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  return (
    <form
      class="query"
      role="search"
      aria-label="Filter"
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = parseQuery(typed);
        go(here({ ...Object.fromEntries([...filterNames, "q"].map((name) => [name, null])), ...wanted, issue: null }));
      }}
    >
      <input type="text" aria-label="Filter" placeholder="status:open severity:>=high file:src/net words" value={typed} spellcheck={false} onInput={(event) => setTyped(event.currentTarget.value)} onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()} />
      <button type="submit">Filter</button>
    </form>
  );
}

function NoRows({ filters }: { filters: Filters }): JSX.Element {
  if (Object.keys(filters).length > 0)
    return (
      <Empty icon="search" title="No issue matches.">
        <Link to={at("/issues")}>Clear the filters</Link>
      </Empty>
    );
  return (
    <Empty icon="check" title="There are no issues.">
      A review finds them: <Link to={at("/")}>start one</Link> or run <code>emend review</code>.
    </Empty>
  );
}

export function Issues(): JSX.Element {
  const id = repository.value?.id ?? null;
  const filters = filtersOf(place.value.query);
  const chosen = place.value.query.get("issue");
  const facets = useResource(id && `facets ${id} ${JSON.stringify(filters)}`, (signal) => get<Facets>("/api/issues/facets", apiQuery(id!, filters), signal), aboutIssues);
  const order = orders.find((known) => known === place.value.query.get("sort")) ?? "worst";
  const grouped = place.value.query.get("group") === "folder";
  const { list, fresh, reload } = useWindow(id, filters, grouped ? "file" : order, facets.data?.total);
  const [selected, setSelected] = useState<Set<string>>(new Set());
  const [cursor, setCursor] = useState(-1);
  const [asking, setAsking] = useState<Asking>(null);
  const anchor = useRef(0);
  const handle = useRef<ListHandle>(null);
  const height = useRowHeight();
  const grid = useRef<HTMLDivElement>(null);

  const rows = list?.size ?? facets.data?.total ?? 0;
  const at_ = list && chosen ? list.find(chosen) : -1;
  const current = at_ >= 0 ? at_ : cursor;
  useEffect(() => setSelected(new Set()), [id, JSON.stringify(filters)]);

  const openRow = (row: number): void => {
    const issue = list?.row(row);
    setCursor(row);
    handle.current?.show(row);
    if (issue) go(here({ issue: issue.code }), { replace: true });
  };
  const move = (step: number): void => {
    if (rows > 0) openRow(Math.max(0, Math.min(rows - 1, current < 0 ? 0 : current + step)));
  };
  const jump = (row: number): void => {
    if (rows === 0) return;
    if (chosen) go(here({ issue: null, tab: null }), { replace: true });
    setCursor(row);
    handle.current?.show(row);
  };
  const select = (issue: Issue, range: boolean): void => {
    const row = list?.find(issue.id) ?? -1;
    const next = new Set(selected);
    const adding = !next.has(issue.code);
    const from = range ? Math.min(anchor.current, row) : row;
    const to = range ? Math.max(anchor.current, row) : row;
    for (let index = from; index <= to; ++index) {
      const one = list?.row(index);
      if (one) adding || range ? next.add(one.code) : next.delete(one.code);
    }
    anchor.current = row;
    setSelected(next);
  };
  const target = (): string[] => (selected.size > 0 ? [...selected] : chosen ? [chosen] : current >= 0 && list?.row(current) ? [list.row(current)!.code] : []);
  const askFor = (what: NonNullable<Asking>["what"]): void => {
    const codes = target();
    if (codes.length > 0) setAsking({ what, codes });
  };
  const selectCurrent = (range: boolean): void => {
    const issue = current >= 0 ? list?.row(current) : undefined;
    if (issue) select(issue, range);
  };
  useActions([
    { keys: "j", what: "Next issue", group: "Issues", run: () => move(1) },
    { keys: "ArrowDown", what: "Next issue", group: "Issues", run: () => move(1), hidden: true },
    { keys: "k", what: "Previous issue", group: "Issues", run: () => move(-1) },
    { keys: "ArrowUp", what: "Previous issue", group: "Issues", run: () => move(-1), hidden: true },
    { keys: "Home", what: "First issue", group: "Issues", run: () => jump(0) },
    { keys: "End", what: "Last issue", group: "Issues", run: () => jump(rows - 1) },
    { keys: " ", what: "Select", group: "Issues", run: () => selectCurrent(false), hidden: true },
    { keys: "o", what: "Open the issue", group: "Issues", run: () => openRow(Math.max(0, current)) },
    { keys: "Enter", what: "Open the issue", group: "Issues", run: () => openRow(Math.max(0, current)), hidden: true },
    { keys: "ArrowRight", what: "Open the issue", group: "Issues", run: () => openRow(Math.max(0, current)), hidden: true },
    { keys: "Escape", what: "Close the issue", group: "Issues", run: () => (chosen ? (setCursor(current), go(here({ issue: null, tab: null }), { replace: true })) : setSelected(new Set())) },
    { keys: "x", what: "Select", group: "Issues", run: () => selectCurrent(false) },
    { keys: "Shift+X", what: "Select up to here", group: "Issues", run: () => selectCurrent(true) },
    { keys: "f", what: "Fix", group: "Issues", run: () => askFor("fix") },
    { keys: "i", what: "Ignore", group: "Issues", run: () => askFor("ignore") },
    { keys: "d", what: "Mark as duplicate", group: "Issues", run: () => askFor("duplicate") },
    { keys: "r", what: "Reopen", group: "Issues", run: () => askFor("reopen") },
  ]);

  if (!id) return <Empty icon="issues" title="This server has no repository yet." />;
  return (
    <div class={chosen ? "issues issues-open" : "issues"}>
      <FacetList facets={facets} filters={filters} />
      <section class="issues-list" aria-label="Issues">
        <header class="issues-head">
          <h1>
            Issues <span class="count">{facets.data ? facets.data.total.toLocaleString("en") : "…"}</span>
            {facets.updating && <span class="updating">updating</span>}
          </h1>
          <QueryBox filters={filters} />
          <label class="sorting">
            <span class="visually-hidden">Order</span>
            <select value={grouped ? "folder" : order} onChange={(event) => go(here(event.currentTarget.value === "folder" ? { group: "folder", sort: null } : { group: null, sort: event.currentTarget.value === "worst" ? null : event.currentTarget.value }))}>
              <option value="worst">Worst first</option>
              <option value="newest">Newest first</option>
              <option value="found">As they were found</option>
              <option value="file">By file</option>
              <option value="folder">Grouped by folder</option>
            </select>
          </label>
          {!chosen && <ReviewButton repository={id} name="Review" />}
          {fresh > 0 && (
            <button type="button" class="pill" onClick={reload}>
              <Icon name="down" /> {count(fresh, "new issue")}
            </button>
          )}
        </header>
        {list?.error && <Failed error={list.error} retry={() => list.retry()} />}
        {list?.size === 0 ? (
          <NoRows filters={filters} />
        ) : list?.row(0) || rows > 0 ? (
          <div
            class="grid"
            ref={grid}
            role="grid"
            tabIndex={0}
            aria-label={`${count(rows, "issue")}`}
            aria-rowcount={rows}
            aria-multiselectable="true"
            aria-activedescendant={current >= 0 ? `row-${current}` : undefined}
          >
            <VirtualList
              rows={rows}
              rowHeight={height}
              handle={handle}
              attributes={{ role: "presentation" }}
              onRange={(first, last) => list?.want(first, last)}
              render={(row) => {
                const issue = list?.row(row);
                const begins = grouped && issue !== undefined && (row === 0 || folderOf(list?.row(row - 1)) !== folderOf(issue));
                return <Row key={row} height={height} index={row} issue={issue} folder={begins ? folderOf(issue) : null} current={row === current} selected={issue !== undefined && selected.has(issue.code)} onSelect={select} />;
              }}
            />
          </div>
        ) : list?.error ? null : (
          <Skeleton rows={8} />
        )}
        {rows > 0 && (
          <p class="issues-foot wide-only">
            {current >= 0 ? `Row ${(current + 1).toLocaleString("en")} of ${rows.toLocaleString("en")}` : count(rows, "issue")} <kbd>j</kbd> <kbd>k</kbd> move, <kbd>End</kbd> last, <kbd>Space</kbd> selects, <kbd>f</kbd> fixes
          </p>
        )}
        <BulkBar repository={id} selected={selected} onClear={() => setSelected(new Set())} asking={asking} ask={setAsking} />
      </section>
      {chosen && <IssueDetail key={`${id} ${chosen}`} repository={id} code={chosen} ask={setAsking} />}
    </div>
  );
}
