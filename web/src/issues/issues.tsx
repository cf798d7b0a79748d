// The list of issues with its facets and, beside it, the one that is looked at. Everything chosen is in the address.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { getIssueFacets } from "../api/operations";
import { useResource } from "../api/resource";
import type { Issue } from "../api/types";
import { useActions } from "../app/keys";
import { repository } from "../app/repositories";
import { go, here, place } from "../app/router";
import { toast, toastError } from "../app/toasts";
import { openInEditor } from "../parts/editor";
import { Empty, Failed, Skeleton } from "../parts/states";
import { count } from "../parts/words";
import { type ListHandle, VirtualList } from "../parts/virtual_list";
import { codesMatching } from "./all_matching";
import { BulkBar, type Asking } from "./bulk_bar";
import { FacetList } from "./facets";
import { IssueDetail } from "./issue_detail";
import { groupAt, Row, useRowHeight } from "./issue_row";
import { orders } from "./issue_window";
import { hiddenColumns, ListHead, NoRows } from "./list_head";
import { apiQuery, filtersOf } from "./query";
import { aboutIssues, useWindow } from "./use_window";

export function Issues(): JSX.Element {
  const id = repository.value?.id ?? null;
  const filters = filtersOf(place.value.query);
  const chosen = place.value.query.get("issue");
  const facets = useResource(id && `facets ${id} ${JSON.stringify(filters)}`, (signal) => getIssueFacets(apiQuery(id!, filters), { signal }), aboutIssues);
  const order = orders.find((known) => known === place.value.query.get("sort")) ?? "worst";
  const grouping = (["folder", "rule", "severity"] as const).find((known) => known === place.value.query.get("group")) ?? null;
  const { list, fresh, reload } = useWindow(id, filters, grouping === "folder" ? "file" : grouping === "rule" ? "rule" : grouping === "severity" ? "worst" : order, facets.data?.total);
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
  const editCurrent = (): void => {
    const issue = current >= 0 ? list?.row(current) : undefined;
    if (issue) openInEditor(issue.repository_id, issue.file, issue.range?.start_line ?? 1);
  };
  // All that match, also those that no page was loaded of.
  const selectAll = (fix: boolean): void =>
    void codesMatching(id!, filters).then((codes) => {
      setSelected(new Set(codes));
      if (rows > codes.length) toast(`These are the worst ${codes.length.toLocaleString("en")} of ${rows.toLocaleString("en")}.`);
      if (fix && codes.length > 0) setAsking({ what: "fix", codes });
    }, toastError);
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
    { keys: "e", what: "Open the file in the editor", group: "Issues", run: () => editCurrent() },
    { keys: "Shift+F", what: "Fix all that are listed", group: "Issues", run: () => selectAll(true) },
    { keys: "*", what: "Select all that are listed", group: "Issues", run: () => selectAll(false) },
    { keys: "x", what: "Select", group: "Issues", run: () => selectCurrent(false) },
    { keys: "Shift+X", what: "Select up to here", group: "Issues", run: () => selectCurrent(true) },
    { keys: "f", what: "Fix", group: "Issues", run: () => askFor("fix") },
    { keys: "i", what: "Ignore", group: "Issues", run: () => askFor("ignore") },
    { keys: "d", what: "Mark as duplicate", group: "Issues", run: () => askFor("duplicate") },
    { keys: "r", what: "Reopen", group: "Issues", run: () => askFor("reopen") },
  ]);

  if (!id) return <Empty icon="issues" title="This server has no repository yet." />;
  return (
    <div class={["issues", chosen && "issues-open", ...hiddenColumns().map((name) => `hide-${name}`)].filter(Boolean).join(" ")}>
      <FacetList facets={facets} filters={filters} />
      <section class="issues-list" aria-label="Issues">
        <ListHead repository={id} facets={facets} filters={filters} order={order} grouping={grouping} open={chosen !== null} fresh={fresh} reload={reload} />
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
            <div class="issue-row issue-columns" aria-hidden="true">
              <span />
              <span />
              <span>Code</span>
              <span>Title and place</span>
              <span class="cell-found">Found by</span>
              <span>State</span>
              <span class="cell-age">Age</span>
            </div>
            <VirtualList
              rows={rows}
              rowHeight={height}
              handle={handle}
              attributes={{ role: "presentation" }}
              onRange={(first, last) => list?.want(first, last)}
              render={(row) => {
                const issue = list?.row(row);
                return <Row key={row} grouping={grouping} height={height} index={row} issue={issue} group={groupAt(grouping, issue, row > 0 ? list?.row(row - 1) : undefined)} current={row === current} selected={issue !== undefined && selected.has(issue.code)} onSelect={select} />;
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
        <BulkBar repository={id} selected={selected} all={rows} onAll={() => selectAll(false)} onClear={() => setSelected(new Set())} asking={asking} ask={setAsking} />
      </section>
      {chosen && <IssueDetail key={`${id} ${chosen}`} repository={id} code={chosen} ask={setAsking} />}
    </div>
  );
}
