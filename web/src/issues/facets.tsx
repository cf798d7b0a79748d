import type { JSX } from "preact";
import type { Resource } from "../api/resource";
import type { Facets } from "../api/types";
import { here, Link } from "../app/router";
import { Loaded } from "../parts/states";
import { reasonWords, severities, statusWord } from "../parts/words";
import type { IssueStatus } from "../api/types";
import { type FilterName, type Filters, toggled, valuesOf } from "./query";

const shown: { name: FilterName; title: string }[] = [
  { name: "status", title: "Status" },
  { name: "severity", title: "Severity" },
  { name: "substatus", title: "Trend" },
  { name: "tool", title: "Found by" },
  { name: "category", title: "Category" },
  { name: "rule", title: "Rule" },
];
const kMostValues = 12;

function inOrder(name: FilterName, values: { value: string; count: number }[]): { value: string; count: number }[] {
  if (name !== "severity") return values;
  return [...values].sort((a, b) => severities.indexOf(a.value as (typeof severities)[number]) - severities.indexOf(b.value as (typeof severities)[number]));
}

function Facet({ name, title, values, filters }: { name: FilterName; title: string; values: { value: string; count: number }[]; filters: Filters }): JSX.Element | null {
  const on = valuesOf(filters, name);
  // What is chosen but has no issues now stays, or it could not be taken back.
  const all = [...values.filter((one) => one.value !== ""), ...on.filter((value) => !values.some((one) => one.value === value)).map((value) => ({ value, count: 0 }))];
  if (all.length === 0) return null;
  return (
    <section class="facet">
      <h2>{title}</h2>
      <ul>
        {inOrder(name, all)
          .slice(0, kMostValues)
          .map((one) => (
            <li key={one.value}>
              <Link to={here({ [name]: toggled(filters, name, one.value), issue: null })} class="facet-link" aria-current={on.includes(one.value) ? "true" : undefined} title={one.value}>
                <span class="clip">{name === "status" ? statusWord(one.value as IssueStatus) : name === "category" ? reasonWords(one.value) : one.value}</span>
                <span class="count">{one.count.toLocaleString("en")}</span>
              </Link>
            </li>
          ))}
      </ul>
      {all.length > kMostValues && <p class="hint">and {all.length - kMostValues} more</p>}
    </section>
  );
}

export function FacetList({ facets, filters }: { facets: Resource<Facets>; filters: Filters }): JSX.Element {
  return (
    <aside class="facets" aria-label="Filters">
      <Loaded from={facets} rows={10}>
        {(data) => (
          <>
            {shown.map(({ name, title }) => (
              <Facet key={name} name={name} title={title} values={data.facets[name] ?? []} filters={filters} />
            ))}
          </>
        )}
      </Loaded>
    </aside>
  );
}
