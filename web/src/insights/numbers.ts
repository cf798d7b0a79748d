// What the charts say, counted from the server's weeks. Pure.
import type { EarnedTrust, OutcomeCounts, Severity, TrendWeek } from "../api/types";
import { severities } from "../parts/words";

export interface Bar {
  name: string;
  value: number | null; // null = nothing to divide by
}

export const openOf = (week: TrendWeek): number => severities.reduce((sum, severity) => sum + week.open[severity], 0);

// Stacked, the worst at the bottom: for each week the upper edge of every severity.
export function stacked(weeks: readonly TrendWeek[]): { severity: Severity; edges: { low: number; high: number }[] }[] {
  const floor = weeks.map(() => 0);
  return severities
    .map((severity) => ({ severity, edges: weeks.map((week, index) => ({ low: floor[index]!, high: (floor[index]! += week.open[severity]) })) }))
    .filter((band) => band.edges.some((edge) => edge.high > edge.low));
}

export const costPerFix = (week: TrendWeek): number | null => (week.cost_usd !== null && week.fixes > 0 ? week.cost_usd / week.fixes : null);

const sum = (weeks: readonly TrendWeek[], of: (week: TrendWeek) => number): number => weeks.reduce((total, week) => total + of(week), 0);

export interface Totals {
  open: number;
  before: number; // open at the end of the first week
  fixes: number;
  accepted: number;
  rejected: number;
  cost: number | null;
}

export function totalsOf(weeks: readonly TrendWeek[]): Totals {
  const first = weeks[0];
  const last = weeks[weeks.length - 1];
  return {
    open: last ? openOf(last) : 0,
    before: first ? openOf(first) : 0,
    fixes: sum(weeks, (week) => week.fixes),
    accepted: sum(weeks, (week) => week.accepted),
    rejected: sum(weeks, (week) => week.rejected),
    cost: weeks.some((week) => week.cost_usd !== null) ? sum(weeks, (week) => week.cost_usd ?? 0) : null,
  };
}

// Of what people decided, how much they kept; null = nobody decided anything.
export const keptShare = ({ accepted, rejected }: { accepted: number; rejected: number }): number | null => (accepted + rejected > 0 ? accepted / (accepted + rejected) : null);

// The title is the finding.
export function finding(weeks: readonly TrendWeek[]): string {
  const { open, before } = totalsOf(weeks);
  const span = weeks.length === 1 ? "this week" : `in ${weeks.length} weeks`;
  if (open === before) return open === 0 ? "No issue is open" : `${open.toLocaleString("en")} open issues, as many as ${weeks.length} weeks ago`;
  const change = Math.abs(open - before).toLocaleString("en");
  return `${change} ${open < before ? "fewer" : "more"} open ${Math.abs(open - before) === 1 ? "issue" : "issues"} ${span}`;
}

export const percent = (share: number | null): string => (share === null ? "–" : `${Math.round(share * 100)} %`);

export const kHourMs = 3_600_000;
// Of time that issues waited: days where hours say little.
export const hours = (value: number): string => (value === 0 ? "0" : value < 0.05 ? `${Math.max(1, Math.round(value * 3_600))} s` : value < 1 ? `${Math.max(1, Math.round(value * 60))} min` : value < 48 ? `${Math.round(value * 10) / 10} h` : `${Math.round(value / 2.4) / 10} d`);

const cell = (value: string | number | null): string => {
  const text = value === null ? "" : String(value);
  return /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
};
export const csv = (rows: readonly (readonly (string | number | null)[])[]): string => rows.map((row) => row.map(cell).join(",")).join("\n") + "\n";

export function weeksCsv(weeks: readonly TrendWeek[]): string {
  const head = ["week", ...severities.map((severity) => `open_${severity}`), "found", "fixes", "accepted", "rejected", "runs", "cost_usd", "median_fix_hours"];
  return csv([head, ...weeks.map((week) => [week.week, ...severities.map((severity) => week.open[severity]), week.found, week.fixes, week.accepted, week.rejected, week.runs, week.cost_usd, week.median_fix_ms === null ? null : Math.round(week.median_fix_ms / 360_000) / 10])]);
}

// Rates as the table has them, as numbers.
export function outcomesCsv(by: string, rows: readonly OutcomeCounts[]): string {
  return csv([[by, "fixes", "merged", "edited", "rejected", "discarded", "reverted", "changed_again", "back", "waiting", "kept_percent"], ...rows.map((row) => [row.key || "not known", row.fixes, row.merged, row.edited, row.rejected, row.discarded, row.reverted, row.changed_again, row.back, row.waiting, row.kept_percent])]);
}

// A round number at or above the greatest.
export function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 10].map((step) => step * power).find((step) => step >= value - 1e-9) ?? value;
}

// "2026-11-16" -> "16 Nov"
export const dayName = (day: string): string => new Date(`${day}T00:00:00Z`).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

// Of the table of what became of the fixes; a dash where there is nothing, so that what there is stands out.
export const outcomeColumns = ["fixes", "merged", "edited", "rejected", "discarded", "reverted", "changed again", "back", "waiting", "kept"] as const;
export function outcomeRow(row: OutcomeCounts): string[] {
  const counts = [row.fixes, row.merged, row.edited, row.rejected, row.discarded, row.reverted, row.changed_again, row.back, row.waiting];
  return [...counts.map((count) => (count === 0 ? "–" : count.toLocaleString("en"))), row.kept_percent === null ? "–" : `${row.kept_percent} %`];
}

// How far an agent is with one rule: with `fix.autonomy = "earned"` its plans need no approval then.
export const autonomyWords = (row: EarnedTrust): string => (row.earned ? "earned" : row.reverted > 0 ? `lost: ${row.reverted} ${row.reverted === 1 ? "was" : "were"} reverted` : `${row.merged} of ${row.needed} merged`);
