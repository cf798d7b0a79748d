// The product's words with their colours and signs: never a colour without a word.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Issue, IssueStatus, SessionStatus, Severity } from "../api/types";

export const severities: Severity[] = ["critical", "high", "medium", "low", "info"];
export const severityMarks: Record<Severity, string> = { critical: "!!", high: "!", medium: "~", low: "–", info: "i" };

export function SeverityMark({ severity, word = false }: { severity: Severity; word?: boolean }): JSX.Element {
  return (
    <span class={`severity severity-${severity}`} title={severity}>
      <span class="severity-mark" aria-hidden="true">
        {severityMarks[severity]}
      </span>
      <span class={word ? "" : "visually-hidden"}>{severity}</span>
    </span>
  );
}

const statusWords: Record<IssueStatus, string> = { OPEN: "open", IN_PROGRESS: "in progress", RESOLVED: "resolved", FAILED: "failed", MERGED: "merged", IGNORED: "ignored", DUPLICATE: "duplicate" };
const statusTones: Record<IssueStatus, Tone> = { OPEN: "plain", IN_PROGRESS: "busy", RESOLVED: "good", FAILED: "bad", MERGED: "good", IGNORED: "quiet", DUPLICATE: "quiet" };

export type Tone = "plain" | "good" | "bad" | "busy" | "warn" | "quiet";

export function Chip({ tone, children, title }: { tone: Tone; children: string; title?: string }): JSX.Element {
  return (
    <span class={`chip chip-${tone}`} title={title}>
      {children}
    </span>
  );
}

// The gate names the rule that failed; alone its name would read as a success.
export const failedRules: Record<string, string> = {
  real_change: "no real change", in_scope: "out of scope", no_cheats: "hidden text or a secret", verified: "broke your checks", tests_kept: "tests lost", reproduced: "not reproduced", rescanned: "still found", judged: "not judged", in_commit: "not in a commit", proof: "no proof",
  verification_failed: "broke your checks", below_threshold: "judge not satisfied", unevaluated: "no verdict", refused: "forbidden change", no_change: "nothing changed", no_progress: "same change again", combination_failed: "breaks with others", evidence_too_weak: "no check confirms it", budget: "budget used up",
  needs_decision: "needs your decision", claimed_false_positive: "code is right, says fixer", not_chosen: "another change was better",
};
export const reasonWords = (reason: string | null | undefined): string => (reason ?? "").replace(/_/g, " ");
export const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);
export const failureWords = (reason: string | null | undefined): string => failedRules[reason ?? ""] ?? reasonWords(reason);
// A level with its marks: "repaired (rescanned, shown)".
export const evidenceWords = (level: string, marks: readonly string[]): string => (marks.length > 0 ? `${level} (${marks.join(", ")})` : level);
export const statusWord = (status: IssueStatus): string => statusWords[status] ?? status.toLowerCase();

export function IssueChip({ issue }: { issue: Pick<Issue, "status" | "reason" | "detail"> }): JSX.Element {
  const more = issue.status === "FAILED" ? failureWords(issue.reason) : issue.status === "IGNORED" ? reasonWords(issue.reason) : "";
  return (
    <Chip tone={statusTones[issue.status] ?? "plain"} title={issue.detail ?? (more || undefined)}>
      {!more ? statusWord(issue.status) : issue.status === "FAILED" ? more : `${statusWord(issue.status)}: ${more}`}
    </Chip>
  );
}

const sessionTones: Record<string, Tone> = { queued: "quiet", planned: "warn", running: "busy", interrupted: "warn", passed: "good", partial: "warn", failed: "bad", stopped: "warn", cancelled: "quiet", error: "bad" };

export const SessionChip = ({ status }: { status: SessionStatus }): JSX.Element => <Chip tone={sessionTones[status] ?? "plain"}>{status.replace(/_/g, " ")}</Chip>;
export const isRunning = (status: SessionStatus | undefined): boolean => status === "running" || status === "queued" || status === "interrupted";

export const count = (n: number, one: string, many = `${one}s`): string => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

export function span(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  const s = ms / 1_000;
  if (s < 10) return `${s.toFixed(1)} s`;
  if (s < 60) return `${Math.round(s)} s`;
  const minutes = Math.floor(s / 60);
  if (minutes < 60) return `${minutes} min ${String(Math.floor(s % 60)).padStart(2, "0")} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

export function ago(time: string | null | undefined, now = Date.now()): string {
  const then = time ? Date.parse(time) : NaN;
  if (!Number.isFinite(then) || then <= 0) return "";
  const minutes = Math.floor((now - then) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  return days < 60 ? `${days} d ago` : new Date(then).toISOString().slice(0, 10);
}

export const Time = ({ at }: { at: string | null | undefined }): JSX.Element | null => (ago(at) ? <time dateTime={at!} title={new Date(at!).toLocaleString()}>{ago(at)}</time> : null);

export const money = (usd: number | null | undefined): string => (usd === null || usd === undefined ? "no price known" : usd < 0.01 && usd > 0 ? "< $0.01" : `$${usd.toFixed(2)}`);

// The time now, for clocks that run.
export function useNow(running: boolean, everyMs = 1_000): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [running, everyMs]);
  return running ? Date.now() : now;
}

export const placeOf = (issue: Pick<Issue, "file" | "range">): string => (issue.file ? (issue.range ? `${issue.file}:${issue.range.start_line}` : issue.file) : "no file");
