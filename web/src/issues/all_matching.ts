// All issues that a filter finds, also those of which no row was ever loaded.
import { listIssues } from "../api/operations";
import type { Issue, Page } from "../api/types";
import { apiQuery, type Filters } from "./query";

export const kMostSelected = 10_000; // the worst of them; what one decision is about
const kPage = 200;
const kAtOnce = 4;

type Load = (offset: number) => Promise<Page<Issue>>;

const pageOf =
  (repository: string, filters: Filters): Load =>
  (offset) =>
    listIssues({ ...apiQuery(repository, filters), limit: kPage, offset, sort: "worst" });

// Their codes, the worst first, at most `most`.
export async function codesMatching(repository: string, filters: Filters, most = kMostSelected, load = pageOf(repository, filters)): Promise<string[]> {
  const codes: string[] = [];
  for (let offset = 0; offset < most; offset += kPage * kAtOnce) {
    const pages = await Promise.all(Array.from({ length: kAtOnce }, (_, index) => load(offset + index * kPage)));
    for (const page of pages) codes.push(...page.data.map((issue) => issue.code));
    if (pages.some((page) => page.data.length < kPage)) break;
  }
  return [...new Set(codes)].slice(0, most); // a list that changes meanwhile may give one twice
}

// What a button promises before it is pressed.
export const allWords = (all: number): string => (all > kMostSelected ? `Select the worst ${kMostSelected.toLocaleString("en")} of ${all.toLocaleString("en")} that match` : `Select all ${all.toLocaleString("en")} that match`);

// In parts a server answers soon.
export function parts<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size));
}
