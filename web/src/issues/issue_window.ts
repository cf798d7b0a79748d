// A list of any length of which only some pages are held. A page is asked for by the number of its first row, so that any row is one
// question away; rows far from what is looked at are dropped.
import { ApiError } from "../api/client";
import { listIssues } from "../api/operations";
import type { Issue, Page } from "../api/types";
import { apiQuery, type Filters } from "./query";

export const kPageRows = 100;
const kHeldPages = 48;
const kAtOnce = 2; // questions on their way

export const orders = ["worst", "newest", "file", "rule", "found"] as const;
export type Order = (typeof orders)[number];

export class IssueWindow {
  private readonly pages = new Map<number, Issue[]>();
  private readonly coming = new Set<number>();
  private wanted: number[] = []; // pages that are being looked at
  private end: number | null = null; // rows, once a page was not full
  private stopped = false;
  error: ApiError | null = null;

  constructor(
    repository: string,
    filters: Filters,
    order: Order,
    private readonly changed: () => void,
    private readonly load = (offset: number): Promise<Page<Issue>> => listIssues({ ...apiQuery(repository, filters), limit: kPageRows, offset, sort: order }),
  ) {}

  get size(): number | null {
    return this.end;
  }

  row(index: number): Issue | undefined {
    return this.pages.get(Math.floor(index / kPageRows))?.[index % kPageRows];
  }

  find(code: string): number {
    for (const [page, rows] of this.pages) {
      const at = rows.findIndex((issue) => issue.code === code || issue.id === code);
      if (at >= 0) return page * kPageRows + at;
    }
    return -1;
  }

  // These rows are being looked at.
  want(first: number, last: number): void {
    this.wanted = [];
    for (let page = Math.floor(first / kPageRows); page <= Math.floor(last / kPageRows); ++page) this.wanted.push(page);
    this.ask();
  }

  stop(): void {
    this.stopped = true;
  }

  retry(): void {
    this.error = null;
    this.ask();
  }

  // One row is new; a change of status does not move it.
  put(issue: Issue): void {
    const at = this.find(issue.id);
    if (at < 0) return;
    const rows = this.pages.get(Math.floor(at / kPageRows))!;
    rows[at % kPageRows] = issue;
    this.changed();
  }

  private ask(): void {
    if (this.stopped || this.error) return;
    for (const page of this.wanted) {
      if (this.coming.size >= kAtOnce) return;
      if (this.pages.has(page) || this.coming.has(page) || (this.end !== null && page * kPageRows >= this.end)) continue;
      this.coming.add(page);
      void this.bring(page);
    }
  }

  private async bring(page: number): Promise<void> {
    try {
      const answer = await this.load(page * kPageRows);
      if (!this.stopped) this.keep(page, answer.data);
    } catch (problem) {
      this.error = problem instanceof ApiError ? problem : new ApiError(0, "unexpected", String(problem));
    }
    this.coming.delete(page);
    if (this.stopped) return;
    this.changed();
    this.ask(); // what is looked at by now
  }

  private keep(page: number, rows: Issue[]): void {
    this.pages.set(page, rows);
    if (rows.length < kPageRows && (rows.length > 0 || page === 0 || this.pages.get(page - 1)?.length === kPageRows)) this.end = page * kPageRows + rows.length;
    const near = this.wanted[0] ?? page;
    const held = [...this.pages.keys()].sort((a, b) => Math.abs(b - near) - Math.abs(a - near));
    for (const far of held.slice(0, Math.max(0, held.length - kHeldPages))) this.pages.delete(far);
  }
}
