// A list of any length of which only some pages are held. Pages come one after another by cursor, so the way to a far row is walked once
// and remembered as cursors; the rows themselves are dropped when they are far away.
import { ApiError, get } from "../api/client";
import type { Issue, Page } from "../api/types";
import { apiQuery, type Filters } from "./query";

export const kPageRows = 200;
const kHeldPages = 24;

export class IssueWindow {
  private readonly pages = new Map<number, Issue[]>();
  private readonly cursors: (string | null)[] = [null]; // cursors[n] = what page n is asked with; null only for the first
  private end: number | null = null; // rows, once the last page was seen
  private wanted = 0;
  private walking = false;
  private stopped = false;
  error: ApiError | null = null;

  constructor(
    repository: string,
    filters: Filters,
    private readonly changed: () => void,
    private readonly load = (cursor: string | null): Promise<Page<Issue>> => get<Page<Issue>>("/api/issues", { ...apiQuery(repository, filters), limit: kPageRows, cursor }),
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
    if (this.stopped) return;
    const missing = [Math.floor(first / kPageRows), Math.floor(last / kPageRows)].find((page) => !this.pages.has(page) && (this.end === null || page * kPageRows < this.end));
    if (missing === undefined) return;
    this.wanted = missing;
    void this.walk();
  }

  stop(): void {
    this.stopped = true;
  }

  retry(): void {
    this.error = null;
    void this.walk();
  }

  // One row is new; a change of status does not move it.
  put(issue: Issue): void {
    const at = this.find(issue.id);
    if (at < 0) return;
    const rows = this.pages.get(Math.floor(at / kPageRows))!;
    rows[at % kPageRows] = issue;
    this.changed();
  }

  private async walk(): Promise<void> {
    if (this.walking || this.error) return;
    this.walking = true;
    try {
      while (!this.stopped && !this.pages.has(this.wanted) && !(this.end !== null && this.wanted * kPageRows >= this.end)) {
        const page = Math.min(this.wanted, this.cursors.length - 1);
        const answer = await this.load(this.cursors[page]!);
        if (this.stopped) return;
        this.keep(page, answer);
        this.changed();
      }
    } catch (problem) {
      this.error = problem instanceof ApiError ? problem : new ApiError(0, "unexpected", String(problem));
      this.changed();
    } finally {
      this.walking = false;
    }
  }

  private keep(page: number, answer: Page<Issue>): void {
    if (answer.next_cursor !== null) this.cursors[page + 1] = answer.next_cursor;
    else this.end = page * kPageRows + answer.data.length;
    this.pages.set(page, answer.data);
    if (this.pages.size <= kHeldPages) return;
    const farthest = [...this.pages.keys()].sort((a, b) => Math.abs(b - this.wanted) - Math.abs(a - this.wanted))[0]!;
    this.pages.delete(farthest);
  }
}
