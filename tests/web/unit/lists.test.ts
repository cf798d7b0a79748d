import { expect, test } from "vitest";
import { ApiError } from "@web/api/client";
import type { Issue, Page } from "@web/api/types";
import { allWords, codesMatching, parts } from "@web/issues/all_matching";
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

function served(total: number, calls: number[]) {
  return (offset: number): Promise<Page<Issue>> => {
    calls.push(offset);
    const data = Array.from({ length: Math.max(0, Math.min(kPageRows, total - offset)) }, (_, row) => ({ id: `${offset + row}`, code: `BE-${offset + row}` }) as Issue);
    return Promise.resolve({ data, next_cursor: null });
  };
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

test("a far row is asked for directly, whatever lies before it", async () => {
  const calls: number[] = [];
  const list = new IssueWindow("r", {}, "worst", () => {}, served(100_000, calls));
  list.want(0, 10);
  await settled();
  expect(calls).toEqual([0]);
  expect(list.row(5)?.code).toBe("BE-5");
  list.want(99_990, 99_999);
  await settled();
  expect(list.row(99_999)?.code).toBe("BE-99999");
  expect(calls).toEqual([0, 99_900]);
  expect(list.size).toBeNull(); // a full page does not say that it is the last one
  list.want(99_995, 100_001);
  await settled();
  expect(list.size).toBe(100_000);
});

test("who scrolls past does not wait for what was passed, and far pages are dropped", async () => {
  const calls: number[] = [];
  const list = new IssueWindow("r", {}, "worst", () => {}, served(100_000, calls));
  for (let row = 0; row < 20_000; row += kPageRows) list.want(row, row + 20);
  await settled();
  expect(calls.length).toBeLessThan(6);
  expect(list.row(19_900)?.code).toBe("BE-19900");
  for (let row = 40_000; row < 60_000; row += kPageRows) {
    list.want(row, row + 20);
    await settled();
  }
  expect(list.row(19_900)).toBeUndefined();
}, 20_000);

test("a failure is told and can be tried again", async () => {
  let broken = true;
  const list = new IssueWindow("r", {}, "worst", () => {}, (offset) => (broken ? Promise.reject(new ApiError(0, "offline", "no")) : served(3, [])(offset)));
  list.want(0, 0);
  await settled();
  expect(list.error?.code).toBe("offline");
  broken = false;
  list.retry();
  await settled();
  expect([list.size, list.error]).toEqual([3, null]);
});

test("a row changes in place", async () => {
  const list = new IssueWindow("r", {}, "worst", () => {}, served(3, []));
  list.want(0, 0);
  await settled();
  list.put({ id: "1", code: "BE-1", title: "new" } as Issue);
  expect(list.row(1)?.title).toBe("new");
});

test("all that match are all, up to what the button says", async () => {
  const total = 1_234;
  const asked: number[] = [];
  const load = (offset: number): Promise<Page<Issue>> => {
    asked.push(offset);
    const data = Array.from({ length: Math.max(0, Math.min(200, total - offset)) }, (_, row) => ({ code: `BE-${offset + row}` }) as Issue);
    return Promise.resolve({ data, next_cursor: null });
  };
  const codes = await codesMatching("r", {}, 10_000, load);
  expect([codes.length, new Set(codes).size, codes.at(-1)]).toEqual([1_234, 1_234, "BE-1233"]);
  expect(asked.length).toBe(8);
  expect((await codesMatching("r", {}, 1_000, load)).at(-1)).toBe("BE-999");
  expect([allWords(1_234), allWords(100_000)]).toEqual(["Select all 1,234 that match", "Select the worst 10,000 of 100,000 that match"]);
  expect(parts([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
});
