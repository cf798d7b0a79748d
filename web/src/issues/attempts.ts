// What was tried for an issue: the attempts, the gate's decision, and the experiments behind it.
import { getIssueAttempts } from "../api/operations";
import { type Resource, useResource } from "../api/resource";
import type { Answer } from "../api/call";
import type { Issue, Schemas } from "../api/types";

export type Verdict = Schemas["VerdictRecord"];
export type Tried = Schemas["Attempt"];
export type Attempts = Answer<"getIssueAttempts">;

export const useAttempts = (issue: Issue): Resource<Attempts> =>
  useResource(`attempts ${issue.id}`, (signal) => getIssueAttempts({ code: issue.code, repository_id: issue.repository_id }, { signal }), (event) => event.issue_code === issue.code && /^fix_(cycle|issue)_completed$/.test(event.type));

// One of several changes for the same round? What was put back and begun again is none.
export const isCandidate = (one: Tried, all: readonly Tried[]): boolean =>
  one.attempt.result !== "interrupted" && all.some((other) => other !== one && other.attempt.result !== "interrupted" && other.attempt.cycle === one.attempt.cycle && other.attempt.base === one.attempt.base);
