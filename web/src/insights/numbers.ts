// What the plots show, counted from issues and from what agents consumed. Pure.
import type { Issue, UsageSum } from "../api/types";

export interface Bar {
  name: string;
  value: number;
}

const solved = (issue: Issue): boolean => issue.status === "RESOLVED" || issue.status === "MERGED";

// The Monday of a day, UTC.
export function weekOf(time: string): string {
  const day = new Date(time);
  day.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return day.toISOString().slice(0, 10);
}

// Every week between the first and the last, also those without any: a gap is a fact.
export function solvedPerWeek(issues: Issue[], weeks = 12, now = new Date()): Bar[] {
  const counts = new Map<string, number>();
  for (const issue of issues.filter(solved)) counts.set(weekOf(issue.updated_at), (counts.get(weekOf(issue.updated_at)) ?? 0) + 1);
  const bars: Bar[] = [];
  for (let back = weeks - 1; back >= 0; --back) {
    const week = weekOf(new Date(now.getTime() - back * 7 * 86_400_000).toISOString());
    bars.push({ name: week, value: counts.get(week) ?? 0 });
  }
  return bars;
}

export interface Share {
  part: number;
  whole: number;
}

// Solved in the first round, of all that were tried.
export function firstRound(issues: Issue[]): Share {
  const tried = issues.filter((issue) => issue.attempts > 0 && (solved(issue) || issue.status === "FAILED"));
  return { part: tried.filter((issue) => solved(issue) && issue.attempts === 1).length, whole: tried.length };
}

export function scores(issues: Issue[]): Bar[] {
  const bars = Array.from({ length: 10 }, (_, tens) => ({ name: tens === 9 ? "90–100" : `${tens * 10}–${tens * 10 + 9}`, value: 0 }));
  for (const issue of issues) if (issue.last_score !== null) ++bars[Math.max(0, Math.min(9, Math.floor(issue.last_score / 10)))]!.value;
  return bars;
}

const levels = ["proven", "repaired", "unbroken", "judged"];

export function evidence(issues: Issue[]): Bar[] {
  const bars = levels.map((name) => ({ name, value: 0 }));
  for (const issue of issues.filter(solved)) {
    const bar = bars.find((known) => known.name === issue.evidence);
    if (bar) ++bar.value;
  }
  return bars;
}

export interface Cost {
  total: number | null;
  perSolved: number | null;
  runs: number;
}

export function cost(total: UsageSum, issues: Issue[]): Cost {
  const done = issues.filter(solved).length;
  return { total: total.cost_usd, perSolved: total.cost_usd !== null && done > 0 ? total.cost_usd / done : null, runs: total.runs };
}

export const csv = (bars: Bar[], names: [string, string]): string => [names, ...bars.map((bar) => [bar.name, String(bar.value)])].map((row) => row.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell)).join(",")).join("\n") + "\n";
