// How the generated functions of the API make addresses and say what a call is about.
import { afterEach, expect, test, vi } from "vitest";
import { changeSessionPlan, getIssue, getSessionDiffAddress, getSessionPlanTagged, importReport, listIssues, listSessions } from "@web/api/operations";

let asked: { url: string; sent: RequestInit }[] = [];

function answerWith(body: unknown, headers: Record<string, string> = {}): void {
  asked = [];
  vi.stubGlobal("fetch", (url: string, sent: RequestInit) => {
    asked.push({ url, sent });
    return Promise.resolve(new Response(JSON.stringify(body), { status: 200, headers }));
  });
}
afterEach(() => vi.unstubAllGlobals());

test("what stands in the path is escaped, the rest is the query, and what is not said is left out", async () => {
  answerWith({ data: [], next_cursor: null });
  await getIssue({ code: "BE/1?", repository_id: "a b" });
  await listIssues({ repository_id: "r", status: null, q: "", offset: 0 });
  await listSessions();
  expect(asked.map((one) => one.url)).toEqual(["/api/issues/BE%2F1%3F?repository_id=a+b", "/api/issues?repository_id=r&offset=0", "/api/fix/sessions"]);
  expect(getSessionDiffAddress({ id: "s/1", format: "patch" })).toBe("/api/fix/sessions/s%2F1/diff?format=patch");
});

test("a change names the version it is about, and carries the token of the page", async () => {
  answerWith({ steps: [] }, { ETag: '"7"' });
  const { tag } = await getSessionPlanTagged({ id: "s" });
  await changeSessionPlan({ id: "s" }, { steps: [] }, { ifMatch: tag });
  expect(asked[0]!.sent.headers).not.toHaveProperty("X-Emend-CSRF");
  expect(asked[1]!.sent.headers).toMatchObject({ "If-Match": '"7"', "X-Emend-CSRF": "1", "Content-Type": "application/json" });
});

test("a report is sent as it is, once", async () => {
  answerWith({});
  await importReport({ repository_id: "r" }, "not json", { once: "k" });
  expect(asked[0]!.sent.body).toBe("not json");
  expect(asked[0]!.sent.headers).toMatchObject({ "Idempotency-Key": "k", "Content-Type": "application/octet-stream" });
});
