// Above the list of issues: views, filter, order, columns, and how bad it is.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Resource } from "../api/resource";
import type { Facets, Severity } from "../api/types";
import { columns } from "../app/preferences";
import { at, go, here, Link } from "../app/router";
import { ReviewButton } from "../inbox/review";
import { Icon } from "../parts/icon";
import { Empty } from "../parts/states";
import { count, severities } from "../parts/words";
import type { Grouping } from "./issue_row";
import { type Order } from "./issue_window";
import { filterNames, type Filters, parseQuery, queryText, valuesOf } from "./query";
import { Views } from "./views";

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
      <input id="filter" type="text" aria-label="Filter" placeholder="status:open severity:>=high file:src/net words" value={typed} spellcheck={false} onInput={(event) => setTyped(event.currentTarget.value)} onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()} />
      <button type="submit">Filter</button>
    </form>
  );
}

export function NoRows({ filters }: { filters: Filters }): JSX.Element {
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

const optional = [
  { id: "found", name: "Found by" },
  { id: "age", name: "Age" },
] as const;

export const hiddenColumns = (): string[] => columns.value.split(",").filter(Boolean);

function Columns(): JSX.Element {
  const hidden = hiddenColumns();
  const flip = (id: string): void => void (columns.value = (hidden.includes(id) ? hidden.filter((one) => one !== id) : [...hidden, id]).join(","));
  return (
    <details class="menu wide-only">
      <summary class="button">Columns</summary>
      <div class="menu-body">
        {optional.map((column) => (
          <label key={column.id} class="choice">
            <input type="checkbox" checked={!hidden.includes(column.id)} onChange={() => flip(column.id)} /> {column.name}
          </label>
        ))}
      </div>
    </details>
  );
}

// How the listed ones are spread, worst first; the words beside it say the same.
function SeverityBar({ facets, filters }: { facets: Facets; filters: Filters }): JSX.Element | null {
  const chosen = valuesOf(filters, "severity");
  const counts = severities.map((severity) => [severity, (facets.facets.severity ?? []).find((one) => one.value === severity)?.count ?? 0] as const).filter(([severity, n]) => n > 0 && (chosen.length === 0 || chosen.includes(severity)));
  const all = counts.reduce((sum, [, n]) => sum + n, 0);
  if (all === 0) return null;
  const key = (severity: Severity): string => `spread-${severity}`;
  return (
    <div class="spread wide-only">
      {counts.map(([severity, n]) => (
        <span key={severity} class="spread-word">
          <i class={key(severity)} aria-hidden="true" />
          {n.toLocaleString("en")} {severity}
        </span>
      ))}
      <span class="spread-bar" aria-hidden="true">
        {counts.map(([severity, n]) => (
          <i key={severity} class={key(severity)} style={{ flexGrow: n }} />
        ))}
      </span>
    </div>
  );
}

const sorts = [
  ["worst", "Worst first"],
  ["newest", "Newest first"],
  ["found", "As they were found"],
  ["file", "By file"],
  ["by-severity", "Grouped by severity"],
  ["by-folder", "Grouped by folder"],
  ["by-rule", "Grouped by rule"],
] as const;

const sortChange = (value: string): Record<string, string | null> => (value.startsWith("by-") ? { group: value.slice(3), sort: null } : { group: null, sort: value === "worst" ? null : value });

interface Props {
  repository: string;
  facets: Resource<Facets>;
  filters: Filters;
  order: Order;
  grouping: Grouping;
  open: boolean; // an issue is shown beside the list
  fresh: number;
  reload: () => void;
}

export function ListHead({ repository, facets, filters, order, grouping, open, fresh, reload }: Props): JSX.Element {
  return (
    <>
      <Views />
      <header class="issues-head">
        <h1>
          Issues <span class="count">{facets.data ? facets.data.total.toLocaleString("en") : "…"}</span>
          {facets.updating && <span class="updating">updating</span>}
        </h1>
        <QueryBox filters={filters} />
        <label class="sorting">
          <span class="visually-hidden">Order</span>
          <select value={grouping ? `by-${grouping}` : order} onChange={(event) => go(here(sortChange(event.currentTarget.value)))}>
            {sorts.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {!open && <Columns />}
        {!open && <ReviewButton repository={repository} name="Review" />}
        {fresh > 0 && (
          <button type="button" class="pill" onClick={reload}>
            <Icon name="down" /> {count(fresh, "new issue")}
          </button>
        )}
        {facets.data && !open && <SeverityBar facets={facets.data} filters={filters} />}
      </header>
    </>
  );
}
