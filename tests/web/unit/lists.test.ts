import { expect, test } from "vitest";
import { ApiError } from "@web/api/client";
import type { Issue, Page } from "@web/api/types";
import { IssueWindow, kPageRows } from "@web/issues/issue_window";
import { visible } from "@web/parts/virtual_list";

test("only what can be seen is drawn, at its place", () => {
  const top = visible(100, 20, 200, 0);
  expect(top.first).toBe(0);
  expect(top.last).toBeLessThan(30);
  const middle = visible(100, 20, 200, 1_000);
  expect(middle.first).toBeLessThanOrEqual(50);
  expect(middle.last).toBeGreaterThanOrEqual(60);
  expect(middle.offset).toBe(middle.first * 20);
});

test("a list longer than a browser can scroll reaches its last row", () => {
  const rows = 2_000_000;
  const end = visible(rows, 44, 600, 8_000_000 - 600);
  expect(end.last).toBe(rows - 1);
  expect(visible(rows, 44, 600, 0).first).toBe(0);
});

function served(total: number, calls: (string | null)[]) {
  return (cursor: string | null): Promise<Page<Issue>> => {
    calls.push(cursor);
    const from = Number(cursor ?? 0);
    const data = Array.from({ length: Math.min(kPageRows, total - from) }, (_, row) => ({ id: `${from + row}`, code: `BE-${from + row}` }) as Issue);
    return Promise.resolve({ data, next_cursor: from + kPageRows < total ? String(from + kPageRows) : null });
  };
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

test("pages come when they are looked at; the way to a far row is walked once", async () => {
  const calls: (string | null)[] = [];
  const list = new IssueWindow("r", {}, () => {}, served(100_000, calls));
  list.want(0, 10);
  await settled();
  expect(calls).toEqual([null]);
  expect(list.row(5)?.code).toBe("BE-5");
  list.want(99_990, 99_999);
  await settled();
  expect(list.row(99_999)?.code).toBe("BE-99999");
  expect(list.size).toBe(100_000);
  expect(calls).toHaveLength(500);
  expect(list.row(50_000)).toBeUndefined(); // far away rows are not held
  list.want(50_000, 50_010);
  await settled();
  expect(list.row(50_000)?.code).toBe("BE-50000");
  expect(calls).toHaveLength(501); // by the cursor that is known already
});

test("a failure is told and can be tried again", async () => {
  let broken = true;
  const list = new IssueWindow("r", {}, () => {}, (cursor) => (broken ? Promise.reject(new ApiError(0, "offline", "no")) : served(3, [])(cursor)));
  list.want(0, 0);
  await settled();
  expect(list.error?.code).toBe("offline");
  broken = false;
  list.retry();
  await settled();
  expect([list.size, list.error]).toEqual([3, null]);
});

test("a row changes in place", async () => {
  const list = new IssueWindow("r", {}, () => {}, served(3, []));
  list.want(0, 0);
  await settled();
  list.put({ id: "1", code: "BE-1", title: "new" } as Issue);
  expect(list.row(1)?.title).toBe("new");
});
