import { describe, expect, it } from "vitest";
import type { TrendWeek } from "@web/api/types";
import { costPerFix, csv, finding, hours, keptShare, outcomeColumns, outcomeRow, outcomesCsv, roundUp, stacked, totalsOf, weeksCsv } from "@web/insights/numbers";

const week = (name: string, open: Partial<TrendWeek["open"]>, more: Partial<TrendWeek> = {}): TrendWeek => ({ week: name, open: { critical: 0, high: 0, medium: 0, low: 0, info: 0, ...open }, found: 0, fixes: 0, accepted: 0, rejected: 0, runs: 0, cost_usd: null, median_fix_ms: null, ...more });

describe("the numbers of the charts", () => {
  const weeks = [week("2026-11-02", { critical: 2, low: 8 }, { fixes: 1, cost_usd: 0.5, accepted: 1 }), week("2026-11-09", { critical: 1, low: 6 }, { fixes: 4, cost_usd: 1, accepted: 2, rejected: 1, median_fix_ms: 5_400_000 })];

  it("stacks severities with the worst at the bottom and leaves out what never was", () => {
    expect(stacked(weeks)).toEqual([
      { severity: "critical", edges: [{ low: 0, high: 2 }, { low: 0, high: 1 }] },
      { severity: "low", edges: [{ low: 2, high: 10 }, { low: 1, high: 7 }] },
    ]);
  });

  it("makes the finding the title", () => {
    expect(finding(weeks)).toBe("3 fewer open issues in 2 weeks");
    expect(finding([...weeks].reverse())).toBe("3 more open issues in 2 weeks");
    expect(finding([week("2026-11-02", {})])).toBe("No issue is open");
    expect(finding([weeks[0]!, weeks[0]!])).toBe("10 open issues, as many as 2 weeks ago");
  });

  it("names short times by what differs", () => {
    expect([0, 0.01, 0.02, 0.5, 1.25, 72].map(hours)).toEqual(["0", "36 s", "72 s", "30 min", "1.3 h", "3 d"]);
  });

  it("divides only by what there is", () => {
    expect(costPerFix(weeks[1]!)).toBe(0.25);
    expect(costPerFix(week("2026-11-02", {}, { cost_usd: 3 }))).toBeNull();
    expect(costPerFix(week("2026-11-02", {}, { fixes: 3 }))).toBeNull();
    expect(keptShare(totalsOf(weeks))).toBe(0.75);
    expect(keptShare({ accepted: 0, rejected: 0 })).toBeNull();
    expect(totalsOf(weeks)).toMatchObject({ open: 7, before: 10, fixes: 5, cost: 1.5 });
    expect(totalsOf([week("2026-11-02", {})]).cost).toBeNull();
  });

  it("says times as people do, and gives rates by agent or rule as a table", () => {
    expect([0, 0.004, 0.5, 1.25, 47.96, 48, 240].map(hours)).toEqual(["0", "14 s", "30 min", "1.3 h", "48 h", "2 d", "10 d"]);
    const row = { key: "claude", fixes: 3, waiting: 1, merged: 2, edited: 0, rejected: 1, discarded: 0, reverted: 0, changed_again: 0, back: 0, kept_percent: 67 };
    expect(outcomesCsv("rule", [row, { ...row, key: "", kept_percent: null }])).toBe("rule,fixes,merged,edited,rejected,discarded,reverted,changed_again,back,waiting,kept_percent\nclaude,3,2,0,1,0,0,0,0,1,67\nnot known,3,2,0,1,0,0,0,0,1,\n");
  });

  it("says what became of the fixes, with a dash for nothing", () => {
    const row = outcomeRow({ key: "claude", fixes: 31, waiting: 1, merged: 29, edited: 1, rejected: 0, discarded: 0, reverted: 0, changed_again: 2, back: 0, kept_percent: 100 });
    expect(row).toEqual(["31", "29", "1", "–", "–", "–", "2", "–", "1", "100 %"]);
    expect(row.length).toBe(outcomeColumns.length);
    expect(outcomeRow({ key: "x", fixes: 1, waiting: 1, merged: 0, edited: 0, rejected: 0, discarded: 0, reverted: 0, changed_again: 0, back: 0, kept_percent: null }).at(-1)).toBe("–");
  });

  it("finds round numbers for the axis", () => {
    expect([0, 0.03, 0.29, 4, 7, 41, 371, 400].map(roundUp)).toEqual([1, 0.04, 0.4, 4, 10, 50, 400, 400]);
  });

  it("writes CSV that a spreadsheet reads", () => {
    expect(csv([["a,b", 'say "x"', 3, null]])).toBe('"a,b","say ""x""",3,\n');
    expect(weeksCsv(weeks).split("\n")[2]).toBe("2026-11-09,1,0,0,6,0,0,4,2,1,0,1,1.5");
  });
});
