import { expect, test } from "vitest";
import type { Issue, UsageSum } from "@web/api/types";
import { roundUp } from "@web/insights/bar_chart";
import { cost, csv, evidence, firstRound, scores, solvedPerWeek, weekOf } from "@web/insights/numbers";

const issue = (more: Partial<Issue>): Issue => ({ status: "RESOLVED", attempts: 1, last_score: null, evidence: null, substatus: "ongoing", updated_at: "2026-11-11T00:00:00Z", ...more }) as Issue;

test("a week begins on Monday, also at the turn of the year", () => {
  expect(weekOf("2026-11-15T23:59:59Z")).toBe("2026-11-09");
  expect(weekOf("2026-11-16T00:00:00Z")).toBe("2026-11-16");
  expect(weekOf("2027-01-01T00:00:00Z")).toBe("2026-12-28");
});

test("weeks without anything are there, with nothing", () => {
  const bars = solvedPerWeek([issue({}), issue({ status: "MERGED" }), issue({ status: "FAILED" }), issue({ updated_at: "2026-10-30T00:00:00Z" })], 4, new Date("2026-11-15T12:00:00Z"));
  expect(bars).toEqual([
    { name: "2026-10-19", value: 0 },
    { name: "2026-10-26", value: 1 },
    { name: "2026-11-02", value: 0 },
    { name: "2026-11-09", value: 2 },
  ]);
});

test("first round, scores, evidence, cost", () => {
  const all = [issue({ last_score: 100, evidence: "proven" }), issue({ attempts: 2, last_score: 95, evidence: "unbroken" }), issue({ status: "FAILED", attempts: 3, last_score: 0 }), issue({ status: "OPEN", attempts: 0 })];
  expect(firstRound(all)).toEqual({ part: 1, whole: 3 });
  expect(scores(all).map((bar) => bar.value)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
  expect(evidence(all)).toEqual([{ name: "proven", value: 1 }, { name: "repaired", value: 0 }, { name: "unbroken", value: 1 }, { name: "judged", value: 0 }]);
  const total = { key: "total", runs: 4, cost_usd: 3 } as UsageSum;
  expect(cost(total, all)).toEqual({ total: 3, perSolved: 1.5, runs: 4 });
  expect(cost({ ...total, cost_usd: null }, all).perSolved).toBeNull();
  expect(cost(total, []).perSolved).toBeNull();
});

test("an axis ends at a round number, a cell of CSV at its quotes", () => {
  expect([0, 3, 7, 41, 99, 1234].map(roundUp)).toEqual([4, 4, 10, 50, 100, 2000]);
  expect(csv([{ name: 'a,"b"', value: 1 }], ["x", "y"])).toBe('x,y\n"a,""b""",1\n');
});
