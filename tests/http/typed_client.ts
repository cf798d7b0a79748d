// A client written against nothing but the types that are generated from api/openapi.yaml. It is compiled, never run (types_test.py).
import type { components, operations, paths } from "./emend";

type Schemas = components["schemas"];
type Json<Operation extends keyof operations, Status extends keyof operations[Operation]["responses"]> =
  operations[Operation]["responses"][Status] extends { content: { "application/json": infer Body } } ? Body : never;

async function call<T>(path: keyof paths & string, init: RequestInit = {}): Promise<T> {
  const answer = await fetch(path, { ...init, headers: { "Content-Type": "application/json", "X-Emend-CSRF": "1" } });
  if (!answer.ok) {
    const problem = (await answer.json()) as Schemas["Problem"];
    throw new Error(`${problem.code}: ${problem.detail}`);
  }
  return (await answer.json()) as T;
}

export async function openCodes(): Promise<string[]> {
  const page = await call<Json<"listIssues", 200>>("/api/issues");
  const issues: Schemas["Issue"][] = page.data ?? [];
  return issues.filter((issue) => issue.status === "OPEN" && issue.range !== null).map((issue) => `${issue.code} ${issue.links.history}`);
}

export async function fixAll(repository: string, codes: string[]): Promise<string> {
  const wanted: Schemas["PlanRequest"] = { repository_id: repository, issue_ids: codes };
  const plan = await call<Json<"plan", 200>>("/api/fix/plan", { method: "POST", body: JSON.stringify(wanted) });
  const start: Schemas["StartRequest"] = { repository_id: repository, issue_ids: codes, plan_id: plan.plan_id };
  const started = await call<Json<"startFix", 202>>("/api/fix/start", { method: "POST", body: JSON.stringify(start) });
  return started.session_id;
}

export function show(run: Schemas["Run"], log: Schemas["RunLog"]): string {
  const took = run.duration_ms === null ? "still at work" : `${run.duration_ms} ms`;
  return run.status === "running" ? `${run.agent}: ${log.text}` : `${run.agent} (${run.role}) ${took}`;
}

export function best(job: Schemas["ChallengeJob"]): number {
  const scores = job.result?.scores.map((score) => score.score ?? 0) ?? [];
  return Math.max(0, ...scores);
}

export function decision(job: Schemas["PrReviewJob"]): "approved" | "not_approved" | "not_enough_votes" | undefined {
  return job.result?.decision;
}

export function tell(frame: Schemas["StreamFrame"]): string {
  switch (frame.event) {
    case "fix_issue_completed": return `${frame.data.issue_code}: ${frame.data.status}`;
    case "fix_challenger_result": return Object.entries(frame.data.issues ?? {}).map(([code, verdict]) => `${code} ${verdict.score}`).join(", ");
    case "fix_session_interrupted": return frame.data.message;
    default: return frame.event;
  }
}

// @ts-expect-error: nobody can ask for RESOLVED
export const forbidden: Schemas["Decision"] = { action: "resolve" };
// @ts-expect-error: unknown members are refused
export const unknown: Schemas["VerifyRequest"] = { revision: "HEAD" };
// @ts-expect-error: a range or a diff alone does not say what it is about
export const incomplete: Schemas["ChallengeRequest"] = { range: "main..feature" };
// @ts-expect-error: there is no such path
export const nowhere: keyof paths = "/api/none";
// @ts-expect-error: nothing is `any`
export const number: number = ({} as Schemas["Issue"]).code;
