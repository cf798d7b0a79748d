// One issue in the list: a line on a wide screen, a card on a phone.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Issue } from "../api/types";
import { go, here, Link } from "../app/router";
import { EvidenceBadge } from "../parts/evidence";
import { IssueChip, placeOf, SeverityMark, Time } from "../parts/words";
import { Shown } from "../text/shown";

const kRow = 44;
const kCard = 78; // on a phone
const narrow = typeof matchMedia === "undefined" ? null : matchMedia("(max-width: 43.75em)");

export function useRowHeight(): number {
  const [card, setCard] = useState(narrow?.matches ?? false);
  useEffect(() => {
    const change = (): void => setCard(narrow?.matches ?? false);
    narrow?.addEventListener("change", change);
    return () => narrow?.removeEventListener("change", change);
  }, []);
  return card ? kCard : kRow;
}

export type Grouping = "folder" | "rule" | "severity" | null;

const folderOf = (issue: Issue): string => (issue.file?.includes("/") ? issue.file.slice(0, issue.file.lastIndexOf("/") + 1) : "");
const groupOf = (grouping: Grouping, issue: Issue): string => (grouping === "folder" ? folderOf(issue) : grouping === "rule" ? (issue.rule_id ?? "") : issue.severity);

// The name of the group that begins with this row; null = none does.
export function groupAt(grouping: Grouping, issue: Issue | undefined, before: Issue | undefined): string | null {
  if (!grouping || !issue) return null;
  const own = groupOf(grouping, issue);
  return before && groupOf(grouping, before) === own ? null : own;
}

interface RowProps {
  issue: Issue | undefined;
  height: number;
  group: string | null; // the name of a group that begins here; "" = what it has in common has no name
  grouping: Grouping;
  index: number;
  current: boolean;
  selected: boolean;
  onSelect: (issue: Issue, range: boolean) => void;
}

export function Row({ issue, group, grouping, height, index, current, selected, onSelect }: RowProps): JSX.Element {
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
      class={group === null ? "issue-row" : "issue-row issue-row-group"}
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
          {group !== null && <b class="group-name">{group || (grouping === "rule" ? "no rule" : "no folder")} </b>}
          <Shown ltr text={group && issue.file?.startsWith(group) ? placeOf(issue).slice(group.length) : placeOf(issue)} />
          {issue.rule_id && !(grouping === "rule" && group !== null) ? ` · ${issue.rule_id}` : ""}
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
