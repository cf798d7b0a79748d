// What a list of issues is asked for: in the address, in the box a person types in, and in the API's words.
import type { Query } from "../api/client";
import { severities } from "../parts/words";

export const filterNames = ["status", "severity", "substatus", "rule", "tool", "category", "file", "session"] as const;
export type FilterName = (typeof filterNames)[number];
export type Filters = Partial<Record<FilterName, string>> & { q?: string };

export function filtersOf(query: URLSearchParams): Filters {
  const filters: Filters = {};
  for (const name of [...filterNames, "q"] as const) {
    const value = query.get(name);
    if (value) filters[name] = value;
  }
  return filters;
}

const statusAliases: Record<string, string> = { open: "OPEN", solved: "RESOLVED", resolved: "RESOLVED", failed: "FAILED", merged: "MERGED", ignored: "IGNORED", duplicate: "DUPLICATE", running: "IN_PROGRESS" };
const severityAliases: Record<string, string> = { major: "high", minor: "low" };

function severityList(value: string): string {
  const atLeast = /^>=?/.exec(value);
  const word = value.replace(/^>=?/, "").toLowerCase();
  const name = severityAliases[word] ?? word;
  const place = severities.findIndex((known) => known === name);
  if (!atLeast || place < 0) return name;
  return severities.slice(0, atLeast[0] === ">" ? place : place + 1).join(",");
}

// "status:open severity:>=high file:src/net null check" -> filters and the words that are left.
export function parseQuery(text: string): Filters {
  const filters: Filters = {};
  const words: string[] = [];
  for (const word of text.match(/\S+:"[^"]*"|\S+/g) ?? []) {
    const [, name, quoted] = /^([a-z]+):(.+)$/.exec(word) ?? [];
    const value = quoted?.replace(/^"(.*)"$/, "$1");
    const known = filterNames.find((candidate) => candidate === (name === "is" ? "substatus" : name));
    if (!known || !value) words.push(word);
    else if (known === "status") filters.status = value.split(",").map((one) => statusAliases[one.toLowerCase()] ?? one.toUpperCase()).join(",");
    else if (known === "severity") filters.severity = value.split(",").map(severityList).join(",");
    else if (known === "file") filters.file = /[*?[]/.test(value) ? value : `*${value}*`;
    else filters[known] = value;
  }
  if (words.length > 0) filters.q = words.join(" ");
  return filters;
}

export function queryText(filters: Filters): string {
  const parts = filterNames.filter((name) => filters[name]).map((name) => `${name}:${/\s/.test(filters[name]!) ? `"${filters[name]}"` : name === "status" ? filters[name]!.toLowerCase() : filters[name]}`);
  return [...parts, filters.q ?? ""].filter(Boolean).join(" ");
}

export const apiQuery = (repository: string, filters: Filters): Query => ({ repository_id: repository, ...filters });

export const valuesOf = (filters: Filters, name: FilterName): string[] => (filters[name] ?? "").split(",").filter(Boolean);

// The filter with one value more or less.
export function toggled(filters: Filters, name: FilterName, value: string): string | null {
  const now = valuesOf(filters, name);
  if (name === "substatus") return now[0] === value ? null : value; // the API takes one
  const next = now.includes(value) ? now.filter((known) => known !== value) : [...now, value];
  return next.join(",") || null;
}
