// What was tried for an issue: the attempts, the gate's decision, and the experiments behind it.
import { get, segment } from "../api/client";
import { type Resource, useResource } from "../api/resource";
import type { Experiment, GateDecision, Issue, Page, StoryLine } from "../api/types";

export interface Verdict {
  valid?: boolean;
  score?: number | null;
  feedback?: string;
  agent?: string;
  threshold?: number;
  quality_scores?: Record<string, number>;
  improvements_needed?: string[];
  suggestions?: string[]; // what would be nice
  canary?: string; // of a worthless change that shows whether the judge looks
}

export interface Tried {
  attempt: { id: string; cycle: number; agent: string; model: string; claim: string; result: string; detail: string; explanation: string; duration_ms: number; base?: string };
  verdicts: Verdict[];
  together?: { score: number; votes: string } | null; // of several judges
  verifications: { kind: string; commands?: { name: string; result: string; exit_code: number; output: string; duration_ms: number }[] }[];
  diff: string;
}

export type Attempts = Page<Tried> & { decision: GateDecision | null; story: StoryLine[]; experiments?: Experiment[] };

export const useAttempts = (issue: Issue): Resource<Attempts> =>
  useResource(`attempts ${issue.id}`, (signal) => get<Attempts>(`/api/issues/${segment(issue.code)}/attempts`, { repository_id: issue.repository_id }, signal), (event) => event.issue_code === issue.code && /^fix_(cycle|issue)_completed$/.test(event.type));

// One of several changes for the same round? What was put back and begun again is none.
export const isCandidate = (one: Tried, all: readonly Tried[]): boolean =>
  one.attempt.result !== "interrupted" && all.some((other) => other !== one && other.attempt.result !== "interrupted" && other.attempt.cycle === one.attempt.cycle && other.attempt.base === one.attempt.base);
