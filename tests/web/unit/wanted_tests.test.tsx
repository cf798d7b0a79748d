// Existing tests that a fix wants to change: a person opens exactly one of them, and takes that back.
import { render } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Issue } from "@web/api/types";
import { WantedTests } from "@web/issues/wanted_tests";
import { act } from "./act";

const issue = { id: "1", code: "BE-003", repository_id: "r 1" } as Issue;
const wanted = { file: "tests/test_x.py", test: "test_limit", change: "from `9` to `10`" };

let box: HTMLElement;
let asked: { method: string; url: string; body: unknown }[];
let open: boolean; // what the server knows

beforeEach(() => {
  box = document.createElement("div");
  document.body.append(box);
  asked = [];
  open = false;
  vi.stubGlobal("fetch", (url: string, sent: RequestInit) => {
    const body = sent.body === undefined ? undefined : (JSON.parse(String(sent.body)) as { open: boolean });
    asked.push({ method: sent.method!, url, body });
    if (body) open = body.open;
    const tests = { wanted: open ? [] : [wanted], opened: open ? [{ ...wanted, reason: "it asserts the bug" }] : [] };
    return Promise.resolve(new Response(JSON.stringify(sent.method === "POST" ? {} : tests), { status: 200 }));
  });
});
afterEach(() => {
  render(null, box);
  box.remove();
  vi.unstubAllGlobals();
});

test("the test that a fix wants to change is opened by its name, and closed again", async () => {
  await act(() => render(<WantedTests issue={issue} />, box));
  expect(box.textContent).toContain("BE-003 wants to change tests/test_x.py::test_limit: from `9` to `10`");
  await act(() => box.querySelector<HTMLButtonElement>("button")!.click());
  expect(asked[1]).toEqual({ method: "POST", url: "/api/issues/BE-003/tests?repository_id=r+1", body: { test: "tests/test_x.py::test_limit", open: true } });
  expect(box.textContent).toContain("The fix may change tests/test_x.py::test_limit: it asserts the bug");
  expect(box.querySelector("button")!.textContent).toBe("Take back");
  await act(() => box.querySelector<HTMLButtonElement>("button")!.click());
  expect(asked.filter((one) => one.method === "POST").map((one) => one.body)).toEqual([
    { test: "tests/test_x.py::test_limit", open: true },
    { test: "tests/test_x.py::test_limit", open: false },
  ]);
  expect(box.querySelector("button")!.textContent).toBe("Open this test");
});

test("nothing is shown where no test is asked for", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify({ wanted: [], opened: [] }), { status: 200 })));
  await act(() => render(<WantedTests issue={issue} />, box));
  expect(box.textContent).toBe("");
});
